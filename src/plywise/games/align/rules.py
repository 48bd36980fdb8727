"""The rules of Align: fill cells and score for runs in a row and in a column.

It does not matter for the points who filled a cell. So a line (a row or a column) is a pattern of
filled cells, one bit each, and a table gives the points of the cell that completed a pattern.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.engines.scale import UNIT
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, spread

SIDE = 8  #: the longest side of a board
CELLS = SIDE * SIDE
PATTERNS = 1 << SIDE
THREE = 3  #: a run of this length scores as many points; so does a whole line
#: No game is won by more: each of 16 lines of eight scores 3 at most twice, then 8.
MOST = 2 * SIDE * (SIDE + 2 * THREE)

# A cell is row * side + col, a1 = 0 at the bottom left:   6 7 8
# A move is its cell.                                      3 4 5
#                                                          0 1 2
Board = np.dtype(
    (
        np.record,
        [
            ("side", "i8"),
            ("cells", "i8"),
            ("checkerboard", "i8"),  # 1 if each player uses cells of one colour
            ("allowed", "u8", (2,)),  # the cells that each player may use
            ("symmetries", "i8"),  # 8; on an even checkerboard 4
            ("hash", "u8", (8, CELLS)),  # a word for [symmetry, cell]
            ("pay", "i1", (PATTERNS, SIDE)),  # points for [pattern, its newest cell]
            ("offer", "i1", (PATTERNS,)),  # the most that the next cell of a pattern can score
            ("room", "i2", (PATTERNS,)),  # the most that a pattern can still score until it is full
        ],
    )
)
State = np.dtype(
    (
        np.record,
        [
            ("own", "u8", (2,)),  # the cells that each player filled, one bit each
            ("keys", "u8", (8,)),  # the hash of the filled cells, for each mirror image
            ("lines", "u1", (2, SIDE)),  # the patterns of the rows, and of the columns
            ("score", "i4", (2,)),  # points so far
            ("room", "i4"),  # an upper bound on the points still to come
            ("turn", "i4"),
        ],
    )
)


@rule
def setup(b: Record, s: Record) -> None:
    """The empty board, X to move."""
    s.own[:], s.keys[:] = ZERO, ZERO
    s.score[:], s.lines[:] = 0, 0
    s.room = 2 * b.side * b.room[0]
    s.turn = 0


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """Every empty cell that the mover may use, from a1 on."""
    open_cells = b.allowed[s.turn] & ~(s.own[0] | s.own[1])
    n = 0
    for cell in range(b.cells):
        if open_cells >> np.uint64(cell) & ONE != ZERO:
            out[n] = cell
            n += 1
    return n


@rule
def gain(b: Record, s: Record, move: int) -> int:
    """What filling this empty cell scores: its row and its column, counted separately."""
    row, col = move // b.side, move % b.side
    across = s.lines[0, row] | (1 << col)
    upright = s.lines[1, col] | (1 << row)
    return b.pay[across, col] + b.pay[upright, row]


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Fill the cell and add its points to the mover's."""
    s.score[s.turn] += gain(b, s, move)
    fill_cell(b, s, move, s.turn)
    s.turn = 1 - s.turn


@rule
def fill_cell(b: Record, s: Record, cell: int, player: int) -> None:
    """Fill an empty cell without scoring."""
    row, col = cell // b.side, cell % b.side
    s.own[player] |= ONE << np.uint64(cell)
    s.room -= b.room[s.lines[0, row]] + b.room[s.lines[1, col]]
    s.lines[0, row] |= 1 << col
    s.lines[1, col] |= 1 << row
    s.room += b.room[s.lines[0, row]] + b.room[s.lines[1, col]]
    for symmetry in range(b.symmetries):
        s.keys[symmetry] ^= b.hash[symmetry, cell]


@rule
def over(b: Record, s: Record) -> bool:
    """Every cell is filled."""
    return s.own[0] | s.own[1] == b.allowed[0] | b.allowed[1]


@rule
def margin(b: Record, s: Record) -> int:
    """The points of X less those of O."""
    return s.score[0] - s.score[1]


@rule
def key(b: Record, s: Record) -> Any:
    """The filled cells up to symmetry, whoever filled them, with the turn and the lead.

    The rest of the game depends only on the filled cells and the turn. The lead is part of the key
    because searches store final margins under it, not what is still to come.
    """
    least = s.keys[0]
    for symmetry in range(1, b.symmetries):
        least = min(least, s.keys[symmetry])
    return least ^ spread(np.uint64(2 * (MOST + s.score[0] - s.score[1]) + s.turn))


@rule
def evaluate(b: Record, s: Record) -> int:
    """The lead of the mover."""
    lead = UNIT * (s.score[0] - s.score[1])
    return lead if s.turn == 0 else -lead


@rule
def bounds(b: Record, s: Record) -> tuple[int, int]:
    """At worst O gets all points still to come, at best X does."""
    lead = s.score[0] - s.score[1]
    return lead - s.room, lead + s.room


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """What a move scores, less what it leaves for the next move in its row or column."""
    row, col = move // b.side, move % b.side
    across = s.lines[0, row] | (1 << col)
    upright = s.lines[1, col] | (1 << row)
    paid = b.pay[across, col] + b.pay[upright, row]
    return paid - max(b.offer[across], b.offer[upright])
