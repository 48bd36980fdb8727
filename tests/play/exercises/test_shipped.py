"""The exercises that ship: all of them are proved again, a sample of them in every run."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

import plywise
from plywise import games
from plywise.play.exercises.checking import Checker
from plywise.play.exercises.collecting import least_key
from plywise.play.exercises.exercise import (
    Exercise,
    exercises_file,
    read_exercises,
)

#: How many each game has at least; the others have none.
LEAST = {
    "connect4": 2000,
    "align": 2000,
    "snails": 2000,
    "andantino": 2000,
    "makeway": 50,
    "tictactoe": 40,
}
SAMPLE = 20
PART = 250  #: exercises in a part of the long test, which goes on after an interruption


def shipped(name: str) -> tuple[Exercise, ...]:
    return read_exercises(exercises_file(games.find(name)))


def faults(exercises: list[Exercise]) -> dict[str, str]:
    """Return what is wrong with some exercises, by their names."""
    found = {}
    boards = defaultdict(list)
    for exercise in exercises:
        boards[exercise.game].append(exercise)
    for spec, every in boards.items():
        checker = Checker(plywise.game(spec))
        found |= {each.name: fault for each in every if (fault := checker.fault(each))}
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", LEAST)
def test_a_sample_is_proved_again(name: str) -> None:
    assert faults(random.Random(1).sample(shipped(name), SAMPLE)) == {}


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "part"),
    [(name, part) for name, count in LEAST.items() for part in range(-(-count // PART))],
)
def test_every_exercise_is_proved_again(name: str, part: int) -> None:
    every = shipped(name)
    parts = -(-LEAST[name] // PART)
    assert faults(list(every[part::parts])) == {}


@pytest.mark.parametrize("name", LEAST)
def test_there_are_enough_of_every_length(name: str) -> None:
    every = shipped(name)
    assert len({exercise.name for exercise in every}) == len(every) >= LEAST[name]
    if LEAST[name] >= 500:
        assert {each.length for each in every if each.goal == "win"} == {1, 2, 3, 4, 5, 6}
    assert all(each.themes and 600 <= each.rating <= 2400 for each in every)
    assert exercises_file(games.find(name)).stat().st_size < 110_000


@pytest.mark.long
@pytest.mark.parametrize("name", LEAST)
def test_no_position_is_there_twice(name: str) -> None:
    boards = {exercise.game: plywise.game(exercise.game) for exercise in shipped(name)}
    seen = [(each.game, least_key(each.position(boards[each.game]))) for each in shipped(name)]
    assert len(set(seen)) == len(seen)


def test_no_other_game_has_any() -> None:
    assert {name for name in games.names() if exercises_file(games.find(name)).exists()} == {*LEAST}
