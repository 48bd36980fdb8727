"""The exercises that ship: all of them are proved again, a sample of them in every run."""

from __future__ import annotations

import random

import pytest

import plywise
from plywise import games
from plywise.play.exercises import files
from plywise.play.exercises.checking import Checker

TRAINED = [name for name in games.names() if files.file_of(games.find(name)).exists()]
SAMPLE = 20


@pytest.mark.parametrize(
    ("name", "count"),
    [(name, SAMPLE) for name in TRAINED]
    + [pytest.param(name, None, marks=pytest.mark.long) for name in TRAINED],
)
def test_every_exercise_is_proved_again(name: str, count: int | None) -> None:
    spec, found = files.read(files.file_of(games.find(name)))
    checker = Checker(plywise.game(spec))
    chosen = random.Random(1).sample(found, len(found) if count is None else count)
    assert {each.name: fault for each in chosen if (fault := checker.fault(each))} == {}


@pytest.mark.parametrize("name", TRAINED)
def test_there_are_enough_of_every_length(name: str) -> None:
    _, found = files.read(files.file_of(games.find(name)))
    assert len({exercise.name for exercise in found}) == len(found) >= 2000
    assert {each.length for each in found if each.goal == "win"} == {1, 2, 3, 4, 5, 6}


def test_some_game_has_exercises() -> None:
    assert TRAINED
