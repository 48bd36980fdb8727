"""Monte-Carlo tree search: its proofs against minimax, points, double moves, limits, seeds."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest

import plywise
from plywise import Analysis, Game, Limits, SpecError, Stop
from plywise.core.analysis import outcome_of
from plywise.engines.kernels.mcts import reward
from plywise.engines.mcts import USUAL_PLAYOUTS, MonteCarlo
from tests.awkward.coins import COINS, coin_row
from tests.oracle.minimax import minimax
from tests.positions import random_positions

ENOUGH = Limits(nodes=1_000_000)  #: far more than any proof here needs


def outcomes(analysis: Analysis) -> dict[str, str | None]:
    return {line.move: line.outcome for line in analysis.lines}


def tree(engine: MonteCarlo) -> list[list[float]]:
    """What the first nodes below the root say."""
    pool = engine.pool
    return [
        array[1:1000].tolist()
        for array in (pool["move"], pool["visits"], pool["average"], pool["low"])
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "plies"),
    [
        ("tictactoe", range(8)),
        ("tictactoe:rows=3,cols=4,k=3", range(4, 11)),
        ("connect4:rows=4,cols=4", range(6, 15)),
    ],
)
def test_proofs_agree_with_minimax(spec: str, plies: range) -> None:
    game = plywise.game(spec)
    minimax = plywise.engine("minimax", game)
    mcts = plywise.engine("mcts:memory=32", game)
    for position in random_positions(game, 100, plies, seed=1):
        truth = minimax.search(position, Limits(depth=game.max_plies), lines=True)
        found = mcts.search(position, ENOUGH)
        assert found.outcome == truth.outcome, position
        assert found.value == {"win": 1.0, "draw": 0.0, "loss": -1.0}[found.outcome]
        assert outcomes(truth)[found.best] == truth.outcome, position
        every = mcts.search(position, ENOUGH, lines=True)
        assert outcomes(every) == outcomes(truth), position


@pytest.mark.slow
@pytest.mark.parametrize("bounded", [True, False])
def test_points_and_double_moves_agree_with_plain_recursion(bounded: bool) -> None:
    kind = COINS if bounded else replace(COINS, rules=replace(COINS.rules, bounds=None))
    for coins in range(1, 10):
        for seed in range(4):
            game = Game(kind, {"coins": coins, "seed": seed})
            position = game.start()
            mcts = MonteCarlo(game, memory=8)
            while not position.over:
                margin = minimax(position).margin
                seen = margin if position.turn == 0 else -margin
                found = mcts.search(position, ENOUGH, lines=True)
                assert (found.score, found.score_kind) == (seen, "points")
                assert found.outcome == outcome_of(seen)
                for move, line in zip(position.legal_codes, found.lines, strict=True):
                    after = minimax(position.play_code(move)).margin
                    assert line.score == (after if position.turn == 0 else -after)
                position = position.play(found.best)
                assert minimax(position).margin == margin


def test_the_toy_has_double_moves() -> None:
    turns = [coin_row(8, seed).start().play("left").turn for seed in range(8)]
    assert set(turns) == {0, 1}


def test_who_wins_may_be_known_before_by_how_much() -> None:
    known = set()
    for seed in range(6):
        position = coin_row(12, seed).start()
        found = MonteCarlo(position.game, playouts=30, memory=1).search(position)
        assert found.score_kind == "estimate"
        assert abs(found.score) < 1
        if found.outcome is None:
            assert abs(found.value) < 1
        else:
            assert found.outcome == outcome_of(minimax(position).margin)
            assert found.value == {"win": 1.0, "loss": -1.0}[found.outcome]
        known.add(found.outcome is not None)
    assert known == {True, False}


def test_reward_is_the_result_itself_without_points() -> None:
    assert [reward(margin, 1.0) for margin in (-1, 0, 1)] == [-1.0, 0.0, 1.0]


def test_reward_puts_winning_before_points() -> None:
    rewards = [reward(margin, 1 / 80) for margin in range(-80, 81)]
    assert rewards == sorted(rewards)
    assert (rewards[0], rewards[80], rewards[-1]) == (-1.0, 0.0, 1.0)
    assert rewards[81] - rewards[80] > rewards[-1] - rewards[81]


def test_same_seed_same_tree() -> None:
    game = plywise.game("connect4")
    position = game.position("44")
    limits = Limits(nodes=3000)
    one, two, other = (MonteCarlo(game, seed=seed, memory=16) for seed in (7, 7, 8))
    first = one.search(position, limits)
    seen: list[Analysis] = []
    second = two.search(position, limits, on_info=seen.append)
    assert replace(first, seconds=0.0) == replace(second, seconds=0.0)
    assert tree(one) == tree(two)
    again = one.search(position, limits)
    assert replace(again, seconds=0.0) == replace(first, seconds=0.0)
    other.search(position, limits)
    assert tree(other) != tree(one)
    assert seen[-1].nodes == 3000


def test_playouts_count_as_nodes_and_the_tighter_limit_holds() -> None:
    game = plywise.game("connect4")
    engine = plywise.engine("mcts:playouts=500", game)
    assert engine.search(game.start()).nodes == 500
    assert engine.search(game.start(), Limits(nodes=200)).nodes == 200
    assert engine.search(game.start(), Limits(nodes=900, depth=1)).nodes == 500
    unlimited = plywise.engine("mcts", game)
    assert unlimited.search(game.start(), Limits(depth=3)).nodes == USUAL_PLAYOUTS


def test_every_visit_of_the_root_went_to_a_child() -> None:
    game = plywise.game("connect4")
    engine = MonteCarlo(game)
    engine.search(game.start(), Limits(nodes=5000))
    pool = engine.pool
    children = slice(1, 1 + int(pool["children"][0]))
    assert pool["visits"][0] == pool["visits"][children].sum() == 5000
    mean = np.average(pool["average"][children], weights=pool["visits"][children])
    assert pool["average"][0] == pytest.approx(mean)


def test_takes_a_win_and_stops_at_once() -> None:
    position = plywise.game("connect4").position("415161")
    # . . . . . . .
    # . . . . . . .
    # . . . . . . .
    # O . . . . . .
    # O . . . . . .
    # O . . X X X .
    found = plywise.engine("mcts", position.game).search(position, ENOUGH)
    assert found.best in ("3", "7")
    assert (found.outcome, found.value) == ("win", 1.0)
    assert found.nodes < 100


def test_finds_the_only_defence() -> None:
    position = plywise.game("connect4").position("4151")
    # . . . . . . .
    # O . . . . . .
    # O . . X X . .
    position = position.play("1")
    # X stopped the column; O has to stop a row open at both ends.
    found = plywise.engine("mcts", position.game).search(position, Limits(nodes=20_000), lines=True)
    assert found.best in ("3", "6")
    lost = {line.move for line in found.lines if line.outcome == "loss"}
    assert lost == {"1", "2", "4", "5", "7"}


def test_lines_cover_every_move_and_agree_with_the_whole() -> None:
    position = plywise.game("connect4").position("4444")
    found = plywise.engine("mcts", position.game).search(position, Limits(nodes=5000), lines=True)
    assert tuple(line.move for line in found.lines) == position.legal
    best = next(line for line in found.lines if line.move == found.best)
    assert (best.value, best.pv) == (found.value, found.pv)
    for line in found.lines:
        assert line.pv[0] == line.move
        after = position
        for move in line.pv:
            after = after.play(move)


def test_a_full_pool_goes_on_without_new_nodes() -> None:
    game = plywise.game("connect4")
    engine = MonteCarlo(game, memory=0.01)
    found = engine.search(game.start(), Limits(nodes=20_000))
    assert found.nodes == 20_000
    assert found.best in game.start().legal
    assert found.depth < 10
    win = game.position("415161")
    assert engine.search(win, ENOUGH).outcome == "win"


def test_the_pool_always_holds_the_moves_of_the_root() -> None:
    game = plywise.game("tictactoe:rows=19,k=5")
    found = MonteCarlo(game, memory=0.01).search(game.start(), Limits(nodes=400), lines=True)
    assert len(found.lines) == 361


def test_stop_from_another_thread() -> None:
    game = plywise.game("connect4")
    engine = plywise.engine("mcts", game)
    engine.search(game.start(), Limits(nodes=1))
    stop = Stop()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    found = engine.search(game.start(), Limits(time=60.0), stop=stop)
    assert found.seconds < 60
    assert found.best in game.start().legal


def test_stopped_before_it_began() -> None:
    position = plywise.game("connect4").position("4")
    stop = Stop()
    stop.set()
    found = plywise.engine("mcts", position.game).search(position, stop=stop, lines=True)
    assert (found.nodes, found.value, found.outcome) == (0, 0.0, None)
    assert found.best in position.legal
    assert len(found.lines) == len(position.legal)


@pytest.mark.parametrize("seconds", [0.0, 0.05])
def test_time_ends_a_search(seconds: float) -> None:
    """But not before the first playouts, however late it is."""
    game = plywise.game("connect4")
    found = plywise.engine(f"mcts:time={seconds}", game).search(game.start())
    assert found.nodes >= 200
    assert found.outcome is None


def test_a_draw_by_bounds_needs_no_playout() -> None:
    # No line is left to either player.
    position = plywise.game("tictactoe").from_text("xox/xoo/o1x x")
    found = plywise.engine("mcts", position.game).search(position)
    assert (found.best, found.outcome, found.value) == ("b1", "draw", 0.0)


def test_reports_while_it_works() -> None:
    game = plywise.game("connect4")
    seen: list[Analysis] = []
    found = plywise.engine("mcts", game).search(game.start(), Limits(nodes=4000), seen.append)
    assert len(seen) >= 2
    assert [info.nodes for info in seen] == sorted(info.nodes for info in seen)
    assert seen[-1].nodes == found.nodes == 4000
    assert all(info.best in game.start().legal for info in seen)


def test_its_name_makes_it_again() -> None:
    game = plywise.game("connect4")
    for spec in ("mcts", "mcts:time=0.5,playouts=100,exploration=1.4,seed=3,memory=8"):
        assert plywise.engine(spec, game).name == spec


@pytest.mark.parametrize("spec", ["mcts:playouts=0", "mcts:exploration=-1", "mcts:memory=no"])
def test_bad_parameters(spec: str) -> None:
    with pytest.raises(SpecError, match="is not valid"):
        plywise.engine(spec, plywise.game("connect4"))
