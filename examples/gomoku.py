"""Gomoku: be the first to get five stones in a row, in any direction. More than five win too."""

import numpy as np

from plywise import GameType, Parameter, Rules, rule
from plywise.kit import Look, square_board
from plywise.kit.cells import list_empty, run

MOST = 19 * 19  # cells of the largest board
FIVE = 5
WORTH = np.array(
    [0, 1, 6, 30, 150, 0]
)  # of a row of five cells with this many stones of one player

BOARD = [("size", "i8"), ("cells", "i8"), ("steps", "i2", (MOST, 8))]
STATE = [
    ("stones", "i1", MOST),
    ("left", "i8"),  # empty cells
    ("won", "i8"),  # 1 if the last stone made five in a row
    ("worth", "i8", 2),  # the rows that each player can still complete
    ("turn", "i8"),
]


def prepare(b, size):
    layout = square_board(size)
    b.size, b.cells = size, len(layout)
    b.steps[: len(layout)] = layout.steps


@rule
def setup(b, s):
    s.stones[:] = 0
    s.left, s.won, s.worth[0], s.worth[1], s.turn = b.cells, 0, 0, 0, 0


@rule
def play(b, s, move):
    change_worth(b, s, move, -1)
    s.stones[move] = s.turn + 1
    change_worth(b, s, move, 1)
    for way in (0, 1, 4, 5):  # up, right and the diagonals; way ^ 2 is the opposite direction
        if run(s.stones, b.steps, move, way) + run(s.stones, b.steps, move, way ^ 2) >= FIVE - 1:
            s.won = 1
    s.left -= 1
    s.turn = 1 - s.turn


@rule
def change_worth(b, s, cell, sign):
    """Add or subtract the worth of all rows of five cells that contain a cell."""
    for way in (0, 1, 4, 5):
        start = cell
        for _ in range(FIVE):
            add_row(b, s, start, way, sign)
            start = b.steps[start, way ^ 2]
            if start < 0:
                break


@rule
def add_row(b, s, start, way, sign):
    """Add or subtract the worth of a row of five cells, if only one player has stones in it."""
    ours, theirs, cell = 0, 0, start
    for _ in range(FIVE):
        if cell < 0:
            return
        ours += s.stones[cell] == 1
        theirs += s.stones[cell] == 2
        cell = b.steps[cell, way]
    if theirs == 0:
        s.worth[0] += sign * WORTH[ours]
    if ours == 0:
        s.worth[1] += sign * WORTH[theirs]


@rule
def promise(b, s, move):
    """Count the stones around a cell: most moves that matter are near others."""
    n = 0
    for way in range(8):
        beside = b.steps[move, way]
        n += beside >= 0 and s.stones[beside] != 0
    return n


def five(b, s):
    """Return the rows of five or more, to be struck through."""
    return square_board(b.size).runs(s.stones, 2 - s.turn, FIVE)


moves = rule(lambda b, s, out: list_empty(s.stones, b.cells, out))
over = rule(lambda b, s: s.won == 1 or s.left == 0)
margin = rule(lambda b, s: 0 if s.won == 0 else 2 * s.turn - 1)  # the last stone won
evaluate = rule(lambda b, s: s.worth[s.turn] - s.worth[1 - s.turn])

GAME = GameType(
    name="gomoku",
    title="Gomoku",
    board=BOARD,
    state=STATE,
    parameters=(Parameter("size", 15, "cells along a side", low=5, high=19),),
    prepare=prepare,
    rules=Rules(
        setup, moves, play, over, margin, key=("stones", "turn"), evaluate=evaluate, promise=promise
    ),
    sizes=lambda b: (b.cells, b.cells),
    look=Look(lambda b: square_board(b.size), "stones", winning=five),
)
