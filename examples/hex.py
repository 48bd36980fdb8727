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
from plywise.kit.paths import gap, has, include, near_words, words_of

MOST, SET = 11 * 11, 2  # cells of the largest board, and the words of a set of them
WORDS = random_words(2 * MOST, seed=1).reshape(2, MOST)  # for the key

BOARD = [("size", "i8"), ("cells", "i8"), ("steps", "i2", (MOST, 6))]
BOARD += [("near", "u8", (MOST, SET)), ("edges", "u8", (4, SET))]
STATE = [("stones", "i1", MOST), ("group", "u1", MOST + 4), ("sets", "u8", (2, SET))]
STATE += [("hash", "u8"), ("turn", "i8")]


def prepare(b, size):
    layout = hex_board(size)
    cells = np.arange(len(layout)).reshape(size, size)
    b.size, b.cells = size, cells.size
    b.steps[: cells.size], near = layout.steps, near_words(layout.steps)
    b.near[: cells.size, : near.shape[1]] = near
    for edge, line in enumerate((cells[0], cells[-1], cells[:, 0], cells[:, -1])):
        b.edges[edge] = words_of(line, 64 * SET)


@rule
def setup(b, s):
    for cell in range(b.cells):
        s.stones[cell] = 0
    for cell in range(b.cells + 4):
        s.group[cell] = cell
    s.sets[:] = 0
    s.hash, s.turn = np.uint64(0), 0


@rule
def play(b, s, move):
    s.stones[move] = s.turn + 1
    include(s.sets[s.turn], move)
    for way in range(6):
        beside = b.steps[move, way]
        if beside >= 0 and s.stones[beside] == s.turn + 1:
            join(s.group, move, beside)
    for edge in range(2 * s.turn, 2 * s.turn + 2):
        if has(b.edges[edge], move):
            join(s.group, move, b.cells + edge)
    s.hash ^= WORDS[s.turn, move]
    s.turn = 1 - s.turn


@rule
def connected(b, s, player):
    return find(s.group, b.cells + 2 * player) == find(s.group, b.cells + 2 * player + 1)


@rule
def needs(b, s, player):
    """How many more stones a player needs on the shortest way."""
    start, goal = b.edges[2 * player], b.edges[2 * player + 1]
    return gap(s.sets[player], s.sets[1 - player], start, goal, b.near)


moves = rule(lambda b, s, out: list_empty(s.stones, b.cells, out))
turn = rule(lambda b, s: s.turn)
over = rule(lambda b, s: connected(b, s, 1 - s.turn))  # only the last move can connect
margin = rule(lambda b, s: 1 if connected(b, s, 0) else -1)
key = rule(lambda b, s: s.hash ^ np.uint64(s.turn))
evaluate = rule(lambda b, s: 10 * (needs(b, s, 1 - s.turn) - needs(b, s, s.turn)))

GAME = GameType(
    name="hex",
    title="Hex",
    board=BOARD,
    state=STATE,
    parameters=(Parameter("size", 7, "cells along a side", low=2, high=11),),
    prepare=prepare,
    rules=Rules(setup, moves, play, turn, over, margin, key, evaluate),
    scale=20.0,
    sizes=lambda b: (b.cells, b.cells),
    look=Look(lambda b: hex_board(b.size, goals=True), "stones"),
)
