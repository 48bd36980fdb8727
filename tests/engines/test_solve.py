"""Exact results: what is known of the games, positions of the published sets, limits."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import plywise
from plywise import Analysis, Limits, Stop
from plywise.engines.solve import solver
from tests.awkward.coins import coin_row
from tests.oracle.minimax import margin_of
from tests.positions import random_positions

DATA = Path(__file__).parent.parent / "data"


@pytest.mark.parametrize(
    ("spec", "outcome"),
    [
        ("tictactoe", "draw"),
        ("tictactoe:rows=1,cols=1", "win"),
        ("tictactoe:rows=2,cols=2", "win"),
        ("tictactoe:rows=3,cols=4,k=3", "win"),
        ("tictactoe:rows=4,cols=4,k=3", "win"),
        ("tictactoe:rows=4,cols=4", "draw"),
        ("tictactoe:rows=19,cols=19,k=3", "win"),
        ("connect4:rows=4,cols=4", "draw"),
        ("connect4:rows=3,cols=4", "draw"),
        ("connect4:rows=4,cols=5", "draw"),
        ("connect4:rows=1,cols=7", "draw"),
        pytest.param("connect4:rows=5,cols=5", "draw", marks=pytest.mark.slow),
        ("tictactoe:rows=5,cols=5", "draw"),
        pytest.param("tictactoe:rows=5,cols=5,k=4", "draw", marks=pytest.mark.slow),
        pytest.param("tictactoe:rows=6,cols=5,k=4", "win", marks=pytest.mark.slow),
    ],
)
def test_what_is_known(spec: str, outcome: str) -> None:
    position = plywise.game(spec).start()
    solved = plywise.solve(position)
    assert solved.outcome == outcome
    assert solved.best in position.legal


@pytest.mark.parametrize("name", ["end-easy", "middle-easy"])
def test_published_positions(name: str) -> None:
    """A sample of each set, its scores found without anything made for Connect-4."""
    game = plywise.game("connect4")
    exact = solver(game)
    lines = (DATA / "connect4" / f"{name}.txt").read_text().splitlines()
    for line in random.Random(1).sample(lines, 100):
        moves, score = line.split("\t")
        solved = exact.solve(game.position(moves))
        assert (solved.score, solved.score_kind) == (int(score), "connect4"), moves


@pytest.mark.parametrize("seed", range(10))
def test_points(seed: int) -> None:
    game = coin_row(count=6 + seed, seed=seed)
    exact = solver(game)
    for position in random_positions(game, 3, range(4), seed):
        truth = margin_of(position)
        solved = exact.solve(position)
        assert solved.score == truth
        assert solved.score_kind == "points"


@pytest.mark.parametrize(("moves", "outcome", "score"), [("a1 a2 b1 b2 c1", "loss", -1)])
def test_a_finished_game_is_solved_too(moves: str, outcome: str, score: int) -> None:
    solved = plywise.solve(plywise.game("tictactoe").position(moves))
    assert (solved.outcome, solved.score, solved.best) == (outcome, score, None)
    assert solved.plies_to_end == 0


@pytest.mark.parametrize(
    "spec",
    ["tictactoe:rows=4,cols=4", "connect4", "align:size=4", "andantino", "makeway", "snails"],
)
def test_what_is_told_last_is_the_result(spec: str) -> None:
    heard: list[Analysis] = []
    position = plywise.game(spec).start()
    found = solver(position.game, book=False).solve(position, Limits(nodes=50_000), heard.append)
    assert heard[-1] == found


@pytest.mark.parametrize("limits", [Limits(time=0.05), Limits(nodes=100_000)])
def test_a_limit_that_comes_first_leaves_no_outcome(limits: Limits) -> None:
    position = plywise.game("connect4:rows=7,cols=8").start()
    solved = plywise.solve(position, limits)
    assert solved.outcome is None
    assert solved.best in position.legal
    if limits.nodes is not None:
        assert solved.nodes <= limits.nodes


def test_stop_is_heard() -> None:
    stop = Stop()
    stop.set()
    assert plywise.solve(plywise.game("connect4:rows=7,cols=8").start(), stop=stop).outcome is None


def test_the_score_in_the_rules() -> None:
    position = plywise.game("connect4").position("2252576253462244111563365343671351441")
    assert plywise.solve(position).score == -1
