"""Opening books of Align: the same values as without, on boards where both are quick."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plywise
from plywise.engines.driver import NO_LIMITS, Run
from plywise.games.align.book import Book, listed
from plywise.games.align.book_sets import Shape, canonical_sets
from plywise.games.align.solver import Solver
from plywise.games.align.solver_table import Table

BOARDS = ["size=4", "size=4,checkerboard=yes"]


def book_of(game: plywise.Game, counts: list[int]) -> Book:
    table, shape = Table(game, 0, 0), Shape(game)
    assert table.fill(Run(NO_LIMITS))
    layers = {count: table.values[canonical_sets(shape, count)].astype(np.int8) for count in counts}
    return Book(game.spec, layers, shape)


@pytest.mark.parametrize("board", [*BOARDS, "size=5"])
def test_positions_are_listed_as_they_were_written(board: str) -> None:
    shape = Shape(plywise.game(f"align:{board}"))
    for count in range(8):
        sets = canonical_sets(shape, count)
        assert np.array_equal(listed(shape, count, len(sets)), sets)


@pytest.mark.parametrize("board", BOARDS)
def test_the_file_makes_the_round_trip(board: str) -> None:
    game = plywise.game(f"align:{board}")
    book = book_of(game, [0, 1, 2, 5])
    again = Book.unpack(book.pack(), game)
    assert again.spec == book.spec
    assert list(again.layers) == [0, 1, 2, 5]
    for count, values in book.layers.items():
        assert np.array_equal(again.layers[count], values)


def test_a_file_of_another_game_is_refused() -> None:
    game = plywise.game("align:size=3")
    packed = book_of(game, [0, 1]).pack()
    for data, other in ((packed, "align:size=4"), (b"nonsense", "align:size=3")):
        with pytest.raises(plywise.SpecError, match=r"book\.xz is no book of align:size"):
            Book.unpack(data, plywise.game(other), "book.xz")


@pytest.mark.parametrize("board", BOARDS)
def test_a_solver_with_a_book_says_the_same(board: str) -> None:
    """Also where a layer is left out, and where the book ends."""
    game = plywise.game(f"align:{board}")
    lot = random.Random(board)
    plain, knowing = Solver(game, book=False), Solver(game, book=False)
    knowing.book = book_of(game, [0, 1, 2, 3, 6])
    for _ in range(60):
        position = game.start()
        for _ in range(lot.randrange(9)):
            position = position.after(lot.choice(position.codes))
        expected, found = plain.solve(position), knowing.solve(position)
        assert found.score == expected.score
        assert [line.score for line in found.lines] == [line.score for line in expected.lines]
        assert found.best == expected.best
        if len(position.moves) < 6:
            assert found.nodes == 0


def test_a_set_up_position_in_which_the_colours_are_exchanged() -> None:
    game = plywise.game("align:size=4,checkerboard=yes")
    plain, knowing = Solver(game, book=False), Solver(game, book=False)
    knowing.book = book_of(game, [0, 1, 2, 3])
    for text in ("4/4/4/4 o", "4/4/2o1/x3 o", "4/4/4/1o2 x"):
        position = game.from_text(text)
        assert knowing.solve(position).score == plain.solve(position).score
