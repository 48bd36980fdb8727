"""The random mover: legal, seeded, even-handed."""

from __future__ import annotations

from collections import Counter

import pytest

import plywise
from plywise import SpecError
from plywise.engines import names
from tests.engines.toy import toy


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
    for game in (plywise.game("tictactoe"), plywise.game("connect4"), toy(9, 1)):
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
