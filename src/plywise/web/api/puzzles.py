"""Puzzles: the server reads, checks, gives hints, solves and explains them and makes new ones.

The server stores nothing: each request carries its puzzle and the marks drawn on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from functools import lru_cache
from typing import Annotated, Any, Literal

from fastapi import Request
from pydantic import Field
from starlette.responses import Response

from plywise import puzzles
from plywise.core import puzzle as core
from plywise.core.puzzle import NO_MARKS, Marks, NewPuzzle, PuzzleType, States
from plywise.core.scene import Shape, shifted
from plywise.core.spec import FILES
from plywise.errors import InvalidPosition, SpecError, suggest
from plywise.play import puzzle_help
from plywise.web.api import schemas
from plywise.web.api.answers import Routes, Server, send
from plywise.web.api.catalogue import shared
from plywise.web.api.puzzle_kinds import PUZZLE_LETTERS, Kind
from plywise.web.api.schemas import Answer, Circle, Point, Question, Scene
from plywise.web.settings import Settings

DAYS = 64  #: puzzles of the day that are kept in memory

PLACES = 10_000  #: the most places on a board

PuzzleText = Annotated[str, Field(max_length=PUZZLE_LETTERS, examples=["3../.../..."])]
#: One digit per place, in order: 0 for nothing, 1 for the first mark, 2 for the second.
Drawing = Annotated[str, Field(max_length=PLACES, pattern="^[0-9]*$")]
Verdict = Literal["unique", "several", "none", "unknown"]
Value = Annotated[str, Field(max_length=60)] | int | float | bool

router = Routes("/api/puzzles/{name}", 404)


# Puzzles


class AskPuzzle(Question):
    """A puzzle in any format; empty for the default one."""

    puzzle: PuzzleText = ""


class AskPicture(AskPuzzle):
    """The same, to be drawn; its solutions need not be counted at once, see `status`."""

    counted: bool = True


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
    looks: list[list[list[schemas.Shape]]]  #: ways to draw the marks, as if at (0, 0)
    look: list[int]  #: the index into `looks` for each place
    middles: list[Point]  #: the middle of the cell that each place belongs to
    told: list[str]  #: where each place is, in words


@router.answer("POST", "", Puzzle, 429, summary="Read a puzzle")
async def post_puzzle(
    request: Request, kind: Kind, settings: Server, asked: AskPicture
) -> Response:
    """Read a puzzle in any format; returns its picture and whether it has one solution.

    Counting the solutions may take a while, on a new machine also for the compiler. Without
    `counted` the picture comes at once, and `status` says the rest later.
    """

    def work() -> dict[str, Any]:
        puzzle, states = read_puzzle(kind, asked.puzzle, settings)
        status = _verdict(kind, puzzle, settings.answer_seconds).status if asked.counted else None
        return puzzle_json(kind, puzzle, states, status)

    return await send(request, Puzzle, work, searching=asked.counted)


class Count(Answer):
    """How many solutions a puzzle has; unknown if that takes too long."""

    status: Verdict


@router.answer("POST", "/status", Count, summary="Count the solutions", searching=True)
def post_status(kind: Kind, settings: Server, asked: AskPuzzle) -> dict[str, Any]:
    """Say whether a puzzle has one solution, several or none."""
    puzzle, _ = read_puzzle(kind, asked.puzzle, settings)
    return {"status": _verdict(kind, puzzle, settings.answer_seconds).status}


class AskNew(Question):
    """The parameters of a new puzzle."""

    params: Annotated[dict[str, Value], Field(default_factory=dict, max_length=20)]
    seed: Annotated[int, Field(ge=0, lt=10**9)] | None = None


@router.answer("POST", "/new", Puzzle, summary="Make a new puzzle", searching=True)
def post_new(kind: Kind, settings: Server, asked: AskNew) -> dict[str, Any]:
    """Make a puzzle with exactly one solution; `params` are the parameters of its kind."""
    for given in FILES & set(asked.params):
        raise SpecError(f"{kind.name} has no parameter {given!r} here: requests cannot name files")
    made, _ = puzzle_help.make(kind, asked.params, asked.seed, settings.answer_seconds)
    return _made_json(kind, made, settings)


class AskDaily(Question):
    """A date such as 2026-05-17, and one of the sizes in `days`."""

    date: date
    size: Annotated[str, Field(max_length=60)]


@router.answer("POST", "/daily", Puzzle, summary="Get a puzzle of the day", searching=True)
def post_daily(kind: Kind, settings: Server, asked: AskDaily) -> dict[str, Any]:
    """The puzzle of a date in one of its sizes: the same for everybody."""
    if asked.size not in kind.daily:
        raise SpecError(f"there is no size {asked.size!r}: {suggest(asked.size, kind.daily)}")
    made = _of_the_day(kind, asked.date.isoformat(), asked.size, settings.answer_seconds)
    return _made_json(kind, made, settings)


_of_the_day = lru_cache(DAYS)(puzzle_help.of_the_day)


def _made_json(kind: PuzzleType, made: NewPuzzle, settings: Settings) -> dict[str, Any]:
    check_size(kind, made.puzzle, settings)
    states = bytes(len(kind.places(made.puzzle)))
    return puzzle_json(kind, made.puzzle, states, "unique", made.grade)


class Solution(Answer):
    """What the computer found, if it found a solution in time."""

    status: Verdict
    words: str  #: the result in a sentence
    seconds: float  #: how long the solver took
    states: str | None  #: the solution, without marks that only help to find it
    moves: list[str]  #: the moves that make it, from an empty board


@router.answer("POST", "/solve", Solution, summary="Solve a puzzle", searching=True)
def post_solve(kind: Kind, settings: Server, asked: AskPuzzle) -> dict[str, Any]:
    """Solve a puzzle in any format; returns the solution, its moves and the time."""
    puzzle, _ = read_puzzle(kind, asked.puzzle, settings)
    found = puzzle_help.solve(kind, puzzle, settings.answer_seconds)
    solution = found.solution
    return {
        "status": found.status,
        "words": found.words,
        "seconds": round(found.seconds, 6),
        "states": None if solution is None else "".join(map(str, solution)),
        "moves": [] if solution is None else kind.moves_of(puzzle, solution),
    }


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

    shapes: list[schemas.Shape]
    frames: list[ExplainedStep]


@router.answer("POST", "/explain", Explanation, summary="Explain the solution", searching=True)
def post_explain(kind: Kind, settings: Server, asked: AskPuzzle) -> dict[str, Any]:
    """The solution step by step, with what each step follows from."""
    if kind.explain is None:
        raise SpecError(f"{kind.name} has no explanations")
    puzzle, _ = read_puzzle(kind, asked.puzzle, settings)
    return _film(kind.explain(puzzle, settings.answer_seconds))


def _film(steps: Iterable[core.ExplainedStep]) -> dict[str, Any]:
    """Return the steps as plain data, with the shapes they share stored once."""
    return shared(
        {
            "title": step.title,
            "words": list(step.words),
            "changes": [list(pair) for pair in step.changes],
            "found": sorted(step.found),
            "because": sorted(step.because),
            "shapes": [shape.to_json() for shape in step.shapes],
        }
        for step in steps
    )


# Puzzles with marks


class AskBoard(Question):
    """A puzzle with the marks drawn on it."""

    puzzle: PuzzleText
    states: Drawing


class Format(Answer):
    """A puzzle in one format."""

    name: str
    text: str


class Export(Answer):
    """A puzzle in every format."""

    formats: list[Format]


@router.answer("POST", "/export", Export, summary="Write a puzzle in every format")
def post_export(kind: Kind, settings: Server, asked: AskBoard) -> dict[str, Any]:
    """The puzzle in every format that its kind writes; some include what is drawn."""
    puzzle, states = board_of(kind, asked, settings)
    writers = puzzles.writers(kind).items()
    return {"formats": [{"name": name, "text": write(puzzle, states)} for name, write in writers]}


class AskProgress(AskBoard):
    """The same; the shapes of coloured cells are left out without `coloured`."""

    coloured: bool = True


class Progress(Answer):
    """Whether the puzzle is solved, and what can be seen without solving it."""

    solved: bool
    sides: list[schemas.Shape]  #: the cells whose colour is known
    done: list[str]  #: the shapes of the scene that are complete clues
    broken: list[str]  #: ... and clues that can no longer be met
    wrong: list[str]  #: places whose marks break a rule


@router.answer("POST", "/standing", Progress, summary="See whether a puzzle is solved")
def post_standing(kind: Kind, settings: Server, asked: AskProgress) -> dict[str, Any]:
    """Whether the puzzle is solved, the cells whose colour is known, and what breaks a rule."""
    puzzle, states = board_of(kind, asked, settings)
    marks = NO_MARKS if kind.progress is None else kind.progress(puzzle, states)
    sides: Iterable[Shape] = ()
    if marks.sides and asked.coloured:
        sides = _marked(kind, puzzle, states, states, Marks(sides=marks.sides))
    names = kind.places(puzzle)
    return {
        "solved": kind.fault(puzzle, states) is None,
        "sides": _plain(sides),
        "done": sorted(marks.done),
        "broken": sorted(marks.broken),
        "wrong": [names[place] for place in sorted(marks.wrong)],
    }


class Check(Answer):
    """The result of a check, with the places that are wrong."""

    words: str
    wrong: list[str]


@router.answer("POST", "/check", Check, summary="Check the marks", searching=True)
def post_check(kind: Kind, settings: Server, asked: AskBoard) -> dict[str, Any]:
    """Check whether all marks are right so far."""
    puzzle, states = board_of(kind, asked, settings)
    problem = _problem(kind, puzzle, states, settings)
    if problem is not None:
        return {"words": problem, "wrong": []}
    found = puzzle_help.check(kind, puzzle, states, settings.answer_seconds)
    names = kind.places(puzzle)
    return {"words": found.words, "wrong": [names[place] for place in found.wrong]}


class PuzzleHint(Answer):
    """A hint about a mistake or the next step, in increasingly specific steps."""

    kind: Literal["mistake", "step", "solved", "no solution"]
    steps: list[str]
    area: Circle | None  #: where to look
    marks: list[schemas.Shape]  #: the last step drawn on the board
    moves: list[str]  #: the moves that carry it out


@router.answer("POST", "/hint", PuzzleHint, summary="Get a hint", searching=True)
def post_hint(kind: Kind, settings: Server, asked: AskBoard) -> dict[str, Any]:
    """The first mistake, or where to look, which technique to use, and the next move."""
    puzzle, states = board_of(kind, asked, settings)
    problem = _problem(kind, puzzle, states, settings)
    if problem is not None:
        steps = [problem]
        return {"kind": "no solution", "steps": steps, "area": None, "marks": [], "moves": []}
    found = puzzle_help.hint(kind, puzzle, states, settings.answer_seconds)
    return _hint_json(kind, puzzle, states, found)


def _hint_json(
    kind: PuzzleType, puzzle: core.Puzzle, states: States, found: core.PuzzleHint
) -> dict[str, Any]:
    # The page draws marks on top of everything else, so the clues are sent again to cover them.
    scene = kind.scene(puzzle, states, NO_MARKS)
    clues = (shape for shape in scene.shapes if shape.kind == "label")
    area = puzzle_help.area(scene, found)
    return {
        "kind": found.kind,
        "steps": list(found.steps),
        "area": None if area is None else list(area),
        "marks": _plain([*_marked(kind, puzzle, states, found.shown(states), found.marks), *clues]),
        "moves": kind.moves_between(puzzle, states, found.changes),
    }


def _marked(
    kind: PuzzleType, puzzle: core.Puzzle, states: States, shown: States, marks: Marks
) -> Iterable[Shape]:
    """The shapes that marks add to a picture."""
    plain = frozenset(kind.scene(puzzle, states, NO_MARKS).shapes)
    return (shape for shape in kind.scene(puzzle, shown, marks).shapes if shape not in plain)


def _plain(shapes: Iterable[Shape]) -> list[dict[str, Any]]:
    return [shape.to_json() for shape in shapes]


# ---- helpers -----------------------------------------------------------------------------------


def puzzle_json(
    kind: PuzzleType,
    puzzle: core.Puzzle,
    states: States,
    status: str | None,
    grade: str | None = None,
) -> dict[str, Any]:
    """A puzzle as plain data, with everything needed to draw it and its marks."""
    nothing = bytes(len(states))
    scene = kind.scene(puzzle, nothing, NO_MARKS).to_json()
    looks, look = _looks(kind, puzzle, scene)
    size = (0, 0) if kind.size is None else kind.size(puzzle)
    middles = [target["at"] for target in scene["targets"]]
    if kind.middle is not None:
        middles = [list(kind.middle(puzzle, place)) for place in range(len(states))]
    told = [target["move"] for target in scene["targets"]]
    if kind.place_words is not None:
        words = (kind.place_words(puzzle, place, 1) for place in range(len(states)))
        told = [each.removeprefix("the ") for each in words]
    return {
        "id": kind.identify(puzzle),
        "heading": kind.heading(puzzle),
        "rows": size[0],
        "cols": size[1],
        "facts": kind.facts(puzzle),
        "status": status,
        "grade": grade,
        "states": "".join(map(str, states)),
        "scene": {**scene, "title": kind.title or kind.name},
        "looks": looks,
        "look": look,
        "middles": middles,
        "told": told,
    }


def _looks(
    kind: PuzzleType, puzzle: core.Puzzle, scene: dict[str, Any]
) -> tuple[list[list[list[dict[str, Any]]]], list[int]]:
    """The distinct ways to draw marks at (0, 0), and the index of each place's way."""
    known: dict[str, int] = {}
    numbers = []
    count = len(scene["targets"])
    marks = [kind.drawn(puzzle, bytes([k]) * count) for k in range(1, len(kind.marks) + 1)]
    for place, target in enumerate(scene["targets"]):
        x, y = target["at"]
        # Without its id, which depends on its place.
        drawn = [
            [{**shifted(shape, -x, -y).to_json(), "id": ""} for shape in shapes.get(place, ())]
            for shapes in marks
        ]
        numbers.append(known.setdefault(json.dumps(drawn), len(known)))
    return [json.loads(text) for text in known], numbers


def board_of(kind: PuzzleType, asked: AskBoard, settings: Settings) -> tuple[core.Puzzle, States]:
    """Return the puzzle and its states; InvalidPosition if they do not match."""
    puzzle, _ = read_puzzle(kind, asked.puzzle, settings)
    count = len(kind.places(puzzle))
    if len(asked.states) != count:
        raise InvalidPosition(f"got {len(asked.states)} states, expected {count} (one per place)")
    states = bytes(map(int, asked.states))
    if any(state > len(kind.marks) for state in states):
        raise InvalidPosition(f"each state must be a digit from 0 to {len(kind.marks)}")
    return puzzle, states


def read_puzzle(kind: PuzzleType, text: str, settings: Settings) -> tuple[core.Puzzle, States]:
    """Return the puzzle of a text with what is drawn on it; the default one if it is empty."""
    puzzle, states = kind.read(text if text.strip() else kind.default)
    check_size(kind, puzzle, settings)
    return puzzle, states


def check_size(kind: PuzzleType, puzzle: core.Puzzle, settings: Settings) -> None:
    """Raise SpecError if a puzzle is too large for this server."""
    if kind.size is not None:
        rows, cols, _ = kind.size(puzzle)
        if rows * cols > settings.puzzle_cells:
            raise SpecError(
                f"a {rows} x {cols} puzzle is too large for this server: "
                f"at most {settings.puzzle_cells} cells are allowed"
            )


@lru_cache(64)
def _verdict(kind: PuzzleType, puzzle: core.Puzzle, seconds: float) -> core.Verdict:
    """How many solutions a puzzle has; the solutions themselves are not cached."""
    return kind.solve(puzzle, seconds)._replace(solution=None)


def _problem(
    kind: PuzzleType, puzzle: core.Puzzle, states: States, settings: Settings
) -> str | None:
    """A sentence that says why a puzzle cannot be checked, or None."""
    if kind.fault(puzzle, states) is None:
        return None
    return puzzle_help.PROBLEMS.get(_verdict(kind, puzzle, settings.answer_seconds).status)
