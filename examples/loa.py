"""Lines of Action: bring all your stones together into one connected group.

A stone moves in a straight line, in any of the eight directions, exactly as many cells as there
are stones of both players on that line. It may jump over stones of its own colour, but not over
the opponent's. It may land on an opponent's stone and capture it. The first player whose stones are
all connected, also diagonally, wins; if a move connects both players' stones, the player who made
it wins. Whoever cannot move loses. A game that nobody has won after 200 moves is drawn.
"""

import numpy as np

from plywise import GameType, Rules, rule
from plywise.kit import Look, square_board
from plywise.kit.bits import (
    ZERO,
    bit_of,
    bit_steps,
    index_of,
    lowest,
    popcount,
    reach,
    step,
)

# The stones of each player are a set of cells: the bits of one word, a1 first.
# A move is 64 * where it comes from + where it goes to.
BOARD = square_board(8)
WAYS = bit_steps(8, 8)
LONGEST = 200


def line(cell, way):
    """Return the cells of the line through a cell, both ways (way ^ 2 is backwards)."""
    return sum(1 << c for c in (cell, *BOARD.rays(cell, way), *BOARD.rays(cell, way ^ 2)))


LINES = np.array([[line(cell, way) for way in range(8)] for cell in range(64)], np.uint64)
START = np.array(
    [
        sum(1 << cell for cell in range(64) if 0 < cell % 8 < 7 and cell // 8 in (0, 7)),
        sum(1 << cell for cell in range(64) if 0 < cell // 8 < 7 and cell % 8 in (0, 7)),
    ],
    np.uint64,
)
STATE = [("stones", "u8", 2), ("count", "i8"), ("turn", "i8")]


@rule
def setup(b, s):
    s.stones[0], s.stones[1], s.count, s.turn = START[0], START[1], 0, 0


@rule
def goal(s, stone, way):
    """Return the cell that a stone of the side to move gets to in a direction, or no cell."""
    own, enemy = s.stones[s.turn], s.stones[1 - s.turn]
    for _ in range(popcount((own | enemy) & LINES[index_of(stone), way]) - 1):
        stone = step(stone, WAYS, way) & ~enemy
    return step(stone, WAYS, way) & ~own


@rule
def moves(b, s, out):
    n, rest = 0, s.stones[s.turn]
    while rest != ZERO:
        stone = lowest(rest)
        for way in range(8):
            end = goal(s, stone, way)
            if end != ZERO:
                out[n] = 64 * index_of(stone) + index_of(end)
                n += 1
        rest ^= stone
    return n


@rule
def play(b, s, move):
    start, end = bit_of(move // 64), bit_of(move % 64)
    s.stones[s.turn] ^= start | end
    s.stones[1 - s.turn] &= ~end
    s.count += 1
    s.turn = 1 - s.turn


@rule
def connected(stones):
    return reach(lowest(stones), stones, WAYS, 8) == stones


@rule
def stuck(s):
    rest = s.stones[s.turn]
    while rest != ZERO:
        for way in range(8):
            if goal(s, lowest(rest), way) != ZERO:
                return False
        rest ^= lowest(rest)
    return True


@rule
def margin(b, s):
    last = 1 - s.turn  # the player who moved last
    mine, other = connected(s.stones[last]), connected(s.stones[s.turn])
    if s.count == LONGEST and not (mine or other):
        return 0
    winner = s.turn if other and not mine else last
    return 1 if winner == 0 else -1


@rule
def over(b, s):
    joined = connected(s.stones[0]) or connected(s.stones[1])
    return joined or s.count == LONGEST or stuck(s)


@rule
def worth(s, player):
    """Return how close together a player's stones are: neighbours for each stone, in percent."""
    stones, pairs = s.stones[player], 0
    for way in (0, 1, 4, 5):
        pairs += popcount(stones & step(stones, WAYS, way))
    return 100 * pairs // popcount(stones)


evaluate = rule(lambda b, s: worth(s, s.turn) - worth(s, 1 - s.turn))

GAME = GameType(
    name="loa",
    title="Lines of Action",
    state=STATE,
    rules=Rules(setup, moves, play, over, margin, evaluate=evaluate),
    sizes=lambda b: (64 * 64, LONGEST),
    look=Look(BOARD, "stones", path=lambda b, move: divmod(move, 64), also=("count",)),
)
