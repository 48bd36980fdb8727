"""The catalogue: every registered game with its pictures.

It changes only when the file of a game is edited, so each answer is made once, on first use.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import suppress
from functools import cache
from inspect import cleandoc
from typing import Any, TypeVar

from plywise import engines, games
from plywise.core.analysis import check_cancelled
from plywise.core.game import Game, GameType
from plywise.core.puzzle import PuzzleType
from plywise.core.spec import FILES, Parameter, Spec
from plywise.engines.auto import FULL
from plywise.errors import MoveError
from plywise.play.exercises.exercise import exercises_file
from plywise.play.new_game import drawn_by
from plywise.views.guide import (
    Block,
    Heading,
    Listing,
    Picture,
    Sketch,
    guide_of,
    read_guide,
)
from plywise.web import errors
from plywise.web.api.answers import Ready, Routes, Server, cached_on_disk, ready
from plywise.web.api.positions import most_of
from plywise.web.api.schemas import Guide, Kind, Kinds, Sample, picture_json, plain_json
from plywise.web.settings import Settings

T = TypeVar("T")
router = Routes(prefix="/api")


@cache
def kinds() -> dict[str, GameType]:
    """The games by name. One that cannot be loaded does not stop the others."""
    return loaded("game", games.names(), games.find)


def loaded(what: str, names: Iterable[str], find: Callable[[str], T]) -> dict[str, T]:
    """Return what can be loaded, by name; the rest is logged."""
    found = {}
    for name in names:
        try:
            found[name] = find(name)
        except Exception as error:
            errors.log.error("the %s %s cannot be loaded", what, name, exc_info=error)
    return found


@router.answer("GET", "/kinds", Kinds, summary="List the games")
@cache
def get_kinds(settings: Server) -> Ready:
    """Every game with its parameters, its agents and two pictures."""

    def make() -> tuple[Ready, bool]:
        # Without those whose sample game, say, is wrong.
        shown = loaded("game", kinds(), lambda name: _kind(find(name), settings))
        return ready(Kinds, {"kinds": [*shown.values()]}), len(shown) == len(games.names())

    return cached_on_disk("games", most_of(settings), make)


@router.answer("GET", "/kinds/{name}", Kind, 404, summary="Describe a game")
@cache
def get_kind(name: str, settings: Server) -> Ready:
    """A game with its parameters, its agents and two pictures."""
    return ready(Kind, _kind(find(name), settings))


@router.answer("GET", "/kinds/{name}/sample", Sample, 404, summary="Get a sample game in pictures")
@cache
def get_sample(name: str) -> Ready:
    """Pictures of a whole game, move by move. Shapes that they share are listed once."""
    return ready(Sample, film(picture_json(position) for position in _sample(find(name)())))


def forget() -> None:
    """Make every answer again: the file of a game has changed."""
    for made in (kinds, get_kinds, get_kind, get_sample, get_guide):
        made.cache_clear()


def film(scenes: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return a sequence of pictures, on which nobody plays."""
    return shared({**scene, "targets": []} for scene in scenes)


def shared(frames: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return frames with the shapes they share stored once."""
    shapes: dict[str, int] = {}  # in JSON -> its number
    numbered = []
    for frame in frames:
        check_cancelled()
        written = [plain_json(shape) for shape in frame["shapes"]]
        numbers = [shapes.setdefault(shape, len(shapes)) for shape in written]
        numbered.append({**frame, "shapes": numbers})
    return {"shapes": [json.loads(shape) for shape in shapes], "frames": numbered}


@router.answer("GET", "/kinds/{name}/guide", Guide, 404, summary="Get the rules of a game")
@cache
def get_guide(name: str, settings: Server) -> Ready:
    """The rules of a game for people, with pictures."""
    kind = find(name)
    return ready(Guide, guide_json(kind, summary_of(kind), guide_blocks(kind), settings))


def guide_json(
    kind: GameType | PuzzleType, summary: str, blocks: Iterable[Block], settings: Settings
) -> dict[str, Any]:
    """The rules of a game or a puzzle as plain data."""
    return {
        "name": kind.name,
        "title": kind.title or kind.name,
        "summary": summary,
        "blocks": [block_json(block) for block in blocks],
        "parameters": parameters_json(kind.parameters, settings),
    }


def guide_blocks(kind: GameType) -> Sequence[Block]:
    """The guide of a game; without one, the docstring of its file, or else its summary."""
    written = games.docstring(kind)
    if kind.guide is None and written:
        return read_guide(cleandoc(written), kind())
    return guide_of(kind)


def block_json(block: Block) -> dict[str, Any]:
    """One block of a guide as plain data.

    >>> block_json(Listing(("a row", "a column")))
    {'type': 'list', 'items': ['a row', 'a column']}
    """
    if isinstance(block, Picture):
        return {
            "type": "picture",
            "caption": block.caption,
            "moves": list(block.position.moves),
            "scene": picture_json(block.position),
        }
    if isinstance(block, Sketch):
        scene = {**block.scene.to_json(), "targets": []}
        scene["shapes"] = [shape for shape in scene["shapes"] if shape["roles"] != ["area"]]
        return {"type": "sketch", "caption": block.caption, "puzzle": block.puzzle, "scene": scene}
    if isinstance(block, Listing):
        return {"type": "list", "items": list(block.items)}
    return {"type": "heading" if isinstance(block, Heading) else "paragraph", "text": block.text}


def find(name: str) -> GameType:
    """Return the game with this name; NotFound with a suggestion if there is none."""
    return errors.one_of("game", name, kinds())


def summary_of(kind: GameType) -> str:
    """The rules in one line: by default the first line of the docstring of the game's file."""
    first, _, _ = games.docstring(kind).partition("\n")
    told = first.strip().removeprefix(f"{kind.title}: ")  # its title is beside it
    return kind.words.summary or told[:1].upper() + told[1:]


def _kind(kind: GameType, settings: Settings) -> dict[str, Any]:
    game = kind()
    drawn = drawn_by(kind, Spec(kind.name))
    positions = _sample(game)
    start, picture = picture_json(positions[0]), picture_json(positions[-1])
    return {
        "name": kind.name,
        "title": kind.title,
        "summary": summary_of(kind),
        "parameters": parameters_json(kind.parameters, settings, drawn),
        "agents": [
            {
                "name": name,
                "help": engines.find(name, game).help,
                "parameters": parameters_json(engines.find(name, game).parameters, settings),
            }
            for name in engines.names(game)
        ],
        "levels": FULL,
        "points": kind.points > 0,
        "toss": bool(drawn),
        "exercises": exercises_file(kind).exists(),
        "palette": picture["palette"],
        "colours": None if kind.palette.choice is None else list(kind.palette.choice),
        "start": start,
        "picture": picture,
        "looks": {look: picture_json(_sample(game)[-1]) for look, game in _looks(kind)},
    }


def _looks(kind: GameType) -> list[tuple[str, Game]]:
    """The choices with which the sample game can be played too, as in a spec: `marks=digits`."""
    found = []
    for parameter in kind.parameters:
        for choice in parameter.choices:
            if choice != parameter.default:
                spec = f"{parameter.name}={choice}"
                game = kind(Spec.parse(f"{kind.name}:{spec}"))
                with suppress(MoveError):
                    _sample(game)
                    found.append((spec, game))
    return found


def _sample(game: Game) -> list[Any]:
    """The positions of the sample game, or the start twice if there is none."""
    positions, moves = [game.start()], game.type.words.sample
    for move in game.split_moves(moves):
        positions.append(positions[-1].play(move))
    return positions if moves else 2 * positions


def parameters_json(
    parameters: Iterable[Parameter], settings: Settings, drawn: Container[str] = ()
) -> list[dict[str, Any]]:
    """Parameters as plain data, with the limits of this server."""
    most = most_of(settings)
    return [
        {
            **vars(parameter),
            "kind": parameter.kind.__name__,
            "high": most.get(parameter.name, parameter.high),
            "choices": list(parameter.choices),
            "drawn": parameter.name in drawn,
        }
        for parameter in parameters
        if parameter.name not in FILES
    ]
