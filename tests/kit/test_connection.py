"""Shortest paths between edges, against a plain search in Python."""

from __future__ import annotations

import heapq
import random

import numpy as np
import pytest

from plywise.kit import Layout, hex_board, hexagon_board, square_board
from plywise.kit.bits import has
from plywise.kit.connection import gap, near_words, words_of


def shortest(layout: Layout, stones: list[int], starts: set[int], goals: set[int]) -> int:
    """Dijkstra: own stones (1) cost nothing, empty cells (0) one, the others (2) are closed."""
    heap = [(1 - stones[cell], cell) for cell in starts if stones[cell] < 2]
    heapq.heapify(heap)
    done = set[int]()
    while heap:
        cost, cell = heapq.heappop(heap)
        if cell in goals:
            return cost
        if cell not in done:
            done.add(cell)
            for beside in layout.steps[cell]:
                if beside >= 0 and stones[beside] < 2:
                    heapq.heappush(heap, (cost + 1 - stones[beside], int(beside)))
    return len(layout)


@pytest.mark.parametrize(
    "layout",
    [hex_board(4), hex_board(9), hex_board(12), hexagon_board(4), square_board(9, 8)],
    ids=["hex 4", "hex 9", "hex 12", "hexagon 4", "squares"],
)
def test_the_gap_is_the_shortest_path(layout: Layout) -> None:
    rng, count = random.Random(7), len(layout)
    near = near_words(layout.steps)
    seen = set[int]()
    for _ in range(60):
        filled = rng.random()
        stones = [rng.choice((1, 2)) if rng.random() < filled else 0 for _ in range(count)]
        starts, goals = (set(rng.sample(range(count), 3)) for _ in range(2))
        own, others = ([c for c in range(count) if stones[c] == side] for side in (1, 2))
        sets = (words_of(cells, count) for cells in (own, others, starts, goals))
        found = gap(*sets, near)
        assert found == shortest(layout, stones, starts, goals)
        seen.add(found)
    assert len(seen) > 3


def test_a_set_has_what_was_put_into_it() -> None:
    cells = words_of([0, 63, 64, 127], 130)
    assert [cell for cell in range(130) if has(cells, cell)] == [0, 63, 64, 127]
    assert cells.dtype == np.uint64
