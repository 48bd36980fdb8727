"""Best moves for the last positions of a book, whose successors it does not hold.

A best move is stored as its place among the moves in order of promise. In two of three positions
that is the first place, so the file stays small.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.align.book.sets import Sets, Shape, Values
from plywise.jit import kernel, rule
from plywise.jit.bits import popcount


@rule
def pays_and_offers(b: Record, filled: int, cell: int) -> tuple[int, int]:
    """What filling a cell scores, and the most that it leaves for the next cell in its lines."""
    side = b.side
    row, col = cell // side, cell % side
    across, upright = 1 << col, 1 << row
    for place in range(side):
        across |= (filled >> (row * side + place) & 1) << place
        upright |= (filled >> (place * side + col) & 1) << place
    paid = b.pay[across, col] + b.pay[upright, row]
    return paid, max(b.offer[across], b.offer[upright])


@rule
def in_order(b: Record, filled: int, out: Any) -> int:
    """List the cells that the side to move may fill, the most promising first, in out[0].

    X moves when the number of filled cells is even.
    """
    free = np.int64(b.allowed[popcount(np.uint64(filled)) & 1]) & ~filled
    n = 0
    for cell in range(b.cells):
        if free >> cell & 1:
            paid, offer = pays_and_offers(b, filled, cell)
            place = n
            while place > 0 and out[1, place - 1] > offer - paid:
                out[0, place], out[1, place] = out[0, place - 1], out[1, place - 1]
                place -= 1
            out[0, place], out[1, place] = cell, offer - paid
            n += 1
    return n


def cell_at(b: Record, filled: int, rank: int) -> int:
    """The cell with this place in the order of promise."""
    out = np.zeros((2, int(b.cells)), np.int64)
    in_order(b, filled, out)
    return int(out[0, rank])


def answers(
    b: Record, shape: Shape, sets: Sets, values: Values, later: Sets, later_values: Values
) -> Values:
    """The place of a best move for each position; `later` has the positions with one more cell."""
    places = np.zeros(len(sets), np.int8)
    answer = answering.build(shape.rules)
    answer(b, shape.images, sets, values, later, later_values, places)
    return places


@kernel
def answering() -> Any:
    """answer(b, images, sets, values, later, later_values, places)"""

    def answer(
        b: Record, images: Any, sets: Any, values: Any, later: Any, later_values: Any, places: Any
    ) -> None:
        symmetries, side, patterns = images.shape
        order = np.zeros((2, side * side), np.int64)
        for number in range(len(sets)):
            filled = sets[number]
            for place in range(in_order(b, filled, order)):
                cell = order[0, place]
                paid, _ = pays_and_offers(b, filled, cell)
                least = np.int64(1) << 62
                for symmetry in range(symmetries):
                    image = np.int64(0)
                    rest = filled | np.int64(1) << cell
                    for row in range(side):
                        image |= images[symmetry, row, rest & (patterns - 1)]
                        rest >>= side
                    least = min(least, image)
                after = later_values[np.searchsorted(later, least)]
                if paid - after == values[number]:
                    places[number] = place
                    break

    return answer
