"""Answers in JSON: made in the threads that addresses share, and written there by their schemas.

A route is declared with `Routes.answer`, which names the schema of the answer once. Pydantic
writes the answer by it, several times as fast as the standard library; what the schema does not
have is not sent, so that the OpenAPI document is true. These schemas are compiled when they are
used, not at the start.

To list the games, each of them is imported, played and drawn: a quarter of a start. So a few
answers are cached on disk for the next one. The names of their files hold a digest of all files of
plywise, so an update or an edit makes them again. A server with games of its user, or of other
packages, caches nothing.
"""

from __future__ import annotations

import gzip
import hashlib
import inspect
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeVar

from fastapi import APIRouter, Depends, FastAPI, Request
from pydantic import TypeAdapter
from starlette.responses import Response

from plywise import games, puzzles
from plywise.core import files
from plywise.core.files import read_sealed, write_sealed
from plywise.web.analysis.searches import Searches
from plywise.web.api.schemas import Error, adapter, written
from plywise.web.caller import caller_of
from plywise.web.settings import Settings

ROOT = Path(__file__).parents[2]
FOLDER = "answers"  #: in the cache
MOST = 4  #: versions of an answer in the cache, for switching back and forth
JSON = "application/json"
T = TypeVar("T")
Work = TypeVar("Work", bound=Callable[..., Any])
REF = "#/components/schemas/{model}"
STATUSES = {
    400: "The request or its JSON body is malformed.",
    403: "The request comes from another site, or this client may not do this.",
    404: "Not found.",
    409: "Not possible in the current state of the game.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    421: "The Host header does not name this server.",
    422: "The request is invalid; `error` says why.",
    429: "Too many requests or searches at once.",
}
ALWAYS = (400, 403, 413, 415, 421, 422)  #: the refusals that any route may give

_documented: dict[str, Any] = {}  # the schemas of all answers, by name


# Writing


class Ready(NamedTuple):
    """An answer, ready to send."""

    packed: bytes  #: with gzip

    @property
    def plain(self) -> bytes:
        """The answer for those who do not know gzip."""
        return gzip.decompress(self.packed)


def pack(plain: bytes) -> Ready:
    """Compress an answer once."""
    return Ready(gzip.compress(plain, 6, mtime=0))


def ready(schema: Any, data: Any) -> Ready:
    """Write an answer once, plain and compressed."""
    return pack(written(schema, data))


# Caching on disk


def cached_on_disk(name: str, facts: object, make: Callable[[], tuple[Ready, bool]]) -> Ready:
    """Return the answer with this name that an earlier start has made, or else make it.

    `facts` is what it depends on beside plywise itself. `make` also says whether the answer is
    complete; one that is not is not cached.
    """
    if not (games.are_shipped() and puzzles.are_shipped()):
        return make()[0]
    try:
        folder = files.trusted(files.cache_folder()) / FOLDER
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        return make()[0]
    digest = hashlib.sha256(f"{_version()} {facts!r}".encode()).hexdigest()[:32]
    file = folder / f"{name}-{digest}.gz"
    with suppress(OSError):
        packed = read_sealed(file)
        os.utime(file)
        return Ready(packed)
    answer, complete = make()
    if complete:
        with suppress(OSError):
            folder.mkdir(exist_ok=True, mode=0o700)
            write_sealed(file, answer.packed)
            files.keep_newest(folder.glob(f"{name}-*.gz"), MOST)
    return answer


@cache
def _version() -> str:
    """A digest of the names, sizes and times of all files of plywise."""
    found = sorted(f"{path} {size} {time}" for path, size, time in _files(ROOT))
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(Path(entry.path))
            else:
                facts = entry.stat()
                yield entry.path, facts.st_size, facts.st_mtime_ns


# Sending


async def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


#: A parameter of a handler: the settings of the server.
Server = Annotated[Settings, Depends(_settings)]


def searches_of(request: Request) -> Searches:
    """Return the search threads of the server."""
    searches: Searches = request.app.state.searches
    return searches


async def read(request: Request, work: Callable[[], T]) -> T:
    """Run something short in a thread of the caller's address."""
    return await searches_of(request).read(work, caller_of(request.scope).address)


async def send(
    request: Request, schema: Any, work: Callable[[], Any], searching: bool = False
) -> Response:
    """Run something in a thread of the caller's address, and send what it returns.

    An answer that is ready is sent compressed if the client accepts gzip. What is `searching`
    counts as an analysis, since it may take seconds.
    """

    def make() -> bytes | Ready:
        found = work()
        return found if isinstance(found, Ready) else written(schema, found)

    if searching:
        answer = await searches_of(request).work(make, caller_of(request.scope))
    else:
        answer = await read(request, make)
    if not isinstance(answer, Ready):
        return Response(answer, media_type=JSON)
    headers = {"Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["Content-Encoding"] = "gzip"
        return Response(answer.packed, headers=headers, media_type=JSON)
    return Response(answer.plain, headers=headers, media_type=JSON)


# Routes and their document


class Routes(APIRouter):
    """The routes of one part of the interface, and what any of them may refuse."""

    def __init__(self, prefix: str = "", *refused: int, **options: Any) -> None:
        super().__init__(prefix=prefix, **options)
        self._refused = refused

    def answer(
        self,
        methods: str,
        path: str,
        schema: Any,
        *refused: int,
        summary: str,
        searching: bool = False,
        status: int = 200,
    ) -> Callable[[Work], Work]:
        """Make a route of a function; its docstring and parameters are those of the route.

        A plain function returns the data of the answer, or an answer that is ready, and runs in a
        thread; see `send`. It may be one with a cache. A coroutine function returns a response.
        """
        if searching:
            refused = (*refused, 429)

        def declare(work: Work) -> Work:
            handle = work if inspect.iscoroutinefunction(work) else sending(work)
            self.add_api_route(
                path,
                handle,
                methods=[methods],
                summary=summary,
                status_code=status,
                response_model=None,
                responses={status: _content(schema), **refusals(*self._refused, *refused)},
            )
            return work

        def sending(work: Callable[..., Any]) -> Callable[..., Any]:
            asked = inspect.signature(work, eval_str=True).parameters

            async def handle(request: Request, **given: Any) -> Response:
                found = [given[name] for name in asked]  # as others call it, for its cache
                return await send(request, schema, lambda: work(*found), searching)

            first = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request)
            named = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in asked.values()]
            handle.__signature__ = inspect.Signature([first, *named])  # type: ignore[attr-defined]
            handle.__name__, handle.__doc__ = work.__name__, work.__doc__
            return handle

        return declare


def _content(schema: Any) -> dict[str, Any]:
    """A content of this schema, for the OpenAPI document."""
    _documented[schema.__name__] = schema
    return {"content": {JSON: {"schema": {"$ref": REF.format(model=schema.__name__)}}}}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The 4xx answers of a route for the OpenAPI document, with those that any route may give."""
    refused = sorted({*ALWAYS, *statuses})
    return {status: {"description": STATUSES[status], **_content(Error)} for status in refused}


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document, with the schemas of all answers; made when it is asked for."""
    if app.openapi_schema is None:
        found = FastAPI.openapi(app)
        named = [(name, "serialization", adapter(each)) for name, each in _documented.items()]
        _, schemas = TypeAdapter.json_schemas(named, ref_template=REF)  # type: ignore[arg-type]
        found["components"]["schemas"].update(schemas["$defs"])
    return app.openapi_schema or {}
