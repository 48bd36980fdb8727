"""Domineering: cover two free cells with a domino. Whoever cannot, loses.

The first player places dominoes upright, the second sideways. Click on the lower or the left cell
that the domino is to cover.
"""

import numpy as np

from plywise import GameType, Parameter, Rules, Strength, rule
from plywise.kit import Look, square_board
from plywise.kit.bits import ONE, ZERO, bit_of, bit_steps, list_bits, popcount, step

# What each player has covered is a set of cells: the bits of one word, a1 first.
# A move is the cell where a domino starts: its lower or its left one.
BOARD = [("rows", "i8"), ("cols", "i8"), ("cells", "u8"), ("ways", "u8", (8, 2))]
STATE = [("covered", "u8", 2), ("turn", "i8")]


def prepare(b, rows, cols):
    b.rows, b.cols, b.ways = rows, cols, bit_steps(rows, cols)
    b.cells = 2 ** (rows * cols) - 1


@rule
def setup(b, s):
    s.covered[0], s.covered[1], s.turn = ZERO, ZERO, 0


@rule
def places(b, s, player):
    """Return the cells where a player's domino can start: free, and so is the next cell."""
    free = b.cells & ~(s.covered[0] | s.covered[1])
    return free & step(free, b.ways, 2 + player)  # 2 and 3 lead back: down and left


@rule
def play(b, s, move):
    s.covered[s.turn] |= bit_of(move) | step(bit_of(move), b.ways, s.turn)
    s.turn = 1 - s.turn


moves = rule(lambda b, s, out: list_bits(places(b, s, s.turn), 0, out, 0))
over = rule(lambda b, s: places(b, s, s.turn) == ZERO)
margin = rule(lambda b, s: -1 if s.turn == 0 else 1)
# Whose domino it is does not matter for what is still possible.
key = rule(lambda b, s: (s.covered[0] | s.covered[1]) << ONE | np.uint64(s.turn))
evaluate = rule(lambda b, s: popcount(places(b, s, s.turn)) - popcount(places(b, s, 1 - s.turn)))


@rule
def promise(b, s, move):
    """Count the places that a domino takes from the opponent."""
    other = 1 - s.turn
    domino = bit_of(move) | step(bit_of(move), b.ways, s.turn)
    return popcount(places(b, s, other) & (domino | step(domino, b.ways, 2 + other)))


@rule
def cells(b, s, player):
    """Return the cells that a player could still cover."""
    starts = places(b, s, player)
    return starts | step(starts, b.ways, player)


@rule
def measures(b, s, out):
    """Write for each player how many places there are, and how many cells are safe."""
    for player in range(2):
        out[2 * player] = popcount(places(b, s, player))
        out[2 * player + 1] = popcount(cells(b, s, player) & ~cells(b, s, 1 - player))


GAME = GameType(
    name="domineering",
    title="Domineering",
    board=BOARD,
    state=STATE,
    parameters=(Parameter("rows", 6, low=1, high=7), Parameter("cols", 6, low=1, high=7)),
    prepare=prepare,
    rules=Rules(
        setup,
        moves,
        play,
        over,
        margin,
        key=key,
        evaluate=evaluate,
        promise=promise,
        measures=measures,  # for `plywise learn`
    ),
    sizes=lambda b: (b.rows * b.cols, b.rows * b.cols // 2),
    look=Look(lambda b: square_board(b.rows, b.cols), "covered"),
    strength=Strength(scale=5),
)
