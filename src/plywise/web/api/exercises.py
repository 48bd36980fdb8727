"""Exercises: positions with one right move, as they ship with a game or lie beside its file."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from plywise.errors import PlywiseError
from plywise.play.exercises import files
from plywise.play.exercises.exercise import Exercise
from plywise.web.api import catalogue, schemas
from plywise.web.api.catalogue import Ready, ready
from plywise.web.api.positions import position_json, read_position
from plywise.web.api.routes import in_thread, send_ready
from plywise.web.api.schemas import Answer, refusals
from plywise.web.errors import unknown

router = APIRouter(prefix="/api/exercises")


class ExerciseGame(Answer):
    """A game that has exercises."""

    name: str
    title: str
    count: int


class ExerciseGames(Answer):
    """All games that have exercises."""

    games: list[ExerciseGame]


class ExerciseEntry(Answer):
    """What a list says about an exercise."""

    name: str
    goal: str  #: `win`, or `draw` where every other move loses
    length: int  #: moves of your own
    theme: str
    rating: int  #: 600 to 2400


class ExerciseList(Answer):
    """The exercises of a game."""

    game: str  #: the spec that they are played on
    title: str
    exercises: list[ExerciseEntry]


class ExerciseAnswer(ExerciseEntry):
    """An exercise with its position and its solution."""

    game: str
    task: str
    moves: list[str]
    answer: str
    line: list[str]
    refutations: dict[str, list[str]]
    position: schemas.Position


@cache
def found(name: str) -> tuple[str, dict[str, Exercise]]:
    """Return the spec and the exercises of a game, by their names; none if it has no file."""
    path = files.file_of(catalogue.find(name))
    if not path.exists():
        return name, {}
    spec, exercises = files.read(path)
    return spec, {exercise.name: exercise for exercise in exercises}


def forget() -> None:
    """Read the files again: that of a game has changed."""
    found.cache_clear()
    list_json.cache_clear()


@router.get("", response_model=ExerciseGames, responses=refusals(), summary="List games to train")
async def get_games(request: Request) -> Response:
    """Every game that has exercises, and how many."""
    return await in_thread(request, _games)


def _games() -> dict[str, Any]:
    listed = []
    for name, kind in catalogue.kinds().items():
        try:
            count = len(found(name)[1])
        except PlywiseError:
            continue  # its file is damaged
        if count:
            listed.append({"name": name, "title": kind.title, "count": count})
    return {"games": listed}


@cache
def list_json(name: str) -> Ready:
    """The answer with the exercises of a game."""
    spec, exercises = found(name)
    entries = [_entry(exercise) for exercise in exercises.values()]
    return ready({"game": spec, "title": catalogue.find(name).title, "exercises": entries})


@router.get(
    "/{name}",
    response_model=ExerciseList,
    responses=refusals(404),
    summary="List the exercises of a game",
)
async def get_exercises(request: Request, name: str) -> Response:
    """What there is, without the positions."""
    catalogue.find(name)
    return await send_ready(request, lambda: list_json(name))


@router.get(
    "/{name}/{exercise}",
    response_model=ExerciseAnswer,
    responses=refusals(404),
    summary="Get an exercise",
)
async def get_exercise(request: Request, name: str, exercise: str) -> Response:
    """The position and the solution: the answer, best play after it, and what refutes the rest."""
    spec, exercises = found(name)
    chosen = exercises.get(exercise)
    if chosen is None:
        raise unknown("exercise", exercise, exercises)
    settings = request.app.state.settings

    def work() -> dict[str, Any]:
        return {
            **_entry(chosen),
            "game": spec,
            "task": chosen.task,
            "moves": list(chosen.moves),
            "answer": chosen.answer,
            "line": list(chosen.line),
            "refutations": {move: list(line) for move, line in chosen.refutations.items()},
            "position": position_json(read_position(spec, None, chosen.moves, settings=settings)),
        }

    return await in_thread(request, work)


def _entry(exercise: Exercise) -> dict[str, Any]:
    names = ("name", "goal", "length", "theme", "rating")
    return {name: getattr(exercise, name) for name in names}
