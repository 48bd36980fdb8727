"""A canvas of characters: draws nets of lines as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Point = tuple[float, float]
TALL = 2.0  #: the height of a character relative to its width


@dataclass
class Canvas:
    """A grid of characters over an area of `size`; later drawing covers earlier drawing.

    Every character can have a tag, which the caller can use to colour it.
    """

    size: Point
    columns: int
    cells: dict[tuple[int, int], tuple[str, Any]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """The number of lines."""
        return max(1, round(self.columns * self.size[1] / self.size[0] / TALL))

    def cell(self, at: Point, fine: tuple[int, int] = (1, 1)) -> tuple[int, int]:
        """Return the row and column of a point; with `fine`, of a dot within the cells."""
        down, across = fine
        column = int(at[0] / self.size[0] * self.columns * across)
        row = int(at[1] / self.size[1] * self.rows * down)
        last_row, last_column = self.rows * down - 1, self.columns * across - 1
        return min(max(row, 0), last_row), min(max(column, 0), last_column)

    def along(
        self, start: Point, end: Point, fine: tuple[int, int] = (1, 1)
    ) -> Iterator[tuple[int, int]]:
        """Yield the cells from one point to another, each once and without gaps."""
        (row, column), (end_row, end_column) = self.cell(start, fine), self.cell(end, fine)
        steps = max(abs(end_row - row), abs(end_column - column), 1)
        for step in range(steps + 1):
            share = step / steps
            yield (
                round(row + share * (end_row - row)),
                round(column + share * (end_column - column)),
            )

    def stroke(self, start: Point, end: Point, letter: str, tag: Any = None) -> None:
        """Draw a line of one character."""
        for cell in self.along(start, end):
            self.cells[cell] = letter, tag

    def put(self, at: Point, text: str, tag: Any = None, share: float = 0.5) -> None:
        """Write a word, with the given share of it before the point, within the canvas."""
        row, column = self.cell(at)
        first = min(max(column - int(share * len(text)), 0), max(self.columns - len(text), 0))
        for index, letter in enumerate(text):
            self.cells[row, first + index] = letter, tag

    def lines(self) -> Iterator[list[tuple[str, Any]]]:
        """Yield the characters with their tags, line by line."""
        for row in range(self.rows):
            yield [self.cells.get((row, column), (" ", None)) for column in range(self.columns)]

    def __str__(self) -> str:
        return "\n".join("".join(letter for letter, _ in line).rstrip() for line in self.lines())
