"""Breakthrough: be the first to reach the other side of the board.

A piece moves one step forward, straight or diagonally, onto an empty cell. Diagonally it may also
capture an opponent's piece. The first player whose piece reaches the opponent's home row wins;
so does a player who captures all pieces.
"""

from plywise import GameType, Parameter, Rules, rule
from plywise.kit import Look, square_board
from plywise.kit.bits import ZERO, bit_of, bit_steps, list_bits, popcount, step

# The pieces of each player are a set of cells: the bits of one word, a1 first.
# A move is 64 * its direction + its cell.
BOARD = [
    ("rows", "i8"),
    ("cols", "i8"),
    ("home", "u8", 2),  # the row where each player starts
    ("ways", "u8", (8, 2)),
    ("steps", "i2", (64, 8)),
]
STATE = [("pieces", "u8", 2), ("turn", "i8")]


def prepare(b, rows, cols):
    b.rows, b.cols, b.ways = rows, cols, bit_steps(rows, cols)
    b.steps[: rows * cols] = square_board(rows, cols).steps
    b.home = 2**cols - 1, (2**cols - 1) << (rows - 1) * cols


@rule
def setup(b, s):
    s.pieces[0] = b.home[0] | step(b.home[0], b.ways, 0)
    s.pieces[1] = b.home[1] | step(b.home[1], b.ways, 2)
    s.turn = 0


@rule
def ahead(player, number):
    """Return a player's three ways forward: straight, to the right and to the left."""
    if number == 0:
        return 2 * player  # up for the first player, down for the second
    return 4 + player if number == 1 else 7 - player


@rule
def moves(b, s, out):
    n, own, enemy = 0, s.pieces[s.turn], s.pieces[1 - s.turn]
    for number in range(3):
        way = ahead(s.turn, number)
        goals = ~(own | enemy) if number == 0 else ~own
        n = list_bits(own & step(goals, b.ways, way ^ 2), 64 * way, out, n)  # way ^ 2: backwards
    return n


@rule
def play(b, s, move):
    start = bit_of(move % 64)
    goal = step(start, b.ways, move // 64)
    s.pieces[s.turn] ^= start | goal
    s.pieces[1 - s.turn] &= ~goal
    s.turn = 1 - s.turn


@rule
def over(b, s):
    through = s.pieces[1 - s.turn] & b.home[s.turn]  # only the last move can have reached it
    return through != ZERO or s.pieces[s.turn] == ZERO


@rule
def worth(b, s, player):
    """Return what a player has: pieces, and how far the foremost has come."""
    front, rows = b.home[player], 0
    for row in range(b.rows):
        if s.pieces[player] & front != ZERO:
            rows = row
        front = step(front, b.ways, 2 * player)
    return 100 * popcount(s.pieces[player]) + 10 * rows


margin = rule(lambda b, s: -1 if s.turn == 0 else 1)  # the last move won
evaluate = rule(lambda b, s: worth(b, s, s.turn) - worth(b, s, 1 - s.turn))


def path(b, move):
    return move % 64, b.steps[move % 64, move // 64]


GAME = GameType(
    name="breakthrough",
    title="Breakthrough",
    board=BOARD,
    state=STATE,
    parameters=(Parameter("rows", 8, low=5, high=8), Parameter("cols", 8, low=2, high=8)),
    prepare=prepare,
    rules=Rules(setup, moves, play, over, margin, evaluate=evaluate),
    # a piece makes at most rows - 1 steps, and there are two rows of pieces on each side
    sizes=lambda b: (8 * 64, 4 * b.cols * (b.rows - 1)),
    look=Look(lambda b: square_board(b.rows, b.cols), "pieces", path=path),
)
