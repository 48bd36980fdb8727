"""The functions that an author writes: the rules of a game, and evaluations of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from plywise.core.spec import Unchanging

#: A board or a state: one NumPy record. Rules get it as `b` (read only) and `s`.
Record = Any
#: A rule: a plain function over records that also compiles.
Verb = Callable[..., Any]
MEASURES = 16  #: the most numbers that `measures` can write


@dataclass(frozen=True)
class Rules(Unchanging):
    """The functions that are the rules of a game: seven are required, the others are optional.

    `b` is the board, which never changes, and `s` the state. Moves are integers from 0 up to the
    game's `max_moves`. Searches trust these functions: `plywise.check_game` tests them. From
    `assess` on they are for `alphabeta` only; docs/engines.md shows how each is used.

    Attributes:
        setup: (b, s) -> None: write the start position, every field.
        moves: (b, s, out) -> n: write the legal moves into out, in a stable order, and return how
            many they are; not called when the game is over.
        play: (b, s, move) -> None: change s in place; the caller made a copy, and sure that the
            move is legal.
        turn: (b, s) -> 0 or 1: the side to move (either, once the game is over).
        over: (b, s) -> bool: whether the game is over; if not, there is at least one move.
        margin: (b, s) -> int: by how much player 0 won; called only when the game is over.
        key: (b, s) -> uint64: equal for equal futures.
        evaluate: (b, s) -> int: estimate for the side to move.
        bounds: (b, s) -> (lowest, highest) margin of player 0 still possible with best play.
        forced: (b, s, out) -> n: the only moves that matter; 0 for all of them.
        promise: (b, s, move) -> int: how good a move looks, for move ordering.
        assess: (b, s) -> (estimate, lowest, highest), all for the side to move: replaces `evaluate`
            and `bounds` where one computation gives both. Called after the transposition table.
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
            `mcts`.
        cells: (b, s, out) -> None: what stands on each place, as small numbers from 0 (empty) up,
            for learning; by default what the look shows.
        measures: (b, s, out) -> None: up to 16 whole numbers that matter, such as mobility or
            distances, for learning; the same numbers whoever is to move.
        weigh: (b, s, measures) -> what `assess` returns, from these numbers: an engine that has
            them does not compute them twice.
    """

    setup: Verb
    moves: Verb
    play: Verb
    turn: Verb
    over: Verb
    margin: Verb
    key: Verb
    evaluate: Verb | None = None
    bounds: Verb | None = None
    forced: Verb | None = None
    promise: Verb | None = None

    assess: Verb | None = None
    tactics: Verb | None = None
    threats: Verb | None = None
    reduction: Verb | None = None
    null_move: Verb | None = None
    outlook: Verb | None = None
    cells: Verb | None = None
    measures: Verb | None = None
    weigh: Verb | None = None


@dataclass(frozen=True)
class Heuristic(Unchanging):
    """One player's evaluation of an undecided position, for the textbook searches.

    A won game is worth `win` minus the plies it took, a lost one the negative; in a game of
    points a finished game is worth its margin times `win`.

    Attributes:
        function: (b, s, player) -> float: how good the position is for a player; it need not be the
            negative of the opponent's evaluation.
        win: what a won game is worth.
        help: what it measures, in one line.
    """

    function: Verb
    win: float = 1000.0
    help: str = ""
