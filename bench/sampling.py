"""Random games: as the playouts of MCTS, and on their own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import plywise
from bench.measure import OPENINGS, Bench, Quantity, Row, alternate, compare
from plywise.engines.random import playouts


def mcts(quick: bool) -> Iterator[Row]:
    """Compare playouts per second, with the same number of playouts, over all openings."""
    from bench import openspiel

    count = 10_000 if quick else 50_000
    game = plywise.game("connect4")
    engine = plywise.engine(f"mcts:playouts={count}", game)
    done, seconds, their_done, their_seconds = 0, 0.0, 0, 0.0
    for moves in OPENINGS:
        search = partial(engine.search, game.position(moves))
        their_search = openspiel.mcts(moves, count)
        done += search().nodes
        their_done += their_search().explore_count
        ours, theirs = alternate(search, their_search, rounds=3 if quick else 5)
        seconds += ours
        their_seconds += theirs
    yield compare(
        f"playouts per second, {count:,} each",
        Quantity(done / seconds, "playouts/s"),
        Quantity(their_done / their_seconds, "playouts/s"),
        at_least=10,
    )


def random_games(quick: bool) -> Iterator[Row]:
    """Compare games per second; both play the same game, so the mean length must agree."""
    from bench import openspiel

    count, their_count = 200_000, 2_000
    start = plywise.game("connect4").start()
    length = playouts(start, count).plies / count
    their_length = openspiel.random_games(their_count) / their_count
    ours, theirs = alternate(
        partial(playouts, start, count),
        partial(openspiel.random_games, their_count),
        rounds=3 if quick else 5,
    )
    yield compare(
        f"random games per second ({length:.1f} and {their_length:.1f} plies)",
        Quantity(count / ours, "games/s"),
        Quantity(their_count / theirs, "games/s"),
        at_least=20,
    )


MCTS = Bench(
    "mcts",
    "Monte-Carlo tree search on Connect-4, against OpenSpiel's MCTSBot in C++",
    "The same number of playouts from three positions. Both back up proved results (`solve=True`) "
    "and play one random game per simulation (`RandomRolloutEvaluator(n_rollouts=1)`).",
    "OpenSpiel",
    mcts,
    needs="pyspiel",
)
PLAYOUTS = Bench(
    "playouts",
    "Random games of Connect-4, against OpenSpiel driven from Python",
    "plywise in one kernel; OpenSpiel's C++ rules called from a loop in Python. The mean lengths "
    "of the games must agree.",
    "OpenSpiel",
    random_games,
    needs="pyspiel",
)
