"""Hex: connect your two sides of the board. Player 1 has top and bottom, player 2 left and right.

Players take turns to place a stone on an empty cell. One of them will connect: there is no draw.
"""

import numpy as np

from plywise import GameType, Parameter, Rules, Strength, rule
from plywise.kit import Look, hex_board
from plywise.kit.bits import has, include
from plywise.kit.cells import list_empty
from plywise.kit.connection import find, gap, join, near_words, words_of

MOST, SET = 11 * 11, 2  # cells of the largest board, and the words of a set of them
ALONE = np.arange(MOST + 4, dtype=np.uint8)  # each cell and side is a group of its own

BOARD = [("size", "i8"), ("cells", "i8"), ("steps", "i2", (MOST, 6))]
BOARD += [("near", "u8", (MOST, SET)), ("sides", "u8", (2, 2, SET))]  # two sides for each player
STATE = [
    ("stones", "i1", MOST),
    ("group", "u1", MOST + 4),
    ("sets", "u8", (2, SET)),
    ("turn", "i8"),
]


def prepare(b, size):
    steps, cells = hex_board(size).steps, np.arange(size * size).reshape(size, size)
    b.size, b.cells = size, cells.size
    b.steps[: b.cells], b.near[: b.cells] = steps, near_words(steps, SET)
    for player, (one, other) in enumerate([cells[[0, -1]], cells[:, [0, -1]].T]):
        b.sides[player] = words_of(one, 64 * SET), words_of(other, 64 * SET)


@rule
def setup(b, s):
    s.stones[:], s.sets[:] = 0, 0
    s.group[:] = ALONE
    s.turn = 0


@rule
def play(b, s, move):
    s.stones[move] = s.turn + 1
    include(s.sets[s.turn], move)
    for way in range(6):
        beside = b.steps[move, way]
        if beside >= 0 and s.stones[beside] == s.turn + 1:
            join(s.group, move, beside)
    for side in range(2):
        if has(b.sides[s.turn, side], move):
            join(s.group, move, b.cells + 2 * s.turn + side)
    s.turn = 1 - s.turn


@rule
def connected(b, s, player):
    side = b.cells + 2 * player
    return find(s.group, side) == find(s.group, side + 1)


@rule
def needs(b, s, player):  # stones, on the shortest way
    return gap(s.sets[player], s.sets[1 - player], b.sides[player, 0], b.sides[player, 1], b.near)


moves = rule(lambda b, s, out: list_empty(s.stones, b.cells, out))
over = rule(lambda b, s: connected(b, s, 1 - s.turn))  # only the last move can connect
margin = rule(lambda b, s: 1 if connected(b, s, 0) else -1)
evaluate = rule(lambda b, s: 10 * (needs(b, s, 1 - s.turn) - needs(b, s, s.turn)))

SIZE = Parameter("size", 7, "cells along a side", low=2, high=11)
LOOK = Look(lambda b: hex_board(b.size, goals=True), "stones")
GAME = GameType(
    name="hex",
    title="Hex",
    board=BOARD,
    state=STATE,
    parameters=(SIZE,),
    prepare=prepare,
    rules=Rules(setup, moves, play, over, margin, key=("sets", "turn"), evaluate=evaluate),
    look=LOOK,
    sizes=lambda b: (b.cells, b.cells),
    strength=Strength(scale=20.0),
)
