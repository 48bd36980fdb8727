"""The opening book of Connect-4 and the expert who uses it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plywise
from lab.making.connect4.book import Positions, book_of, quiet_positions, solve_chunk, write
from plywise import SpecError
from plywise.games.connect4 import solver as solver_module
from plywise.games.connect4.book import Book, look_up, page_of
from plywise.games.connect4.bounds import image_of
from plywise.games.connect4.solver import Solver


def small_book(plies: int = 4) -> Book:
    layers = quiet_positions(4, 5, plies)
    positions = Positions(*map(np.concatenate, zip(*layers, strict=True)))
    scores = solve_chunk(4, 5, positions.own, positions.mask)
    return book_of(4, 5, plies, positions.key, scores)


@pytest.mark.parametrize(
    ("plies", "count"), [(0, 1), (1, 4), (2, 25), (4, 568), (6, 7_120), (8, 67_557)]
)
def test_quiet_positions(plies: int, count: int) -> None:
    positions = quiet_positions(6, 7, plies)[plies]
    assert len(positions.key) == count
    assert np.all(np.diff(positions.key.astype(np.int64)) > 0)
    assert np.array_equal(positions.own + positions.mask, positions.key)
    assert {int(mask).bit_count() for mask in positions.mask[:100]} == {plies}


def test_a_book_makes_the_round_trip(tmp_path: Path) -> None:
    book = small_book()
    write(book, tmp_path / "book.xz")
    again = Book.read(tmp_path / "book.xz")
    assert (again.rows, again.cols, again.plies) == (4, 5, 4)
    assert np.array_equal(again.pages.scores, book.pages.scores)


def test_a_file_that_is_no_book(tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text("Dear all,\n")
    with pytest.raises(SpecError, match="letter is not a book"):
        Book.read(letter)


@pytest.mark.parametrize(("rows", "cols", "plies"), [(4, 5, 6), (6, 7, 5), (7, 8, 4), (12, 3, 7)])
def test_a_book_tells_every_position_from_every_other(rows: int, cols: int, plies: int) -> None:
    """Numbers in place of scores come back, for a position and for its image; others are absent."""
    layers = quiet_positions(rows, cols, plies)
    keys = np.concatenate([layer.key for layer in layers])
    images = image_of(plywise.game("connect4", rows=rows, cols=cols).board, keys)
    marks = np.arange(len(keys)) % 101 - 50
    pages = book_of(rows, cols, plies, keys, marks).pages
    for key, image, mark in zip(keys, images, marks, strict=True):
        assert look_up(pages, key, image) == look_up(pages, image, key) == mark
    assert np.count_nonzero(pages.scores) == len({*keys.tolist(), *images.tolist()}) - sum(
        page_of(pages, key)[0] != page_of(pages, image)[0]
        for key, image in zip(keys, images, strict=True)
    )


def test_the_book_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, at and after the ply of the book: same scores, and moves that reach them."""
    book = small_book()
    monkeypatch.setattr(solver_module, "shipped", lambda: book)
    game = plywise.game("connect4:rows=4,cols=5")
    with_book, without = Solver(game, book=True), Solver(game)
    assert with_book.book.left == 16
    for moves in ("", "1", "33", "324", "3324", "1543", "33241", "5511", "22334"):
        position = game.position(moves)
        known, worked_out = with_book.solve(position), without.solve(position, lines=True)
        assert known.score == worked_out.score, moves
        scores = {line.move: line.score for line in worked_out.lines}
        assert known.best is not None
        assert scores[known.best] == known.score, moves


def test_the_book_saves_work(monkeypatch: pytest.MonkeyPatch) -> None:
    book = small_book()
    monkeypatch.setattr(solver_module, "shipped", lambda: book)
    game = plywise.game("connect4:rows=4,cols=5")
    solver = Solver(game, book=True)
    solver.words = np.zeros_like(solver.words)
    assert solver.solve(game.start()).nodes < 500
