"""Othello: turn the opponent's stones by enclosing them. The player with more stones wins.

Place a stone so that it encloses, in a straight line, one or more of the opponent's stones between
itself and another stone of yours. All stones that are enclosed become yours. If you cannot place a
stone, you pass. The game ends when neither player can place a stone.
"""

from plywise import GameType, Parameter, Rules, SpecError, Strength, rule
from plywise.kit import Look, square_board
from plywise.kit.bits import ZERO, bit_of, bit_steps, list_bits, popcount, step

# The stones of each player are a set of cells: the bits of one word, a1 first.
BOARD = [("size", "i8"), ("cells", "u8"), ("corners", "u8"), ("ways", "u8", (8, 2))]
STATE = [("stones", "u8", 2), ("turn", "i8")]


def prepare(b, side):
    if side % 2:
        raise SpecError(f"side={side} is not valid: side must be even")
    last = side * side - 1
    b.size, b.ways = side, bit_steps(side, side)
    b.cells = 2 ** (side * side) - 1
    b.corners = 1 | 1 << (side - 1) | 1 << (last - side + 1) | 1 << last


@rule
def setup(b, s):
    low = (b.size // 2 - 1) * (b.size + 1)  # the lower left of the four cells in the middle
    s.stones[0] = bit_of(low) | bit_of(low + b.size + 1)
    s.stones[1] = bit_of(low + 1) | bit_of(low + b.size)
    s.turn = 0


@rule
def places(b, s, player):
    """Return the cells where a player may place a stone."""
    own, enemy, found = s.stones[player], s.stones[1 - player], ZERO
    for way in range(8):
        line = step(own, b.ways, way) & enemy
        for _ in range(b.size - 3):
            line |= step(line, b.ways, way) & enemy
        found |= step(line, b.ways, way)
    return found & b.cells & ~(own | enemy)


@rule
def moves(b, s, out):
    n = list_bits(places(b, s, s.turn), 0, out, 0)
    if n == 0:
        out[0] = b.size * b.size  # a pass
        n = 1
    return n


@rule
def play(b, s, move):
    if move < b.size * b.size:
        stone = bit_of(move)
        turned = enclosed(b, s, stone)
        s.stones[s.turn] |= stone | turned
        s.stones[1 - s.turn] ^= turned
    s.turn = 1 - s.turn


@rule
def enclosed(b, s, stone):
    """Return the stones that a new stone of the side to move encloses."""
    own, enemy, found = s.stones[s.turn], s.stones[1 - s.turn], ZERO
    for way in range(8):
        line, ahead = ZERO, step(stone, b.ways, way)
        while ahead & enemy != ZERO:
            line |= ahead
            ahead = step(ahead, b.ways, way)
        if ahead & own != ZERO:
            found |= line
    return found


@rule
def worth(b, s, player):
    """Return what a player has, in hundredths of a stone: places to go to, and corners."""
    corners = popcount(s.stones[player] & b.corners)
    return 100 * popcount(places(b, s, player)) + 1000 * corners


over = rule(lambda b, s: places(b, s, 0) | places(b, s, 1) == ZERO)
margin = rule(lambda b, s: popcount(s.stones[0]) - popcount(s.stones[1]))
evaluate = rule(lambda b, s: worth(b, s, s.turn) - worth(b, s, 1 - s.turn))

GAME = GameType(
    name="othello",
    title="Othello",
    board=BOARD,
    state=STATE,
    parameters=(Parameter("side", 8, "cells along a side", low=4, high=8),),
    prepare=prepare,
    rules=Rules(setup, moves, play, over, margin, evaluate=evaluate),
    sizes=lambda b: (b.size**2 + 1, 2 * b.size**2),
    points=64,
    scores=lambda b, s: (popcount(s.stones[0]), popcount(s.stones[1])),
    look=Look(lambda b: square_board(b.size), "stones"),
    strength=Strength(scale=1000),
)
