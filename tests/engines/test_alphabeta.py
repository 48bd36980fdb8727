"""Alpha-beta: minimax at every depth, exact distances, limits, the table, threads."""

from __future__ import annotations

import threading
from dataclasses import replace
from itertools import pairwise

import pytest

import plywise
from plywise import Analysis, Game, Limits, SpecError, Stop
from plywise.core.analysis import outcome_of
from plywise.engines.alphabeta import FINENESS
from plywise.engines.kernels.stack import WON
from tests.awkward.coins import coin_row
from tests.oracle.minimax import margin_of
from tests.positions import random_positions


def without(game: Game, *verbs: str) -> Game:
    """The same game without some of its optional verbs."""
    rules = replace(game.rules, **dict.fromkeys(verbs))
    return Game(replace(game.type, rules=rules), game.params)


def timeless(analysis: Analysis) -> Analysis:
    return replace(analysis, seconds=0.0)


FIXED_DEPTH = [
    ("tictactoe", range(6), 4, 120),
    ("tictactoe:rows=3,cols=4,k=3", range(6), 4, 60),
    ("tictactoe:rows=5,k=4", range(10), 3, 30),
    ("connect4", range(30), 5, 100),
    ("connect4:rows=4,cols=5", range(14), 5, 100),
]


@pytest.mark.parametrize("depth", [1, 2, 3, 0])
@pytest.mark.parametrize(("spec", "plies", "deepest", "count"), FIXED_DEPTH)
def test_minimax_at_every_depth(
    spec: str, plies: range, deepest: int, count: int, depth: int
) -> None:
    """Without forced replies and bounds the depth means what it means to minimax."""
    depth = depth or deepest
    game = without(plywise.game(spec), "forced", "bounds")
    minimax = plywise.engine(f"minimax:depth={depth}", game)
    alphabeta = plywise.engine(f"alphabeta:depth={depth},memory=1", game)
    for position in random_positions(game, count, plies, seed=depth):
        truth = minimax.search(position, lines=True)
        found = alphabeta.search(position)
        assert (found.score, found.outcome) == (truth.score, truth.outcome), position
        assert found.plies_to_end == truth.plies_to_end, position
        equals = {line.move for line in truth.lines if line.score == truth.score}
        assert found.best in equals, position


@pytest.mark.parametrize(("spec", "plies", "deepest", "count"), FIXED_DEPTH)
def test_every_line_is_minimax(spec: str, plies: range, deepest: int, count: int) -> None:
    game = without(plywise.game(spec), "forced", "bounds")
    minimax = plywise.engine(f"minimax:depth={deepest}", game)
    alphabeta = plywise.engine(f"alphabeta:depth={deepest},memory=1", game)
    for position in random_positions(game, count // 3, plies, seed=9):
        truth = minimax.search(position, lines=True)
        found = alphabeta.search(position, lines=True)
        assert [(line.move, line.score, line.plies_to_end) for line in found.lines] == [
            (line.move, line.score, line.plies_to_end) for line in truth.lines
        ], position
        assert found.score == truth.score


SMALL = [
    pytest.param("tictactoe", range(7), 150, marks=pytest.mark.slow),
    ("tictactoe:rows=3,cols=4,k=3", range(3, 9), 60),
    ("tictactoe:rows=4,cols=3,k=4", range(3, 9), 60),
    ("tictactoe:rows=1,cols=7,k=3", range(5), 40),
    ("connect4:rows=4,cols=4", range(4, 14), 120),
    ("connect4:rows=5,cols=4", range(9, 18), 80),
]


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "plies", "count"), SMALL)
def test_forced_replies_and_bounds_change_no_result(spec: str, plies: range, count: int) -> None:
    """Outcome and distance are those of the whole tree, with every feature on."""
    game = plywise.game(spec)
    minimax = plywise.engine(f"minimax:depth={game.max_plies}", game)
    alphabeta = plywise.engine(f"alphabeta:depth={game.max_plies},memory=1", game)
    for position in random_positions(game, count, plies, seed=2):
        truth = minimax.search(position, lines=True)
        found = alphabeta.search(position)
        assert (found.outcome, found.score) == (truth.outcome, truth.score), position
        assert found.plies_to_end == truth.plies_to_end, position
        kept = {line.move for line in truth.lines if line.outcome == truth.outcome}
        assert found.best in kept, position


@pytest.mark.parametrize("seed", range(30))
def test_points_and_double_moves(seed: int) -> None:
    game = coin_row(count=4 + seed % 9, seed=seed)
    for position in random_positions(game, 6, range(4), seed):
        found = plywise.engine(f"alphabeta:depth={game.max_plies}", game).search(position)
        truth = margin_of(position)
        assert found.score_kind == "points"
        assert found.score == truth
        assert found.outcome == outcome_of(found.score)


@pytest.mark.parametrize("spec", ["tictactoe:rows=4,cols=4,k=3", "connect4"])
def test_the_principal_variation_can_be_played(spec: str) -> None:
    game = plywise.game(spec)
    engine = plywise.engine("alphabeta:depth=7", game)
    for position in random_positions(game, 20, range(12), seed=5):
        analysis = engine.search(position)
        assert analysis.pv[0] == analysis.best
        for move in analysis.pv:
            position = position.play(move)
        if analysis.plies_to_end is not None:
            assert position.over
            assert len(analysis.pv) == analysis.plies_to_end


def test_a_known_search_takes_the_known_nodes() -> None:
    """Behaviour is unchanged as long as these figures are; a commit that changes them says so."""
    game = plywise.game("connect4")
    analysis = plywise.engine("alphabeta:depth=12", game).search(game.start())
    assert (analysis.best, analysis.nodes) == ("4", KNOWN_NODES)


KNOWN_NODES = 381_894


@pytest.mark.parametrize("limits", [Limits(nodes=20_000), Limits(depth=9)])
def test_the_same_limits_give_the_same_result(limits: Limits) -> None:
    game = plywise.game("connect4")
    engine, another = plywise.engine("alphabeta", game), plywise.engine("alphabeta", game)
    position = game.position("4453")
    first = engine.search(position, limits)
    engine.search(game.position("123"), limits)
    for again in (engine.search(position, limits), another.search(position, limits)):
        assert timeless(again) == timeless(first)


def test_a_node_limit_is_kept() -> None:
    game = plywise.game("connect4")
    assert plywise.engine("alphabeta", game).search(game.start(), Limits(nodes=12_345)).nodes == (
        12_345
    )


def test_the_tighter_limit_counts() -> None:
    game = plywise.game("connect4")
    engine = plywise.engine("alphabeta:depth=3", game)
    assert engine.search(game.start(), Limits(depth=5)).depth == 3
    assert engine.search(game.start(), Limits(depth=2)).depth == 2


def test_depths_are_reported_one_by_one() -> None:
    game = plywise.game("connect4")
    seen: list[Analysis] = []
    last = plywise.engine("alphabeta", game).search(game.start(), Limits(depth=6), seen.append)
    assert [info.depth for info in seen] == [1, 2, 3, 4, 5, 6]
    assert seen[-1].best == last.best
    assert all(before.nodes < after.nodes for before, after in pairwise(seen))


def test_stop_is_heard_in_mid_search() -> None:
    game = plywise.game("connect4")
    stop = Stop()

    def stop_a_little_later(info: Analysis) -> None:
        if info.depth == 6:
            threading.Timer(0.05, stop.set).start()

    engine = plywise.engine("alphabeta", game)
    analysis = engine.search(game.start(), Limits(depth=42), stop_a_little_later, stop)
    assert analysis.best in game.start().legal
    assert 6 <= analysis.depth < 42
    assert stop.is_set()


def test_a_search_stopped_before_it_began_still_moves() -> None:
    game = plywise.game("connect4")
    stop = Stop()
    stop.set()
    assert plywise.engine("alphabeta", game).search(game.start(), stop=stop).best == "1"


def test_no_time_at_all_still_moves() -> None:
    game = plywise.game("connect4")
    assert plywise.engine("alphabeta:time=0", game).search(game.start()).best in "1234567"


@pytest.mark.parametrize("spec", ["tictactoe:rows=4", "connect4:rows=4,cols=5"])
def test_two_threads_find_the_same(spec: str) -> None:
    game = plywise.game(spec)
    one = plywise.engine(f"alphabeta:depth={game.max_plies}", game)
    two = plywise.engine(f"alphabeta:depth={game.max_plies},threads=2,memory=1", game)
    for position in random_positions(game, 10, range(4, 10), seed=3):
        truth, found = one.search(position), two.search(position)
        assert (found.outcome, found.score) == (truth.outcome, truth.score), position


def test_a_tiny_table_changes_nothing() -> None:
    game = plywise.game("connect4:rows=4,cols=5")
    roomy = plywise.engine("alphabeta:depth=20", game)
    tight = plywise.engine("alphabeta:depth=20,memory=0.01", game)
    for position in random_positions(game, 10, range(6, 12), seed=4):
        assert roomy.search(position).score == tight.search(position).score


@pytest.mark.parametrize(
    "spec",
    ["alphabeta:depth=0", "alphabeta:time=-1", "alphabeta:time=nan", "alphabeta:threads=0"],
)
def test_impossible_parameters_are_refused(spec: str) -> None:
    with pytest.raises(SpecError, match="is not valid"):
        plywise.engine(spec, plywise.game("connect4"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "count"),
    [("euclid", 20), ("minimax-astar", 10)]
    + [pytest.param(name, 40, marks=pytest.mark.long) for name in ("euclid", "minimax-astar")],
)
def test_a_heuristic_counts_for_both_sides(name, count):
    """What it says for the mover less what it says for the other, by plain minimax."""
    game = without(plywise.game("snails:rows=5,cols=4"), "bounds")
    heuristic = game.heuristic(name).function

    def value(position, depth):
        if position.over:
            return WON * (position.margin > 0) - WON * (position.margin < 0)
        if depth == 0:
            scores = [heuristic(game.board, position.state, player) for player in range(2)]
            return round(FINENESS * (scores[0] - scores[1]))
        every = [value(position.play_code(move), depth - 1) for move in position.legal_codes]
        return max(every) if position.turn == 0 else min(every)

    engine = plywise.engine(f"alphabeta:depth=3,heuristic={name}", game)
    for position in random_positions(game, count, range(12), seed=4):
        expected = value(position, 3) * (1 if position.turn == 0 else -1)
        found = engine.search(position)
        if found.outcome is None:
            assert found.score == expected
        else:
            assert expected == WON * {"win": 1, "draw": 0, "loss": -1}[found.outcome]


def test_a_heuristic_that_is_not_there():
    with pytest.raises(plywise.Unsupported, match="snails has no heuristic 'astra'"):
        plywise.engine("alphabeta:heuristic=astra", plywise.game("snails"))
