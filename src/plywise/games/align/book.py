"""The opening book: exact values of positions with few filled cells, up to symmetry.

A book has complete layers: all positions with the same number of filled cells, in the order of
`canonical_sets` in the lab, which made it. So the file holds no positions except a mark every STEP
places, and the place of a position is found by counting from a mark.

The last layer also has a best move for each position, because the values after it are missing. It
is stored as its place among the moves in order of promise. In two of three positions that is the
first place, so the file stays small.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.game import Game, Record
from plywise.errors import SpecError
from plywise.jit import kernel, rule
from plywise.jit.bits import popcount

Sets = np.ndarray[Any, np.dtype[np.int64]]  #: sets of filled cells, one bit each
Values = np.ndarray[Any, np.dtype[np.int8]]


class BoardSymmetry:
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


#: The books that come with the package.
SHIPPED = {"align": "book.xz", "align:checkerboard=yes": "checkerboard.xz"}
MAGIC = "plywise align book 1"
STEP = 4096  #: places between two marks: counting them takes a millisecond


@dataclass(frozen=True)
class Book:
    """The values of some layers."""

    spec: str  #: of the game
    layers: tuple[Values, ...]  #: by the number of filled cells, from 0
    answers: Values  #: for the last layer: the place of a best move in the order of promise
    marks: tuple[Sets, ...]  #: for each layer: every STEP-th position
    board: Record
    symmetry: BoardSymmetry

    @staticmethod
    def unpack(data: bytes, game: Game, name: str = "this") -> Book:
        """Read a book from a file's bytes; it must be for `game`."""
        title, _, packed = data.partition(b"\n")
        begin = f"{MAGIC} {game.spec} "
        if not title.startswith(begin.encode()):
            raise SpecError(
                f"{name} is not a book of {game.spec}: its first line should be '{begin}...'"
            )
        lengths = [int(word) for word in title.decode()[len(begin) :].split()]
        marks = [-(-length // STEP) for length in lengths]
        unpacked = lzma.decompress(packed)
        numbers = np.frombuffer(unpacked, np.int64, sum(marks))
        values = np.frombuffer(unpacked, np.int8, offset=numbers.nbytes)
        *layers, answers = np.split(values, np.cumsum(lengths))
        by_layer = np.split(numbers, np.cumsum(marks)[:-1])
        return Book(
            game.spec, tuple(layers), answers, tuple(by_layer), game.board, BoardSymmetry(game)
        )

    @property
    def plies(self) -> int:
        """The most filled cells of any position in the book."""
        return len(self.layers) - 1

    def value(self, filled: int, turn: int) -> int | None:
        """What the mover still gains, if the position or one of its images is in the book."""
        found = self._find(filled, turn)
        return None if found is None else int(self.layers[filled.bit_count()][found[1]])

    def answer(self, filled: int, turn: int) -> tuple[int, int] | None:
        """A best move and the value, if the position is in the last layer."""
        found = self._find(filled, turn) if filled.bit_count() == self.plies else None
        if found is None:
            return None
        least, place = found
        cell = cell_at(self.board, least, int(self.answers[place]))
        # If the position is an image of the least one, so are the positions after its moves.
        wanted = self.symmetry.least_image(least | 1 << cell)
        for cell in range(self.symmetry.size**2):
            after = self.symmetry.seen_by(1 - turn, filled | 1 << cell)
            if after is not None and self.symmetry.least_image(after) == wanted:
                return cell, int(self.layers[-1][place])
        raise AssertionError("an image of a position has the images of its moves")

    def _find(self, filled: int, turn: int) -> tuple[int, int] | None:
        """The least image of a position, and its place in the layer."""
        count = filled.bit_count()
        seen = self.symmetry.seen_by(turn, filled) if count <= self.plies else None
        if seen is None:
            return None
        least = self.symmetry.least_image(seen)
        marks = self.marks[count]
        number = int(np.searchsorted(marks, least, "right")) - 1
        dark = self.symmetry.dark if self.symmetry.checkerboard else 0
        count_between = counting.build(self.symmetry.rules)
        steps = count_between(self.symmetry.images, dark, marks[number], np.int64(least))
        return least, number * STEP + int(steps)


@cache
def shipped(game: Game) -> Book | None:
    """The book that comes with the package for this game, if there is one."""
    file = Path(__file__).with_name(SHIPPED.get(game.spec, "none"))
    return Book.unpack(file.read_bytes(), game, file.name) if file.exists() else None


@kernel
def counting() -> Any:
    """count_between(images, dark, first, end) -> n: the least of their images, from first on."""

    def count_between(images: Any, dark: int, first: int, end: int) -> int:
        symmetries, side, patterns = images.shape
        count = popcount(np.uint64(first))
        current = first
        n = 0
        while current < end:
            least = dark == 0 or popcount(np.uint64(current & dark)) == (count + 1) // 2
            for symmetry in range(1, symmetries):  # the first is the set itself
                if not least:
                    break
                image = np.int64(0)
                rest = current
                for row in range(side):
                    image |= images[symmetry, row, rest & (patterns - 1)]
                    rest >>= side
                least = bool(image >= current)
            n += least
            # The next number with the same number of bits: the lowest run of ones moves up by one.
            low = current & -current
            ripple = current + low
            current = ripple | ((current ^ ripple) >> 2) // low
        return n

    return count_between
