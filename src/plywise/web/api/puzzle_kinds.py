"""The kinds of puzzles, each with its parameters, a picture, a sample solution and its rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Literal

from fastapi import Depends, Path

from plywise import puzzles
from plywise.core import scene as core
from plywise.core.puzzle import NO_MARKS, PuzzleType
from plywise.play.attempt import Attempt
from plywise.views.guide import puzzle_guide, sample_solution
from plywise.web import errors
from plywise.web.api.answers import Ready, Routes, Server, cached_on_disk, ready
from plywise.web.api.catalogue import film, guide_json, loaded, parameters_json
from plywise.web.api.positions import most_of
from plywise.web.api.schemas import Answer, Heading, List, Paragraph, Parameter, Sample, Scene
from plywise.web.settings import Settings

PUZZLE_LETTERS = 20_000  #: the longest text of a puzzle in any format
FRAMES = 17  #: about how many pictures show a puzzle being solved

router = Routes(prefix="/api/puzzles")

Name = Annotated[str, Path(max_length=60, description="The name of a kind of puzzle.")]


class Mark(Answer):
    """A mark that a place may hold."""

    words: str
    letter: str  #: the prefix of a move that makes it
    many: str  #: the plural, if their number is shown


class PuzzleKind(Answer):
    """A kind of puzzle."""

    name: str
    title: str
    summary: str
    rules: list[str]
    notation: str  #: how places are named in moves
    marks: list[Mark]
    done: str  #: the message when it is solved
    sides: str  #: the meaning of the two cell colours; empty if there are none
    example: str  #: the default puzzle as text
    formats: str  #: the text formats that can be read
    letters: int  #: the longest text that can be read
    parameters: list[Parameter]  #: of new puzzles
    makes: bool  #: can new puzzles be made?
    days: list[str]  #: the sizes of the puzzles of a day
    checks: bool  #: can complete clues and broken rules be marked while one draws?
    explains: bool  #: can a solution be explained step by step?
    guide: bool  #: are there rules with pictures?
    sided: bool  #: are the places the sides of cells?
    palette: str
    picture: Scene


class PuzzleKinds(Answer):
    """All kinds of puzzles."""

    puzzles: list[PuzzleKind]


class Sketch(Answer):
    """A picture in the guide of a puzzle."""

    type: Literal["sketch"]
    caption: str
    puzzle: str  #: in one word
    scene: Scene


class PuzzleGuide(Answer):
    """The rules of a puzzle for people."""

    name: str
    title: str
    summary: str
    blocks: list[Heading | Paragraph | List | Sketch]
    parameters: list[Parameter]


@cache
def kinds() -> dict[str, PuzzleType]:
    """The kinds of puzzles by name. One that cannot be loaded does not stop the others."""
    return loaded("puzzle", puzzles.names(), puzzles.find)


def find(name: str) -> PuzzleType:
    """Return the kind of puzzle with this name; NotFound with a suggestion if there is none."""
    return errors.one_of("puzzle", name, kinds())


async def _found(name: Name) -> PuzzleType:
    return find(name)


#: A parameter of a handler: the kind of puzzle that the path names.
Kind = Annotated[PuzzleType, Depends(_found)]


@router.answer("GET", "", PuzzleKinds, summary="List the kinds of puzzles")
@cache
def get_puzzles(settings: Server) -> Ready:
    """Every kind of puzzle with its parameters and a picture."""

    def make() -> tuple[Ready, bool]:
        # Without those that cannot be drawn.
        shown = loaded("puzzle", kinds(), lambda name: _kind_json(find(name), settings))
        found = {"puzzles": [*shown.values()]}
        return ready(PuzzleKinds, found), len(shown) == len(puzzles.names())

    return cached_on_disk("puzzles", most_of(settings), make)


def _kind_json(kind: PuzzleType, settings: Settings) -> dict[str, Any]:
    *_, picture = _frames(kind)
    return {
        **vars(kind),
        "title": kind.title or kind.name,
        "rules": list(kind.rules),
        "marks": [vars(mark) for mark in kind.marks],
        "example": kind.default,
        "letters": PUZZLE_LETTERS,
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


def _frames(kind: PuzzleType) -> Iterator[core.Scene]:
    """Pictures of the default puzzle being solved. Nothing has to be compiled for that."""
    attempt = Attempt(kind, kind.read(kind.default)[0])
    moves = sample_solution(kind)
    every = max(1, round(len(moves) / (FRAMES - 1)))
    yield kind.scene(attempt.puzzle, attempt.states, NO_MARKS)
    for number, move in enumerate(moves, 1):
        attempt = attempt.play(move)
        if number % every == 0 or number == len(moves):
            yield kind.scene(attempt.puzzle, attempt.states, NO_MARKS)


@router.answer("GET", "/{name}/guide", PuzzleGuide, 404, summary="Get the rules of a puzzle")
@cache
def get_guide(kind: Kind, settings: Server) -> Ready:
    """The rules of a puzzle for people, with pictures."""
    return ready(PuzzleGuide, guide_json(kind, kind.summary, puzzle_guide(kind), settings))
