"""Coins: the smallest game of points in which a player may move twice.

A row of coins; take the leftmost or the rightmost. Who takes an odd coin moves again. The
margin is what player 0 took less what player 1 took.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Game, GameType, Notation, Record, Rules, Words
from plywise.core.spec import Parameter, Spec
from plywise.jit import rule
from plywise.jit.bits import random_words

MOST_COINS = 16
MOST_WORTH = 5
LEFT, RIGHT = 0, 1

Board = np.dtype((np.record, [("coins", "i4"), ("worth", "i4", (MOST_COINS,))]))
State = np.dtype(
    (
        np.record,
        [
            ("left", "i4"),  # the first coin still there ...
            ("right", "i4"),  # ... and the one after the last
            ("rest", "i4"),  # what they are worth together
            ("margin", "i4"),
            ("turn", "i4"),
        ],
    )
)


def prepare(b: Record, coins: int, seed: int) -> None:
    """Lay out the row."""
    b.coins = coins
    b.worth[:coins] = random_words(coins, seed) % np.uint64(MOST_WORTH + 1)


@rule
def setup(b: Record, s: Record) -> None:
    """All coins there, player 0 to move."""
    s.left = 0
    s.right = b.coins
    s.rest = 0
    for coin in range(b.coins):
        s.rest += b.worth[coin]
    s.margin = 0
    s.turn = 0


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    """Both ends, or the only coin left."""
    out[0] = LEFT
    if s.right - s.left == 1:
        return 1
    out[1] = RIGHT
    return 2


@rule
def play(b: Record, s: Record, move: int) -> None:
    """Take a coin; an even one passes the turn."""
    coin = s.left if move == LEFT else s.right - 1
    if move == LEFT:
        s.left += 1
    else:
        s.right -= 1
    s.rest -= b.worth[coin]
    s.margin += b.worth[coin] if s.turn == 0 else -b.worth[coin]
    if b.worth[coin] % 2 == 0:
        s.turn = 1 - s.turn


@rule
def turn(b: Record, s: Record) -> int:
    """Who moves."""
    return s.turn


@rule
def over(b: Record, s: Record) -> bool:
    """No coin left."""
    return s.left == s.right


@rule
def margin(b: Record, s: Record) -> int:
    """What player 0 has more."""
    return s.margin


@rule
def key(b: Record, s: Record) -> Any:
    """The coins left, who moves, and the margin so far, side by side."""
    return np.uint64((s.margin + 1000) * 2048 + s.left * 64 + s.right * 2 + s.turn)


@rule
def evaluate(b: Record, s: Record) -> int:
    """A hundred for each point of the margin so far."""
    return 100 * s.margin if s.turn == 0 else -100 * s.margin


@rule
def bounds(b: Record, s: Record) -> tuple[int, int]:
    """One player takes all the rest."""
    return s.margin - s.rest, s.margin + s.rest


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """The larger coin."""
    return b.worth[s.left if move == LEFT else s.right - 1]


COINS = GameType(
    name="coins",
    state=State,
    board=Board,
    parameters=(
        Parameter("coins", 10, "how many", low=1, high=MOST_COINS),
        Parameter("seed", 0, "of what they are worth"),
    ),
    prepare=prepare,
    sizes=lambda b: (2, b.coins),
    rules=Rules(
        setup=setup,
        moves=moves,
        play=play,
        turn=turn,
        over=over,
        margin=margin,
        key=key,
        evaluate=evaluate,
        bounds=bounds,
        promise=promise,
    ),
    points=MOST_COINS * MOST_WORTH,
    notation=Notation(move_text=lambda b, move: ("left", "right")[move]),
    words=Words(summary="Take coins from either end of a row; who takes an odd one moves again."),
)


def coin_row(count: int, seed: int) -> Game:
    """A row of so many coins."""
    return COINS(Spec("coins", {"coins": str(count), "seed": str(seed)}))
