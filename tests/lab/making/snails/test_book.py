"""Making a book of Snails: what it holds is proved."""

from __future__ import annotations

from pathlib import Path

import pytest

import plywise
from lab.making.snails.book import Making
from plywise.engines.book import WON, Book
from plywise.games.snails.solver import SnailsSolver
from tests.games.snails.test_book import outcome, walks


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Making, Book]:
    """Of 4 x 5, a draw, with every win that takes more than ten nodes."""
    file = tmp_path_factory.mktemp("book") / "book.xz"
    # Without rivals on the clock, so that it is the same book every time.
    making = Making(plywise.game("snails:rows=4,cols=5"), 8, file, easy=10, speeds=())
    assert list(making.grow())
    return making, making.finish()


@pytest.mark.slow
def test_moves_of_a_small_book_hold_and_win(small: tuple[Making, Book]) -> None:
    making, book = small
    assert len(book.keys) > 20
    solver = SnailsSolver(making.game)
    seen = walks(book, 300)
    assert len(seen) > 300
    for position, chance in seen:
        assert outcome(solver, position) == ("win" if chance == WON else "draw")


@pytest.mark.slow
def test_a_book_makes_the_round_trip(small: tuple[Making, Book]) -> None:
    making, book = small
    again = Book.unpack(making.file.read_bytes(), making.game)
    assert again.keys.tolist() == book.keys.tolist()
    assert again.chances.tolist() == book.chances.tolist()
    assert not making.part.exists()


@pytest.mark.slow
def test_a_broken_off_making_goes_on(tmp_path: Path) -> None:
    game = plywise.game("snails:rows=4,cols=4")
    first = Making(game, 6, tmp_path / "book.xz", easy=10, speeds=(0.01,))
    list(first.grow())
    again = Making(game, 6, tmp_path / "book.xz", easy=10, speeds=(0.01,))
    assert again.answers == first.answers
    assert len(again.finish().keys) > 0
