"""The cells of a rectangular board by their numbers: names, boards as arrays, lines of k cells.

Cell numbers run from a1 = 0 along the bottom row, then up:

    3 | 6 7 8
    2 | 3 4 5
    1 | 0 1 2
        a b c
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.jit import rule
from plywise.kit.words import number_word


def column_text(col: int) -> str:
    """Return the letter of a column; after z come aa, ab and so on.

    >>> column_text(2), column_text(27)
    ('c', 'ab')
    """
    beyond, letter = divmod(col, 26)
    return ("" if beyond == 0 else column_text(beyond - 1)) + chr(ord("a") + letter)


def cell_text(cell: int, cols: int) -> str:
    """Return the name of a cell.

    >>> cell_text(5, 3)
    'c2'
    """
    row, col = divmod(cell, cols)
    return f"{column_text(col)}{row + 1}"


def square_images(rows: int, cols: int) -> list[list[int]]:
    """Return where each cell goes under the rotations and reflections of a board.

    >>> square_images(1, 3)
    [[0, 1, 2], [2, 1, 0], [0, 1, 2], [2, 1, 0]]
    """
    cells = np.arange(rows * cols).reshape(rows, cols)
    return [
        turned[::up, ::right].ravel().tolist()
        for turned in ((cells, cells.T) if rows == cols else (cells,))
        for up in (1, -1)
        for right in (1, -1)
    ]


def read_cell(text: str, rows: int, cols: int) -> int:
    """Return the number of the cell that a text names, or raise ValueError.

    >>> read_cell("c2", 3, 3)
    5
    """
    match = re.fullmatch(r"([a-z])([1-9][0-9]?)", text.lower(), re.ASCII)
    last = cell_text(rows * cols - 1, cols)
    if match is None:
        raise ValueError(f"write a column letter and a row number, a1 to {last}")
    col, row = ord(match[1]) - ord("a"), int(match[2]) - 1
    if col >= cols or row >= rows:
        raise ValueError(f"the board goes from a1 to {last}")
    return row * cols + col


# ---- boards as arrays, with 0 where a cell is empty, for rules that compile ----------------------


@rule
def list_empty(cells: Any, count: int, out: Any) -> int:
    """Write the empty ones of the first `count` cells into `out`, and return how many they are."""
    n = 0
    for cell in range(count):
        if cells[cell] == 0:
            out[n] = cell
            n += 1
    return n


@rule
def run(cells: Any, steps: Any, cell: int, way: int) -> int:
    """Return how many cells in a row, after this one in a direction, hold the same as it."""
    n, goal = 0, steps[cell, way]
    while goal >= 0 and cells[goal] == cells[cell]:
        n, goal = n + 1, steps[goal, way]
    return n


# ---- lines of k cells, for explaining moves in words ---------------------------------------------
# A set of cells is an integer with one bit per cell; the game says how cells are numbered.

#: East, north, north-east, south-east, as steps of (row, column).
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))
FEW_WAYS = 12  #: ways to win are counted up to this many; a larger number says little


@dataclass(frozen=True)
class Window:
    """k cells in a line."""

    cells: int
    name: str  #: such as "row 2" or "the diagonal a1-c3"


def lines_of(rows: int, cols: int, k: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield every line of k cells: the row and the column of its first one, and the step of both.

    >>> list(lines_of(1, 3, 2))
    [(0, 0, 0, 1), (0, 1, 0, 1)]
    """
    for dr, dc in DIRECTIONS:
        for row in range(rows):
            for col in range(cols):
                if 0 <= row + (k - 1) * dr < rows and col + (k - 1) * dc < cols:
                    yield row, col, dr, dc


def spots(lines: Iterable[Window], discs: int, free: int) -> dict[int, list[str]]:
    """Return the free cells that complete a line with these discs, and the lines' names."""
    found: dict[int, list[str]] = {}
    for line in lines:
        missing = line.cells & ~discs
        if missing & free and missing.bit_count() == 1:
            names = found.setdefault(missing, [])
            if line.name not in names:
                names.append(line.name)
    return found


def ways(lines: Iterable[Window], discs: int, others: int, left: int) -> int:
    """Count the lines without opposing discs that `left` more discs can still complete."""
    return sum(
        not line.cells & others and (line.cells & ~discs).bit_count() <= left for line in lines
    )


def most_open(lines: Sequence[Window], cell: int, rivals: int, others: int) -> int:
    """Count the lines through a cell without opposing discs; 0 if a rival cell has as many."""

    def count(cell: int) -> int:
        return sum(bool(line.cells & cell) and not line.cells & others for line in lines)

    most = count(cell)
    return most if all(count(rival) < most for rival in bits(rivals)) else 0


def tell_ways(lines: Sequence[Window], discs: int, others: int, left: int) -> list[str]:
    """Say how many ways to win a move leaves; `discs` are the mover's after it."""
    found = []
    if not ways(lines, others, discs, -(-left // 2)):
        found.append("leaves the opponent no way to win")
    mine = ways(lines, discs, others, left // 2)
    if 0 < mine <= FEW_WAYS:
        found.append(f"keeps {number_word(mine)} {'way' if mine == 1 else 'ways'} to win")
    return found


def bits(cells: int) -> Iterator[int]:
    """Yield the cells one by one, each as its bit.

    >>> list(bits(0b1010))
    [2, 8]
    """
    while cells:
        yield cells & -cells
        cells &= cells - 1
