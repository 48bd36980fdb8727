"""The records of Snails.

A cell is a bit, numbered from a1 along the bottom row, then up. A board has up to 144 cells, so
a set is three words; on 8 x 8 and less the second and third stay empty. On 4 x 4:

    12 13 14 15
     8  9 10 11
     4  5  6  7
     0  1  2  3

Directions are 0 up, 1 right, 2 down, 3 left. The first two go to higher bits.
"""

from __future__ import annotations

import numpy as np

SIDE = 12  #: the longest side
CELLS = SIDE * SIDE
WORDS = 3
QUIET = 20  #: this many plies in a row without a claim end the game
UP, RIGHT, DOWN, LEFT = 0, 1, 2, 3

Board = np.dtype(
    (
        np.record,
        [
            ("rows", "i4"),
            ("cols", "i4"),
            ("cells", "i4"),
            ("territory", "i4"),  # 1 if the option is on
            ("symmetries", "i4"),  # 2 on a square board: itself and its transpose
            ("shift", "u8", (4,)),  # how many bits a step is
            ("leave", "u8", (4, WORDS)),  # cells from which a step stays on the board
            ("full", "u8", (WORDS,)),  # every cell
            ("step", "i2", (4, CELLS)),  # the neighbour, or -1
            ("hash", "u8", (2, 3, CELLS)),  # [symmetry, player or wall, cell]
            ("place", "u8", (2, 2, CELLS)),  # [symmetry, player, the snail's cell]
            ("clock", "u8", (2, QUIET + 1)),  # [turn, plies without a claim]
            ("taste", "i2", (CELLS,)),  # an expert's random preference for cells; 0 in the rules
        ],
    )
)
State = np.dtype(
    (
        np.record,
        [
            ("own", "u8", (2, WORDS)),  # the trails, snails included
            ("free", "u8", (WORDS,)),  # empty cells; a cell that is neither is a wall
            ("keys", "u8", (2,)),  # the hash of the position and of its mirror image
            ("at", "i2", (2,)),  # where the snails are
            ("score", "i2", (2,)),
            ("left", "i2"),  # how many cells are empty
            ("quiet", "i1"),  # plies since the last claim
            ("turn", "i1"),
            ("stuck", "i1", (2,)),
        ],
    )
)
