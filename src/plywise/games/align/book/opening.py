"""The opening book: exact values of positions with few filled cells, up to symmetry.

A book has complete layers: all positions with the same number of filled cells, in the order of
`canonical_sets`. So the file holds no positions except a mark every STEP places, and the place of
a position is found by counting from a mark. The last layer also has a best move for each position,
because the values after it are missing.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.game import Game, Record
from plywise.errors import SpecError
from plywise.games.align.book.answers import cell_at
from plywise.games.align.book.sets import Sets, Shape, Values
from plywise.jit import kernel
from plywise.jit.bits import popcount

#: The books that come with the package.
SHIPPED = {"align": "book.xz", "align:checkerboard=yes": "checkerboard.xz"}
MAGIC = "plywise align book 1"
STEP = 4096  #: places between two marks: counting them takes a millisecond
#: The best compression, with a window that needs little memory to unpack.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 22}]


@dataclass(frozen=True)
class Book:
    """The values of some layers."""

    spec: str  #: of the game
    layers: tuple[Values, ...]  #: by the number of filled cells, from 0
    answers: Values  #: for the last layer: the place of a best move in the order of promise
    marks: tuple[Sets, ...]  #: for each layer: every STEP-th position
    board: Record
    shape: Shape

    def pack(self) -> bytes:
        """Return the bytes of the file."""
        counts = " ".join(str(len(values)) for values in self.layers)
        title = f"{MAGIC} {self.spec} {counts}\n"
        marks = np.concatenate(self.marks).tobytes()
        values = np.concatenate([*self.layers, self.answers]).tobytes()
        return title.encode() + lzma.compress(marks + values, filters=FILTERS)

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
        return Book(game.spec, tuple(layers), answers, tuple(by_layer), game.board, Shape(game))

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
        wanted = self.shape.least_image(least | 1 << cell)
        for cell in range(self.shape.size**2):
            after = self.shape.seen_by(1 - turn, filled | 1 << cell)
            if after is not None and self.shape.least_image(after) == wanted:
                return cell, int(self.layers[-1][place])
        raise AssertionError("an image of a position has the images of its moves")

    def _find(self, filled: int, turn: int) -> tuple[int, int] | None:
        """The least image of a position, and its place in the layer."""
        count = filled.bit_count()
        seen = self.shape.seen_by(turn, filled) if count <= self.plies else None
        if seen is None:
            return None
        least = self.shape.least_image(seen)
        marks = self.marks[count]
        number = int(np.searchsorted(marks, least, "right")) - 1
        dark = self.shape.dark if self.shape.checkerboard else 0
        count_between = counting.build(self.shape.rules)
        steps = count_between(self.shape.images, dark, marks[number], np.int64(least))
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
