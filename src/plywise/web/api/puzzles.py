"""Puzzles: the server reads, checks, gives hints, solves them and makes new ones.

The server stores nothing: each request carries its puzzle and the marks drawn on it.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from plywise import puzzles
from plywise.core.puzzle import NO_MARKS, Marks, Puzzle, PuzzleHint, PuzzleType, States, Verdict
from plywise.core.scene import Scene, Shape, shifted
from plywise.core.spec import FILES
from plywise.errors import InvalidPosition, SpecError
from plywise.play import puzzle_help
from plywise.play.attempt import Attempt
from plywise.web.analysis.searches import Searches
from plywise.web.api import puzzle_schemas as schemas
from plywise.web.api.catalogue import Ready, film, parameters_json, ready
from plywise.web.api.routes import in_thread, send_ready
from plywise.web.api.schemas import Sample, refusals
from plywise.web.caller import caller_of
from plywise.web.errors import unknown
from plywise.web.settings import Settings

FRAMES = 17  #: about how many pictures show a puzzle being solved

log = logging.getLogger("plywise.web")
router = APIRouter(prefix="/api/puzzles")


# Kinds of puzzles


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


@router.get(
    "",
    response_model=schemas.PuzzleKinds,
    responses=refusals(),
    summary="List the kinds of puzzles",
)
async def get_puzzles(request: Request) -> Response:
    """Every kind of puzzle with its parameters and a picture."""
    return await send_ready(request, lambda: kinds_json(_settings(request)))


@router.get(
    "/{name}/sample",
    response_model=Sample,
    responses=refusals(404),
    summary="Get a sample solution in pictures",
)
async def get_sample(request: Request, name: schemas.Name) -> Response:
    """Pictures of a puzzle being solved. Shapes that they share are listed once."""
    find(name)
    return await send_ready(request, lambda: sample_json(name))


@cache
def kinds_json(settings: Settings) -> Ready:
    """The answer with all kinds, made once; a kind that cannot be drawn is left out."""
    found = []
    for name, kind in kinds().items():
        try:
            found.append(_kind_json(kind, settings))
        except Exception as error:
            log.error("the puzzle %s cannot be shown", name, exc_info=error)
    return ready({"puzzles": found})


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
        "sides": kind.sides_words,
        "example": kind.default,
        "formats": kind.formats,
        "letters": schemas.PUZZLE_LETTERS,
        "parameters": parameters_json(kind.parameters, settings),
        "makes": kind.generate is not None,
        "sided": kind.middle is not None,
        "palette": picture.palette.name,
        "picture": picture.to_json(),
    }


@cache
def sample_json(name: str) -> Ready:
    """The answer with a sample solution, made once."""
    return ready(film(picture.to_json() for picture in _frames(find(name))))


def _frames(kind: PuzzleType) -> Iterator[Scene]:
    """Pictures of the default puzzle being solved. Nothing has to be compiled for that."""
    attempt = Attempt(kind, kind.read(kind.default)[0])
    moves = [move for move in kind.sample.split(",") if move.strip()]
    every = max(1, round(len(moves) / (FRAMES - 1)))
    yield kind.scene(attempt.puzzle, attempt.states, NO_MARKS)
    for number, move in enumerate(moves, 1):
        attempt = attempt.play(move)
        if number % every == 0 or number == len(moves):
            yield kind.scene(attempt.puzzle, attempt.states, NO_MARKS)


# Puzzles


@router.post(
    "/{name}", response_model=schemas.Puzzle, responses=refusals(404, 429), summary="Read a puzzle"
)
async def post_puzzle(request: Request, name: schemas.Name, asked: schemas.AskPicture) -> Response:
    """Read a puzzle in any format; returns its picture and whether it has one solution.

    Counting the solutions may take a while, on a new machine also for the compiler. Without
    `counted` the picture comes at once, and `status` says the rest later.
    """
    settings, kind = _settings(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, states = _read(kind, asked.puzzle, settings)
        status = _verdict(kind, puzzle, settings.answer_seconds).status if asked.counted else None
        return _puzzle_json(kind, puzzle, states, status)

    return await (_answer if asked.counted else in_thread)(request, work)


@router.post(
    "/{name}/status",
    response_model=schemas.Count,
    responses=refusals(404, 429),
    summary="Count the solutions",
)
async def post_status(request: Request, name: schemas.Name, asked: schemas.AskPuzzle) -> Response:
    """Say whether a puzzle has one solution, several or none."""
    settings, kind = _settings(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, _ = _read(kind, asked.puzzle, settings)
        return {"status": _verdict(kind, puzzle, settings.answer_seconds).status}

    return await _answer(request, work)


@router.post(
    "/{name}/new",
    response_model=schemas.Puzzle,
    responses=refusals(404, 429),
    summary="Make a new puzzle",
)
async def post_new(request: Request, name: schemas.Name, asked: schemas.AskNew) -> Response:
    """Make a puzzle with exactly one solution; `params` are the parameters of its kind."""
    settings, kind = _settings(request), find(name)
    for given in FILES & set(asked.params):
        raise SpecError(f"{name} has no parameter {given!r} here: requests cannot name files")

    def work() -> dict[str, Any]:
        made, _ = puzzle_help.make(kind, asked.params, asked.seed, settings.answer_seconds)
        _check_size(kind, made.puzzle, settings)
        states = bytes(len(kind.places(made.puzzle)))
        return _puzzle_json(kind, made.puzzle, states, "unique", made.grade)

    return await _answer(request, work)


@router.post(
    "/{name}/solve",
    response_model=schemas.Solution,
    responses=refusals(404, 429),
    summary="Solve a puzzle",
)
async def post_solve(request: Request, name: schemas.Name, asked: schemas.AskPuzzle) -> Response:
    """Solve a puzzle in any format; returns the solution, its moves and the time."""
    settings, kind = _settings(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, _ = _read(kind, asked.puzzle, settings)
        found = puzzle_help.solve(kind, puzzle, settings.answer_seconds)
        solution = found.solution
        return {
            "status": found.status,
            "words": found.words,
            "seconds": round(found.seconds, 6),
            "states": None if solution is None else "".join(map(str, solution)),
            "moves": [] if solution is None else kind.moves_of(puzzle, solution),
        }

    return await _answer(request, work)


# Puzzles with marks


@router.post(
    "/{name}/standing",
    response_model=schemas.Standing,
    responses=refusals(404),
    summary="See whether a puzzle is solved",
)
async def post_standing(request: Request, name: schemas.Name, asked: schemas.AskBoard) -> Response:
    """Whether the puzzle is solved, and the cells whose colour is known."""
    settings, kind = _settings(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, states = _board(kind, asked, settings)
        sides: Iterable[Shape] = ()
        if kind.sides is not None:
            sides = _marked(kind, puzzle, states, states, Marks(sides=kind.sides(puzzle, states)))
        return {"solved": kind.fault(puzzle, states) is None, "sides": _plain(sides)}

    return await in_thread(request, work)


@router.post(
    "/{name}/check",
    response_model=schemas.Check,
    responses=refusals(404, 429),
    summary="Check the marks",
)
async def post_check(request: Request, name: schemas.Name, asked: schemas.AskBoard) -> Response:
    """Check whether all marks are right so far."""
    settings, kind = _settings(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, states = _board(kind, asked, settings)
        problem = _problem(kind, puzzle, states, settings)
        if problem is not None:
            return {"words": problem, "wrong": []}
        found = puzzle_help.check(kind, puzzle, states, settings.answer_seconds)
        names = kind.places(puzzle)
        return {"words": found.words, "wrong": [names[place] for place in found.wrong]}

    return await _answer(request, work)


@router.post(
    "/{name}/hint",
    response_model=schemas.PuzzleHint,
    responses=refusals(404, 429),
    summary="Get a hint",
)
async def post_hint(request: Request, name: schemas.Name, asked: schemas.AskBoard) -> Response:
    """The first mistake, or where to look, which technique to use, and the next move."""
    settings, kind = _settings(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, states = _board(kind, asked, settings)
        problem = _problem(kind, puzzle, states, settings)
        if problem is not None:
            steps = [problem]
            return {"kind": "no solution", "steps": steps, "area": None, "marks": [], "moves": []}
        found = puzzle_help.hint(kind, puzzle, states, settings.answer_seconds)
        return _hint_json(kind, puzzle, states, found)

    return await _answer(request, work)


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


async def _answer(request: Request, work: Callable[[], Any]) -> Response:
    """Run `work` in a thread and send its result, within the client's limit."""
    searches = request.app.state.searches
    assert isinstance(searches, Searches)
    return await searches.work(lambda: JSONResponse(work()), caller_of(request.scope))


def _puzzle_json(
    kind: PuzzleType, puzzle: Puzzle, states: States, status: str | None, grade: str | None = None
) -> dict[str, Any]:
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
        "facts": "" if kind.facts is None else kind.facts(puzzle),
        "status": status,
        "grade": grade,
        "states": "".join(map(str, states)),
        "scene": {**scene, "title": kind.title or kind.name},
        "looks": looks,
        "look": look,
        "middles": middles,
    }


def _looks(
    kind: PuzzleType, puzzle: Puzzle, scene: dict[str, Any]
) -> tuple[list[list[list[dict[str, Any]]]], list[int]]:
    """The distinct ways to draw marks at (0, 0), and the index of each place's way."""
    known: dict[str, int] = {}
    numbers = []
    for place, target in enumerate(scene["targets"]):
        x, y = target["at"]
        drawn = [
            [_moved(shape, -x, -y) for shape in kind.draw(puzzle, place, state)]
            for state in range(1, len(kind.marks) + 1)
        ]
        numbers.append(known.setdefault(json.dumps(drawn), len(known)))
    return [json.loads(text) for text in known], numbers


def _moved(shape: Shape, x: float, y: float) -> dict[str, Any]:
    """A shifted shape without its id, which depends on its place."""
    return {**shifted(shape, x, y).to_json(), "id": ""}


def _board(kind: PuzzleType, asked: schemas.AskBoard, settings: Settings) -> tuple[Puzzle, States]:
    """Return the puzzle and its states; InvalidPosition if they do not match."""
    puzzle, _ = _read(kind, asked.puzzle, settings)
    count = len(kind.places(puzzle))
    if len(asked.states) != count:
        raise InvalidPosition(f"got {len(asked.states)} states, expected {count} (one per place)")
    states = bytes(map(int, asked.states))
    if any(state > len(kind.marks) for state in states):
        raise InvalidPosition(f"each state must be a digit from 0 to {len(kind.marks)}")
    return puzzle, states


def _read(kind: PuzzleType, text: str, settings: Settings) -> tuple[Puzzle, States]:
    puzzle, states = kind.read(text if text.strip() else kind.default)
    _check_size(kind, puzzle, settings)
    return puzzle, states


def _check_size(kind: PuzzleType, puzzle: Puzzle, settings: Settings) -> None:
    if kind.size is not None:
        rows, cols = kind.size(puzzle)
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


def _settings(request: Request) -> Settings:
    settings = request.app.state.settings
    assert isinstance(settings, Settings)
    return settings
