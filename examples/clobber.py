"""Clobber: move onto an enemy stone next to yours and take it. Whoever cannot move loses."""

from plywise import GameType, Rules, rule
from plywise.kit import Look, square_board

BOARD = square_board(5, 6, diagonals=False)
CELLS = len(BOARD)
STEPS = BOARD.steps


@rule
def setup(b, s):
    for cell in range(CELLS):
        s.cells[cell] = 1 + (cell // 6 + cell % 6) % 2
    s.turn = 0


@rule
def legal(s, move):
    goal = STEPS[move // 4, move % 4]
    return goal >= 0 and s.cells[move // 4] == s.turn + 1 and s.cells[goal] == 2 - s.turn


@rule
def moves(b, s, out):
    n = 0
    for move in range(4 * CELLS):
        if legal(s, move):
            out[n] = move
            n += 1
    return n


@rule
def play(b, s, move):
    s.cells[move // 4], s.cells[STEPS[move // 4, move % 4]] = 0, s.turn + 1
    s.turn = 1 - s.turn


@rule
def over(b, s):
    for move in range(4 * CELLS):
        if legal(s, move):
            return False
    return True


GAME = GameType(
    name="clobber",
    title="Clobber",
    state=[("cells", "i1", CELLS), ("turn", "i8")],
    rules=Rules(setup, moves, play, over, margin=rule(lambda b, s: -1 if s.turn == 0 else 1)),
    sizes=lambda b: (4 * CELLS, CELLS - 1),
    look=Look(BOARD, "cells", path=lambda b, move: (move // 4, STEPS[move // 4, move % 4])),
)
