"""More about puzzles: those of the day, every format, explained solutions, and rules with pictures.

As in `plywise.web.api.puzzles`, the server stores nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from plywise import puzzles
from plywise.core.puzzle import ExplainedStep, NewPuzzle, PuzzleType
from plywise.errors import SpecError, suggest
from plywise.play import puzzle_help
from plywise.web.api import puzzle_schemas as schemas
from plywise.web.api.catalogue import parameters_json, ready, shared
from plywise.web.api.guides import puzzle_blocks
from plywise.web.api.puzzle_kinds import find, settings_of
from plywise.web.api.puzzles import answer, board_of, check_size, puzzle_json, read_puzzle
from plywise.web.api.routes import in_thread, send_ready
from plywise.web.api.schemas import refusals
from plywise.web.kept import Ready
from plywise.web.settings import Settings

DAYS = 64  #: puzzles of the day that are kept in memory

router = APIRouter(prefix="/api/puzzles")


@router.post(
    "/{name}/daily",
    response_model=schemas.Puzzle,
    responses=refusals(404, 429),
    summary="Get a puzzle of the day",
)
async def post_daily(request: Request, name: schemas.Name, asked: schemas.AskDaily) -> Response:
    """The puzzle of a date in one of its sizes: the same for everybody."""
    settings, kind = settings_of(request), find(name)
    if asked.size not in kind.daily:
        raise SpecError(f"there is no size {asked.size!r}: {suggest(asked.size, kind.daily)}")

    def work() -> dict[str, Any]:
        made = _of_the_day(name, asked.date.isoformat(), asked.size, settings.answer_seconds)
        check_size(kind, made.puzzle, settings)
        states = bytes(len(kind.places(made.puzzle)))
        return puzzle_json(kind, made.puzzle, states, "unique", made.grade)

    return await answer(request, work)


@lru_cache(DAYS)
def _of_the_day(name: str, date: str, size: str, seconds: float) -> NewPuzzle:
    return puzzle_help.of_the_day(find(name), date, size, seconds)


@router.post(
    "/{name}/export",
    response_model=schemas.Export,
    responses=refusals(404),
    summary="Write a puzzle in every format",
)
async def post_export(request: Request, name: schemas.Name, asked: schemas.AskBoard) -> Response:
    """The puzzle in every format that its kind writes; some include what is drawn."""
    settings, kind = settings_of(request), find(name)

    def work() -> dict[str, Any]:
        puzzle, states = board_of(kind, asked, settings)
        formats = [
            {"name": each, "text": write(puzzle, states)}
            for each, write in puzzles.writers(kind).items()
        ]
        return {"formats": formats}

    return await in_thread(request, work)


@router.post(
    "/{name}/explain",
    response_model=schemas.Explanation,
    responses=refusals(404, 429),
    summary="Explain the solution",
)
async def post_explain(request: Request, name: schemas.Name, asked: schemas.AskPuzzle) -> Response:
    """The solution step by step, with what each step follows from."""
    settings, kind = settings_of(request), find(name)
    if kind.explain is None:
        raise SpecError(f"{name} has no explanations")
    explain = kind.explain

    def work() -> dict[str, Any]:
        puzzle, _ = read_puzzle(kind, asked.puzzle, settings)
        return _film(explain(puzzle, settings.answer_seconds))

    return await answer(request, work)


def _film(steps: Iterable[ExplainedStep]) -> dict[str, Any]:
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


@router.get(
    "/{name}/guide",
    response_model=schemas.PuzzleGuide,
    responses=refusals(404),
    summary="Get the rules of a puzzle",
)
async def get_guide(request: Request, name: schemas.Name) -> Response:
    """The rules of a puzzle for people, with pictures."""
    find(name)
    return await send_ready(request, lambda: guide_json(name, settings_of(request)))


@cache
def guide_json(name: str, settings: Settings) -> Ready:
    """The answer with the rules of a puzzle, made once."""
    kind: PuzzleType = find(name)
    return ready(
        {
            "name": kind.name,
            "title": kind.title or kind.name,
            "summary": kind.summary,
            "blocks": puzzle_blocks(kind),
            "parameters": parameters_json(kind.parameters, settings),
        }
    )
