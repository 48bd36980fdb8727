"""A game whose tree is given by its leaves, as the books draw them.

Every inner node has the same number of children, and the margin of the first player stands at
the leaves. The game has nothing but the required parts.
"""

from __future__ import annotations

import numpy as np

from plywise import GameType, Heuristic, Rules, rule
from plywise.core.game import Notation, Record, Strength

LEAVES = 64
TreeBoard = np.dtype((np.record, [("width", "i4"), ("depth", "i4"), ("leaf", "i4", (LEAVES,))]))
TreeState = np.dtype((np.record, [("depth", "i4"), ("index", "i4")]))


@rule
def setup(b: Record, s: Record) -> None:
    s.depth = 0
    s.index = 0


@rule
def moves(b: Record, s: Record, out: Record) -> int:
    for child in range(b.width):
        out[child] = child
    return b.width


@rule
def play(b: Record, s: Record, move: int) -> None:
    s.depth += 1
    s.index = s.index * b.width + move


@rule
def turn(b: Record, s: Record) -> int:
    return s.depth % 2


@rule
def over(b: Record, s: Record) -> bool:
    return s.depth == b.depth


@rule
def margin(b: Record, s: Record) -> int:
    return b.leaf[s.index]


@rule
def key(b: Record, s: Record) -> int:
    return np.uint64(s.depth * 1000 + s.index)


@rule
def nothing(b: Record, s: Record, player: int) -> float:
    return 0.0


def book_tree(width: int, leaves: list[int]) -> GameType:
    """The game whose tree has these leaves, from left to right."""
    depth = round(np.log(len(leaves)) / np.log(width))
    assert width**depth == len(leaves) <= LEAVES

    def prepare(b: Record) -> None:
        b.width, b.depth = width, depth
        b.leaf[: len(leaves)] = leaves

    return GameType(
        name="book",
        board=TreeBoard,
        state=TreeState,
        prepare=prepare,
        sizes=lambda b: (b.width, b.depth),
        rules=Rules(
            setup=setup,
            moves=moves,
            play=play,
            turn=turn,
            over=over,
            margin=margin,
            key=key,
        ),
        points=max(abs(leaf) for leaf in leaves),
        notation=Notation(move_text=lambda b, move: "abcdefgh"[move]),
        strength=Strength(heuristics={"nothing": Heuristic(nothing, win=1.0)}),
    )
