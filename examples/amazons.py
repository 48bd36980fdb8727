"""Amazons: move like a queen, then shoot an arrow like a queen. Whoever cannot move loses.

Each turn has two parts. First move one of your amazons any distance along a row, a column or a
diagonal. Then it shoots an arrow, which flies in the same way and blocks the cell where it lands
for the rest of the game. Neither amazons nor arrows can pass over a cell that is not empty.
"""

import numpy as np

from plywise import GameType, Rules, Strength, rule
from plywise.kit import Look, Piece, square_board
from plywise.kit.bits import (
    ZERO,
    bit_of,
    bit_steps,
    index_of,
    list_bits,
    lowest,
    popcount,
    step,
)

# The amazons of each player and the arrows are sets of cells: the bits of three words, a1 first.
# The move of an amazon is 36 * where it comes from + where it goes to; an arrow is 36 * 36 + where
# it lands.
SIZE = 6
CELLS = SIZE * SIZE
ALL = np.uint64(2**CELLS - 1)
WAYS = bit_steps(SIZE, SIZE)
ARROWS = 2
START = np.array([[1, 4, 6, 11], [31, 34, 24, 29]])  # b1 e1 a2 f2, and b6 e6 a5 f5
NOBODY = -1

STATE = [
    ("pieces", "u8", 3),
    ("archer", "i8"),  # the cell of the amazon that is to shoot, or NOBODY
    ("turn", "i8"),
]


@rule
def setup(b, s):
    for player in range(2):
        s.pieces[player] = ZERO
        for cell in START[player]:
            s.pieces[player] |= bit_of(cell)
    s.pieces[ARROWS], s.archer, s.turn = ZERO, NOBODY, 0


@rule
def empty(s):
    return ALL & ~(s.pieces[0] | s.pieces[1] | s.pieces[ARROWS])


@rule
def lines(start, free):
    """Return the cells that can be reached from a cell, or from a set of them, in a line."""
    found = ZERO
    for way in range(8):
        ahead = step(start, WAYS, way) & free
        while ahead != ZERO:
            found |= ahead
            ahead = step(ahead, WAYS, way) & free
    return found


@rule
def moves(b, s, out):
    if s.archer != NOBODY:
        return list_bits(lines(bit_of(s.archer), empty(s)), CELLS * CELLS, out, 0)
    n, rest = 0, s.pieces[s.turn]
    while rest != ZERO:
        amazon = lowest(rest)
        n = list_bits(lines(amazon, empty(s)), CELLS * index_of(amazon), out, n)
        rest ^= amazon
    return n


@rule
def play(b, s, move):
    if move >= CELLS * CELLS:
        s.pieces[ARROWS] |= bit_of(move - CELLS * CELLS)
        s.archer, s.turn = NOBODY, 1 - s.turn
    else:
        s.archer = move % CELLS
        s.pieces[s.turn] ^= bit_of(move // CELLS) | bit_of(s.archer)


@rule
def over(b, s):  # an amazon that has moved can always shoot back to where it came from
    return s.archer == NOBODY and lines(s.pieces[s.turn], empty(s)) == ZERO


@rule
def evaluate(b, s):
    """Count the cells that one player reaches before the other, in one move or in two."""
    free, mine, theirs, lead = empty(s), s.pieces[s.turn], s.pieces[1 - s.turn], 0
    for _ in range(2):
        mine, theirs = mine | lines(mine, free), theirs | lines(theirs, free)
        lead += popcount(mine & ~theirs & free) - popcount(theirs & ~mine & free)
    return 10 * lead


margin = rule(lambda b, s: -1 if s.turn == 0 else 1)


def path(b, move):
    return (move - CELLS * CELLS,) if move >= CELLS * CELLS else divmod(move, CELLS)


GAME = GameType(
    name="amazons",
    title="Amazons",
    state=STATE,
    rules=Rules(setup, moves, play, over, margin, evaluate=evaluate),
    sizes=lambda b: (CELLS * CELLS + CELLS, 2 * (CELLS - 8)),  # an arrow a turn, on 28 free cells
    look=Look(
        square_board(SIZE, chequered=True),
        "pieces",
        (Piece("x", 0), Piece("o", 1), Piece("#")),
        path=path,
        also=("archer",),
    ),
    strength=Strength(scale=60),
)
