"""What no clock may change: small positions are settled, and levels play the same everywhere."""

from __future__ import annotations

import pytest

import plywise
from plywise import Limits, Stop, games
from plywise.engines.alphabeta import GRACE, AlphaBeta
from plywise.engines.auto import MOST_NODES, PEOPLE
from plywise.play.hints import hint
from plywise.play.review import review
from tests.positions import random_positions

AT_ONCE = Limits(time=0.0)


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:rows=3,cols=4,k=3"])
def test_a_small_position_is_settled_in_no_time(spec: str, lines: bool) -> None:
    game = plywise.game(spec)
    found, exact = (
        AlphaBeta(game).search(game.start(), limits, lines=lines)
        for limits in (AT_ONCE, Limits(depth=game.max_plies))
    )
    assert found.outcome == exact.outcome is not None
    assert (found.lines, found.pv, found.nodes) == (exact.lines, exact.pv, exact.nodes)
    assert found.nodes < GRACE


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_large_one_is_left_after_the_grace(lines: bool, threads: int) -> None:
    game = plywise.game("connect4")
    engine = AlphaBeta(game, threads=threads)
    found = engine.search(game.start(), AT_ONCE, lines=lines)
    assert found.depth >= 4
    assert found.nodes >= GRACE
    assert found.nodes < 3 * threads * GRACE  # the clock is looked at every thousand nodes


def test_a_limit_of_nodes_counts_within_the_grace() -> None:
    game = plywise.game("connect4")
    found = AlphaBeta(game).search(game.start(), Limits(time=0.0, nodes=500))
    assert found.nodes <= 500


def test_stop_is_heard_within_the_grace() -> None:
    game, stop = plywise.game("connect4"), Stop()
    stop.set()
    assert AlphaBeta(game).search(game.start(), AT_ONCE, stop=stop).nodes < GRACE


def test_small_positions_are_solved_in_no_time() -> None:
    assert plywise.solve(plywise.game("tictactoe").start(), AT_ONCE).outcome == "draw"


def test_a_review_and_a_hint_of_a_small_game_in_no_time() -> None:
    game = plywise.game("tictactoe")
    position = game.position("b2 a2 a1")
    judged = review(position, plywise.engine("auto", game), AT_ONCE).moves
    assert [move.grade.value for move in judged] == ["best", "blunder", "best"]
    assert hint(position, AT_ONCE).to_json() == hint(position, Limits(depth=9)).to_json()


@pytest.mark.slow
def test_a_level_is_limited_by_nodes() -> None:
    """Make Way has so many moves that level 9 cannot look eight plies ahead."""
    game = plywise.game("makeway")
    one, two = (plywise.engine("auto:level=9", game).search(game.start()) for _ in range(2))
    assert one.nodes == two.nodes <= MOST_NODES
    assert (one.best, one.depth) == (two.best, two.depth)
    assert one.depth < PEOPLE[-1].depth


@pytest.mark.parametrize("name", games.names())
def test_an_expert_has_looked_before_it_answers(name: str) -> None:
    """However late it is, its answer is more than the first move of the rules."""
    game = plywise.game(name)
    for position in random_positions(game, 2, range(2, 6), seed=5):
        found = plywise.engine("auto", game).search(position, AT_ONCE)
        assert found.best in position.legal
        assert found.depth > 0 or found.outcome is not None
