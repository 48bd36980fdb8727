"""Making the book of Andantino: it is complete, and what lies behind it is easy."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import plywise
from lab.making.andantino.book import EASY, Making, Small, check
from plywise.core.position import Position
from plywise.engines.book import WON, Book, shipped
from plywise.games.andantino.solver import Solver

GAME = plywise.game("andantino")
LATE = "j10 k10 j11 k9 j9 i11 i10 i9 h11"  # black wins in eight plies more


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Making, Book]:
    """Of a win that is near, with every move that takes more than forty nodes to find."""
    file = tmp_path_factory.mktemp("book") / "book.xz"
    making = Making(GAME, file, memory=16.0, opening=LATE, lines=(), easy=40)
    told = list(making.grow())
    assert all("black wins" in line for line in told)
    return making, making.finish()


def winning(book: Book) -> list[int]:
    """Where black moves to."""
    return [key for key in book.keys.tolist() if book.chances[book.keys == key] == WON]


@pytest.mark.slow
def test_a_small_book_is_a_proof(small: tuple[Making, Book]) -> None:
    making, book = small
    found = check(book, LATE, easy=40)
    assert found.open == []
    assert found.positions == len(winning(book)) - 1 > 3
    assert not making.part.exists()
    again = Book.unpack(making.file.read_bytes(), GAME)
    assert again.keys.tolist() == book.keys.tolist()


def test_a_book_with_a_gap_is_none(small: tuple[Making, Book]) -> None:
    _, book = small
    opening, wins = GAME.position(LATE).key, winning(book)
    left_out = next(key for key in wins if key != opening)
    kept = Book.of(GAME, {key: WON for key in wins if key != left_out})
    assert check(kept, LATE, easy=40).open


def test_the_longest_defence_weighs_most(small: tuple[Making, Book]) -> None:
    """Every position of the book that white can leave for another one has a weight."""
    _, book = small
    weights = book.moves(GAME.position(LATE))
    assert weights
    assert WON not in weights.values()
    solver = Solver(GAME, memory=8.0, book=book)
    known = solver.known(GAME.position(LATE))
    assert known is not None
    assert known.outcome == "loss"
    assert weights[GAME.position(LATE).code_of(str(known.best))] == max(weights.values())


def test_a_broken_off_making_goes_on(tmp_path: Path) -> None:
    first = Making(GAME, tmp_path / "book.xz", memory=16.0, opening=LATE, lines=(), easy=40)
    list(first.grow())
    again = Making(GAME, tmp_path / "book.xz", memory=16.0, opening=LATE, lines=(), easy=40)
    assert again.wins == first.wins


def lines_of_play(book: Book, games: int) -> list[Position]:
    """Where the book ends, with black to move, against random answers."""
    rng, ends = random.Random(4), []
    for _ in range(games):
        position = GAME.start()
        while not position.over:
            if position.turn == 1:
                position = position.play_code(rng.choice(position.legal_codes))
                continue
            known = [move for move, chance in book.moves(position).items() if chance == WON]
            if not known:
                ends.append(position)
                break
            position = position.play_code(known[0])
    return ends


@pytest.mark.slow
def test_wherever_the_shipped_book_ends_the_win_is_easy() -> None:
    book = shipped(GAME)
    assert book is not None
    ends = lines_of_play(book, 120)
    assert max(len(position.moves) for position in ends) >= 10
    small = Small(GAME, easy=20 * EASY)  # in another image it may take longer
    assert all(small.wins(position) for position in ends)


def test_a_way_into_the_book_is_not_yet_a_loss(small: tuple[Making, Book]) -> None:
    """White may step into a lost position from one that nothing is known of."""
    _, book = small
    opening = GAME.position(LATE)
    elsewhere = Book.of(GAME, {**dict.fromkeys(book.keys.tolist(), 100), opening.key: 100})
    assert Solver(GAME, memory=8.0, book=elsewhere).known(opening) is None
