"""Random specs of any game or puzzle: sizes at their bounds and beyond, and plain nonsense."""

from __future__ import annotations

import random
from collections.abc import Iterable

from plywise import games, puzzles
from plywise.core.spec import FILES, Parameter

WORDS = ("", "yes", "no", "x", "-1", "nan", "1e9", "0/0_2/1_4/0:0-1_1-2", "0/0_1/0:0-1", "9" * 30)


def random_spec(rng: random.Random) -> str:
    """A spec of some game, mostly with values that are allowed."""
    name = rng.choice(games.names())
    given = random_values(rng, games.find(name).parameters)
    return f"{name}:{','.join(f'{key}={value}' for key, value in given.items())}".rstrip(":")


def random_values(rng: random.Random, parameters: Iterable[Parameter]) -> dict[str, str]:
    """Values for some of the parameters."""
    return {
        parameter.name: _value(rng, parameter)
        for parameter in parameters
        if parameter.name not in FILES and rng.random() < 0.6
    }


def random_puzzle(rng: random.Random) -> tuple[str, dict[str, str]]:
    """The name of some kind of puzzle, and values for its parameters."""
    name = rng.choice(puzzles.names())
    return name, random_values(rng, puzzles.find(name).parameters)


def _value(rng: random.Random, parameter: Parameter) -> str:
    if rng.random() < 0.05:
        return rng.choice(WORDS)
    if parameter.choices:
        return rng.choice(parameter.choices)
    if parameter.kind is bool:
        return rng.choice(("yes", "no"))
    if parameter.kind is str:
        return rng.choice(WORDS)
    low = int(parameter.low or 0)
    high = low + 400 if parameter.high is None else int(parameter.high)
    span = min(high - low, rng.choice((2, 10, 100, high)))  # often near one of its bounds
    return str(rng.choice((low + rng.randint(0, span), high - rng.randint(0, span))))
