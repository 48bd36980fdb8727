"""Exercises: positions with one right move, as they ship with a game or lie beside its file."""

from __future__ import annotations

import gzip
import random
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from plywise.core.position import Position
from plywise.errors import PlywiseError
from plywise.play.exercises import files
from plywise.play.exercises.exercise import Exercise
from plywise.play.exercises.words import reason
from plywise.web.api import catalogue, schemas
from plywise.web.api.catalogue import ready
from plywise.web.api.frames import frames
from plywise.web.api.positions import position_json, read_position
from plywise.web.api.routes import in_thread, send_ready
from plywise.web.api.schemas import Answer, refusals
from plywise.web.errors import unknown
from plywise.web.kept import Ready
from plywise.web.settings import Settings

DAY = 50  #: exercises of a day
KEPT = 400  #: answers with pictures that are kept, a few kilobytes each

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
    themes: list[str]  #: the main one first
    rating: int  #: 600 to 2400


class ExerciseList(Answer):
    """The exercises of a game."""

    game: str
    title: str
    exercises: list[ExerciseEntry]


class ExerciseDay(Answer):
    """The exercises of a day, from easy to hard; one of them is the exercise of the day."""

    day: str
    daily: str
    names: list[str]


class Frame(Answer):
    """What a move changes in the picture before it."""

    standing: str
    gone: list[str]  #: the ids of shapes that are gone
    title: str
    description: str
    size: schemas.Point
    shapes: list[schemas.Shape]  #: those that are new, or look different
    motion: schemas.Motion | None


class Frames(Answer):
    """The pictures of all lines of an exercise."""

    frames: dict[str, Frame]  #: by the moves from the position, such as `d4 e5`


class ExerciseAnswer(ExerciseEntry):
    """An exercise with its position and its solution."""

    game: str  #: the spec that it is played on
    task: str
    why: str  #: the reason of the answer, in words
    moves: list[str]
    answer: str
    line: list[str]
    refutations: dict[str, list[str]]
    position: schemas.Position


@cache
def found(name: str) -> dict[str, Exercise]:
    """Return the exercises of a game, by their names; none if it has no file."""
    path = files.file_of(catalogue.find(name))
    return {each.name: each for each in files.read(path)} if path.exists() else {}


def forget() -> None:
    """Read the files again: that of a game has changed."""
    for made in (found, list_json, _packed):
        made.cache_clear()


@router.get("", response_model=ExerciseGames, responses=refusals(), summary="List games to train")
async def get_games(request: Request) -> Response:
    """Every game that has exercises, and how many."""
    return await in_thread(request, _games)


def _games() -> dict[str, Any]:
    listed = []
    for name, kind in catalogue.kinds().items():
        try:
            count = len(found(name))
        except PlywiseError:
            continue  # its file is damaged
        if count:
            listed.append({"name": name, "title": kind.title, "count": count})
    return {"games": listed}


@cache
def list_json(name: str) -> Ready:
    """The answer with the exercises of a game."""
    entries = [_entry(exercise) for exercise in found(name).values()]
    return ready({"game": name, "title": catalogue.find(name).title, "exercises": entries})


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
    "/{name}/day/{day}",
    response_model=ExerciseDay,
    responses=refusals(404),
    summary="List the exercises of a day",
)
async def get_day(request: Request, name: str, day: date) -> Response:
    """The same for everybody: enough for a day without the server, once a page has fetched them."""
    catalogue.find(name)
    return await in_thread(request, lambda: day_json(name, day))


def day_json(name: str, day: date) -> dict[str, Any]:
    """Choose the exercises of a day: one from each step of the ratings."""
    every = sorted(found(name).values(), key=lambda exercise: (exercise.rating, exercise.name))
    lot = random.Random(f"{name} {day}")
    steps = min(DAY, len(every))
    edges = [round(step * len(every) / steps) for step in range(steps + 1)] if steps else [0]
    chosen = [lot.choice(every[low:high]).name for low, high in pairwise(edges)]
    daily = lot.choice(chosen) if chosen else ""
    return {"day": day.isoformat(), "daily": daily, "names": chosen}


@router.get(
    "/{name}/{exercise}",
    response_model=ExerciseAnswer,
    responses=refusals(404),
    summary="Get an exercise",
)
async def get_exercise(request: Request, name: str, exercise: str) -> Response:
    """The position, the solution, and what refutes the other moves."""
    chosen = _chosen(name, exercise)
    settings = request.app.state.settings
    return await in_thread(request, lambda: _exercise(chosen, settings))


@router.get(
    "/{name}/{exercise}/frames",
    response_model=Frames,
    responses=refusals(404),
    summary="Get the pictures of an exercise",
)
async def get_frames(request: Request, name: str, exercise: str) -> Response:
    """The pictures of the solution and of every refutation, as changes from the one before."""
    _chosen(name, exercise)
    settings = request.app.state.settings
    return await send_ready(request, lambda: _frames(name, exercise, settings))


def _chosen(name: str, exercise: str) -> Exercise:
    every = found(name)
    if exercise not in every:
        raise unknown("exercise", exercise, every)
    return every[exercise]


def _exercise(chosen: Exercise, settings: Settings) -> dict[str, Any]:
    position = read_position(chosen.game, None, chosen.moves, settings=settings)
    return {
        **_entry(chosen),
        "game": chosen.game,
        "task": chosen.task(position.game),
        "why": reason(chosen, position.game),
        "moves": list(chosen.moves),
        "answer": chosen.answer,
        "line": list(chosen.line),
        "refutations": _refutations(chosen, position),
        "position": position_json(position),
    }


def _refutations(chosen: Exercise, position: Position) -> dict[str, list[str]]:
    wrong = [move for move in position.legal if move != chosen.answer]
    return {
        move: [] if position.play(move).over else list(chosen.refutation(move)) for move in wrong
    }


def _frames(name: str, exercise: str, settings: Settings) -> Ready:
    packed = _packed(name, exercise, settings)
    return Ready(gzip.decompress(packed), packed)


@lru_cache(KEPT)
def _packed(name: str, exercise: str, settings: Settings) -> bytes:
    """The answer with the pictures, compressed: those of a large board take a while to draw."""
    chosen = found(name)[exercise]
    position = read_position(chosen.game, None, chosen.moves, settings=settings)
    refutations = _refutations(chosen, position)
    lines = [chosen.line, *([move, *line] for move, line in refutations.items())]
    return ready({"frames": frames(position, lines)}).packed


def _entry(exercise: Exercise) -> dict[str, Any]:
    return {
        "name": exercise.name,
        "goal": exercise.goal,
        "length": exercise.length,
        "themes": list(exercise.themes),
        "rating": exercise.rating,
    }
