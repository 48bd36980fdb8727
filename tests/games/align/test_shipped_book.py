"""The books that come with the package: 6x6 is solved."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plywise
from plywise.games.align.book import shipped
from plywise.games.align.solver import Solver
from plywise.games.align.table import filled_in
from plywise.play.series import random_opening
from tests.levels import sampled

#: Positions with up to eight filled cells, one of each image, and the margin of the first player.
BOOKS = [("align", 5_131_065, -24), ("align:checkerboard=yes", 3_172_687, -27)]


@pytest.mark.parametrize(("spec", "positions", "value"), BOOKS)
def test_the_value_of_the_board(spec: str, positions: int, value: int) -> None:
    game = plywise.game(spec)
    book = shipped(game)
    assert book is not None
    assert book.plies == 8
    assert sum(map(len, book.layers)) == positions
    found = Solver(game).solve(game.start())
    assert (found.score, found.outcome, found.nodes) == (value, "loss", 0)
    assert {line.score for line in found.lines} == {value}  # every first move is as good
    assert len(found.lines) == len(game.start().legal)


@pytest.mark.parametrize(("spec", "positions", "value"), BOOKS)
def test_every_layer_follows_from_the_next(spec: str, positions: int, value: int) -> None:
    """Values are what the best move leads to: on random positions, up to seven filled cells."""
    game = plywise.game(spec)
    book, rng = shipped(game), random.Random(spec)
    assert book is not None
    solver = Solver(game)
    for _ in range(100):
        position = game.start()
        for _ in range(rng.randrange(8)):
            position = position.play_code(rng.choice(position.legal_codes))
        filled, turn = filled_in(position), position.turn
        best = max(
            solver.points(filled, cell) - (book.value(filled | 1 << cell, 1 - turn) or 0)
            for cell in position.legal_codes
        )
        assert book.value(filled, turn) == best


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "positions", "value"), sampled(BOOKS, 2))
def test_where_the_book_ends_the_tables_say_the_same(spec: str, positions: int, value: int) -> None:
    """A position with eight filled cells: the table has the value of the book, and its move."""
    game = plywise.game(spec)
    position = random_opening(game, 8, random.Random(8))
    known, found = Solver(game).looked_up(position), Solver(game, book=False).solve(position)
    assert known is not None
    assert known.score == found.score
    assert known.best in found.best_moves


@pytest.mark.slow
@pytest.mark.parametrize(("spec", "positions", "value"), sampled(BOOKS, 2))
def test_perfect_against_perfect(spec: str, positions: int, value: int) -> None:
    game = plywise.game(spec)
    auto, position = plywise.engine("auto", game), game.start()
    while not position.over:
        found = auto.search(position)
        assert found.best is not None
        assert found.score == (value if position.turn == 0 else -value)
        position = position.play(found.best)
    assert position.margin == value


def test_other_boards_have_no_book() -> None:
    assert shipped(plywise.game("align:size=5")) is None
    assert Solver(plywise.game("align"), book=False).book is None


def test_values_are_those_of_points_in_threes() -> None:
    book = shipped(plywise.game("align"))
    assert book is not None
    for values in book.layers:
        assert (values % 3 == 0).all()
        assert (np.abs(values.astype(np.int64)) <= 108).all()
