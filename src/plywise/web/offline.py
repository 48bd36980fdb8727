"""What a page needs when it is offline: the service worker, which keeps the files of the page.

It knows the files of the page by name, and their contents by one hash. When the server is
updated, its text is another one, so that browsers replace it together with everything it keeps.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from starlette.responses import Response

from plywise.web.api import catalogue
from plywise.web.api.answers import Routes, Server
from plywise.web.api.schemas import Answer

STATIC = Path(__file__).with_name("static")
WORKER = STATIC / "worker.js"
ENDINGS = (".js", ".svg")  #: of the files that a page may load; its styles are one file

router = Routes()


class ServerFacts(Answer):
    """What a page wants to know about its server."""

    version: str  #: of the page's files
    embed: bool  #: may other sites show boards?


@router.answer("GET", "/api/server", ServerFacts, summary="Get facts about the server")
def get_server(settings: Server) -> ServerFacts:
    """The version of the page's files, and what this server allows."""
    return {"version": version(), "embed": bool(settings.embedders)}


@router.get("/worker.js", include_in_schema=False)
def get_worker() -> Response:
    """The service worker, which begins with what it is to keep."""
    names = [f"/api/kinds/{name}" for name in catalogue.kinds()]
    data = ["/api/kinds", "/api/puzzles", "/api/exercises", *names]
    trained = [f"/api/exercises/{name}" for name in catalogue.kinds()]
    lines = [
        f"const VERSION = {json.dumps(version())};",
        f"const FILES = {json.dumps(list(files()))};",
        f"const DATA = {json.dumps([*data, *trained])};",
    ]
    text = WORKER.read_text(encoding="utf-8")
    return Response("\n".join([*lines, "", text]), media_type="text/javascript")


@cache
def files() -> tuple[str, ...]:
    """The addresses of all files of the page. Other sites load those of the embedded board."""
    found = [
        f"/static/{path.relative_to(STATIC).as_posix()}"
        for path in sorted(STATIC.rglob("*"))
        if path.suffix in ENDINGS and path != WORKER and path.parent.name != "embed"
    ]
    return "/", "/style.css", "/manifest.webmanifest", *found


@cache
def version() -> str:
    """A hash of all files of the page, by name and content."""
    found = hashlib.sha256()
    for path in sorted(path for path in STATIC.rglob("*") if path.is_file()):
        found.update(path.relative_to(STATIC).as_posix().encode() + b"\0")
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]
