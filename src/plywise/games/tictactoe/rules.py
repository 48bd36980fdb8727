"""The rules of m,n,k games: k own marks in an unbroken line win.

After each move, one loop over the windows that contain the new mark updates everything a search
needs. A window is k cells in a line. It is *open* to a player while the opponent has no mark in
it; `count[player, j]` is how many open windows hold j of the player's marks. A win is a window
with k, a threat one with k - 1, and a player without open windows cannot win.
"""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record
from plywise.jit import rule

SIDE = 19  #: the longest side of a board
CELLS = SIDE * SIDE
ROW_STEP = (0, 1, 1, 1)  #: the four directions of a line: east, north, north-east, north-west
COL_STEP = (1, 0, 1, -1)

# A cell is row * cols + col, a1 = 0 at the bottom left:   6 7 8
#                                                          3 4 5
#                                                          0 1 2
Board = np.dtype(
    (
        np.record,
        [
            ("rows", "i4"),
            ("cols", "i4"),
            ("k", "i4"),
            ("cells", "i4"),
            ("windows", "i4"),  # how many windows the board has
            ("symmetries", "i4"),  # 8 on a square board, else 4
            ("hash", "u8", (8, 2, CELLS)),  # a word for [symmetry, player, cell]
            ("through", "i4", (CELLS,)),  # how many windows go through a cell
            ("weight", "i4", (SIDE + 1,)),  # what an open window with j marks is worth
            ("style", "i4"),  # of the players' marks, by its number; only the drawing asks
        ],
    )
)
State = np.dtype(
    (
        np.record,
        [
            ("keys", "u8", (8,)),  # the hash of each mirror image
            ("count", "i2", (2, SIDE + 1)),
            ("score", "i4"),  # weights of X's open windows less those of O's
            ("filled", "i4"),
            ("turn", "i1"),
            ("winner", "i1"),  # 0 nobody yet, else 1 or 2
            ("marks", "i1", (CELLS,)),  # 0 empty, 1 X, 2 O
        ],
    )
)


@rule
def setup(b: Record, s: Record) -> None:
    """The empty board, X to move."""
    s.marks[:] = 0
    s.keys[:] = np.uint64(0)
    s.count[:] = 0
    s.count[:, 0] = b.windows
    s.score = 0
    s.filled = 0
    s.turn = 0
    s.winner = 0


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """Every empty cell, from a1 on."""
    n = 0
    for cell in range(b.cells):
        if s.marks[cell] == 0:
            out[n] = cell
            n += 1
    return n


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Put the mover's mark on an empty cell."""
    place(b, s, move, s.turn)
    s.turn = 1 - s.turn


@rule
def place(b: Record, s: Record, cell: int, player: int) -> None:
    """Put a mark on an empty cell and bring every count up to date."""
    own, other, k = player + 1, 2 - player, b.k
    row, col = cell // b.cols, cell % b.cols
    gain = 0
    for direction in range(4):
        dr, dc = ROW_STEP[direction], COL_STEP[direction]
        step = dr * b.cols + dc
        behind = room(b, row, col, -dr, -dc)
        ahead = room(b, row, col, dr, dc)
        windows = behind + ahead + 2 - k
        if windows <= 0:
            continue
        start = cell - behind * step
        mine = 0
        theirs = 0
        for i in range(k - 1):
            mark = s.marks[start + i * step]
            mine += mark == own
            theirs += mark == other
        for i in range(windows):
            mark = s.marks[start + (i + k - 1) * step]
            mine += mark == own
            theirs += mark == other
            if theirs == 0:
                s.count[player, mine] -= 1
                s.count[player, mine + 1] += 1
                gain += b.weight[mine + 1] - b.weight[mine]
            if mine == 0:
                s.count[1 - player, theirs] -= 1
                gain += b.weight[theirs]
            mark = s.marks[start + i * step]
            mine -= mark == own
            theirs -= mark == other
    if s.count[player, k] > 0 and s.winner == 0:
        s.winner = own
    s.score += gain if player == 0 else -gain
    s.marks[cell] = own
    s.filled += 1
    for symmetry in range(b.symmetries):
        s.keys[symmetry] ^= b.hash[symmetry, player, cell]


@rule
def room(b: Record, row: int, col: int, dr: int, dc: int) -> int:
    """How many cells there are in a direction before the edge, at most k - 1."""
    distance = b.k - 1
    if dr > 0:
        distance = min(distance, b.rows - 1 - row)
    elif dr < 0:
        distance = min(distance, row)
    if dc > 0:
        distance = min(distance, b.cols - 1 - col)
    elif dc < 0:
        distance = min(distance, col)
    return distance


@rule
def over(b: Record, s: Record) -> bool:
    """True if somebody has a line, or the board is full."""
    return s.winner != 0 or s.filled == b.cells


@rule
def margin(b: Record, s: Record) -> int:
    """1 if X has the line, -1 if O has it."""
    return 1 if s.winner == 1 else -1 if s.winner == 2 else 0


@rule
def key(b: Record, s: Record) -> int:
    """The smallest hash among the symmetric images, which all have the same future."""
    least = s.keys[0]
    for symmetry in range(1, b.symmetries):
        least = min(least, s.keys[symmetry])
    return least ^ np.uint64(s.turn)


@rule
def evaluate(b: Record, s: Record) -> int:
    """Open windows by how full they are, the mover's less the opponent's."""
    return s.score if s.turn == 0 else -s.score


@rule
def bounds(b: Record, s: Record) -> tuple[int, int]:
    """Bound the result: a player whose windows can all be stopped cannot win."""
    left = b.cells - s.filled
    lowest = -1 if can_win(b, s, 1, (left + s.turn) // 2) else 0
    highest = 1 if can_win(b, s, 0, (left + 1 - s.turn) // 2) else 0
    return lowest, highest


@rule
def can_win(b: Record, s: Record, player: int, marks_left: int) -> bool:
    """True if this player might still force a line.

    A window that lacks n marks weighs 1 / 2^n. Count those that the player has enough marks left
    to fill. If they weigh less than 1 together and the opponent is to move, the opponent stops
    them all by always taking the cell that removes the most weight (Erdos and Selfridge). If
    the player is to move, the limit is 1/2.
    """
    weight = 0
    for j in range(max(0, b.k - marks_left), b.k):
        weight += s.count[player, j] << j
    return weight >= (1 << b.k) >> (1 if s.turn == player else 0)


@rule
def forced(b: Record, s: Record, out: Record) -> int:
    """List the move that completes a line, or else blocks the opponent's; 0 if no threat."""
    me = s.turn
    if b.k == 1 or s.count[me, b.k - 1] + s.count[1 - me, b.k - 1] == 0:
        return 0
    player = me if s.count[me, b.k - 1] > 0 else 1 - me
    for cell in range(b.cells):
        if s.marks[cell] == 0 and completes(b, s, cell, player + 1):
            out[0] = cell
            return 1
    return 0


@rule
def completes(b: Record, s: Record, cell: int, mark: int) -> bool:
    """True if this mark on this empty cell would make k in a line."""
    row, col = cell // b.cols, cell % b.cols
    for direction in range(4):
        dr, dc = ROW_STEP[direction], COL_STEP[direction]
        step = dr * b.cols + dc
        run = 1
        for i in range(1, room(b, row, col, dr, dc) + 1):
            if s.marks[cell + i * step] != mark:
                break
            run += 1
        for i in range(1, room(b, row, col, -dr, -dc) + 1):
            if s.marks[cell - i * step] != mark:
                break
            run += 1
        if run >= b.k:
            return True
    return False


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Cells in many windows first. (Weighing windows by their marks costs more than it saves.)"""
    return b.through[move]
