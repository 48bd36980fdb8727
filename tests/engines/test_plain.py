"""The alpha-beta to read: right by itself, and what the fast searches are held against."""

from __future__ import annotations

import pytest

import plywise
from plywise import Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.plain import WIN, alphabeta
from plywise.engines.scale import UNIT
from tests.engines.toy import toy, true_margin
from tests.positions import random_positions


def minimax(position: Position, depth: int) -> float:
    """Every position, nothing left out."""
    if position.over or depth == 0:
        return alphabeta(position, depth)[0]
    children = [position.play(move) for move in position.legal]
    values = [minimax(child, depth - 1) for child in children]
    return max(
        value if child.turn == position.turn else -value
        for value, child in zip(values, children, strict=True)
    )


@pytest.mark.parametrize(
    ("game", "plies", "depth"),
    [
        (plywise.game("tictactoe"), range(3, 8), 4),
        (plywise.game("connect4:rows=4,cols=4"), range(4, 10), 3),
        (toy(coins=9, seed=3), range(5), 4),
    ],
    ids=str,
)
def test_it_is_minimax(game: Game, plies: range, depth: int) -> None:
    for position in random_positions(game, 15, plies, seed=2):
        value, move = alphabeta(position, depth)
        assert value == minimax(position, depth)
        assert move in position.legal


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:rows=3,cols=4,k=3", "connect4"])
def test_the_fast_one_finds_the_same(spec: str) -> None:
    """The same value at the same depth where nothing is forced; the same result at the end."""
    game = plywise.game(spec)
    late = range(game.max_plies - 8, game.max_plies - 4)
    for position in random_positions(game, 25, late, seed=4):
        value, _ = alphabeta(position, game.max_plies)
        found = plywise.engine("alphabeta", game, depth=game.max_plies).search(position)
        solved = plywise.solve(position)
        assert (found.value > 0) - (found.value < 0) == (value > 0) - (value < 0)
        assert found.value == solved.value
        if value > 0:
            assert found.plies_to_end == game.max_plies - (value - WIN)


@pytest.mark.parametrize("seed", range(6))
def test_points_and_moving_twice(seed: int) -> None:
    game = toy(coins=8, seed=seed)
    for position in random_positions(game, 4, range(4), seed):
        truth = true_margin(position)
        value, _ = alphabeta(position, game.max_plies)
        assert value == UNIT * (truth if position.turn == 0 else -truth)
        found = plywise.engine("alphabeta", game).search(position, Limits(depth=game.max_plies))
        assert found.score == value / UNIT
