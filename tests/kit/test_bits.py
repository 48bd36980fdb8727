"""Sets of cells as bits, hashes and arrays of cells, against plain Python."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plywise import SpecError
from plywise.kit import square_board
from plywise.kit.bits import bit_of, bit_steps, reach, step
from plywise.kit.cells import list_empty, run

SIZES = [(8, 8), (6, 6), (3, 5), (1, 7), (7, 1), (5, 8)]


def members(word: int) -> set[int]:
    return {cell for cell in range(64) if int(word) >> cell & 1}


def word_of(cells: set[int]) -> np.uint64:
    return np.uint64(sum(1 << cell for cell in cells))


@pytest.mark.parametrize(("rows", "cols"), SIZES)
def test_a_step_leads_to_the_neighbours_of_the_board(rows: int, cols: int) -> None:
    board, ways = square_board(rows, cols), bit_steps(rows, cols)
    for cell in range(len(board)):
        for way in range(8):
            goal = board.steps[cell, way]
            assert members(step(bit_of(cell), ways, way)) == ({goal} if goal >= 0 else set())


def test_a_step_moves_a_whole_set() -> None:
    rng, board, ways = random.Random(1), square_board(6, 7), bit_steps(6, 7)
    for _ in range(20):
        cells = set(rng.sample(range(42), 15))
        for way in range(8):
            goals = {int(board.steps[cell, way]) for cell in cells} - {-1}
            assert members(step(word_of(cells), ways, way)) == goals


@pytest.mark.parametrize("directions", [4, 8])
def test_reach_finds_what_is_connected(directions: int) -> None:
    rng, board, ways = random.Random(2), square_board(6, 7), bit_steps(6, 7)
    for _ in range(20):
        cells = set(rng.sample(range(42), 22))
        found, waiting = set[int](), [min(cells)]
        while waiting:
            cell = waiting.pop()
            if cell in cells and cell not in found:
                found.add(cell)
                waiting += [int(goal) for goal in board.steps[cell, :directions] if goal >= 0]
        assert members(reach(bit_of(min(cells)), word_of(cells), ways, directions)) == found


def test_more_cells_than_bits_are_refused() -> None:
    with pytest.raises(SpecError, match="8 x 9 cells do not fit into a word: it has 64 bits"):
        bit_steps(8, 9)


def test_cells_in_an_array() -> None:
    board = square_board(3, 4)
    cells = np.array([1, 1, 1, 0, 2, 1, 0, 0, 0, 0, 1, 0])
    out = np.zeros(12, np.int64)
    assert out[: list_empty(cells, 8, out)].tolist() == [3, 6, 7]
    assert run(cells, board.steps, 0, 1) == 2  # to the right
    assert run(cells, board.steps, 2, 3) == 2  # to the left
    assert run(cells, board.steps, 0, 4) == 2  # to the upper right: b2 and c3
    assert run(cells, board.steps, 4, 0) == 0
