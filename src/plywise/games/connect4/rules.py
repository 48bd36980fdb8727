"""The rules of Connect-4 on two bit boards.

A column takes rows + 1 bits; the spare bit on top stays empty and keeps lines from running
over into the next column. On 7 x 6:

     6 13 20 27 34 41 48   <- always empty
     5 12 19 26 33 40 47
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, index_of, lowest, popcount

MAX_COLS = 32
TWO, THREE = np.uint64(2), np.uint64(3)
FOUR = 4  #: the usual number of discs in a line, which has code of its own: it is faster
THREAT = 24  #: what a cell that would complete a line is worth, see evaluate
TIMELY = 16  #: ... and more in a row that its owner fills when the board fills up

Board = np.dtype(
    (
        np.record,
        [
            ("rows", "i8"),
            ("cols", "i8"),
            ("inarow", "i8"),  # how many discs in a line win; such a line is "a line" below
            ("size", "i8"),  # how many cells there are
            ("directions", "i8"),  # 4, or 1 where there is room for columns only
            ("shift", "u8", (4,)),  # to the neighbour: up, right, both diagonals; or up, if none
            ("cells", "u8"),  # every cell of the board
            ("floor", "u8"),  # the bottom row
            ("odd", "u8"),  # rows 1, 3, 5, ..., which the first player fills at the end
            ("bottom", "u8", (MAX_COLS,)),
            ("top", "u8", (MAX_COLS,)),
            ("column", "u8", (MAX_COLS,)),  # empty beyond the last one
            ("column_of", "i8", (64,)),  # the column of a bit
            ("through", "i4", (64,)),  # how many lines go through a cell
            ("middle", "i4", (MAX_COLS,)),  # the larger, the nearer to the middle
            # What only the solver asks for; pairs of cells are counted from the top of a column.
            ("lanes", "i8"),  # columns, rounded up to a multiple of eight
            ("roof", "u8"),  # the row above the board
            ("upper", "u8"),  # the upper cell of every pair
            ("lower", "u8"),
            ("central", "i8", (MAX_COLS,)),  # like `middle`, but different for every column
            ("mirror", "u8", (64,)),  # where each cell goes in the mirror image
        ],
    )
)
State = np.dtype(
    (
        np.record,
        [
            ("own", "u8"),  # the discs of the side to move
            ("mask", "u8"),  # all discs
            ("mine", "u8"),  # cells that complete a line of the side to move; some may be full
            ("theirs", "u8"),  # ... and of the opponent
            ("reach", "i4"),  # lines through own discs less those through the opponent's
            ("turn", "i2"),
            ("won", "i2"),  # 0 nobody yet, else 1 or 2
        ],
    )
)


@rule
def setup(b: Record, s: Record) -> None:
    """The empty board, X to move."""
    s.own = ZERO
    s.mask = ZERO
    s.mine = ZERO
    s.theirs = ZERO
    s.reach = 0
    s.turn = 0
    s.won = 0


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """The columns with room, from the left."""
    n = 0
    for column in range(b.cols):  # without a branch, which no processor could predict
        out[n] = column
        n += int(s.mask & b.top[column] == ZERO)
    return n


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Drop the mover's disc into a column with room."""
    drop(b, s, (s.mask + b.bottom[move]) & b.column[move])


@rule
def drop(b: Record, s: Record, bit: Any) -> None:
    """Put the mover's disc on an empty cell and pass the turn."""
    if s.mine & bit != ZERO:
        s.won = s.turn + 1
    s.mine, s.theirs = s.theirs, completing(b, s.own | bit)
    s.own = s.own ^ s.mask
    s.mask |= bit
    s.reach = -(s.reach + b.through[index_of(bit)])
    s.turn = 1 - s.turn


@rule
def aligned(b: Record, discs: Any) -> bool:
    """True if these discs include a line."""
    return (four_lines(b, discs) if b.inarow == FOUR else any_lines(b, discs)) != ZERO


@rule
def four_lines(b: Record, discs: Any) -> Any:
    """Nonzero if these discs include four in a line."""
    up = discs & (discs >> ONE)
    right = discs & (discs >> b.shift[1])
    rising = discs & (discs >> b.shift[2])
    falling = discs & (discs >> b.shift[3])
    return (
        (up & (up >> TWO))
        | (right & (right >> (b.shift[1] + b.shift[1])))
        | (rising & (rising >> (b.shift[2] + b.shift[2])))
        | (falling & (falling >> (b.shift[3] + b.shift[3])))
    )


@rule
def any_lines(b: Record, discs: Any) -> Any:
    """The same for any number of discs in a line."""
    found = ZERO
    for i in range(4):
        line = discs
        for step in range(1, b.inarow):
            line &= discs >> (b.shift[i] * np.uint64(step))
        found |= line
    return found


@rule
def completing(b: Record, discs: Any) -> Any:
    """Cells of the board that make a line with these discs; some may be full."""
    if b.inarow != FOUR:
        return completing_any(b, discs)
    return completing_four(b, discs) & b.cells


@rule
def completing_four(b: Record, discs: Any) -> Any:
    """Cells that make a four with these discs; some may be full or above the board."""
    cells = (discs << ONE) & (discs << TWO) & (discs << THREE)
    return (
        cells
        | _completing(discs, b.shift[1])
        | _completing(discs, b.shift[2])
        | _completing(discs, b.shift[3])
    )


@rule
def _completing(discs: Any, one: Any) -> Any:
    two = one + one
    three = two + one
    before, after = discs << one, discs >> one
    left = before & (discs << two)
    right = after & (discs >> two)
    return (left & ((discs << three) | after)) | (right & ((discs >> three) | before))


@rule
def completing_any(b: Record, discs: Any) -> Any:
    """`completing` for any number of discs in a line."""
    cells = ZERO
    for i in range(4):
        for before in range(b.inarow):  # the discs before the cell; the others are behind it
            line = b.cells
            for step in range(1, before + 1):
                line &= discs << (b.shift[i] * np.uint64(step))
            for step in range(1, b.inarow - before):
                line &= discs >> (b.shift[i] * np.uint64(step))
            cells |= line
    return cells


@rule
def over(b: Record, s: Record) -> bool:
    """True if somebody has a line, or the board is full."""
    return s.won != 0 or s.mask == b.cells


@rule
def margin(b: Record, s: Record) -> int:
    """1 if X has the line, -1 if O has it."""
    return 1 if s.won == 1 else -1 if s.won == 2 else 0


@rule
def key(b: Record, s: Record) -> Any:
    """Own discs plus all discs: a sum that is different for every position."""
    return s.own + s.mask


@rule
def evaluate(b: Record, s: Record) -> int:
    """Cells that would complete a line, more in timely rows, and lines still possible."""
    mine = s.mine & ~s.mask
    theirs = s.theirs & ~s.mask
    timely = b.odd if s.turn == 0 else ~b.odd  # the mover's
    score = THREAT * (popcount(mine) - popcount(theirs)) + s.reach
    return score + TIMELY * (popcount(mine & timely) - popcount(theirs & ~timely))


@rule
def bounds(b: Record, s: Record) -> tuple[int, int]:
    """A side that could not make a line even with all empty cells can no longer win."""
    other = s.own ^ s.mask
    mover_can = aligned(b, b.cells ^ other)
    other_can = aligned(b, b.cells ^ s.own)
    first_can, second_can = mover_can, other_can
    if s.turn == 1:
        first_can, second_can = other_can, mover_can
    return (-1 if second_can else 0), (1 if first_can else 0)


@rule
def forced(b: Record, s: Record, out: Record) -> int:
    """Complete a line; else stop one; else moves that do not allow one. 0 means any move."""
    playable = (s.mask + b.floor) & b.cells
    wins = s.mine & playable
    if wins == ZERO:
        wins = s.theirs & playable
    if wins != ZERO:
        out[0] = b.column_of[index_of(lowest(wins))]
        return 1
    below = (s.theirs >> ONE) & playable  # a disc here lets the opponent complete a line on it
    if below == ZERO:
        return 0
    n = 0
    for column in range(b.cols):
        out[n] = column
        n += int(playable & ~below & b.column[column] != ZERO)
    return n


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Moves that make the most completing cells first, then the middle."""
    bit = (s.mask + b.bottom[move]) & b.column[move]
    cells = completing(b, s.own | bit) & ~(s.mask | bit)
    return 16 * popcount(cells) + b.middle[move]
