"""The paper's search over lists takes the steps of the search over arrays, on every board."""

from __future__ import annotations

import random
from functools import partial

import pytest

from lab.papers.slither import lists
from lab.papers.slither.lists import Flat, Nested
from plywise.puzzles import slither
from plywise.puzzles.slither.path_search import METHODS, search
from tests.puzzles.slither.test_solver import random_puzzle

BOARDS = (
    partial(search, compiled=False),
    lists.search,
    partial(lists.search, kind=Flat),
    partial(lists.search, visited=lists.marked),
    partial(lists.search, finished=lists.at_every_line),
    partial(lists.search, kind=Flat, visited=lists.marked, finished=lists.at_every_line),
)


@pytest.mark.slow
@pytest.mark.parametrize("most", [10_000, pytest.param(1_000_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("method", METHODS)
def test_all_boards_search_the_same_way(method: str, most: int) -> None:
    """The same loop after the same steps, with or without a solution."""
    rng, compared = random.Random(8), 0
    puzzles = [slither.read("2.3/.../3.2"), *(random_puzzle(rng) for _ in range(16))]
    for puzzle in puzzles:
        found = search(puzzle, method)
        if found.steps > most:  # the other boards take a second for these
            continue
        compared += 1
        for run in BOARDS:
            other = run(puzzle, method)
            assert (other.solution, other.steps) == (found.solution, found.steps)
    assert compared >= 13


def test_a_search_over_lists_ends_after_its_steps() -> None:
    puzzle = slither.read("2.3/.../3.2")
    whole = search(puzzle, "dfs")
    assert whole.finished
    for run in BOARDS:
        assert run(puzzle, "dfs", most=whole.steps + 1).finished
        cut = run(puzzle, "dfs", most=whole.steps - 1)
        assert (cut.finished, cut.steps, cut.solution) == (False, whole.steps - 1, None)


@pytest.mark.parametrize("kind", [Nested, Flat])
def test_a_loop_is_even_and_a_path_is_not(kind: type[Nested] | type[Flat]) -> None:
    puzzle = slither.read(slither.DEFAULT)
    solution = slither.solve(puzzle).solution
    assert solution is not None
    board = kind(puzzle, slither.Drawing.empty(puzzle))
    places = {}
    for dot in map(board.dot, range(36)):
        for _, line in board.neighbours(dot):
            places[board.number(line)] = line
    assert sorted(places) == list(range(puzzle.lines))
    for line in solution.lines:
        board.draw(places[line], True)
    assert (board.even(), board.fits()) == (True, True)
    for line in solution.lines:
        board.draw(places[line], False)
        assert not board.even()
        board.draw(places[line], True)
