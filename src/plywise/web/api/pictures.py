"""Pictures: a position as PNG, a game as an animated PNG, games and lines as data for a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field
from starlette.responses import Response

from plywise.core.position import Position
from plywise.core.scene import scene_of
from plywise.errors import MoveError
from plywise.views import draw_apng, draw_png
from plywise.web.api import catalogue, schemas
from plywise.web.api.exercises import Frames
from plywise.web.api.frames import frames
from plywise.web.api.positions import position_json, read_position, scene_json
from plywise.web.api.routes import in_thread, send_ready
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


LINES = 500  #: lines in one request, more than any board here has moves
LINE = 8  #: moves of a line


class AskLines(schemas.AskPosition):
    """A position, and lines of moves from there."""

    lines: list[Annotated[list[schemas.Move], Field(max_length=LINE)]] = Field(max_length=LINES)


class Lines(Frames):
    """A position, and the pictures of lines from there."""

    position: schemas.Position


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


@router.post(
    "/lines", response_model=Lines, responses=refusals(429), summary="Get the pictures of lines"
)
async def post_lines(request: Request, asked: AskLines) -> Response:
    """A position with the picture of every position on some lines, as changes from the one before.

    With these a page shows the lines without the server.
    """
    settings = request.app.state.settings

    def work() -> dict[str, Any]:
        position = read_position(asked.game, asked.start, asked.moves, settings=settings)
        return {"position": position_json(position), "frames": frames(position, asked.lines)}

    return await in_thread(request, work)


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
