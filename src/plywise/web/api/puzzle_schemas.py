"""The schemas of requests and answers about puzzles; see `plywise.web.api.schemas`."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from fastapi import Path
from pydantic import Field

from plywise.web.api.schemas import (
    Answer,
    Circle,
    Heading,
    List,
    Paragraph,
    Parameter,
    Point,
    Question,
    Scene,
    Shape,
)

PUZZLE_LETTERS = 20_000  #: the longest text of a puzzle in any format
PLACES = 10_000  #: the most places on a board

Name = Annotated[str, Path(max_length=60, description="The name of a kind of puzzle.")]
PuzzleText = Annotated[str, Field(max_length=PUZZLE_LETTERS, examples=["3../.../..."])]
#: One digit per place, in order: 0 for nothing, 1 for the first mark, 2 for the second.
States = Annotated[str, Field(max_length=PLACES, pattern="^[0-9]*$")]
Verdict = Literal["unique", "several", "none", "unknown"]
Value = Annotated[str, Field(max_length=60)] | int | float | bool


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


class AskPuzzle(Question):
    """A puzzle in any format; empty for the default one."""

    puzzle: PuzzleText = ""


class AskPicture(AskPuzzle):
    """The same, to be drawn; its solutions need not be counted at once, see `status`."""

    counted: bool = True


class Count(Answer):
    """How many solutions a puzzle has; unknown if that takes too long."""

    status: Verdict


class Puzzle(Answer):
    """A puzzle to solve. Its places are the targets of the scene, in the same order."""

    id: str
    heading: str  #: its title and size
    rows: int
    cols: int
    facts: str  #: other facts about it
    status: Verdict | None  #: how many solutions it has; None if they were not counted
    grade: str | None  #: of a puzzle made by the server
    states: str
    scene: Scene
    looks: list[list[list[Shape]]]  #: ways to draw the marks, as if the place were at (0, 0)
    look: list[int]  #: the index into `looks` for each place
    middles: list[Point]  #: the middle of the cell that each place belongs to
    told: list[str]  #: where each place is, in words


class AskNew(Question):
    """The parameters of a new puzzle."""

    params: Annotated[dict[str, Value], Field(default_factory=dict, max_length=20)]
    seed: Annotated[int, Field(ge=0, lt=10**9)] | None = None


class AskBoard(Question):
    """A puzzle with the marks drawn on it."""

    puzzle: PuzzleText
    states: States


class AskStanding(AskBoard):
    """The same; the shapes of coloured cells are left out without `coloured`."""

    coloured: bool = True


class Standing(Answer):
    """Whether the puzzle is solved, and what can be seen without solving it."""

    solved: bool
    sides: list[Shape]  #: the cells whose colour is known
    done: list[str]  #: the shapes of the scene that are complete clues
    broken: list[str]  #: ... and clues that can no longer be met
    wrong: list[str]  #: places whose marks break a rule


class AskDaily(Question):
    """A date such as 2026-05-17, and one of the sizes in `days`."""

    date: date
    size: Annotated[str, Field(max_length=60)]


class Format(Answer):
    """A puzzle in one format."""

    name: str
    text: str


class Export(Answer):
    """A puzzle in every format."""

    formats: list[Format]


class ExplainedStep(Answer):
    """A step of a solution; places are numbers, shapes are indices into those of the film."""

    title: str
    words: list[str]
    changes: list[
        Annotated[list[int], Field(min_length=2, max_length=2)]
    ]  #: places that differ from the step before; what they hold
    found: list[int]  #: the places it is about
    because: list[int]  #: the places they follow from
    shapes: list[int]  #: what to highlight below the puzzle


class Explanation(Answer):
    """A solution step by step, from an empty board. Shapes that steps share are listed once."""

    shapes: list[Shape]
    frames: list[ExplainedStep]


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


class Check(Answer):
    """The result of a check, with the places that are wrong."""

    words: str
    wrong: list[str]


class Solution(Answer):
    """What the computer found, if it found a solution in time."""

    status: Verdict
    words: str  #: the result in a sentence
    seconds: float  #: how long the solver took
    states: str | None  #: the solution, without marks that only help to find it
    moves: list[str]  #: the moves that make it, from an empty board


class PuzzleHint(Answer):
    """A hint about a mistake or the next step, in increasingly specific steps."""

    kind: Literal["mistake", "step", "solved", "no solution"]
    steps: list[str]
    area: Circle | None  #: where to look
    marks: list[Shape]  #: the last step drawn on the board
    moves: list[str]  #: the moves that carry it out
