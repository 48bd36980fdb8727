"""Random loops: the border of a random region that changes cell by cell."""

from __future__ import annotations

import math
import random
from functools import cache
from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.jit import kernel
from plywise.jit.bits import below, generator
from plywise.puzzles.slither.grid import Drawing, Puzzle

_RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))

SWEEPS = 120  #: how often each cell is looked at; more does not change the statistics
#: The weight of a cell by the number of lines around it, and of a dot where the loop turns, in
#: hundredths: a heavy loop is unlikely. They were fitted so that the counts, turns and lengths are
#: those of the loops of published puzzles; see `making/statistics.py`.
WEIGHTS = (10, 0, 7, -16, 900)
TURN = -9


class Region:
    """The inside of a loop. It changes one cell at a time, and its border stays one loop."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        self.width = cols + 2  # with a frame of outside cells there is no edge to check for
        self.inside = bytearray((rows + 2) * self.width)
        self.ring = [row * self.width + col for row, col in _RING]

    def at(self, cell: int) -> int:
        """The index of a cell in the framed grid."""
        return (cell // self.cols + 1) * self.width + cell % self.cols + 1

    def can_flip(self, cell: int) -> bool:
        """True if the border stays one loop: around the cell, each side must be one run."""
        at, inside = self.at(cell), self.inside
        around = [inside[at + step] for step in self.ring]
        changes = sum(around[k] != around[k - 1] for k in range(8))
        if changes != 2:
            return False
        # A run of one diagonal neighbour would touch the cell only at a corner.
        sides = around[1] + around[3] + around[5] + around[7]
        return 0 < sides < 4

    def flip(self, cell: int) -> None:
        """Move a cell to the other side."""
        self.inside[self.at(cell)] ^= 1

    def neighbours(self, cell: int) -> int:
        """The number of neighbours of a cell that are inside."""
        at, inside, width = self.at(cell), self.inside, self.width
        return inside[at - 1] + inside[at + 1] + inside[at - width] + inside[at + width]

    def counts(self) -> tuple[int, ...]:
        """The number of lines around each cell."""
        found = []
        for cell in range(self.rows * self.cols):
            near = self.neighbours(cell)
            found.append(4 - near if self.inside[self.at(cell)] else near)
        return tuple(found)

    def drawing(self, puzzle: Puzzle) -> Drawing:
        """The loop as a solution of a puzzle."""
        inside, width = self.inside, self.width
        lines = []
        for row in range(self.rows + 1):
            for col in range(self.cols + 1):
                at = (row + 1) * width + col + 1
                if col < self.cols and inside[at] != inside[at - width]:
                    lines.append(puzzle.across(row, col))
                if row < self.rows and inside[at] != inside[at - 1]:
                    lines.append(puzzle.down(row, col))
        return Drawing.of_lines(puzzle, lines)


@kernel
def winding() -> Any:
    """Build the kernel that changes a region at random."""

    def wind(
        rows: int, cols: int, inside: Record, weights: Record, turn: int, chances: Record, rng: Any
    ) -> None:
        """Try to flip `SWEEPS` times as many cells as there are (Metropolis).

        A flip that makes the loop heavier by n is made with the probability chances[n] / 2**30.
        """
        width = cols + 2
        steps = (-width, 1, width, -1)
        for _ in range(SWEEPS * rows * cols):
            cell = below(rng, rows * cols)
            at = (cell // cols + 1) * width + cell % cols + 1
            # Step 1: around the cell, each side must be one run; see `Region.can_flip`.
            changes = 0
            near = 0
            for k in range(4):
                one, two = steps[k], steps[k] + steps[(k + 1) & 3]
                three = steps[(k + 1) & 3]
                changes += inside[at + one] != inside[at + two]
                changes += inside[at + two] != inside[at + three]
                near += inside[at + one]
            if changes != 2 or near == 0 or near == 4:
                continue
            # Step 2: what the flip adds to the weight, for the cell, its neighbours and its dots.
            count = 4 - near if inside[at] == 1 else near
            more = weights[4 - count] - weights[count]
            for k in range(4):
                side = at + steps[k]
                row, col = side // width, side % width
                if 1 <= row <= rows and 1 <= col <= cols:
                    near = 0
                    for j in range(4):
                        near += inside[side + steps[j]]
                    count = 4 - near if inside[side] == 1 else near
                    change = 1 if inside[side] == inside[at] else -1
                    more += weights[count + change] - weights[count]
                # A dot is a turn if one or three of its four cells are inside: the flip changes
                # that everywhere.
                two, three = steps[k] + steps[(k + 1) & 3], steps[(k + 1) & 3]
                odd = inside[at] ^ inside[side] ^ inside[at + two] ^ inside[at + three]
                more += turn if odd == 0 else -turn
            # Step 3: make it, or not.
            if more <= 0 or below(rng, 1 << 30) < chances[more]:
                inside[at] ^= 1

    return wind


@cache
def _chances() -> np.ndarray[Any, np.dtype[np.int64]]:
    """The probability of each flip that makes the loop heavier, as `wind` wants it."""
    heaviest = 6 * (max(WEIGHTS) - min(WEIGHTS)) + 4 * abs(TURN)
    return np.array([2**30 * math.exp(-more / 100) for more in range(heaviest)], np.int64)


def random_region(rows: int, cols: int, rng: random.Random) -> Region:
    """Make a winding loop over the whole board."""
    region = Region(rows, cols)
    region.flip(rng.randrange(rows * cols))
    inside = np.frombuffer(region.inside, np.uint8)
    words = generator(rng.getrandbits(62))
    winding.build()(rows, cols, inside, np.array(WEIGHTS), TURN, _chances(), words)
    return region
