"""The book that comes with the package."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import plywise
from lab.making.connect4.book import quiet_positions, solve_chunk, write_down
from plywise.games.connect4.book import Book, look_up, shipped
from plywise.games.connect4.bounds import image_of
from plywise.games.connect4.solver import Solver

SHIPPED_POSITIONS = 5_185_174
BOARD = plywise.game("connect4").board
DATA = Path(__file__).parents[2] / "data" / "connect4"


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(plywise.game("connect4"), book=True)


@pytest.fixture(scope="module")
def book() -> Book:
    found = shipped()
    assert found is not None
    return found


def test_it_has_every_quiet_position_up_to_nine_plies(book: Book) -> None:
    assert (book.rows, book.cols, book.plies) == (6, 7, 12)
    for layer in quiet_positions(6, 7, 9):
        images = image_of(BOARD, layer.key)
        marked = book.pages._replace(scores=np.zeros_like(book.pages.scores))
        write_down(marked, layer.key, images, np.ones(len(layer.key)))
        assert marked.scores.any()
        assert np.all(book.pages.scores[marked.scores != 0] != 0)


@pytest.mark.long
def test_it_has_every_quiet_position_up_to_twelve_plies(book: Book) -> None:
    layers = quiet_positions(6, 7, 12)
    assert sum(len(layer.key) for layer in layers) == SHIPPED_POSITIONS
    marked = book.pages._replace(scores=np.zeros_like(book.pages.scores))
    for layer in layers:
        write_down(marked, layer.key, image_of(BOARD, layer.key), np.ones(len(layer.key)))
    assert np.array_equal(marked.scores != 0, book.pages.scores != 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "last", "count"), [(8, 10, 5), pytest.param(6, 12, 10, marks=pytest.mark.long)]
)
def test_some_of_its_scores_worked_out_anew(book: Book, first: int, last: int, count: int) -> None:
    """A sample; docs/games/connect4.md says how many were when it was made."""
    for layer in quiet_positions(6, 7, last)[first:]:
        chosen = np.random.default_rng(7).choice(len(layer.key), count, replace=False)
        own, mask, keys = layer.own[chosen], layer.mask[chosen], layer.key[chosen]
        images = image_of(BOARD, keys)
        known = [look_up(book.pages, *pair) for pair in zip(keys, images, strict=True)]
        assert solve_chunk(6, 7, own, mask).tolist() == known


def test_the_first_moves(solver: Solver) -> None:
    analysis = solver.solve(solver.game.start(), lines=True)
    assert analysis.score == 1
    assert analysis.best == "4"
    assert [line.score for line in analysis.lines] == [-2, -1, 0, 1, 0, -1, -2]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["end-easy", "middle-easy", "begin-easy", "begin-far"])
def test_the_published_positions(solver: Solver, name: str) -> None:
    for line in (DATA / f"{name}.txt").read_text().splitlines():
        moves, score = line.split("\t")
        assert solver.solve(solver.game.position(moves)).score == int(score), moves
