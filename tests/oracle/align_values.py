"""Align by plain minimax over texts: slow, and nothing in common with the package."""

from __future__ import annotations

from functools import cache


def points(size: int, cells: frozenset[tuple[int, int]], new: tuple[int, int]) -> int:
    """What filling a cell pays: `cells` are the filled ones, the new one included."""
    total = 0
    for step in ((0, 1), (1, 0)):
        length = 1
        for sign in (1, -1):
            row, col = new
            while True:
                row, col = row + sign * step[0], col + sign * step[1]
                if (row, col) not in cells:
                    break
                length += 1
        if length in {3, size}:
            total += length
    return total


class Oracle:
    """The value of every position of a small board, for the player to move."""

    def __init__(self, size: int, checkerboard: bool = False) -> None:
        self.size = size
        self.checkerboard = checkerboard
        self.cells = frozenset((row, col) for row in range(size) for col in range(size))
        self.value = cache(self._value)

    def open_cells(self, filled: frozenset[tuple[int, int]], player: int) -> list[tuple[int, int]]:
        free = sorted(self.cells - filled)
        return [c for c in free if not self.checkerboard or sum(c) % 2 == player]

    def _value(self, filled: frozenset[tuple[int, int]], player: int) -> int:
        """The points of the player to move less those of the other, from here to the end."""
        worth = [
            points(self.size, filled | {cell}, cell) - self.value(filled | {cell}, 1 - player)
            for cell in self.open_cells(filled, player)
        ]
        return max(worth, default=0)
