"""Whatever a spec asks for is built or refused within a second of the processor."""

from __future__ import annotations

import random
from contextlib import suppress
from functools import partial

import pytest

import plywise
from plywise import puzzles
from plywise.errors import PlywiseError
from plywise.play import puzzle_help
from tests.cost import cost, slowness
from tests.specs import random_puzzle, random_spec

SOME, ALL = 100, 2000
PUZZLES = 20  #: one of so many is a puzzle
SECONDS = 0.2  #: the time limit of a puzzle


def build(spec: str) -> None:
    with suppress(PlywiseError):
        plywise.game(spec).start()


def make(name: str, values: dict[str, str], seed: int) -> None:
    with suppress(PlywiseError):
        puzzle_help.make(puzzles.find(name), values, seed, SECONDS)


def slow_ones(count: int, seed: int) -> list[tuple[str, float]]:
    """Build so many random specs; return those that cost too much, and how much."""
    rng, found = random.Random(seed), list[tuple[str, float]]()
    for name in puzzles.names():  # compile what puzzles need
        make(name, {}, 1)
    for number in range(count):
        if number % PUZZLES == PUZZLES - 1:
            name, values = random_puzzle(rng)
            what, work = f"{name} {values}", partial(make, name, values, rng.randrange(99))
        else:
            spec = random_spec(rng)
            what, work = spec, partial(build, spec)
        if (seconds := cost(work)) > slowness():
            found.append((what, seconds))
    return found


@pytest.mark.slow
def test_some_random_specs() -> None:
    assert slow_ones(SOME, 1) == []


@pytest.mark.long
def test_two_thousand_random_specs() -> None:
    assert slow_ones(ALL, 2) == []
