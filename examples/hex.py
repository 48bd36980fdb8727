"""Hex: connect your two sides of the board. Player 1 has top and bottom, player 2 left and right.

Players take turns to place a stone on an empty cell. Exactly one of them will make a connection,
so there are no draws.
"""

import numpy as np

from plywise import GameType, Parameter, Rules, rule
from plywise.kit import Look, hex_board
from plywise.kit.bits import random_words
from plywise.kit.cells import list_empty
from plywise.kit.groups import find, join

MOST = 11 * 11  # cells of the largest board
WORDS = random_words(2 * MOST, seed=1).reshape(2, MOST)  # for the key

BOARD = [("size", "i8"), ("cells", "i8"), ("steps", "i2", (MOST, 6))]
STATE = [("stones", "i1", MOST), ("group", "u1", MOST + 4), ("hash", "u8"), ("turn", "i8")]


def prepare(b, size):
    layout = hex_board(size)
    b.size, b.cells = size, len(layout)
    b.steps[: len(layout)] = layout.steps


@rule
def setup(b, s):
    for cell in range(b.cells):
        s.stones[cell] = 0
    for cell in range(b.cells + 4):
        s.group[cell] = cell
    s.hash, s.turn = np.uint64(0), 0


@rule
def play(b, s, move):
    s.stones[move] = s.turn + 1
    for way in range(6):
        beside = b.steps[move, way]
        if beside >= 0 and s.stones[beside] == s.turn + 1:
            join(s.group, move, beside)
    place = move // b.size if s.turn == 0 else move % b.size  # its row or its column
    if place == 0:
        join(s.group, move, b.cells + 2 * s.turn)
    if place == b.size - 1:
        join(s.group, move, b.cells + 2 * s.turn + 1)
    s.hash ^= WORDS[s.turn, move]
    s.turn = 1 - s.turn


@rule
def connected(b, s, player):
    return find(s.group, b.cells + 2 * player) == find(s.group, b.cells + 2 * player + 1)


moves = rule(lambda b, s, out: list_empty(s.stones, b.cells, out))
turn = rule(lambda b, s: s.turn)
over = rule(lambda b, s: connected(b, s, 1 - s.turn))  # only the last move can connect
margin = rule(lambda b, s: 1 if connected(b, s, 0) else -1)
key = rule(lambda b, s: s.hash ^ np.uint64(s.turn))

GAME = GameType(
    name="hex",
    title="Hex",
    board=BOARD,
    state=STATE,
    parameters=(Parameter("size", 7, "cells along a side", low=2, high=11),),
    prepare=prepare,
    rules=Rules(setup, moves, play, turn, over, margin, key),
    sizes=lambda b: (b.cells, b.cells),
    look=Look(lambda b: hex_board(b.size, goals=True), "stones"),
)
