"""The positions of a book: sets of filled cells, up to symmetry.

Sets of the same size come in ascending order, so only their values need to be stored. The functions
work on arrays of NumPy, and of CuPy where they are told so.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from typing import Any

import numpy as np

from plywise.core.game import Game

Sets = np.ndarray[Any, np.dtype[np.int64]]  #: sets of filled cells, one bit each
Values = np.ndarray[Any, np.dtype[np.int8]]


class Shape:
    """What decides which positions a book of this game has."""

    def __init__(self, game: Game) -> None:
        board = game.board
        self.rules = game.rules
        self.size, self.checkerboard = int(board.side), bool(board.checkerboard)
        self.dark = int(board.allowed[0])  #: the cells of a1's colour, or all
        symmetries = game.type.strength.symmetries
        assert symmetries is not None
        #: For [symmetry, row, pattern of the row]: where its cells go.
        self._plain_images = [self._rows(image) for image in symmetries(board)]
        self.images = np.array(self._plain_images)

    def least_image(self, filled: int) -> int:
        """The set that stands for all images of this one."""
        mask = (1 << self.size) - 1
        rows = [filled >> row * self.size & mask for row in range(self.size)]
        return min(
            sum(goes_to[pattern] for goes_to, pattern in zip(image, rows, strict=True))
            for image in self._plain_images
        )

    def seen_by(self, turn: int, filled: int) -> int | None:
        """The set as it is in a book, where X moves when the number of filled cells is even.

        With the other turn on a checkerboard, that is the mirror image, or None on an odd board.
        """
        if not self.checkerboard or filled.bit_count() % 2 == turn:
            return filled
        if self.size % 2:
            return None
        rows = (filled >> row * self.size & (1 << self.size) - 1 for row in range(self.size))
        mirrored = (int(f"{row:0{self.size}b}"[::-1], 2) for row in rows)
        return sum(row << index * self.size for index, row in enumerate(mirrored))

    def _rows(self, image: Sequence[int]) -> list[list[int]]:
        size = self.size
        return [
            [
                sum(1 << image[row * size + col] for col in range(size) if pattern >> col & 1)
                for pattern in range(1 << size)
            ]
            for row in range(size)
        ]


def canonical_sets(shape: Shape, count: int, arrays: Any = np) -> Any:
    """Every reachable set of so many cells that is the least of its images."""
    cells = shape.size**2
    if count == 0:
        return arrays.zeros(1, np.int64)
    smaller = all_sets(cells, count - 1, arrays)
    images = arrays.asarray(shape.images)
    found = []
    for top in range(count - 1, cells):  # by highest cell, to save memory
        sets = smaller[: comb(top, count - 1)] | (1 << top)
        if shape.checkerboard:
            sets = sets[bit_count(sets & shape.dark) == (count + 1) // 2]
        for symmetry in range(len(images)):
            sets = sets[sets <= image_of(sets, images[symmetry])]
        found.append(sets)
    return arrays.concatenate(found)


def all_sets(cells: int, count: int, arrays: Any = np) -> Any:
    """Every set of so many of the cells, in ascending order."""
    sets = arrays.zeros(1, np.int64)
    for size in range(1, count + 1):
        # Below a highest cell are the first of the sets with one cell less.
        tops = range(size - 1, cells - count + size)
        sets = arrays.concatenate([sets[: comb(top, size - 1)] | (1 << top) for top in tops])
    return sets


def image_of(sets: Any, image: Any) -> Any:
    """Apply a symmetry to sets."""
    size, patterns = image.shape
    bits = patterns.bit_length() - 1
    seen = image[0][sets & (patterns - 1)]
    for row in range(1, size):
        seen |= image[row][(sets >> row * bits) & (patterns - 1)]
    return seen


def bit_count(sets: Any) -> Any:
    """Count the cells of each set."""
    count = sets & 0
    while (sets != 0).any():
        count += sets != 0
        sets = sets & (sets - 1)
    return count
