"""The opening book: exact values of positions with few filled cells, one of each image.

A book has whole layers: all positions with equally many filled cells, as `canonical_sets` lists
them. So the file holds values only, packed together behind a line that says what they are; which
value is whose is found by listing the positions again. A layer that is left out lies at most a
few moves before one that is there.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.game import Game
from plywise.errors import SpecError
from plywise.games.align.book_sets import Shape
from plywise.jit import kernel
from plywise.jit.bits import popcount

Values = np.ndarray[Any, np.dtype[np.int8]]

#: The books that come with the package.
SHIPPED = {"align": "book.xz", "align:checkerboard=yes": "book-checkerboard.xz"}
MAGIC = "plywise align book 1"
#: Packed as well as can be, with a window that needs little memory to unpack.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 22}]


@dataclass(frozen=True)
class Book:
    """The values of some layers."""

    spec: str  #: of the game
    layers: dict[int, Values]  #: by the number of filled cells
    shape: Shape
    sets: dict[int, Any] = field(default_factory=dict)  #: the positions, listed when needed

    def pack(self) -> bytes:
        """The file."""
        counts = " ".join(f"{count}:{len(values)}" for count, values in self.layers.items())
        values = np.concatenate(list(self.layers.values()))
        title = f"{MAGIC} {self.spec} {counts}\n"
        return title.encode() + lzma.compress(values.tobytes(), filters=FILTERS)

    @staticmethod
    def unpack(data: bytes, game: Game, name: str = "this") -> Book:
        """A book from a file's bytes; `game` is the one it has to be for."""
        title, _, packed = data.partition(b"\n")
        begin = f"{MAGIC} {game.spec} "
        if not title.startswith(begin.encode()):
            raise SpecError(
                f"{name} is no book of {game.spec}: its first line would be '{begin}...'"
            )
        values = np.frombuffer(lzma.decompress(packed), np.int8)
        layers = {}
        for word in title.decode()[len(begin) :].split():
            count, length = map(int, word.split(":"))
            layers[count], values = values[:length], values[length:]
        return Book(game.spec, layers, Shape(game))

    @property
    def plies(self) -> int:
        """The most filled cells of a position that it knows."""
        return max(self.layers)

    def value(self, filled: int, turn: int) -> int | None:
        """What the mover still gains, if the position is there, as any of its images."""
        count = filled.bit_count()
        seen = self.shape.seen_by(turn, filled) if count in self.layers else None
        if seen is None:
            return None
        if count not in self.sets:
            self.sets[count] = listed(self.shape, count, len(self.layers[count]))
        place = np.searchsorted(self.sets[count], self.shape.least_image(seen))
        return int(self.layers[count][place])


@cache
def shipped(game: Game) -> Book | None:
    """The book that comes with the package for this game, if there is one."""
    file = Path(__file__).with_name(SHIPPED.get(game.spec, "none"))
    return Book.unpack(file.read_bytes(), game, file.name) if file.exists() else None


def listed(shape: Shape, count: int, length: int) -> Any:
    """The same as `canonical_sets`, sooner, where their number is known."""
    sets = np.zeros(length, np.int64)
    dark = shape.dark if shape.checkerboard else 0
    found = listing.build(shape.rules)(shape.images, dark, count, sets)
    assert found == length
    return sets


@kernel
def listing() -> Any:
    """list_sets(images, dark, count, out) -> n: the sets that are the least of their images."""

    def list_sets(images: Any, dark: int, count: int, out: Any) -> int:
        symmetries, side, patterns = images.shape
        end = np.int64(1) << side * side
        current = (np.int64(1) << count) - 1
        n = 0
        while current < end:
            least = dark == 0 or popcount(np.uint64(current & dark)) == (count + 1) // 2
            for symmetry in range(symmetries):
                if not least:
                    break
                image = np.int64(0)
                rest = current
                for row in range(side):
                    image |= images[symmetry, row, rest & (patterns - 1)]
                    rest >>= side
                least = bool(image >= current)
            if least:
                out[n] = current
                n += 1
            if current == 0:
                break
            # The next number with as many bits: the lowest run of ones moves up by one.
            low = current & -current
            ripple = current + low
            current = ripple | ((current ^ ripple) >> 2) // low
        return n

    return list_sets
