"""Exercises: positions with one right move, as they ship with a game or lie beside its file."""

from __future__ import annotations

import random
from datetime import date
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from plywise.core.position import Position
from plywise.errors import PlywiseError
from plywise.play.exercises.exercise import Exercise, exercises_file, read_exercises, reason
from plywise.web.api import catalogue, schemas
from plywise.web.api.answers import Ready, Routes, Server, ready
from plywise.web.api.pictures import Frames, frames
from plywise.web.api.positions import read_position
from plywise.web.api.schemas import Answer, position_json
from plywise.web.errors import one_of
from plywise.web.settings import Settings

DAY = 50  #: exercises of a day
KEPT = 400  #: answers with pictures that are kept, a few kilobytes each

router = Routes(prefix="/api/exercises")


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
    path = exercises_file(catalogue.find(name))
    return {each.name: each for each in read_exercises(path)} if path.exists() else {}


def forget() -> None:
    """Read the files again: that of a game has changed."""
    for made in (found, get_exercises, get_frames):
        made.cache_clear()


@router.answer("GET", "", ExerciseGames, summary="List games to train")
def get_games() -> dict[str, Any]:
    """Every game that has exercises, and how many."""
    listed = []
    for name, kind in catalogue.kinds().items():
        try:
            count = len(found(name))
        except PlywiseError:
            continue  # its file is damaged
        if count:
            listed.append({"name": name, "title": kind.title, "count": count})
    return {"games": listed}


@router.answer("GET", "/{name}", ExerciseList, 404, summary="List the exercises of a game")
@cache
def get_exercises(name: str) -> Ready:
    """What there is, without the positions."""
    entries = [_entry(exercise) for exercise in found(name).values()]
    listed = {"game": name, "title": catalogue.find(name).title, "exercises": entries}
    return ready(ExerciseList, listed)


@router.answer("GET", "/{name}/day/{day}", ExerciseDay, 404, summary="List the exercises of a day")
def get_day(name: str, day: date) -> dict[str, Any]:
    """The same for everybody: enough for a day without the server, once a page has fetched them."""
    # One from each step of the ratings.
    every = sorted(found(name).values(), key=lambda exercise: (exercise.rating, exercise.name))
    rng = random.Random(f"{name} {day}")
    steps = min(DAY, len(every))
    edges = [round(step * len(every) / steps) for step in range(steps + 1)] if steps else [0]
    chosen = [rng.choice(every[low:high]).name for low, high in pairwise(edges)]
    daily = rng.choice(chosen) if chosen else ""
    return {"day": day.isoformat(), "daily": daily, "names": chosen}


@router.answer("GET", "/{name}/{exercise}", ExerciseAnswer, 404, summary="Get an exercise")
def get_exercise(name: str, exercise: str, settings: Server) -> dict[str, Any]:
    """The position, the solution, and what refutes the other moves."""
    chosen, position, refutations = _read(name, exercise, settings)
    return {
        **_entry(chosen),
        "task": chosen.task(position.game),
        "why": reason(chosen, position.game),
        "moves": list(chosen.moves),
        "answer": chosen.answer,
        "line": list(chosen.line),
        "refutations": refutations,
        "position": position_json(position),
    }


@router.answer(
    "GET", "/{name}/{exercise}/frames", Frames, 404, summary="Get the pictures of an exercise"
)
@lru_cache(KEPT)  # those of a large board take a while to draw
def get_frames(name: str, exercise: str, settings: Server) -> Ready:
    """The pictures of the solution and of every refutation, as changes from the one before."""
    chosen, position, refutations = _read(name, exercise, settings)
    lines = [chosen.line, *([move, *line] for move, line in refutations.items())]
    return ready(Frames, {"frames": frames(position, lines)})


def _read(
    name: str, exercise: str, settings: Settings
) -> tuple[Exercise, Position, dict[str, list[str]]]:
    """Return an exercise, its position, and what refutes the wrong moves."""
    chosen = one_of("exercise", exercise, found(name))
    position = read_position(chosen.game, None, chosen.moves, settings=settings)
    wrong = [move for move in position.legal if move != chosen.answer]
    refutations = {
        move: [] if position.play(move).over else list(chosen.refutation(move)) for move in wrong
    }
    return chosen, position, refutations


def _entry(exercise: Exercise) -> dict[str, Any]:
    return {**vars(exercise), "name": exercise.name, "themes": list(exercise.themes)}
