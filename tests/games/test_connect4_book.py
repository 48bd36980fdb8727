"""The opening book of Connect-4 and the expert who uses it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise import SpecError
from plywise.games.connect4 import solver as solver_module
from plywise.games.connect4.book import Book, Positions, quiet_positions, words_of
from plywise.games.connect4.book_making import CHUNK, Making, Progress, solve_chunk
from plywise.games.connect4.solver import Solver


def small_book(plies: int = 4) -> Book:
    layers = quiet_positions(4, 5, plies)
    positions = Positions(*map(np.concatenate, zip(*layers, strict=True)))
    scores = solve_chunk(4, 5, positions.own, positions.mask)
    return Book(4, 5, plies, np.sort(words_of(positions, scores)))


@pytest.mark.parametrize(
    ("plies", "count"), [(0, 1), (1, 4), (2, 25), (4, 568), (6, 7_120), (8, 67_557)]
)
def test_quiet_positions(plies: int, count: int) -> None:
    positions = quiet_positions(6, 7, plies)[plies]
    assert len(positions.key) == count
    assert np.all(np.diff(positions.key.astype(np.int64)) > 0)
    assert np.array_equal(positions.own + positions.mask, positions.key)
    assert {int(mask).bit_count() for mask in positions.mask[:100]} == {plies}


def test_a_book_makes_the_round_trip() -> None:
    book = small_book()
    again = Book.unpack(book.pack())
    assert (again.rows, again.cols, again.plies) == (4, 5, 4)
    assert np.array_equal(again.words, book.words)


def test_a_file_that_is_no_book() -> None:
    with pytest.raises(SpecError, match="letter is no book"):
        Book.unpack(b"Dear all,\n", "letter")


def test_a_board_too_large_for_a_book() -> None:
    with pytest.raises(SpecError, match="too large for a book"):
        quiet_positions(7, 8, 2)


def test_the_book_changes_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before, at and after the ply of the book: same scores, and moves that reach them."""
    book = small_book()
    monkeypatch.setattr(solver_module, "shipped", lambda: book)
    game = plywise.game("connect4:rows=4,cols=5")
    with_book, without = Solver(game, book=True), Solver(game)
    assert with_book.shape.book_left == 16
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


def test_what_is_done_is_kept(tmp_path: Path) -> None:
    """Chunks come back after a restart; one that was cut off in the writing does not."""
    file = tmp_path / "book.part"
    progress = Progress(file, "4 5 4 177")
    progress.add(2, np.arange(CHUNK, dtype=np.int8))
    progress.add(0, np.array([-3, 4], np.int8))
    with file.open("ab") as out:
        out.write(b"\x01\x00\x00\x00half")
    again = Progress(file, "4 5 4 177")
    assert sorted(again.done) == [0, 2]
    assert list(again.done[0][:3]) == [-3, 4, 0]
    again.add(1, np.zeros(CHUNK, np.int8))
    assert sorted(Progress(file, "4 5 4 177").done) == [0, 1, 2]
    assert Progress(file, "6 7 8 67557").done == {}


@pytest.mark.slow
def test_making_a_book_goes_on_where_it_stopped(tmp_path: Path) -> None:
    file = tmp_path / "book.xz"
    work = Making(4, 5, 4, file)
    first = work.solve(processes=1)
    next(first)
    first.close()
    work = Making(4, 5, 4, file)
    assert len(work.progress.done) >= 1
    list(work.solve(processes=1))
    book = work.finish()
    assert np.array_equal(book.words, small_book().words)
    assert np.array_equal(Book.unpack(file.read_bytes()).words, book.words)
    assert [left.name for left in tmp_path.iterdir()] == ["book.xz"]
