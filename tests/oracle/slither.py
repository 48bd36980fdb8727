"""All loops of a small grid, by their inside: nothing here is shared with the solver.

A loop is the border of a set of cells. The border is one loop if the set hangs together, what is
left and the area around hang together too, and no two cells of one kind touch at a corner only.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np


def around(rows: int, cols: int, row: int, col: int) -> list[tuple[int, int]]:
    """The neighbours of a cell; (-1, -1) for the area around the board."""
    near = []
    for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
        near.append((r, c) if 0 <= r < rows and 0 <= c < cols else (-1, -1))
    return near


@lru_cache(maxsize=8)
def loops(rows: int, cols: int) -> tuple[Any, list[frozenset[tuple[str, int, int]]]]:
    """For each loop how many of its lines are around each cell, and its lines by name."""
    counts, lines = [], []
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    for number in range(1, 1 << len(cells)):
        inside = {cell for k, cell in enumerate(cells) if number >> k & 1}
        if _one_loop(rows, cols, inside):
            counts.append(
                [
                    sum(
                        (cell in inside) != (other in inside) for other in around(rows, cols, *cell)
                    )
                    for cell in cells
                ]
            )
            lines.append(_border(rows, cols, inside))
    return np.array(counts, np.int8), lines


def solutions(rows: int, cols: int, clues: Any) -> list[frozenset[tuple[str, int, int]]]:
    """Every loop that fits; a clue below 0 is none."""
    counts, lines = loops(rows, cols)
    wanted = np.asarray(clues)
    fits = ((counts == wanted) | (wanted < 0)).all(axis=1)
    return [lines[number] for number in np.flatnonzero(fits)]


def _border(rows: int, cols: int, inside: set[tuple[int, int]]) -> frozenset[tuple[str, int, int]]:
    """Lines as ("across" or "down", row, col), as `Puzzle.across` and `Puzzle.down` take them."""
    found = set()
    for row in range(rows + 1):
        for col in range(cols + 1):
            if col < cols and ((row - 1, col) in inside) != ((row, col) in inside):
                found.add(("across", row, col))
            if row < rows and ((row, col - 1) in inside) != ((row, col) in inside):
                found.add(("down", row, col))
    return frozenset(found)


def _one_loop(rows: int, cols: int, inside: set[tuple[int, int]]) -> bool:
    for row in range(rows + 1):
        for col in range(cols + 1):
            a, b = (row - 1, col - 1) in inside, (row - 1, col) in inside
            c, d = (row, col - 1) in inside, (row, col) in inside
            if a == d and b == c and a != b:
                return False
    outside = {
        (row, col) for row in range(rows) for col in range(cols) if (row, col) not in inside
    } | {(-1, -1)}
    return _hangs_together(rows, cols, inside) and _hangs_together(rows, cols, outside)


def _hangs_together(rows: int, cols: int, part: set[tuple[int, int]]) -> bool:
    start = next(iter(part))
    reached, waiting = {start}, [start]
    while waiting:
        cell = waiting.pop()
        if cell == (-1, -1):
            edge = {
                (row, col)
                for row in range(rows)
                for col in range(cols)
                if row in (0, rows - 1) or col in (0, cols - 1)
            }
            near = list(edge)
        else:
            near = around(rows, cols, *cell)
        for other in near:
            if other in part and other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached == part
