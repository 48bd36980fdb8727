"""Checkers: capture all of your opponent's pieces, or leave them without a move.

Men move one step diagonally forward onto an empty cell. They capture by jumping forward over an
opponent's piece next to them onto the empty cell behind it. You must capture if you can, and the
same piece goes on jumping as long as it can. A man that reaches the last row becomes a king, which
ends the turn; kings also move and jump backwards. Whoever cannot move loses. After 40 moves
without a capture the game is drawn.
"""

import numpy as np

from plywise import GameType, Rules, rule
from plywise.kit import Look, Piece, square_board
from plywise.kit.bits import (
    ZERO,
    bit_of,
    bit_steps,
    index_of,
    list_bits,
    popcount,
    step,
)

# The state has four sets of cells, the bits of one word each, a1 first: the men of player 0, the
# men of player 1, the kings of player 0, the kings of player 1.
# A move is 64 * (direction - 4) + its cell; a jump has 256 more. Directions 4 to 7 are the
# diagonals, and direction ^ 2 leads back.
BOARD = square_board(8, chequered=True)
WAYS = bit_steps(8, 8)
KINGS, JUMP = 2, 256
NOBODY = -1
QUIET = 40  # moves without a capture

DARK = sum(1 << cell for cell in range(64) if (cell // 8 + cell % 8) % 2 == 0)
START = np.array([DARK & 0xFFFFFF, DARK & 0xFFFFFF << 40], np.uint64)
LAST = np.array([0xFF << 56, 0xFF], np.uint64)  # where each player's men become kings

PIECES = Piece("x", 0), Piece("o", 1), Piece("X", 0, label="K"), Piece("O", 1, label="K")
STATE = [
    ("pieces", "u8", 4),
    ("jumper", "i8"),  # the cell of the piece that must go on jumping, or NOBODY
    ("quiet", "i8"),
    ("turn", "i8"),
]


@rule
def setup(b, s):
    for player in range(2):
        s.pieces[player], s.pieces[KINGS + player] = START[player], ZERO
    s.jumper, s.quiet, s.turn = NOBODY, 0, 0


@rule
def of(s, player):
    return s.pieces[player] | s.pieces[KINGS + player]


@rule
def movers(s, way, jumping):
    """Return the pieces of the side to move that can step, or jump, in a direction."""
    goals = ~(of(s, 0) | of(s, 1))
    if jumping:
        goals = step(goals, WAYS, way ^ 2) & of(s, 1 - s.turn)
    able = s.pieces[KINGS + s.turn]
    if (way == 4 or way == 7) == (s.turn == 0):  # forward
        able |= s.pieces[s.turn]
    if s.jumper != NOBODY:
        able &= bit_of(s.jumper)
    return able & step(goals, WAYS, way ^ 2)


@rule
def can(s, jumping):
    """True if the side to move can step, or jump."""
    found = ZERO
    for way in range(4, 8):
        found |= movers(s, way, jumping)
    return found != ZERO


@rule
def moves(b, s, out):
    n, jumping = 0, can(s, True)
    for way in range(4, 8):
        first = 64 * (way - 4) + (JUMP if jumping else 0)
        n = list_bits(movers(s, way, jumping), first, out, n)
    return n


@rule
def play(b, s, move):
    way, start = 4 + move // 64 % 4, bit_of(move % 64)
    goal = step(start, WAYS, way)
    s.quiet += 1
    if move >= JUMP:
        s.pieces[1 - s.turn] &= ~goal
        s.pieces[3 - s.turn] &= ~goal
        goal = step(goal, WAYS, way)
        s.quiet = 0
    kind = s.turn if s.pieces[s.turn] & start != ZERO else KINGS + s.turn
    crowned = kind < KINGS and goal & LAST[s.turn] != ZERO
    s.pieces[kind] ^= start
    s.pieces[KINGS + s.turn if crowned else kind] |= goal
    s.jumper = index_of(goal)
    if move < JUMP or crowned or not can(s, True):
        s.jumper, s.turn = NOBODY, 1 - s.turn


@rule
def worth(s, player):
    """Return what a player has: a king counts three men, and a man more near the last row."""
    men, value = s.pieces[player], 300 * popcount(s.pieces[KINGS + player])
    for row in range(8):
        steps = row if player == 0 else 7 - row
        value += (100 + 4 * steps) * popcount(men >> np.uint64(8 * row) & np.uint64(0xFF))
    return value


over = rule(lambda b, s: s.quiet == QUIET or not (can(s, True) or can(s, False)))
margin = rule(lambda b, s: 0 if s.quiet == QUIET else 2 * s.turn - 1)
evaluate = rule(lambda b, s: worth(s, s.turn) - worth(s, 1 - s.turn))


def path(b, move):
    start, way = move % 64, 4 + move // 64 % 4
    return start, BOARD.rays(start, way)[move // JUMP]


GAME = GameType(
    name="checkers",
    title="Checkers",
    state=STATE,
    rules=Rules(setup, moves, play, over, margin, evaluate=evaluate),
    sizes=lambda b: (2 * JUMP, 24 * QUIET),
    look=Look(BOARD, "pieces", PIECES, path=path, also=("jumper", "quiet")),
)
