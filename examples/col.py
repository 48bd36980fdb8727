"""Col: place stones, but never two of your own side by side. Whoever cannot move loses.

Players take turns to place a stone on an empty cell that is not next to another stone of theirs.
Stones never move, and cells that meet only at a corner are not next to each other.
"""

# The text above is shown to players, in the terminal and in the browser. Below are the rules: a few
# plain functions, which plywise compiles. Players are 0 and 1 here; people see player 1 and 2.

from plywise import GameType, Rules, Strength, rule
from plywise.kit import Look, square_board

# The board: its cells are numbered from 0, and STEPS[cell] are the neighbours of a cell, -1 where
# there is none.
BOARD = square_board(4, 5, diagonals=False)
STEPS = BOARD.steps

# The state: what a move changes. A cell holds 0 if it is empty, else 1 + the player it belongs to.
STATE = [("cells", "i1", len(BOARD)), ("turn", "i8")]


@rule
def setup(b, s):
    """Write the start position. `b` would hold sizes, if the game had parameters."""
    for cell in range(len(s.cells)):
        s.cells[cell] = 0
    s.turn = 0


@rule
def allowed(s, player, cell):
    """True if a player may place a stone on a cell. (A function of our own, to be used below.)"""
    if s.cells[cell] != 0:
        return False
    for beside in STEPS[cell]:
        if beside >= 0 and s.cells[beside] == player + 1:
            return False
    return True


@rule
def places(s, player):
    """Count the cells where a player may place a stone."""
    n = 0
    for cell in range(len(s.cells)):
        n += allowed(s, player, cell)
    return n


@rule
def moves(b, s, out):
    """Write the legal moves into `out`, and return how many there are. A move is a number."""
    n = 0
    for cell in range(len(s.cells)):
        if allowed(s, s.turn, cell):
            out[n] = cell
            n += 1
    return n


@rule
def play(b, s, move):
    """Make a move: change the state in place."""
    s.cells[move] = s.turn + 1
    s.turn = 1 - s.turn


over = rule(lambda b, s: places(s, s.turn) == 0)  # is the game finished?
margin = rule(lambda b, s: -1 if s.turn == 0 else 1)  # then: 1 if player 0 has won, -1 if lost
# How good is the position for the player to move? It makes the engine stronger.
evaluate = rule(lambda b, s: places(s, s.turn) - places(s, 1 - s.turn))

GAME = GameType(
    name="col",
    title="Col",
    state=STATE,
    rules=Rules(setup, moves, play, over, margin, evaluate=evaluate),
    sizes=lambda b: (len(BOARD), len(BOARD)),  # move numbers are below the first; the most moves
    look=Look(BOARD, "cells"),  # what stands on the board; it draws the game and names its moves
    strength=Strength(scale=4),  # with an evaluation of 4 you win three games out of four
)
