"""Boards of squares in a Scene: where cells are, the coordinates, lines of equal marks.

Rows count from the bottom, as the games do; a Scene counts y from the top.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from plywise.core.position import Position
from plywise.core.scene import Label, Point, Target, rectangle
from plywise.kit.grid import Grid
from plywise.kit.lines import DIRECTIONS

LETTER = 0.34  #: the height of a coordinate


@dataclass(frozen=True)
class Squares:
    """A board of rows x cols unit cells, with its top left corner at (left, top)."""

    rows: int
    cols: int
    left: float
    top: float

    def centre(self, row: int, col: int) -> Point:
        """Return the centre of a cell."""
        return self.left + col + 0.5, self.top + self.rows - row - 0.5

    def square(self, row: int, col: int, inset: float = 0.0) -> tuple[Point, ...]:
        """Return the corners of a cell, moved in by `inset`."""
        x, y = self.centre(row, col)
        return rectangle(x, y, x, y, 0.5 - inset)

    def column_labels(self, texts: Sequence[str], y: float) -> tuple[Label, ...]:
        """Return a coordinate for each column, at height y."""
        return tuple(
            Label(
                (self.centre(0, col)[0], y),
                text,
                LETTER,
                id=f"column label {text}",
                roles=("coordinate",),
            )
            for col, text in enumerate(texts)
        )

    def row_labels(self, texts: Sequence[str], x: float) -> tuple[Label, ...]:
        """Return a coordinate for each row, from the bottom up, at x."""
        return tuple(
            Label(
                (x, self.centre(row, 0)[1]),
                text,
                LETTER,
                id=f"row label {text}",
                roles=("coordinate",),
            )
            for row, text in enumerate(texts)
        )


def cell_labels(board: Squares, x: float, y: float) -> tuple[Label, ...]:
    """Numbers for the rows at a distance x from the left, letters for the columns at a height y."""
    rows, columns = range(1, board.rows + 1), range(board.cols)
    letters = [chr(ord("a") + column) for column in columns]
    return *board.row_labels([str(row) for row in rows], x), *board.column_labels(letters, y)


def cell_targets(board: Squares, position: Position) -> tuple[Target, ...]:
    """A target on the cell of each legal move, for games whose moves are cells, row by row."""
    return tuple(
        Target(text, (f"cell {text}",), board.centre(*divmod(cell, board.cols)))
        for text, cell in zip(position.legal, position.legal_codes, strict=True)
    )


def rows_of(grid: Grid, mark: int, length: int) -> list[list[tuple[int, int]]]:
    """Return the unbroken lines of at least `length` equal marks, each as its cells in order.

    >>> rows_of([[1, 1, 0], [0, 1, 0]], mark=1, length=2)
    [[(0, 0), (0, 1)], [(0, 1), (1, 1)], [(0, 0), (1, 1)]]
    """
    found = []
    for dr, dc in DIRECTIONS[:1] if length == 1 else DIRECTIONS:
        for row in range(len(grid)):
            for col in range(len(grid[0])):
                if _at(grid, row - dr, col - dc) == mark:
                    continue  # the line begins earlier
                line: list[tuple[int, int]] = []
                while _at(grid, row + len(line) * dr, col + len(line) * dc) == mark:
                    line.append((row + len(line) * dr, col + len(line) * dc))
                if len(line) >= length:
                    found.append(line)
    return found


def _at(grid: Grid, row: int, col: int) -> int | None:
    inside = 0 <= row < len(grid) and 0 <= col < len(grid[0])
    return int(grid[row][col]) if inside else None
