"""The records of Make Way: a graph that never changes, and who owns which of its lines.

Dots are numbered 0 (the start) to `dots - 1` (the end), lines in the order of their ends: 0-1,
0-2, 1-2, ... A move is the number of a line. A set of lines is two words of bits, a set of
dots a single word. Dots that a player's lines join have the same `part`: the lowest of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.makeway.graph import DOTS, LINES, Graph
from plywise.jit import rule
from plywise.jit.bits import ONE, has, include, random_words

WORDS = LINES // 64

Board = np.dtype(
    (
        np.record,
        [
            ("dots", "i4"),
            ("lines", "i4"),
            ("x", "f8", (DOTS,)),  # where the dots are
            ("y", "f8", (DOTS,)),
            ("ends", "i4", (LINES, 2)),  # the dots that a line joins, the lower one first
            ("full", "u8", (WORDS,)),  # every line
            ("at", "u8", (DOTS, WORDS)),  # the lines at a dot
            ("first", "i4", (DOTS + 1,)),  # where the neighbours of a dot begin and end in ...
            ("near", "i4", (2 * LINES,)),  # ... the dots beside it, and in ...
            ("by", "i4", (2 * LINES,)),  # ... the lines that lead there
            ("hash", "u8", (2, LINES)),  # [player, line]
            ("mover", "u8"),  # the hash of the second player's turn
        ],
    )
)
State = np.dtype(
    (
        np.record,
        [
            ("own", "u8", (2, WORDS)),  # the lines of each player
            ("key", "u8"),  # their hash
            ("part", "i1", (2, DOTS)),  # [player, dot]: the lowest dot that own lines join it to
            ("left", "i2"),  # how many lines are free
            ("turn", "i1"),
            ("winner", "i1"),  # 0 nobody yet, else 1 or 2
            ("cut", "i1", (2,)),  # 1: this player can no longer join the big dots
        ],
    )
)


def fill(b: Record, graph: Graph) -> None:
    """Write a graph into a board record."""
    b.dots, b.lines = len(graph.dots), len(graph.lines)
    for dot, (x, y) in enumerate(graph.dots):
        b.x[dot], b.y[dot] = x, y
    sides: list[list[tuple[int, int]]] = [[] for _ in graph.dots]
    for line, (low, high) in enumerate(graph.lines):
        b.ends[line, :] = low, high
        include(b.full, line)
        for dot, other in ((low, high), (high, low)):
            include(b.at[dot], line)
            sides[dot].append((other, line))
    slot = 0
    for dot, found in enumerate(sides):
        for other, line in sorted(found):
            b.near[slot], b.by[slot] = other, line
            slot += 1
        b.first[dot + 1] = slot
    words = random_words(2 * LINES + 1, seed=8)
    b.hash[:] = words[:-1].reshape(2, LINES)
    b.mover = words[-1]


def graph_of(b: Record) -> Graph:
    """The graph of a board record."""
    dots = np.column_stack((b.x, b.y))[: int(b.dots)]
    ends = b.ends[: int(b.lines)]
    return Graph(tuple(map(tuple, dots.tolist())), tuple(map(tuple, ends.tolist())))


@rule
def is_free(s: Record, line: int) -> bool:
    """True if a line belongs to nobody."""
    return not (has(s.own[0], line) or has(s.own[1], line))


@rule
def bit_of(dot: int) -> Any:
    """The set of one dot."""
    return ONE << np.uint64(dot)
