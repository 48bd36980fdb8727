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
from plywise.puzzles.slither.grid import CROSS, LINE, Drawing, Puzzle

Cells = np.ndarray[Any, np.dtype[np.uint8]]

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
        # With a frame of outside cells there is no edge to check for.
        self.inside = np.zeros((rows + 2, cols + 2), np.uint8)

    def can_flip(self, cell: int) -> bool:
        """True if the border stays one loop: around the cell, each side must be one run."""
        row, col = divmod(cell, self.cols)
        around = [int(self.inside[row + 1 + down, col + 1 + right]) for down, right in _RING]
        changes = sum(around[k] != around[k - 1] for k in range(8))
        # A run of one diagonal neighbour would touch the cell only at a corner.
        return changes == 2 and 0 < sum(around[1::2]) < 4

    def flip(self, cell: int) -> None:
        """Move a cell to the other side."""
        row, col = divmod(cell, self.cols)
        self.inside[row + 1, col + 1] ^= 1

    def counts(self) -> tuple[int, ...]:
        """The number of lines around each cell."""
        across, down = self._lines()
        around = across[:-1] + across[1:] + down[:, :-1] + down[:, 1:]
        return tuple(around.ravel().tolist())

    def drawing(self, puzzle: Puzzle) -> Drawing:
        """The loop as a solution of a puzzle."""
        drawn = np.concatenate([lines.ravel() for lines in self._lines()])
        return Drawing(puzzle, np.where(drawn, LINE, CROSS).astype(np.uint8).tobytes())

    def _lines(self) -> tuple[Cells, Cells]:
        """The places of horizontal and of vertical lines: 1 where the loop has one."""
        inside = self.inside
        return inside[:-1, 1:-1] ^ inside[1:, 1:-1], inside[1:-1, :-1] ^ inside[1:-1, 1:]


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
    inside = region.inside.ravel()  # the same memory
    words = generator(rng.getrandbits(62))
    winding.build()(rows, cols, inside, np.array(WEIGHTS), TURN, _chances(), words)
    return region
