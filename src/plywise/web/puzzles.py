"""Puzzles: the server reads, judges, helps and makes new ones; the page keeps what is drawn.

Nothing is kept here: each request brings its puzzle and what is drawn on it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import JSONResponse, Response

from plywise.core.scene import Scene, Shape
from plywise.errors import InvalidPosition, SpecError
from plywise.puzzles.slither import formats, hints, scene, solver
from plywise.puzzles.slither.attempt import moves_between, puzzle_id
from plywise.puzzles.slither.generator import Wish, generate
from plywise.puzzles.slither.grid import UNKNOWN, Drawing, Puzzle
from plywise.web import puzzle_schemas as schemas
from plywise.web.catalogue import Ready, film, ready
from plywise.web.guard import client_of
from plywise.web.routes import send_ready
from plywise.web.schemas import Sample, refusals
from plywise.web.searches import Searches
from plywise.web.settings import Settings

NAME = "slither"
TITLE = "Slither"
SUMMARY = "Draw one closed loop along the dots; a number says how many lines are around it."
#: The solution of the usual puzzle, once around.
LOOP = (
    "1 1 t, 1 2 t, 1 3 t, 1 4 l, 2 4 t, 2 5 l, 3 5 t, 3 5 r, 4 5 t, 4 5 l, 5 5 t, 5 5 r, 5 5 b, "
    "5 4 b, 5 3 b, 5 3 l, 5 3 t, 4 4 l, 3 4 l, 3 3 t, 2 3 l, 2 2 t, 2 2 l, 3 2 l, 4 2 l, 5 2 l, "
    "5 1 b, 5 1 l, 4 1 l, 3 1 l, 2 1 l, 1 1 l"
)
SEEDS = 10**6  #: a seed drawn by lot is below this
ROOM = 0.75  #: how far a hint's circle reaches round the middle of a cell

router = APIRouter(prefix="/api/puzzles")


# What there is


@router.get("", response_model=schemas.PuzzleKinds, responses=refusals(), summary="All puzzles")
def get_puzzles(request: Request) -> Response:
    """Every kind of puzzle, with a picture."""
    return send_ready(request, kinds_json())


@router.get(
    "/slither/sample", response_model=Sample, responses=refusals(), summary="A puzzle in pictures"
)
def get_sample(request: Request) -> Response:
    """The pictures of a loop as it is drawn; the shapes they share are told once."""
    return send_ready(request, sample_json())


@cache
def kinds_json() -> Ready:
    """The answer, made once."""
    *_, picture = _frames()
    kind = {
        "name": NAME,
        "title": TITLE,
        "summary": SUMMARY,
        "palette": picture.palette,
        "picture": picture.to_json(),
    }
    return ready({"puzzles": [kind]})


@cache
def sample_json() -> Ready:
    """The answer, made once."""
    return ready(film(picture.to_json() for picture in _frames()))


def _frames() -> Iterator[Scene]:
    """The usual puzzle, and its loop as it is drawn. Nothing has to be compiled for that."""
    puzzle = formats.read(formats.DEFAULT)
    lines = [puzzle.read_move(move) for move in LOOP.split(",")]
    for count in range(0, len(lines) + 1, 2):
        yield scene.scene(Drawing.of_lines(puzzle, lines[:count], rest=UNKNOWN))


# Puzzles


@router.post(
    "/slither", response_model=schemas.Puzzle, responses=refusals(429), summary="Read a puzzle"
)
async def post_puzzle(request: Request, asked: schemas.AskPuzzle) -> Response:
    """A puzzle in any format, ready to be solved: how many solutions it has, and its picture."""
    settings = _settings(request)

    def work() -> dict[str, Any]:
        text = asked.puzzle if asked.puzzle.strip() else formats.DEFAULT
        drawing = _sized(formats.read_drawing(text), settings)
        return _puzzle_json(drawing, _verdict(drawing.puzzle, settings.answer_seconds).status)

    return await _answer(request, work)


@router.post(
    "/slither/new", response_model=schemas.Puzzle, responses=refusals(429), summary="A new puzzle"
)
async def post_new(request: Request, asked: schemas.AskNew) -> Response:
    """Make a puzzle with one solution."""
    settings = _settings(request)
    wish = Wish(asked.rows, asked.cols, asked.grade, asked.symmetry)
    _check_size(wish.rows, wish.cols, settings)
    seed = random.SystemRandom().randrange(SEEDS) if asked.seed is None else asked.seed

    def work() -> dict[str, Any]:
        made = generate(wish, seed, time_limit=settings.answer_seconds)
        return _puzzle_json(Drawing.empty(made.puzzle), "unique", made.grade.name)

    return await _answer(request, work)


# What is drawn on them


@router.post(
    "/slither/standing",
    response_model=schemas.Standing,
    responses=refusals(),
    summary="Is it solved?",
)
def post_standing(request: Request, asked: schemas.AskBoard) -> Response:
    """Whether the loop is right, and which cells are known to be inside or outside."""
    drawing = _drawing(asked, _settings(request))
    sides = _marked(drawing, drawing, scene.Marks(sides=drawing.sides))
    return JSONResponse({"solved": drawing.solved, "sides": _plain(sides)})


@router.post(
    "/slither/check", response_model=schemas.Check, responses=refusals(429), summary="A check"
)
async def post_check(request: Request, asked: schemas.AskBoard) -> Response:
    """Is everything right so far?"""
    settings = _settings(request)

    def work() -> dict[str, Any]:
        drawing = _drawing(asked, settings)
        problem = _problem(drawing, settings)
        if problem is not None:
            return {"words": problem, "wrong": []}
        found = hints.check(drawing)
        return {
            "words": found.words,
            "wrong": [drawing.puzzle.move_name(line) for line in found.wrong],
        }

    return await _answer(request, work)


@router.post(
    "/slither/hint", response_model=schemas.PuzzleHint, responses=refusals(429), summary="A hint"
)
async def post_hint(request: Request, asked: schemas.AskBoard) -> Response:
    """The first mistake, or where to look, by which technique, and the next move."""
    settings = _settings(request)

    def work() -> dict[str, Any]:
        drawing = _drawing(asked, settings)
        problem = _problem(drawing, settings)
        if problem is not None:
            steps = [problem]
            return {"kind": "no solution", "steps": steps, "area": None, "marks": [], "moves": []}
        return _hint_json(drawing, hints.hint(drawing, time_limit=settings.answer_seconds))

    return await _answer(request, work)


def _hint_json(drawing: Drawing, found: hints.Hint) -> dict[str, Any]:
    puzzle = drawing.puzzle
    changes = [
        (line, after if found.kind == "step" else 0)
        for line, after in enumerate(found.drawing.states)
        if line in (found.marks.new if found.kind == "step" else found.marks.wrong)
    ]
    # The page draws marks on top of all else, so the clues come once more on top of them.
    clues = (shape for shape in scene.scene(drawing).shapes if shape.kind == "label")
    return {
        "kind": found.kind,
        "steps": found.lines(),
        "area": _area(puzzle, found.marks),
        "marks": _plain([*_marked(drawing, found.drawing, found.marks), *clues]),
        "moves": moves_between(drawing, changes),
    }


def _area(puzzle: Puzzle, marks: scene.Marks) -> list[float] | None:
    """A circle round the cells, or else the dots and lines, that a hint is about."""
    points = [
        (scene.MARGIN + cell % puzzle.cols + 0.5, scene.MARGIN + cell // puzzle.cols + 0.5)
        for cell in marks.cells
    ]
    if not points:
        near = [int(dot) for line in marks.new for dot in puzzle.layout.line_dots[line]]
        dots = marks.dots or near
        points = [
            (scene.MARGIN + dot % (puzzle.cols + 1), scene.MARGIN + dot // (puzzle.cols + 1))
            for dot in dots
        ]
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    x, y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return [x, y, ROOM + max(max(xs) - x, max(ys) - y)]


def _marked(drawing: Drawing, shown: Drawing, marks: scene.Marks) -> Iterable[Shape]:
    """What marks add to a picture."""
    plain = frozenset(scene.scene(drawing).shapes)
    return (shape for shape in scene.scene(shown, marks).shapes if shape not in plain)


def _plain(shapes: Iterable[Shape]) -> list[dict[str, Any]]:
    return [shape.to_json() for shape in shapes]


# ---- what all of them share --------------------------------------------------------------------


async def _answer(request: Request, work: Any) -> Response:
    """Do it in a thread, if the client has not too many under way."""
    searches = request.app.state.searches
    assert isinstance(searches, Searches)
    return JSONResponse(await searches.work(work, client_of(request.scope)))


def _puzzle_json(drawing: Drawing, status: str, grade: str | None = None) -> dict[str, Any]:
    puzzle = drawing.puzzle
    return {
        "id": puzzle_id(puzzle),
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "clues": puzzle.clue_count,
        "status": status,
        "grade": grade,
        "states": "".join(map(str, drawing.states)),
        "scene": scene.scene(Drawing.empty(puzzle), title=TITLE, clicks=True).to_json(),
    }


def _drawing(asked: schemas.AskBoard, settings: Settings) -> Drawing:
    """What is drawn on which puzzle; a text may be as wrong as it likes."""
    puzzle = _sized(formats.read_drawing(asked.puzzle), settings).puzzle
    if len(asked.states) != puzzle.lines:
        raise InvalidPosition(f"{len(asked.states)} states of lines; expected {puzzle.lines}")
    return Drawing(puzzle, bytes(map(int, asked.states)))


def _sized(drawing: Drawing, settings: Settings) -> Drawing:
    _check_size(drawing.puzzle.rows, drawing.puzzle.cols, settings)
    return drawing


def _check_size(rows: int, cols: int, settings: Settings) -> None:
    if rows * cols > settings.puzzle_cells:
        raise SpecError(
            f"{rows} x {cols} cells are too many to be solved here: "
            f"at most {settings.puzzle_cells} will do"
        )


@lru_cache(64)
def _verdict(puzzle: Puzzle, seconds: float) -> solver.Result:
    """How many solutions a puzzle has; the solutions themselves are not kept."""
    return replace(solver.solve(puzzle, time_limit=seconds), solutions=())


def _problem(drawing: Drawing, settings: Settings) -> str | None:
    """Why a puzzle cannot be judged here, in a sentence."""
    if drawing.solved:
        return None
    return {
        "several": "This puzzle has several solutions: nobody can say which line is right.",
        "none": "This puzzle has no solution.",
        "unknown": "This puzzle is too hard to be judged here.",
    }.get(_verdict(drawing.puzzle, settings.answer_seconds).status)


def _settings(request: Request) -> Settings:
    settings = request.app.state.settings
    assert isinstance(settings, Settings)
    return settings
