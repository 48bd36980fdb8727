"""Dots and Boxes: draw a line between two dots; whoever closes a box owns it and moves again.

When all lines are drawn, the player with more boxes wins.
"""

import numpy as np

from plywise import GameType, Parameter, Rules, rule
from plywise.kit import Look, dot_board
from plywise.kit.bits import random_words
from plywise.kit.cells import list_empty

MOST = 5 * 4 * 2  # lines between 5 x 5 dots
WORDS = random_words(MOST, seed=1)

BOARD = [("dots", "i8"), ("lines", "i8"), ("boxes", "i8"), ("steps", "i2", (MOST + 16, 4))]
STATE = [("taken", "i1", MOST + 16), ("left", "i8"), ("score", "i8", 2), ("turn", "i8")]


def prepare(b, dots):
    layout = dot_board(dots)
    b.dots, b.lines, b.boxes = dots, 2 * dots * (dots - 1), (dots - 1) ** 2
    b.steps[: len(layout)] = layout.steps


@rule
def setup(b, s):
    for place in range(b.lines + b.boxes):
        s.taken[place] = 0
    s.left, s.score[0], s.score[1], s.turn = b.lines, 0, 0, 0


@rule
def play(b, s, move):
    s.taken[move] = s.turn + 1
    s.left -= 1
    closed = 0
    for side in range(2):
        box = b.steps[move, side]
        if box >= 0 and sides(b, s, box) == 4:
            s.taken[box] = s.turn + 1
            closed += 1
    if closed:
        s.score[s.turn] += closed
    else:
        s.turn = 1 - s.turn


@rule
def sides(b, s, box):
    n = 0
    for side in range(4):
        n += s.taken[b.steps[box, side]] != 0
    return n


@rule
def key(b, s):
    word = np.uint64(2 * (s.score[0] + 50 * s.score[1]) + s.turn)  # the score is part of it
    for line in range(b.lines):
        if s.taken[line]:
            word ^= WORDS[line]
    return word


moves = rule(lambda b, s, out: list_empty(s.taken, b.lines, out))
over = rule(lambda b, s: s.left == 0)
margin = rule(lambda b, s: s.score[0] - s.score[1])
evaluate = rule(lambda b, s: 100 * (s.score[s.turn] - s.score[1 - s.turn]))  # hundredths of a box

GAME = GameType(
    name="dots",
    title="Dots and Boxes",
    board=BOARD,
    state=STATE,
    parameters=(Parameter("dots", 4, "dots along a side", low=2, high=5),),
    prepare=prepare,
    points=16,
    rules=Rules(setup, moves, play, over, margin, key=key, evaluate=evaluate),
    sizes=lambda b: (b.lines, b.lines),
    scores=lambda b, s: (int(s.score[0]), int(s.score[1])),
    look=Look(lambda b: dot_board(b.dots), "taken"),
)
