"""Random loops: the border of a random set of cells, grown cell by cell."""

from __future__ import annotations

import random

from plywise.puzzles.slither.grid import Drawing, Puzzle

_RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))


class Region:
    """The inside of a loop. It changes one cell at a time and stays the inside of one loop."""

    def __init__(self, rows: int, cols: int) -> None:
        self.rows, self.cols = rows, cols
        self.width = cols + 2  # a frame of outside cells saves every test of the edge
        self.inside = bytearray((rows + 2) * self.width)
        self.ring = [row * self.width + col for row, col in _RING]

    def at(self, cell: int) -> int:
        """The place of a cell in the framed grid."""
        return (cell // self.cols + 1) * self.width + cell % self.cols + 1

    def can_flip(self, cell: int) -> bool:
        """Would the border still be one loop? Both sides must be one run each around the cell."""
        at, inside = self.at(cell), self.inside
        around = [inside[at + step] for step in self.ring]
        changes = sum(around[k] != around[k - 1] for k in range(8))
        if changes != 2:
            return False
        # A run of a single corner cell would be left to touch at that corner alone.
        sides = around[1] + around[3] + around[5] + around[7]
        return 0 < sides < 4

    def flip(self, cell: int) -> None:
        """Change the side of a cell."""
        self.inside[self.at(cell)] ^= 1

    def neighbours(self, cell: int) -> int:
        """How many neighbours of a cell are inside."""
        at, inside, width = self.at(cell), self.inside, self.width
        return inside[at - 1] + inside[at + 1] + inside[at - width] + inside[at + width]

    def counts(self) -> tuple[int, ...]:
        """How many lines are around each cell."""
        found = []
        for cell in range(self.rows * self.cols):
            near = self.neighbours(cell)
            found.append(4 - near if self.inside[self.at(cell)] else near)
        return tuple(found)

    def drawing(self, puzzle: Puzzle) -> Drawing:
        """The loop, as a solution of a puzzle."""
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
    """A winding loop over the whole board: it grows mostly where it is thin."""
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
    # Some changes at the border make it less regular.
    for cell in lot.choices(cells, k=rows * cols // 2):
        if region.can_flip(cell):
            near = region.neighbours(cell)
            inside = region.inside[region.at(cell)]
            if near == (3 if inside else 1) or lot.random() < 0.3:
                region.flip(cell)
    return region
