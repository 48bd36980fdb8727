"""What operators and their programs ask: is the server well, and what has it done?"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request
from starlette.responses import JSONResponse, Response

from plywise import __version__
from plywise.play.records.servers import ping
from plywise.play.records.store import Store, StoreError
from plywise.web.caller import is_among, read_address
from plywise.web.errors import Forbidden, broken
from plywise.web.metrics import CONTENT_TYPE, COUNTED, gauge, total, written
from plywise.web.settings import Settings

ANSWER = 2.0  #: seconds that the database has to answer
FRESH = 1.0  #: seconds for which its answer counts

STARTED = time.time()
FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip")  #: headers of a proxy

router = APIRouter()


class Health:
    """Asks the database now and then, however many want to know. Used on the event loop."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asking: asyncio.Future[str] | None = None
        self._last = ""
        self._until = float("-inf")

    async def fault(self) -> str:
        """What is wrong with the server, in one line; empty if nothing is."""
        now = time.monotonic()
        if now >= self._until:
            asking = self._asking
            if asking is None or asking.done():  # one thread at most has no answer
                asking = self._asking = asyncio.ensure_future(asyncio.to_thread(self._ask))
            done, _ = await asyncio.wait({asking}, timeout=ANSWER)
            self._last = asking.result() if done else "the database does not answer"
            self._until = time.monotonic() + FRESH
        return self._last

    def _ask(self) -> str:
        try:
            ping(self._store)
        except StoreError as error:
            broken(error)  # logged and counted
            return "the database failed"
        return ""


@router.api_route("/health", methods=["GET", "HEAD"], include_in_schema=False)
async def get_health(request: Request) -> Response:
    """200 if the server and its database answer, else 503 and why."""
    health: Health = request.app.state.health
    fault = await health.fault()
    found = {"status": "failing", "error": fault} if fault else {"status": "ok"}
    return JSONResponse(found, 503 if fault else 200, headers={"Cache-Control": "no-store"})


@router.get("/metrics", include_in_schema=False)
async def get_metrics(request: Request) -> Response:
    """What the server has done and does, for Prometheus."""
    settings: Settings = request.app.state.settings
    host = "" if request.client is None else request.client.host
    if not (_is_near(request, host) or is_among(host, settings.metrics)):
        raise Forbidden(
            "metrics are shown only to the machine of the server: 'plywise serve --metrics "
            "ADDRESS' adds another"
        )
    text = written(_lines(request.app))
    return Response(text, media_type=CONTENT_TYPE, headers={"Cache-Control": "no-store"})


def _is_near(request: Request, host: str) -> bool:
    """True for a program on this machine, but not for a proxy that runs here."""
    address = read_address(host)
    near = address is not None and address.is_loopback
    return near and not any(name in request.headers for name in FORWARDED)


def _lines(app: FastAPI) -> Iterator[str]:
    """Everything that is counted, and what can be read at the moment."""
    state = app.state
    yield from gauge("plywise_info", "The version of plywise.", {__version__: 1}, "version")
    for family in COUNTED:
        yield from family.lines()
    sockets = state.rooms.pages.total
    yield from gauge("plywise_sockets", "Open sockets of pages.", sockets)
    yield from gauge("plywise_rooms", "Games in memory.", len(state.rooms))
    if (connections := getattr(state, "connections", None)) is not None:
        yield from gauge("plywise_connections", "Open connections.", len(connections))
    loads = state.searches.load
    yield from gauge("plywise_searches", "Searches and moves of engines.", loads, "state")
    used = time.process_time()
    yield from total("process_cpu_seconds_total", "Processor seconds of the server.", used)
    memory = "process_resident_memory_bytes"
    yield from gauge(memory, "Resident memory of the server in bytes.", _resident())
    start = "process_start_time_seconds"
    yield from gauge(start, "When the server started, in seconds since 1970.", STARTED)
    with suppress(OSError):  # only Linux has such a folder
        yield from gauge("process_open_fds", "Open descriptors.", len(os.listdir("/proc/self/fd")))


def _resident() -> int:
    """The memory that the process has, in bytes; where unknown, the most it ever had."""
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    import resource  # not on Windows

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
