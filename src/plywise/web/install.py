"""What a browser needs to install the app: a manifest, icons, and a worker for when it is offline.

The worker knows the files of the page by name, and their contents by one hash. When the server is
updated, its text is another one, so that browsers replace it together with everything it keeps.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from starlette.responses import Response

from plywise.core.scene import Circle
from plywise.views.png import FINER, Brush
from plywise.views.theme import Paint
from plywise.web.api import catalogue
from plywise.web.api.answers import Routes, Server
from plywise.web.api.schemas import Answer

STATIC = Path(__file__).with_name("static")
WORKER = STATIC / "worker.js"
ENDINGS = (".js", ".svg")  #: of the files that a page may load; its styles are one file
ICON_SIZES = (192, 512)  #: pixels; what browsers ask for

#: The icon as in static/icon.svg, 32 units wide: a board with four discs.
ICON_BOARD = "#0b4f8f"
ICON_DISCS = (
    ((10.5, 10.5), "#0a3e70"),
    ((21.5, 10.5), "#f5d93b"),
    ((10.5, 21.5), "#e8622a"),
    ((21.5, 21.5), "#e8622a"),
)

router = Routes()


class ServerFacts(Answer):
    """What a page wants to know about its server."""

    version: str  #: of the page's files
    embed: bool  #: may other sites show boards?


@router.answer("GET", "/api/server", ServerFacts, summary="Get facts about the server")
def get_server(settings: Server) -> ServerFacts:
    """The version of the page's files, and what this server allows."""
    return {"version": version(), "embed": bool(settings.embedders)}


@router.get("/manifest.webmanifest", include_in_schema=False)
async def get_manifest() -> Response:
    """The manifest of the app."""
    manifest = {
        "name": "plywise",
        "short_name": "plywise",
        "description": "Board games and puzzles, with an engine that plays, helps and explains.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": ICON_BOARD,
        "icons": [
            {"src": "/static/icon.svg", "type": "image/svg+xml", "sizes": "any"},
            *(
                {"src": f"/icon-{size}.png", "type": "image/png", "sizes": f"{size}x{size}"}
                for size in ICON_SIZES
            ),
            {
                "src": f"/icon-{ICON_SIZES[-1]}.png",
                "type": "image/png",
                "sizes": f"{ICON_SIZES[-1]}x{ICON_SIZES[-1]}",
                "purpose": "maskable",
            },
        ],
    }
    return Response(json.dumps(manifest), media_type="application/manifest+json")


@router.get("/icon-{size}.png", include_in_schema=False)
def get_icon(size: int) -> Response:
    """The icon of the app as a PNG file."""
    if size not in ICON_SIZES:
        return Response(status_code=404)
    return Response(draw_icon(size), media_type="image/png")


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
    return Response("\n".join([*lines, "", worker_text()]), media_type="text/javascript")


@cache
def worker_text() -> str:
    """The part of the worker that is always the same."""
    return WORKER.read_text(encoding="utf-8")


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


@cache
def draw_icon(size: int) -> bytes:
    """Draw the icon; it fills its square, since systems cut off the corners as they like."""
    from io import BytesIO

    from PIL import Image

    image = Image.new("RGB", (FINER * size, FINER * size), ICON_BOARD)
    brush = Brush(image, FINER * size / 32)
    for at, colour in ICON_DISCS:
        disc = Circle(at, 5.0, id="disc", roles=("stone",))
        brush.draw(disc, Paint(colour))
    file = BytesIO()
    image.reduce(FINER).save(file, "PNG", optimize=True)
    return file.getvalue()
