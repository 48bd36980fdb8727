"""Opening books of Align: the same values as without, on boards where both are quick."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plywise
from lab.making.align import book as making
from lab.making.align.book import OnProcessor, canonical_sets, pack, solution
from plywise.engines.driver import NO_LIMITS, Run
from plywise.games.align import book as books
from plywise.games.align.book import BoardSymmetry, Book
from plywise.games.align.solver import Solver, lead
from plywise.games.align.table import EndgameTable, filled_in
from plywise.play.series import random_opening

BOARDS = ["size=4", "size=4,checkerboard=yes"]


def book_of(game: plywise.Game, plies: int) -> Book:
    found = solution(game, OnProcessor(game), plies + 1)
    return making.book_of(found, plies)


@pytest.mark.parametrize("board", BOARDS)
def test_every_position_has_its_place(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the marks are."""
    for step in (7, 4096):
        monkeypatch.setattr(making, "STEP", step)
        monkeypatch.setattr(books, "STEP", step)
        game = plywise.game(f"align:{board}")
        book, table = book_of(game, 5), EndgameTable(game, 0, 0)
        assert table.fill(Run(NO_LIMITS))
        for count in range(6):
            for filled in canonical_sets(BoardSymmetry(game), count).tolist():
                assert book.value(filled, count % 2) == table.value(filled)


@pytest.mark.parametrize("board", BOARDS)
def test_the_moves_where_the_book_ends_are_best(board: str) -> None:
    """For every image of every position."""
    game = plywise.game(f"align:{board}")
    book, solver = book_of(game, 5), Solver(game, book=False)
    symmetries = game.type.strength.symmetries
    assert symmetries is not None
    rng = random.Random(board)
    for _ in range(10):
        filled = filled_in(random_opening(game, 5, rng))
        for image in symmetries(game.board):
            position = game.start()
            for code in (image[cell] for cell in range(16) if filled >> cell & 1):
                position = position.play_code(code)
            answer = book.answer(filled_in(position), position.turn)
            assert answer is not None
            found = solver.solve(position)
            assert position.text_of(answer[0]) in found.best_moves
            assert answer[1] == found.score - lead(position)
    assert book.answer(0, 0) is None


@pytest.mark.parametrize("board", BOARDS)
def test_the_file_makes_the_round_trip(board: str) -> None:
    game = plywise.game(f"align:{board}")
    book = book_of(game, 5)
    again = Book.unpack(pack(book), game)
    assert (again.spec, again.plies) == (book.spec, 5)
    for some, others in ((book.layers, again.layers), (book.marks, again.marks)):
        assert all(np.array_equal(one, two) for one, two in zip(some, others, strict=True))
    assert np.array_equal(again.answers, book.answers)


def test_a_file_of_another_game_is_refused() -> None:
    game = plywise.game("align:size=3")
    packed = pack(book_of(game, 1))
    for data, other in ((packed, "align:size=4"), (b"nonsense", "align:size=3")):
        with pytest.raises(plywise.SpecError, match=r"book\.xz is not a book of align:size"):
            Book.unpack(data, plywise.game(other), "book.xz")


@pytest.mark.parametrize("board", BOARDS)
def test_a_solver_with_a_book_says_the_same(board: str) -> None:
    """Also where the book ends."""
    game = plywise.game(f"align:{board}")
    rng = random.Random(board)
    plain, knowing = Solver(game, book=False), Solver(game, book=False)
    knowing.book = book_of(game, 6)
    for _ in range(30):
        position = random_opening(game, rng.randrange(9), rng)
        expected, found = plain.solve(position), knowing.solve(position)
        assert found.score == expected.score
        assert [line.score for line in found.lines] == [line.score for line in expected.lines]
        assert found.best == expected.best
        if len(position.moves) < 6:
            assert found.nodes == 0


def test_without_time_the_book_has_the_last_word() -> None:
    """Where it ends, the values after it would take a table; the margin and a move are there."""
    game = plywise.game("align:size=4")
    solver = Solver(game, book=False)
    solver.book = book_of(game, 6)
    position = random_opening(game, 6, random.Random(1))
    hurried = solver.solve(position, plywise.Limits(nodes=1))
    assert (hurried.lines, hurried.nodes) == ((), 0)
    exact = solver.solve(position)
    assert hurried.score == exact.score
    assert hurried.best in exact.best_moves


def test_a_set_up_position_in_which_the_colours_are_exchanged() -> None:
    game = plywise.game("align:size=4,checkerboard=yes")
    plain, knowing = Solver(game, book=False), Solver(game, book=False)
    knowing.book = book_of(game, 3)
    for text in ("4/4/4/4 o", "4/4/2o1/x3 o", "4/4/4/1o2 x", "4/4/2o1/xo2 x"):
        position = game.from_text(text)
        exact = plain.solve(position)
        assert knowing.solve(position).score == exact.score
        known = knowing.looked_up(position)
        assert known is None or known.best in exact.best_moves
