"""What a search works on: rules, and the records that they read and write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core.game import Game, Rules

Array = np.ndarray[Any, np.dtype[Any]]


def _as_they_are(states: Array) -> Array:
    return states


@dataclass(frozen=True)
class Stage:
    """The rules of a game with its records, which a net makes wider.

    Attributes:
        rules: the verbs.
        boards: the board record, in an array.
        state: the type of states.
        lift: states of a position -> states of this type.
    """

    rules: Rules
    boards: Array
    state: np.dtype[Any]
    lift: Callable[[Array], Array] = _as_they_are


def plain(game: Game, rules: Rules | None = None) -> Stage:
    """Return a game's own rules, or others over the same records."""
    return Stage(rules or game.rules, game.boards, game.type.state)
