"""The records of Andantino, and sets of cells as five words of bits.

A cell has axial coordinates (q, r), with (0, 0) in the middle. Cells are numbered row by row from
the smallest r, which is the bottom row. A board of side 2:

     5 6      r = 1
    2 3 4     r = 0, q from -1 to 1
     0 1      r = -1

Directions go in a circle: 0 is (1, 0), then (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1). Direction
d + 3 is the way back, and 0, 1, 2 are the three axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, index_of, lowest

SIDE = 10  #: the largest board
CELLS = 271  #: its cells
OUT = CELLS  #: the number of everything off the board
WORDS = 5
IMAGES = 12  #: symmetries of a hexagon
FIVE = 5  #: stones in a line that win
REACH = 4  #: how far from a cell a five through it can reach
RING = 6  #: stones in the smallest ring

Words = tuple[Any, Any, Any, Any, Any]  #: a set of cells in variables
NONE: Words = (ZERO, ZERO, ZERO, ZERO, ZERO)

EMPTY, OFF = 0, 3  #: marks: empty, player + 1, off the board

Board = np.dtype(
    (
        np.record,
        [
            ("side", "i2"),
            ("cells", "i2"),
            ("middle", "i2"),  # the cell (0, 0)
            ("q", "i2", (CELLS + 1,)),
            ("r", "i2", (CELLS + 1,)),
            ("step", "i2", (CELLS + 1, 6)),  # the neighbour, or OUT
            ("line", "i2", (CELLS + 1, 3, 2 * REACH + 1)),  # [cell, axis]: around this cell
            ("bits", "i1", (64,)),  # how many bits are set
            ("runs", "i1", (64,)),  # ... and in how many runs around the circle
            ("hash", "u8", (2, CELLS, IMAGES)),  # [player, cell, symmetry]
            ("tempo", "u8"),  # in the key when player 1 is to move
        ],
    )
)
State = np.dtype(
    (
        np.record,
        [
            ("legal", "u8", (WORDS,)),  # where a stone may be placed
            ("five", "u8", (2, WORDS)),  # empty cells that make five, legal or not
            ("joint", "u8", (2, WORDS)),  # cells between two or more runs of a player's stones
            ("pocket", "u8", (2, WORDS)),  # cells inside a ring of this player
            ("keys", "u8", (IMAGES,)),
            ("chain", "i2", (CELLS + 1,)),  # a stone's next one of its group; of the last: - size
            ("count", "i2", (2, FIVE + 1)),  # windows of five with n own stones and no others
            ("hug", "i2", (2, 7)),  # the opponent's stones with n stones of this player around them
            ("box", "i2", (4,)),  # the smallest and largest q, then r, of all stones
            ("filled", "i2"),
            ("turn", "i1"),
            ("won", "i1"),  # 0, or the winner + 1
            ("mark", "i1", (CELLS + 1,)),
            ("around", "i1", (2, CELLS + 1)),  # which of the six neighbours are a player's, as bits
        ],
    )
)


@rule
def toggled(words: Words, cell: int) -> Words:
    """Add a cell to a set that is kept in variables, or remove it."""
    bit = ONE << np.uint64(cell & 63)
    word = cell >> 6
    return (
        words[0] ^ bit if word == 0 else words[0],
        words[1] ^ bit if word == 1 else words[1],
        words[2] ^ bit if word == 2 else words[2],
        words[3] ^ bit if word == 3 else words[3],
        words[4] ^ bit if word == 4 else words[4],
    )


@rule
def first_of(words: Words) -> int:
    """The lowest cell of a set that is kept in variables; -1 if there is none."""
    for word in range(WORDS):
        if words[word] != ZERO:
            return 64 * word + index_of(lowest(words[word]))
    return -1


@rule
def run_starts(mask: Any) -> Any:
    """The first neighbour of each run of set bits, around the circle; a full circle starts at 0."""
    starts = mask & ~((mask << 1) | (mask >> 5)) & 63
    return 1 if mask == 63 else starts
