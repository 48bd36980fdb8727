"""Puzzles: the server reads, checks, gives hints, solves them and makes new ones.

The server stores nothing: each request carries its puzzle and the marks drawn on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from plywise.core.puzzle import NO_MARKS, Marks, Puzzle, PuzzleHint, PuzzleType, States, Verdict
from plywise.core.scene import Shape, shifted
from plywise.core.spec import FILES
from plywise.errors import InvalidPosition, SpecError
from plywise.play import puzzle_help
from plywise.web.analysis.searches import Searches
from plywise.web.api import puzzle_schemas as schemas
from plywise.web.api.puzzle_kinds import find, settings_of
from plywise.web.api.routes import in_thread
from plywise.web.api.schemas import refusals
from plywise.web.caller import caller_of
from plywise.web.settings import Settings

router = APIRouter(prefix="/api/puzzles")


# Puzzles


@router.post(
    "/{name}", response_model=schemas.Puzzle, responses=refusals(404, 429), summary="Read a puzzle"
)
async def post_puzzle(request: Request, name: schemas.Name, asked: schemas.AskPicture) -> Response:
    """Read a puzzle in any format; returns its picture and whether it has one solution.

    Counting the solutions may take a while, on a new machine also for the compiler. Without
    `counted` the picture comes at once, and `status` says the rest later.
    """
    settings, kind = settings_of(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, states = read_puzzle(kind, asked.puzzle, settings)
        status = _verdict(kind, puzzle, settings.answer_seconds).status if asked.counted else None
        return puzzle_json(kind, puzzle, states, status)

    return await (answer if asked.counted else in_thread)(request, work)


@router.post(
    "/{name}/status",
    response_model=schemas.Count,
    responses=refusals(404, 429),
    summary="Count the solutions",
)
async def post_status(request: Request, name: schemas.Name, asked: schemas.AskPuzzle) -> Response:
    """Say whether a puzzle has one solution, several or none."""
    settings, kind = settings_of(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, _ = read_puzzle(kind, asked.puzzle, settings)
        return {"status": _verdict(kind, puzzle, settings.answer_seconds).status}

    return await answer(request, work)


@router.post(
    "/{name}/new",
    response_model=schemas.Puzzle,
    responses=refusals(404, 429),
    summary="Make a new puzzle",
)
async def post_new(request: Request, name: schemas.Name, asked: schemas.AskNew) -> Response:
    """Make a puzzle with exactly one solution; `params` are the parameters of its kind."""
    settings, kind = settings_of(request), find(name)
    for given in FILES & set(asked.params):
        raise SpecError(f"{name} has no parameter {given!r} here: requests cannot name files")

    def work() -> dict[str, Any]:
        made, _ = puzzle_help.make(kind, asked.params, asked.seed, settings.answer_seconds)
        check_size(kind, made.puzzle, settings)
        states = bytes(len(kind.places(made.puzzle)))
        return puzzle_json(kind, made.puzzle, states, "unique", made.grade)

    return await answer(request, work)


@router.post(
    "/{name}/solve",
    response_model=schemas.Solution,
    responses=refusals(404, 429),
    summary="Solve a puzzle",
)
async def post_solve(request: Request, name: schemas.Name, asked: schemas.AskPuzzle) -> Response:
    """Solve a puzzle in any format; returns the solution, its moves and the time."""
    settings, kind = settings_of(request), find(name)

    def work() -> dict[str, Any]:
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

    return await answer(request, work)


# Puzzles with marks


@router.post(
    "/{name}/standing",
    response_model=schemas.Standing,
    responses=refusals(404),
    summary="See whether a puzzle is solved",
)
async def post_standing(
    request: Request, name: schemas.Name, asked: schemas.AskStanding
) -> Response:
    """Whether the puzzle is solved, the cells whose colour is known, and what breaks a rule."""
    settings, kind = settings_of(request), find(name)

    def work() -> dict[str, Any]:
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

    return await in_thread(request, work)


@router.post(
    "/{name}/check",
    response_model=schemas.Check,
    responses=refusals(404, 429),
    summary="Check the marks",
)
async def post_check(request: Request, name: schemas.Name, asked: schemas.AskBoard) -> Response:
    """Check whether all marks are right so far."""
    settings, kind = settings_of(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, states = board_of(kind, asked, settings)
        problem = _problem(kind, puzzle, states, settings)
        if problem is not None:
            return {"words": problem, "wrong": []}
        found = puzzle_help.check(kind, puzzle, states, settings.answer_seconds)
        names = kind.places(puzzle)
        return {"words": found.words, "wrong": [names[place] for place in found.wrong]}

    return await answer(request, work)


@router.post(
    "/{name}/hint",
    response_model=schemas.PuzzleHint,
    responses=refusals(404, 429),
    summary="Get a hint",
)
async def post_hint(request: Request, name: schemas.Name, asked: schemas.AskBoard) -> Response:
    """The first mistake, or where to look, which technique to use, and the next move."""
    settings, kind = settings_of(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, states = board_of(kind, asked, settings)
        problem = _problem(kind, puzzle, states, settings)
        if problem is not None:
            steps = [problem]
            return {"kind": "no solution", "steps": steps, "area": None, "marks": [], "moves": []}
        found = puzzle_help.hint(kind, puzzle, states, settings.answer_seconds)
        return _hint_json(kind, puzzle, states, found)

    return await answer(request, work)


def _hint_json(
    kind: PuzzleType, puzzle: Puzzle, states: States, found: PuzzleHint
) -> dict[str, Any]:
    # The page draws marks on top of everything else, so the clues are sent again to cover them.
    scene = kind.scene(puzzle, states, NO_MARKS)
    clues = (shape for shape in scene.shapes if shape.kind == "label")
    return {
        "kind": found.kind,
        "steps": list(found.steps),
        "area": puzzle_help.area(scene, found),
        "marks": _plain([*_marked(kind, puzzle, states, found.shown(states), found.marks), *clues]),
        "moves": kind.moves_between(puzzle, states, found.changes),
    }


def _marked(
    kind: PuzzleType, puzzle: Puzzle, states: States, shown: States, marks: Marks
) -> Iterable[Shape]:
    """The shapes that marks add to a picture."""
    plain = frozenset(kind.scene(puzzle, states, NO_MARKS).shapes)
    return (shape for shape in kind.scene(puzzle, shown, marks).shapes if shape not in plain)


def _plain(shapes: Iterable[Shape]) -> list[dict[str, Any]]:
    return [shape.to_json() for shape in shapes]


# ---- helpers -----------------------------------------------------------------------------------


async def answer(request: Request, work: Callable[[], Any]) -> Response:
    """Run `work` in a thread and send its result, within the client's limit."""
    searches = request.app.state.searches
    assert isinstance(searches, Searches)
    return await searches.work(lambda: JSONResponse(work()), caller_of(request.scope))


def puzzle_json(
    kind: PuzzleType, puzzle: Puzzle, states: States, status: str | None, grade: str | None = None
) -> dict[str, Any]:
    """A puzzle as plain data, with everything needed to draw it and its marks."""
    nothing = bytes(len(states))
    scene = kind.scene(puzzle, nothing, NO_MARKS).to_json()
    looks, look = _looks(kind, puzzle, scene)
    size = (0, 0) if kind.size is None else kind.size(puzzle)
    middles = [target["at"] for target in scene["targets"]]
    if kind.middle is not None:
        middles = [list(kind.middle(puzzle, place)) for place in range(len(states))]
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
        "told": [
            _told(kind, puzzle, place, target) for place, target in enumerate(scene["targets"])
        ],
    }


def _told(kind: PuzzleType, puzzle: Puzzle, place: int, target: dict[str, Any]) -> str:
    """Say where a place is, for screen readers; by default its name."""
    name: str = target["move"]
    if kind.place_words is None:
        return name
    return kind.place_words(puzzle, place, 1).removeprefix("the ")


def _looks(
    kind: PuzzleType, puzzle: Puzzle, scene: dict[str, Any]
) -> tuple[list[list[list[dict[str, Any]]]], list[int]]:
    """The distinct ways to draw marks at (0, 0), and the index of each place's way."""
    known: dict[str, int] = {}
    numbers = []
    count = len(scene["targets"])
    marks = [kind.drawn(puzzle, bytes([k]) * count) for k in range(1, len(kind.marks) + 1)]
    for place, target in enumerate(scene["targets"]):
        x, y = target["at"]
        drawn = [[_moved(shape, -x, -y) for shape in shapes.get(place, ())] for shapes in marks]
        numbers.append(known.setdefault(json.dumps(drawn), len(known)))
    return [json.loads(text) for text in known], numbers


def _moved(shape: Shape, x: float, y: float) -> dict[str, Any]:
    """A shifted shape without its id, which depends on its place."""
    return {**shifted(shape, x, y).to_json(), "id": ""}


def board_of(
    kind: PuzzleType, asked: schemas.AskBoard, settings: Settings
) -> tuple[Puzzle, States]:
    """Return the puzzle and its states; InvalidPosition if they do not match."""
    puzzle, _ = read_puzzle(kind, asked.puzzle, settings)
    count = len(kind.places(puzzle))
    if len(asked.states) != count:
        raise InvalidPosition(f"got {len(asked.states)} states, expected {count} (one per place)")
    states = bytes(map(int, asked.states))
    if any(state > len(kind.marks) for state in states):
        raise InvalidPosition(f"each state must be a digit from 0 to {len(kind.marks)}")
    return puzzle, states


def read_puzzle(kind: PuzzleType, text: str, settings: Settings) -> tuple[Puzzle, States]:
    """Return the puzzle of a text with what is drawn on it; the default one if it is empty."""
    puzzle, states = kind.read(text if text.strip() else kind.default)
    check_size(kind, puzzle, settings)
    return puzzle, states


def check_size(kind: PuzzleType, puzzle: Puzzle, settings: Settings) -> None:
    """Raise SpecError if a puzzle is too large for this server."""
    if kind.size is not None:
        rows, cols, _ = kind.size(puzzle)
        if rows * cols > settings.puzzle_cells:
            raise SpecError(
                f"a {rows} x {cols} puzzle is too large for this server: "
                f"at most {settings.puzzle_cells} cells are allowed"
            )


@lru_cache(64)
def _solved(name: str, id: str, seconds: float) -> Verdict:
    kind = find(name)
    return kind.solve(kind.read(id)[0], seconds)._replace(solution=None)


def _verdict(kind: PuzzleType, puzzle: Puzzle, seconds: float) -> Verdict:
    """How many solutions a puzzle has; the solutions themselves are not cached."""
    return _solved(kind.name, kind.identify(puzzle), seconds)


def _problem(kind: PuzzleType, puzzle: Puzzle, states: States, settings: Settings) -> str | None:
    """A sentence that says why a puzzle cannot be checked, or None."""
    if kind.fault(puzzle, states) is None:
        return None
    return puzzle_help.PROBLEMS.get(_verdict(kind, puzzle, settings.answer_seconds).status)
