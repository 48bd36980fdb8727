"""What a search works on: rules with its own hooks, and the records that they read and write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np

from plywise.core.rules import Rules, Verb

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True)
class SearchRules(Rules):
    """The rules of a game with hooks of `alphabeta`, for whoever builds such a search.

    A hook is a rule, too. Nobody but `alphabeta` calls it (and `mcts` the last one), so authors of
    games need not know it; docs/engines.md shows how an expert passes some.

    Attributes:
        assess: (b, s) -> (estimate, lowest, highest), all for the side to move: replaces `evaluate`
            and `bounds` where one computation gives both. Called after the transposition table.
        weigh: (b, s, measures) -> what `assess` returns, from these numbers: an engine that has
            them does not compute them twice.
        tactics: (b, s, out) -> (plies, n): replaces `forced`, and also detects that the side to
            move wins in `plies` plies, or loses (a negative number), and by which move, out[0];
            else 0 plies.
        threats: (b, states, at, lists, ranks, depth) -> (plies, move, nodes): a win by threats
            alone, or 0 plies; the rows of the arrays above `at` are scratch, `depth` is 0 at the
            horizon.
        reduction: (b, s, move, tried, depth) -> plies: the late-move reduction.
        null_move: (b, s, depth) -> bool: pass, if a null move is worth trying; s is changed in
            place.
        outlook: (b, s) -> float: what player 0 can expect, from -1 to 1; replaces the playouts of
            `mcts`. A net provides it.
    """

    assess: Verb | None = None
    weigh: Verb | None = None
    tactics: Verb | None = None
    threats: Verb | None = None
    reduction: Verb | None = None
    null_move: Verb | None = None
    outlook: Verb | None = None

    @classmethod
    def extending(cls, rules: Rules, **hooks: Any) -> Self:
        """Return the rules with other functions in place of some, or in addition."""
        known = {each.name: getattr(rules, each.name) for each in fields(rules)}
        return cls(**{**known, **hooks})


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
    lift: Callable[[Array], Array] = np.asarray
