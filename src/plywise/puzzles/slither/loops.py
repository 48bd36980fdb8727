"""Random loops: the border of a random region, grown cell by cell."""

from __future__ import annotations

import random

from plywise.puzzles.slither.grid import Drawing, Puzzle

_RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))


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


def random_region(rows: int, cols: int, lot: random.Random) -> Region:
    """Make a winding loop over the whole board: it grows mostly where it is thin."""
    region = Region(rows, cols)
    cells = list(range(rows * cols))
    region.flip(lot.choice(cells))
    for _ in range(4):
        lot.shuffle(cells)
        for cell in cells:
            outside = not region.inside[region.at(cell)]
            if outside and region.can_flip(cell):
                near = region.neighbours(cell)
                if near == 1 or lot.random() < 0.08:
                    region.flip(cell)
    # Random changes at the border make it less regular.
    for cell in lot.choices(cells, k=rows * cols // 2):
        if region.can_flip(cell):
            near = region.neighbours(cell)
            inside = region.inside[region.at(cell)]
            if near == (3 if inside else 1) or lot.random() < 0.3:
                region.flip(cell)
    return region
