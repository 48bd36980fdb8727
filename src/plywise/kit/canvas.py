"""Strokes and words on a sheet of letters: how a net of lines looks in plain text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Point = tuple[float, float]
TALL = 2.0  #: how high a letter is, in terms of its width


@dataclass
class Canvas:
    """A sheet over an area of `size`, so many columns wide; what comes later covers the rest.

    Whatever is put on it may carry a tag, for who wants to colour it.
    """

    size: Point
    columns: int
    cells: dict[tuple[int, int], tuple[str, Any]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many lines of letters it has."""
        return max(1, round(self.columns * self.size[1] / self.size[0] / TALL))

    def cell(self, at: Point, fine: tuple[int, int] = (1, 1)) -> tuple[int, int]:
        """The row and the column of a point, or of the dot in a cell where cells are finer."""
        down, across = fine
        column = int(at[0] / self.size[0] * self.columns * across)
        row = int(at[1] / self.size[1] * self.rows * down)
        last_row, last_column = self.rows * down - 1, self.columns * across - 1
        return min(max(row, 0), last_row), min(max(column, 0), last_column)

    def along(
        self, start: Point, end: Point, fine: tuple[int, int] = (1, 1)
    ) -> Iterator[tuple[int, int]]:
        """The cells from one point to the other, each once and without gaps."""
        (row, column), (end_row, end_column) = self.cell(start, fine), self.cell(end, fine)
        steps = max(abs(end_row - row), abs(end_column - column), 1)
        for step in range(steps + 1):
            share = step / steps
            yield (
                round(row + share * (end_row - row)),
                round(column + share * (end_column - column)),
            )

    def stroke(self, start: Point, end: Point, letter: str, tag: Any = None) -> None:
        """A line of one letter."""
        for cell in self.along(start, end):
            self.cells[cell] = letter, tag

    def put(self, at: Point, text: str, tag: Any = None, share: float = 0.5) -> None:
        """A word; so much of it stands before the point, and all of it on the sheet."""
        row, column = self.cell(at)
        first = min(max(column - int(share * len(text)), 0), max(self.columns - len(text), 0))
        for index, letter in enumerate(text):
            self.cells[row, first + index] = letter, tag

    def lines(self) -> Iterator[list[tuple[str, Any]]]:
        """The letters with their tags, line by line."""
        for row in range(self.rows):
            yield [self.cells.get((row, column), (" ", None)) for column in range(self.columns)]

    def __str__(self) -> str:
        return "\n".join("".join(letter for letter, _ in line).rstrip() for line in self.lines())
