"""Random games: counts that add up, seeds, stopping."""

from __future__ import annotations

import pytest

import plywise
from plywise import Game, Stop
from plywise.engines.playout import playouts
from tests.engines.toy import toy

GAMES = [
    plywise.game("tictactoe"),
    plywise.game("tictactoe:rows=4,cols=6,k=4"),
    plywise.game("connect4"),
    toy(16, 2),
]


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_results_add_up(game: Game) -> None:
    tally = playouts(game.start(), 500)
    assert tally.first + tally.draws + tally.second == 500
    assert 500 <= tally.plies <= 500 * game.max_plies


def test_known_shares_of_tictactoe() -> None:
    # Of random games the first player wins 58.5 %, the second 28.8 %, and 12.7 % are drawn.
    tally = playouts(plywise.game("tictactoe").start(), 100_000)
    assert tally.first / 100_000 == pytest.approx(0.585, abs=0.01)
    assert tally.second / 100_000 == pytest.approx(0.288, abs=0.01)
    assert tally.draws / 100_000 == pytest.approx(0.127, abs=0.01)


def test_same_seed_same_games() -> None:
    position = plywise.game("connect4").position("44")
    assert playouts(position, 100, seed=5) == playouts(position, 100, seed=5)
    assert playouts(position, 100, seed=5) != playouts(position, 100, seed=6)
    assert position.moves == ("4", "4")
    assert position == plywise.game("connect4").position("44")


def test_a_finished_game_counts_as_it_is() -> None:
    tally = playouts(plywise.game("connect4").position("1213141"), 10)
    assert tally == (10, 0, 0, 0)


def test_stops_when_told() -> None:
    stop = Stop()
    stop.set()
    assert playouts(plywise.game("connect4").start(), 10**12, stop=stop) == (0, 0, 0, 0)
