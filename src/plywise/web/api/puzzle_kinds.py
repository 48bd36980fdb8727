"""The kinds of puzzles, each with its parameters, a picture, a sample solution and its rules."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any

from fastapi import Depends

from plywise import puzzles
from plywise.core.guide import sample_solution
from plywise.core.puzzle import NO_MARKS, PuzzleType
from plywise.core.scene import Scene
from plywise.play.attempt import Attempt
from plywise.web.api import puzzle_schemas as schemas
from plywise.web.api.answers import Ready, Routes, Server, cached_on_disk, ready
from plywise.web.api.catalogue import film, parameters_json, puzzle_blocks
from plywise.web.api.positions import most_of
from plywise.web.api.schemas import Sample
from plywise.web.errors import unknown
from plywise.web.settings import Settings

FRAMES = 17  #: about how many pictures show a puzzle being solved

log = logging.getLogger("plywise.web")
router = Routes(prefix="/api/puzzles")


@cache
def kinds() -> dict[str, PuzzleType]:
    """The kinds of puzzles by name. One that cannot be loaded does not stop the others."""
    found = {}
    for name in puzzles.names():
        try:
            found[name] = puzzles.find(name)
        except Exception as error:
            log.error("the puzzle %s cannot be loaded", name, exc_info=error)
    return found


def find(name: str) -> PuzzleType:
    """Return the kind of puzzle with this name; NotFound with a suggestion if there is none."""
    if name not in kinds():
        raise unknown("puzzle", name, kinds())
    return kinds()[name]


async def _found(name: schemas.Name) -> PuzzleType:
    return find(name)


#: A parameter of a handler: the kind of puzzle that the path names.
Kind = Annotated[PuzzleType, Depends(_found)]


@router.answer("GET", "", schemas.PuzzleKinds, summary="List the kinds of puzzles")
@cache
def get_puzzles(settings: Server) -> Ready:
    """Every kind of puzzle with its parameters and a picture."""
    found: list[dict[str, Any]] = []

    def make() -> Ready:
        for name, kind in kinds().items():
            try:
                found.append(_kind_json(kind, settings))
            except Exception as error:
                log.error("the puzzle %s cannot be shown", name, exc_info=error)
        return ready(schemas.PuzzleKinds, {"puzzles": found})

    return cached_on_disk(
        "puzzles", most_of(settings), make, lambda: len(found) == len(puzzles.names())
    )


def _kind_json(kind: PuzzleType, settings: Settings) -> dict[str, Any]:
    *_, picture = _frames(kind)
    return {
        "name": kind.name,
        "title": kind.title or kind.name,
        "summary": kind.summary,
        "rules": list(kind.rules),
        "notation": kind.notation,
        "marks": [{"words": m.words, "letter": m.letter, "many": m.many} for m in kind.marks],
        "done": kind.done,
        "sides": kind.sides,
        "example": kind.default,
        "formats": kind.formats,
        "letters": schemas.PUZZLE_LETTERS,
        "parameters": parameters_json(kind.parameters, settings),
        "makes": kind.generate is not None,
        "days": list(kind.daily),
        "checks": kind.progress is not None,
        "explains": kind.explain is not None,
        "guide": kind.guide is not None,
        "sided": kind.middle is not None,
        "palette": picture.palette.name,
        "picture": picture.to_json(),
    }


@router.answer("GET", "/{name}/sample", Sample, 404, summary="Get a sample solution in pictures")
@cache
def get_sample(kind: Kind) -> Ready:
    """Pictures of a puzzle being solved. Shapes that they share are listed once."""
    return ready(Sample, film(picture.to_json() for picture in _frames(kind)))


def _frames(kind: PuzzleType) -> Iterator[Scene]:
    """Pictures of the default puzzle being solved. Nothing has to be compiled for that."""
    attempt = Attempt(kind, kind.read(kind.default)[0])
    moves = sample_solution(kind)
    every = max(1, round(len(moves) / (FRAMES - 1)))
    yield kind.scene(attempt.puzzle, attempt.states, NO_MARKS)
    for number, move in enumerate(moves, 1):
        attempt = attempt.play(move)
        if number % every == 0 or number == len(moves):
            yield kind.scene(attempt.puzzle, attempt.states, NO_MARKS)


@router.answer(
    "GET", "/{name}/guide", schemas.PuzzleGuide, 404, summary="Get the rules of a puzzle"
)
@cache
def get_guide(kind: Kind, settings: Server) -> Ready:
    """The rules of a puzzle for people, with pictures."""
    return ready(
        schemas.PuzzleGuide,
        {
            "name": kind.name,
            "title": kind.title or kind.name,
            "summary": kind.summary,
            "blocks": puzzle_blocks(kind),
            "parameters": parameters_json(kind.parameters, settings),
        },
    )
