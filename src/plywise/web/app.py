"""The ASGI app: routes, static files, the page, start-up and shutdown."""

from __future__ import annotations

import asyncio
import hashlib
import mimetypes
import os
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.concurrency import run_in_threadpool
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route, request_response
from starlette.staticfiles import NotModifiedResponse, StaticFiles

from plywise import __version__, arena
from plywise.errors import Unsupported
from plywise.games import names
from plywise.play.records.changes import Changes
from plywise.play.records.servers import key_of, resume
from plywise.play.records.store import Store
from plywise.play.warmup import puzzle_tasks, usual_tasks
from plywise.views.css import draw_css
from plywise.web import errors, offline
from plywise.web.analysis.searches import Searches
from plywise.web.api import (
    analysis,
    answers,
    arenas,
    catalogue,
    editor,
    exercises,
    games,
    monitoring,
    pictures,
    positions,
    puzzle_kinds,
    puzzles,
)
from plywise.web.api.answers import Ready, cached_on_disk, pack
from plywise.web.guard import SAFE, Guard, throttle_of
from plywise.web.live import socket
from plywise.web.live.rooms import Rooms
from plywise.web.own_games import OwnGames
from plywise.web.settings import Settings

STATIC = Path(__file__).with_name("static")
HEAD_START = 1.0  #: seconds for the first page, which must not be slowed down by the warm-up
NICEST = 19  #: the lowest priority there is
SMALL = 500  #: bytes below which a file is not worth compressing
SHELL = "index.html"  #: the only page; its script reads the path
PAGES = (
    "/",
    "/new/{name}",
    "/game/{id}",
    "/board",
    "/rules/{name}",
    "/puzzle/{name}",
    "/exercises/{name}",
    "/interface",
    "/edit",
    "/history",
    "/arena",
    "/arena/{number}",
)
#: The style sheets of the page, in their order; the colours of boards are one of them.
COLOURS = "colours"
ARENA = "arena"  #: shared with the pages that `plywise arena --html` writes
STYLE = (
    *("base", "controls", COLOURS, "home", "setup", "board", "game", "friends", "window", "toss"),
    *("puzzle", "panels", "analysis", "review", ARENA),
)
#: What other sites may load, see `Settings.embedders`: the page of a board, and its element.
EMBEDS = {"/embed/board": "embed/index.html", "/embed/plywise-board.js": "embed/plywise-board.js"}
#: ... and what browsers need to install the app. The icons are icon.svg for systems that take no
#: SVG; they fill their square, since systems cut off the corners as they like.
INSTALLS = ("manifest.webmanifest", "icon-192.png", "icon-512.png")
FILES = {**EMBEDS, **{f"/{name}": name for name in INSTALLS}}

mimetypes.add_type(
    "text/javascript", ".js"
)  # some systems say otherwise, and browsers refuse the script


class WarmUp(threading.Thread):
    """A thread that prepares the answers that never change and compiles what games need."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(name="warm-up", daemon=True)
        self._settings = settings
        self._closing = threading.Event()

    def close(self) -> None:
        """Stop soon, without waiting for a kernel that is being compiled."""
        self._closing.set()

    def run(self) -> None:
        """Prepare one thing after the other."""
        if sys.platform == "linux":  # elsewhere a priority applies to the whole process
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICEST)
        if self._closing.wait(HEAD_START):
            return
        import uvicorn.protocols.websockets.websockets_sansio_impl  # noqa: F401 - for the first game

        catalogue.get_kinds(self._settings)
        for name, kind in catalogue.kinds().items():
            catalogue.get_kind(name, self._settings)
            catalogue.get_guide(name, self._settings)
            for spec, work in usual_tasks(kind()):
                if self._closing.is_set():
                    return
                try:
                    work()
                except Unsupported:
                    continue  # this agent does not play this game
                except Exception as error:
                    if self._closing.is_set():
                        return  # the threads of the searches are gone
                    errors.log.error("%s cannot play %s", spec, name, exc_info=error)
        for name, puzzle in puzzle_kinds.kinds().items():
            try:
                for _, work in puzzle_tasks(puzzle):
                    if not self._closing.is_set():
                        work()
            except Exception as error:
                errors.log.error("the puzzle %s cannot be made ready", name, exc_info=error)


def create_app(settings: Settings, store: Store) -> FastAPI:
    """Create the ASGI app for a store of games. The caller closes the store."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        searches = app.state.searches = Searches(settings)
        app.state.health = monitoring.Health(store)
        rooms = app.state.rooms = Rooms(store, searches, settings)
        own_games = app.state.own_games = OwnGames(
            rooms, (catalogue.forget, exercises.forget, positions.forget, _theme.cache_clear)
        )
        changes = Changes(store, rooms.heard)
        changes.start()
        warm_up = app.state.warm_up = WarmUp(settings)
        if settings.warm_up:
            warm_up.start()
        try:
            yield
        finally:
            own_games.close()
            await asyncio.to_thread(changes.close)
            await rooms.close()
            await searches.close()
            warm_up.close()

    app = FastAPI(
        title="plywise",
        version=__version__,
        summary="Board games and puzzles: positions, games, analysis, hints and reviews.",
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.store = store
    app.state.arenas = arenas.watched(settings.arenas)
    app.openapi = lambda: answers.document(app)  # type: ignore[method-assign]
    errors.register(app)
    app.state.throttle = throttle_of(settings)
    resume(store)
    app.add_middleware(Guard, settings=settings, throttle=app.state.throttle, key=key_of(store))
    for router in (
        *(catalogue.router, positions.router, analysis.router, puzzle_kinds.router, puzzles.router),
        *(exercises.router, pictures.router, games.router, socket.router, monitoring.router),
        *(offline.router, editor.router, arenas.router),
    ):
        # `include_router` would build every route a second time, at the first request.
        app.router.routes.extend(router.routes)
    _add_pages(app)
    return app


@cache
def _theme() -> bytes:
    """The style sheet with the colours of every board; made on first use."""

    def make() -> tuple[Ready, bool]:
        kinds = catalogue.kinds()
        palettes = [kind.palette for kind in kinds.values()]
        return pack(draw_css(palettes).encode()), len(kinds) == len(names())

    return cached_on_disk("theme", None, make).plain


def _style() -> bytes:
    """The style sheet of the page: all of static/style in one, so that a browser asks once."""
    files = {ARENA: Path(arena.__file__).with_name("tables.css")}
    parts = (
        _theme()
        if name == COLOURS
        else files.get(name, STATIC / "style" / f"{name}.css").read_bytes()
        for name in STYLE
    )
    return b"\n".join(parts)


#: The second is for boards on other sites.
SHEETS: dict[str, Callable[[], bytes]] = {"/style.css": _style, "/theme.css": _theme}


def _add_pages(app: FastAPI) -> None:
    """Add what a browser loads: the shell for every page, and its style sheet and scripts."""
    static = StaticFiles(directory=STATIC)

    async def shell(request: Request) -> Response:
        if not app.state.arenas:
            return await static.get_response(SHELL, request.scope)
        text = (STATIC / SHELL).read_text(encoding="utf-8")
        return HTMLResponse(text.replace("</nav>", '<a href="/arena">Tournaments</a>\n</nav>'))

    async def file(request: Request) -> Response:
        path = request.url.path
        if path in EMBEDS and not request.app.state.settings.embedders:
            raise errors.Forbidden(
                "boards on other sites are off: 'plywise serve --embed ORIGIN' allows them"
            )
        return await static.get_response(FILES[path], request.scope)

    async def sheet(request: Request) -> Response:
        content = await run_in_threadpool(SHEETS[request.url.path])
        headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"'}
        answer = Response(content, headers=headers, media_type="text/css")
        if static.is_not_modified(answer.headers, request.headers):
            return NotModifiedResponse(answer.headers)
        return answer

    async def missing(request: Request, error: Exception) -> Response:
        """Answer 404: in JSON for the API, with the shell for a page."""
        is_page = not request.url.path.startswith(("/api/", "/static/"))
        if is_page and request.method in SAFE:
            return FileResponse(STATIC / SHELL, 404)
        return await errors.answer_http(request, error)

    def add(path: str, answer: Callable[[Request], Awaitable[Response]]) -> None:
        packed = GZipMiddleware(request_response(answer), minimum_size=SMALL)
        app.router.routes.append(Route(path, packed, methods=["GET"], include_in_schema=False))

    for path in FILES:
        add(path, file)
    for path in PAGES:
        add(path, shell)
    for path in SHEETS:
        add(path, sheet)
    app.mount("/static", GZipMiddleware(static, minimum_size=SMALL))
    app.add_exception_handler(404, missing)
