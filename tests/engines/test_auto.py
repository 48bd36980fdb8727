"""Levels of `auto`: a weak person, not a random player; full strength at ten."""

from __future__ import annotations

import pytest

import plywise
from plywise import Limits, SpecError
from plywise.play.series import play_match

WIN_IN_ONE = [("connect4", "414141", "4"), ("tictactoe", "a1 b1 a2 b2", "a3")]
THREAT = [("connect4", "41414", "4"), ("tictactoe", "a1 b2 a2", "a3")]
AHEAD = Limits(depth=8)  #: no level below the last looks further


@pytest.mark.parametrize("level", [1, 3, 6, 9, 10])
@pytest.mark.parametrize(("spec", "moves", "wins"), WIN_IN_ONE)
def test_every_level_takes_a_win_in_one(level: int, spec: str, moves: str, wins: str) -> None:
    game = plywise.game(spec)
    for seed in range(20):
        engine = plywise.engine(f"auto:level={level},seed={seed}", game)
        assert engine.search(game.position(moves), AHEAD).best == wins


@pytest.mark.parametrize(("level", "least"), [(1, 24), (5, 36), (9, 40), (10, 40)])
@pytest.mark.parametrize(("spec", "moves", "stops"), THREAT)
def test_threats_are_mostly_seen(level: int, least: int, spec: str, moves: str, stops: str) -> None:
    game = plywise.game(spec)
    seen = 0
    for seed in range(40):
        engine = plywise.engine(f"auto:level={level},seed={seed}", game)
        seen += engine.search(game.position(moves), AHEAD).best == stops
    assert seen >= least
    assert level > 1 or seen < 40  # a beginner does overlook one now and then


def test_a_low_level_errs_in_plans_and_varies() -> None:
    game = plywise.game("connect4")
    moves = {
        plywise.engine(f"auto:level=1,seed={seed}", game).search(game.position("44")).best
        for seed in range(30)
    }
    assert len(moves) >= 3


def test_the_same_seed_plays_the_same() -> None:
    game = plywise.game("connect4")
    one, two = (plywise.engine("auto:level=2,seed=5", game) for _ in range(2))
    position = game.position("4453")
    one.search(game.start())  # what was asked before does not matter
    assert one.search(position).best == two.search(position).best


@pytest.mark.slow
@pytest.mark.parametrize("games", [12, pytest.param(30, marks=pytest.mark.long)])
@pytest.mark.parametrize(("strong", "weak"), [(4, 1), (7, 4), (9, 5)])
def test_levels_are_in_order(strong: int, weak: int, games: int) -> None:
    players = f"auto:level={strong}", f"auto:level={weak}"
    match = play_match(plywise.game("connect4"), *players, games=games, seed=1, limits=AHEAD)
    assert match.wins > 2 * match.losses


@pytest.mark.parametrize("level", ["0", "11", "x", "2.5"])
def test_levels_go_from_one_to_ten(level: str) -> None:
    with pytest.raises(SpecError, match="level must be a whole number from 1 to 10"):
        plywise.engine(f"auto:level={level}", plywise.game("connect4"))
