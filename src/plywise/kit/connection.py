"""For games of connection: connected groups, and shortest paths; rules that compile.

A game that asks what is connected keeps an array `group` in its state, with a number for every
place and one more for each edge; at the start each is its own number. Stones that are connected,
also with the edges, lead to the same number:

    join(group, a, b)      a and b are connected from now on
    find(group, a)         equal for all that is connected with a

An evaluation measures the shortest path between two edges. Sets of cells are words of 64 bits for
it, on boards of any size. A game keeps the stones of each player as such a set, and prepares two
tables: the neighbours of every cell, and its sides.

    b.near[:] = near_words(layout.steps)
    b.sides[0, 0] = words_of(cells_of_the_top, len(layout))

    include(s.sets[s.turn], move)  # in `play`; from `plywise.kit.bits`, as `has` is
    gap(s.sets[me], s.sets[1 - me], b.sides[me, 0], b.sides[me, 1], b.near)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from plywise.jit import rule
from plywise.jit.bits import ZERO, include, index_of, lowest

Words = np.ndarray[Any, np.dtype[np.uint64]]


@rule
def find(group: Any, place: int) -> int:
    """Return the number of the group that a place belongs to."""
    while group[place] != place:
        place = group[place]
    return place


@rule
def join(group: Any, one: int, two: int) -> None:
    """Connect two places, and all that is connected with them."""
    one, two = find(group, one), find(group, two)
    if one != two:  # the larger number leads, so that edges, which come last, stay near
        low, high = (one, two) if one < two else (two, one)
        group[low] = high


def words_of(cells: Iterable[int], count: int) -> Words:
    """Return a set of cells on a board of `count` cells.

    >>> words_of([0, 2, 64], 70).tolist()
    [5, 1]
    """
    words = np.zeros((count + 63) // 64, np.uint64)
    for cell in cells:
        include(words, int(cell))
    return words


def near_words(steps: Any, words: int = 0) -> Words:
    """Return the neighbours of every cell as a set, from the table of steps of a layout.

    A set has as many words as the board needs, or at least `words`.
    """
    count = max(len(steps), 64 * words)
    return np.stack([words_of(row[row >= 0], count) for row in np.asarray(steps)])


@rule
def gap(own: Any, blocked: Any, start: Any, goal: Any, near: Any) -> int:
    """Return how many more cells connect two edges: 0 if they are connected.

    If nothing can connect them, it is the length of `near`, which may be longer than the board.

    >>> from plywise.kit import hex_board
    >>> near = near_words(hex_board(3).steps)
    >>> top, bottom, nothing = words_of([0, 1, 2], 9), words_of([6, 7, 8], 9), words_of([], 9)
    >>> gap(words_of([4], 9), nothing, top, bottom, near)
    2
    >>> gap(nothing, words_of([3, 4, 5], 9), top, bottom, near)
    9
    """
    words = len(own)
    sets = np.zeros((3, words), np.uint64)
    seen, here, further = sets[0], sets[1], sets[2]  # here: at a distance of `needed`
    for w in range(words):
        seen[w] = start[w] | blocked[w]
        here[w] = start[w] & own[w]
        further[w] = start[w] & ~own[w] & ~blocked[w]
    needed = 0
    while True:
        again = True
        while again:
            again = False
            for w in range(words):
                if here[w] & goal[w] != ZERO:
                    return needed
                left = here[w]
                here[w] = ZERO
                while left != ZERO:
                    bit = lowest(left)
                    left ^= bit
                    cell = (w << 6) + index_of(bit)
                    for v in range(words):
                        fresh = near[cell, v] & ~seen[v]
                        seen[v] |= fresh
                        further[v] |= fresh & ~own[v]
                        if fresh & own[v] != ZERO:
                            here[v] |= fresh & own[v]
                            again = True
        for w in range(words):
            if further[w] != ZERO:
                again = True
            here[w] = further[w]
            further[w] = ZERO
        if not again:
            return len(near)
        needed += 1
