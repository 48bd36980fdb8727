"""Pictures to share: a position as PNG, a game as an animated PNG or as pictures for a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from plywise.core.position import Position
from plywise.core.scene import scene_of
from plywise.errors import MoveError
from plywise.views import draw_apng, draw_png
from plywise.web.api import catalogue, schemas
from plywise.web.api.positions import read_position, scene_json
from plywise.web.api.routes import send_ready
from plywise.web.api.schemas import refusals
from plywise.web.caller import caller_of
from plywise.web.kept import Ready

router = APIRouter(prefix="/api/pictures")

PNG = {
    "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
    "description": "A PNG file.",
}
Game = Annotated[schemas.Spec, Query()]
Start = Annotated[schemas.Text | None, Query()]
Moves = Annotated[schemas.Text, Query()]
Theme = Annotated[Literal["light", "dark"], Query()]


class Film(schemas.Sample):
    """A game in pictures, move by move. Shapes that they share are listed once."""

    title: str
    game: str
    moves: list[str]


@router.get(
    "/position.png",
    response_class=Response,
    responses={**refusals(429), 200: PNG},
    summary="Get a picture of a position",
)
async def get_position(
    request: Request, game: Game, start: Start = None, moves: Moves = "", theme: Theme = "light"
) -> Response:
    """The position after some moves as a PNG file."""
    settings = request.app.state.settings

    def work() -> bytes:
        return draw_png(scene_of(read_position(game, start, moves, settings=settings)), theme)

    return await _send(request, work)


@router.get(
    "/game.png",
    response_class=Response,
    responses={**refusals(429), 200: PNG},
    summary="Get a moving picture of a game",
)
async def get_game(
    request: Request, game: Game, start: Start = None, moves: Moves = "", theme: Theme = "light"
) -> Response:
    """A game as an animated PNG file, one picture for each move."""
    position = _reader(request, game, start, moves)
    return await _send(request, lambda: draw_apng(map(scene_of, position().history), theme))


@router.get("/film", response_model=Film, responses=refusals(429), summary="Get a game in pictures")
async def get_film(
    request: Request, game: Game, start: Start = None, moves: Moves = ""
) -> Response:
    """The pictures of a game as plain data, which the page draws."""
    position = _reader(request, game, start, moves)

    def work() -> Ready:
        last = position()
        facts: dict[str, Any] = {
            "title": last.game.type.title,
            "game": last.game.spec,
            "moves": list(last.moves),
        }
        return catalogue.ready({**facts, **catalogue.film(map(scene_json, last.history))})

    return await send_ready(request, work)


def _reader(request: Request, game: str, start: str | None, moves: str) -> Callable[[], Position]:
    """Return a function that reads the position; MoveError if it has more moves than are drawn."""
    settings = request.app.state.settings

    def read() -> Position:
        position = read_position(game, start, moves, settings=settings)
        if len(position.moves) > settings.picture_moves:
            raise MoveError(
                f"{len(position.moves)} moves are too many for a picture of each: "
                f"the limit is {settings.picture_moves}"
            )
        return position

    return read


async def _send(request: Request, work: Callable[[], bytes]) -> Response:
    """Draw in a thread of the caller's address, and send the file."""
    data = await request.app.state.searches.read(work, caller_of(request.scope).address)
    return Response(data, media_type="image/png")
