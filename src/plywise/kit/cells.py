"""Boards as arrays with a number for every cell, 0 where it is empty, for rules that compile."""

from __future__ import annotations

from typing import Any

from plywise.jit import rule


@rule
def list_empty(cells: Any, count: int, out: Any) -> int:
    """Write the empty ones of the first `count` cells into `out`, and return how many they are."""
    n = 0
    for cell in range(count):
        if cells[cell] == 0:
            out[n] = cell
            n += 1
    return n


@rule
def run(cells: Any, steps: Any, cell: int, way: int) -> int:
    """Return how many cells in a row, after this one in a direction, hold the same as it."""
    n, goal = 0, steps[cell, way]
    while goal >= 0 and cells[goal] == cells[cell]:
        n, goal = n + 1, steps[goal, way]
    return n
