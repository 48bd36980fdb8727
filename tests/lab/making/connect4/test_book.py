"""Making a book of Connect-4: what is done is kept, and goes on where it stopped."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lab.making.connect4.book import CHUNK, Making, Progress
from plywise.games.connect4.book import Book
from tests.games.connect4.test_book import small_book


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
    first = work.solve(workers=1)
    next(first)
    first.close()
    work = Making(4, 5, 4, file)
    assert len(work.progress.done) >= 1
    list(work.solve(workers=1))
    book = work.finish()
    assert np.array_equal(book.pages.scores, small_book().pages.scores)
    assert np.array_equal(Book.read(file).pages.scores, book.pages.scores)
    assert [left.name for left in tmp_path.iterdir()] == ["book.xz"]


def test_the_progress_of_another_book_is_kept_until_there_is_something_to_keep(
    tmp_path: Path,
) -> None:
    file = tmp_path / "book.part"
    file.write_bytes(b"another book\n")
    work = Progress(file, "this book")
    assert file.read_bytes() == b"another book\n"
    work.add(3, np.zeros(5, np.int8))
    assert Progress(file, "this book").done.keys() == {3}
