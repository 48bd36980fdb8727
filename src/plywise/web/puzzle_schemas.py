"""What requests and answers about puzzles look like; see `plywise.web.schemas`."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from plywise.web.schemas import Answer, Circle, Question, Scene, Shape

PUZZLE_LETTERS = 20_000  #: the longest text of a puzzle, whatever its format
LINES = 10_000  #: the most lines of a board

PuzzleText = Annotated[
    str, Field(max_length=PUZZLE_LETTERS, examples=["slither/5/5/h7023722b8178cg", "3../.../..."])
]
#: One digit for each line, in their order: 0 nothing, 1 a line, 2 a cross.
States = Annotated[str, Field(max_length=LINES, pattern="^[012]*$")]
Verdict = Literal["unique", "several", "none", "unknown"]
Grade = Literal["easy", "normal", "tricky", "hard", "expert", "chains", "extreme"]
Symmetry = Literal["none", "180", "mirror", "all"]


class PuzzleKind(Answer):
    """A kind of puzzle that can be solved here."""

    name: str
    title: str
    summary: str
    palette: str
    picture: Scene


class PuzzleKinds(Answer):
    """All of them."""

    puzzles: list[PuzzleKind]


class AskPuzzle(Question):
    """A puzzle in any format; the usual one if there is none."""

    puzzle: PuzzleText = ""


class Puzzle(Answer):
    """A puzzle to be solved. Its lines are the targets of the scene, in their order."""

    id: str
    rows: int
    cols: int
    clues: int
    status: Verdict  #: how many solutions it has; unknown if that takes too long
    grade: Grade | None  #: of one that was made here
    states: str
    scene: Scene


class AskNew(Question):
    """What a new puzzle should be like."""

    rows: Annotated[int, Field(ge=2, le=30)] = 10
    cols: Annotated[int, Field(ge=2, le=30)] = 10
    grade: Grade | None = None
    symmetry: Symmetry = "180"
    seed: Annotated[int, Field(ge=0, lt=10**9)] | None = None


class AskBoard(Question):
    """A puzzle with what is drawn on it."""

    puzzle: PuzzleText
    states: States


class Standing(Answer):
    """Is it solved, and which cells are known to be inside or outside, as shapes."""

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
    moves: list[str]  #: what to do; a cross is `x 2 1 t`
