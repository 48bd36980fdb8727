"""What requests and answers about puzzles look like; see `plywise.web.api.schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field

from plywise.web.api.schemas import Answer, Circle, Parameter, Point, Question, Scene, Shape

PUZZLE_LETTERS = 20_000  #: the longest text of a puzzle, whatever its format
PLACES = 10_000  #: the most places of a board

Name = Annotated[str, Path(max_length=60, description="The name of a kind of puzzle.")]
PuzzleText = Annotated[str, Field(max_length=PUZZLE_LETTERS, examples=["3../.../..."])]
#: One digit for each place, in their order: 0 nothing, 1 the first mark, 2 the second.
States = Annotated[str, Field(max_length=PLACES, pattern="^[0-9]*$")]
Verdict = Literal["unique", "several", "none", "unknown"]
Value = Annotated[str, Field(max_length=60)] | int | float | bool


class Mark(Answer):
    """What a place may hold."""

    words: str
    letter: str  #: stands before a move that makes it
    many: str  #: several of them, if their number is worth telling


class PuzzleKind(Answer):
    """A kind of puzzle that can be solved here."""

    name: str
    title: str
    summary: str
    rules: list[str]
    marks: list[Mark]
    done: str  #: what to say of a solution
    sides: str  #: what the two colours of cells mean; empty if there are none
    example: str  #: the usual puzzle, as a text
    formats: str  #: which texts can be read
    parameters: list[Parameter]  #: of new ones
    makes: bool  #: can new ones be made?
    sided: bool  #: are its places the sides of cells?
    palette: str
    picture: Scene


class PuzzleKinds(Answer):
    """All of them."""

    puzzles: list[PuzzleKind]


class AskPuzzle(Question):
    """A puzzle in any format; the usual one if there is none."""

    puzzle: PuzzleText = ""


class Puzzle(Answer):
    """A puzzle to be solved. Its places are the targets of the scene, in their order."""

    id: str
    heading: str  #: its title and size
    rows: int
    cols: int
    facts: str  #: what else there is to say of it
    status: Verdict  #: how many solutions it has; unknown if that takes too long
    grade: str | None  #: of one that was made here
    states: str
    scene: Scene
    looks: list[list[list[Shape]]]  #: ways to draw the marks, as if the place were at (0, 0)
    look: list[int]  #: which of them each place has
    middles: list[Point]  #: the middle of the cell that each place belongs to


class AskNew(Question):
    """What a new puzzle should be like."""

    params: Annotated[dict[str, Value], Field(default_factory=dict, max_length=20)]
    seed: Annotated[int, Field(ge=0, lt=10**9)] | None = None


class AskBoard(Question):
    """A puzzle with what is drawn on it."""

    puzzle: PuzzleText
    states: States


class Standing(Answer):
    """Is it solved, and the cells whose colour is known, as shapes."""

    solved: bool
    sides: list[Shape]


class Check(Answer):
    """Is everything right so far? What is not is named."""

    words: str
    wrong: list[str]


class PuzzleHint(Answer):
    """A mistake or the next step, told more and more closely."""

    kind: Literal["mistake", "step", "solved", "no solution"]
    steps: list[str]
    area: Circle | None  #: where to look
    marks: list[Shape]  #: the last step on the board
    moves: list[str]  #: what to do
