"""Random moves: the agent is legal, seeded and even-handed; counts of random games add up."""

from __future__ import annotations

from collections import Counter

import pytest

import plywise
from plywise import Game, SpecError
from plywise.engines import names
from plywise.engines.random import playouts
from tests.awkward.coins import coin_row


def drawn(spec: str, count: int) -> list[str | None]:
    game = plywise.game("connect4")
    engine = plywise.engine(spec, game)
    return [engine.search(game.start()).best for _ in range(count)]


def test_every_legal_move_is_as_likely() -> None:
    counts = Counter(drawn("random", 7000))
    assert set(counts) == set(plywise.game("connect4").start().legal)
    assert all(800 < count < 1200 for count in counts.values())


def test_same_seed_same_moves() -> None:
    assert drawn("random:seed=4", 30) == drawn("random:seed=4", 30)
    assert drawn("random:seed=4", 30) != drawn("random:seed=5", 30)


def test_plays_whole_games_of_any_kind() -> None:
    for game in (plywise.game("tictactoe"), plywise.game("connect4"), coin_row(9, 1)):
        engine = plywise.engine("random", game)
        position = game.start()
        while not position.over:
            best = engine.search(position).best
            assert best is not None
            position = position.play(best)


def test_knows_nothing() -> None:
    position = plywise.game("connect4").position("415161")
    found = plywise.engine("random", position.game).search(position, lines=True)
    assert (found.value, found.outcome) == (0.0, None)
    assert tuple(line.move for line in found.lines) == position.legal
    assert all(line.outcome is None for line in found.lines)


def test_is_registered_under_its_name() -> None:
    game = plywise.game("connect4")
    assert "random" in names(game)
    assert plywise.engine("random:seed=4", game).name == "random:seed=4"
    with pytest.raises(SpecError, match="seed=x is not valid"):
        plywise.engine("random:seed=x", game)


# ---- playouts -----------------------------------------------------------------------------------

GAMES = [
    plywise.game("tictactoe"),
    plywise.game("tictactoe:rows=4,cols=6,k=4"),
    plywise.game("connect4"),
    coin_row(16, 2),
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
