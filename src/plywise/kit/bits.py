"""Sets of cells as the bits of one word, for rules that compile; and hashes for `key`.

On a board of up to 64 cells a set of cells is one word, and a question about the whole board takes
a few operations. `bit_steps` makes the table for a board of squares, with the directions in the
order of `square_board`; `step` moves a whole set one cell on:

    WAYS = bit_steps(8, 8)
    step(own, WAYS, 1) & enemy     # the enemies to the right of a piece of your own

On larger boards a set takes several words: `has`, `include` and `exclude` are for those.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.errors import SpecError
from plywise.jit import rule
from plywise.jit.bits import (
    ONE,
    ZERO,
    exclude,
    has,
    include,
    index_of,
    list_bits,
    lowest,
    popcount,
    random_words,
    spread,
    wide,
)
from plywise.kit.layouts import SQUARE_STEPS

__all__ = [
    "ONE",
    "ZERO",
    "bit_of",
    "bit_steps",
    "exclude",
    "has",
    "include",
    "index_of",
    "list_bits",
    "lowest",
    "popcount",
    "random_words",
    "reach",
    "spread",
    "step",
    "wide",
]

WORD = np.uint64(64)  #: the bits of a word


def bit_steps(rows: int, cols: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the table for `step` on a board of squares: how far, and from which cells.

    >>> bit_steps(2, 3)[0].tolist()  # up: three cells on, from the three cells of the bottom row
    [3, 7]
    """
    if rows * cols > WORD:
        raise SpecError(f"{rows} x {cols} cells do not fit into a word: it has {WORD} bits")
    table = np.zeros((len(SQUARE_STEPS), 2), np.uint64)
    for way, (up, right) in enumerate(SQUARE_STEPS):
        table[way, 0] = (up * cols + right) % 64
        table[way, 1] = sum(
            1 << (row * cols + col)
            for row in range(rows)
            for col in range(cols)
            if 0 <= row + up < rows and 0 <= col + right < cols
        )
    return table


@rule
def bit_of(cell: int) -> Any:
    """Return the set that holds one cell."""
    return ONE << np.uint64(cell)


@rule
def step(cells: Any, ways: Any, way: int) -> Any:
    """Return these cells one step on; what would leave the board is gone.

    >>> step(np.uint64(0b100101), bit_steps(2, 3), 1)
    np.uint64(2)
    """
    staying = cells & ways[way, 1]
    return staying << ways[way, 0] | staying >> (WORD - ways[way, 0])


@rule
def reach(start: Any, through: Any, ways: Any, count: int) -> Any:
    """Return the cells of a set that are connected with its cells in `start`.

    `count` is the number of directions: 4 without diagonals, 8 with them.

    >>> reach(np.uint64(0b1), np.uint64(0b101011), bit_steps(2, 3), 4)
    np.uint64(11)
    """
    found, before = start & through, ZERO
    while found != before:
        before = found
        for way in range(count):
            found |= step(found, ways, way) & through
    return found
