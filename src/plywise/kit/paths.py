"""Shortest paths, for the evaluation of games of connection; a rule that compiles.

A game says once, in `prepare`, which edges each cell touches: bit 2p and bit 2p + 1 of `edges` are
the two that player p wants to connect. With the table of steps that every layout has, the evaluation
of such a game is a line:

    gap(s.cells, b.edges, b.steps, b.count, 1 - me) - gap(s.cells, b.edges, b.steps, b.count, me)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit import rule
from plywise.jit.bits import wide


@rule
def gap(cells: Any, edges: Any, steps: Any, count: int, player: int) -> int:
    """Return how many more cells a player needs to connect two edges; `count` if there is no way.

    The first `count` cells hold 0 where they are empty, 1 and 2 for the stones of players 0 and 1.

    >>> from plywise.kit import hex_board
    >>> steps = hex_board(3).steps  # player 0 connects the cells 0 to 2 with the cells 6 to 8
    >>> edges = np.array([1, 1, 1, 0, 0, 0, 2, 2, 2])
    >>> gap(np.array([0, 0, 0, 0, 1, 0, 0, 0, 0]), edges, steps, 9, 0)
    2
    >>> gap(np.array([0, 0, 0, 2, 2, 2, 0, 0, 0]), edges, steps, 9, 0)
    9
    """
    own, start, goal = player + 1, 1 << (2 * player), 2 << (2 * player)
    seen = np.zeros(count, np.bool_)
    lists = np.empty((2, count), np.int16)  # cells at a distance of `needed`, and of one more
    now, here, further, needed = 0, 0, 0, 0
    for cell in range(count):
        if edges[cell] & start != 0:
            seen[cell] = True
            if cells[cell] == own:
                lists[0, here] = cell
                here += 1
            elif cells[cell] == 0:
                lists[1, further] = cell
                further += 1
    while here + further > 0:
        while here > 0:
            here -= 1
            cell = wide(lists[now, here])
            if edges[cell] & goal != 0:
                return needed
            for way in range(steps.shape[1]):
                beside = wide(steps[cell, way])
                if beside >= 0 and not seen[beside]:
                    seen[beside] = True
                    if cells[beside] == own:
                        lists[now, here] = beside
                        here += 1
                    elif cells[beside] == 0:
                        lists[1 - now, further] = beside
                        further += 1
        now, here, further, needed = 1 - now, further, 0, needed + 1
    return count
