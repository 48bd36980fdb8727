"""Pictures: a position as PNG, a game as an animated PNG, games and lines as data for a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Query, Request
from pydantic import Field
from starlette.responses import Response

from plywise.core.analysis import check_cancelled
from plywise.core.position import Position
from plywise.core.scene import Scene, scene_of, standing
from plywise.errors import MoveError
from plywise.views import draw_apng, draw_png
from plywise.web.api import catalogue, schemas
from plywise.web.api.answers import Ready, Routes, Server, read, ready, refusals
from plywise.web.api.positions import read_asked
from plywise.web.api.schemas import position_json
from plywise.web.settings import Settings

router = Routes(prefix="/api/pictures")

PNG = {
    "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
    "description": "A PNG file.",
}
KEPT = ("title", "description", "size", "shapes", "motion")  #: fields of a scene in a frame

LINES = 500  #: lines in one request, more than any board here has moves
LINE = 8  #: moves of a line


class AskImage(schemas.AskLink):
    """A position or a game to draw, and in which colours."""

    theme: Literal["light", "dark"] = "light"


class Frame(schemas.Answer):
    """What a move changes in the picture before it."""

    standing: str
    gone: list[str]  #: the ids of shapes that are gone
    title: str
    description: str
    size: schemas.Point
    shapes: list[schemas.Shape]  #: those that are new, or look different
    motion: schemas.Motion | None


class Frames(schemas.Answer):
    """The pictures of lines."""

    frames: dict[str, Frame]  #: by the moves from the position, such as `d4 e5`


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


#: A request for a PNG file.
image = partial(router.get, response_class=Response, responses={**refusals(429), 200: PNG})


@image("/position.png", summary="Get a picture of a position")
async def get_position(
    request: Request, settings: Server, asked: Annotated[AskImage, Query()]
) -> Response:
    """The position after some moves as a PNG file."""
    return await _send(
        request, lambda: draw_png(scene_of(read_asked(asked, settings)), asked.theme)
    )


@image("/game.png", summary="Get a moving picture of a game")
async def get_game(
    request: Request, settings: Server, asked: Annotated[AskImage, Query()]
) -> Response:
    """A game as an animated PNG file, one picture for each move."""

    def work() -> bytes:
        return draw_apng(map(scene_of, _whole_game(asked, settings).history), asked.theme)

    return await _send(request, work)


@router.answer("GET", "/film", Film, 429, summary="Get a game in pictures")
def get_film(settings: Server, asked: Annotated[schemas.AskLink, Query()]) -> Ready:
    """The pictures of a game as plain data, which the page draws."""
    last = _whole_game(asked, settings)
    scenes = map(scene_of, last.history)
    facts = {"title": last.game.type.title, "game": last.game.spec, "moves": list(last.moves)}
    return ready(Film, {**facts, **catalogue.film(each.to_json() for each in scenes)})


@router.answer("POST", "/lines", Lines, 429, summary="Get the pictures of lines")
def post_lines(settings: Server, asked: AskLines) -> dict[str, Any]:
    """A position with the picture of every position on some lines, as changes from the one before.

    With these a page shows the lines without the server.
    """
    position = read_asked(asked, settings)
    return {"position": position_json(position), "frames": frames(position, asked.lines)}


def _whole_game(asked: schemas.AskLink, settings: Settings) -> Position:
    """Return the last position; MoveError if the game has more moves than are drawn."""
    position = read_asked(asked, settings)
    if len(position.moves) > settings.picture_moves:
        raise MoveError(
            f"{len(position.moves)} moves are too many for a picture of each: "
            f"the limit is {settings.picture_moves}"
        )
    return position


async def _send(request: Request, work: Callable[[], bytes]) -> Response:
    """Draw in a thread of the caller's address, and send the file."""
    return Response(await read(request, work), media_type="image/png")


# Frames: the pictures of moves that follow a position, so that a page can show them alone


def frames(position: Position, lines: Iterable[Sequence[str]]) -> dict[str, dict[str, Any]]:
    """Return the frame of every position on these lines, by the moves that lead to it."""
    seen: dict[tuple[str, ...], tuple[Position, Scene]] = {(): (position, scene_of(position))}
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        for count in range(1, len(line) + 1):
            path = tuple(line[:count])
            if path in seen:
                continue
            check_cancelled()
            before, old = seen[path[:-1]]
            after = before.play(path[-1])
            scene = scene_of(after)
            seen[path] = after, scene
            found[" ".join(path)] = {"standing": standing(after), **changes(old, scene)}
    return found


def changes(old: Scene, new: Scene) -> dict[str, Any]:
    """Return what a frame says: shapes that are new or look different, the ids of those gone."""
    known = {shape.id: shape for shape in old.shapes}
    there = {shape.id for shape in new.shapes}
    changed = tuple(shape for shape in new.shapes if known.get(shape.id) != shape)
    # Only what changed is written: a large board takes a while.
    written = replace(new, shapes=changed, coordinates=(), targets=()).to_json()
    gone = [shape.id for shape in old.shapes if shape.id not in there]
    return {"gone": gone, **{name: written[name] for name in KEPT}}
