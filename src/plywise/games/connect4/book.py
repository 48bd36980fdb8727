"""The opening book: exact scores of all quiet positions after a number of plies.

Quiet means that nobody can complete a four at once. Of a position and its mirror image the one
with the smaller key is kept. In memory a book is a sorted array of words, as the kernel wants
it; on disk a line that says what it is, then the words packed: their differences byte by byte.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import SpecError
from plywise.games.connect4.solver_bounds import completing, lines, shape_of
from plywise.games.connect4.solver_kernel import BOOK_BIAS, BOOK_BITS, image_of

Words = np.ndarray[Any, np.dtype[np.uint64]]

SHIPPED = Path(__file__).with_name("book.xz")
MAGIC = "plywise connect4 book 1"
KEY_BITS = 58  #: what a word leaves for a key


@dataclass(frozen=True)
class Positions:
    """Positions with the same number of discs, sorted by key."""

    own: Words
    mask: Words
    key: Words


@dataclass(frozen=True)
class Book:
    """Scores of the quiet positions of a board after so many plies."""

    rows: int
    cols: int
    plies: int
    words: Words

    def pack(self) -> bytes:
        """The file."""
        steps = np.diff(self.words, prepend=np.uint64(0))
        packed = lzma.compress(steps.view(np.uint8).reshape(-1, 8).T.tobytes(), preset=9)
        title = f"{MAGIC} {self.rows} {self.cols} {self.plies} {len(self.words)}\n"
        return title.encode() + packed

    @staticmethod
    def unpack(data: bytes, name: str = "this") -> Book:
        """A book from a file's bytes."""
        title, _, packed = data.partition(b"\n")
        if not title.startswith(MAGIC.encode()):
            raise SpecError(f"{name} is no book: its first line would be '{MAGIC} ...'")
        rows, cols, plies, count = (int(number) for number in title.split()[-4:])
        columns = np.frombuffer(lzma.decompress(packed), np.uint8).reshape(8, count)
        steps = np.ascontiguousarray(columns.T).view(np.uint64).ravel()
        return Book(rows, cols, plies, np.cumsum(steps, dtype=np.uint64))


@lru_cache(maxsize=1)
def shipped() -> Book | None:
    """The book that comes with the package, if there is one."""
    return Book.unpack(SHIPPED.read_bytes(), SHIPPED.name) if SHIPPED.exists() else None


def make_book(rows: int, cols: int, plies: int, positions: Positions, scores: Any) -> Book:
    """A book from positions and their scores."""
    words = (positions.key << BOOK_BITS) | (np.asarray(scores) + BOOK_BIAS).astype(np.uint64)
    return Book(rows, cols, plies, words)


def quiet_positions(rows: int, cols: int, plies: int) -> Positions:
    """Every quiet position that can be reached in so many plies, one of each pair of images."""
    if cols * (rows + 1) > KEY_BITS:
        raise SpecError(f"rows={rows},cols={cols} is too large for a book: keys have 58 bits")
    b = shape_of(rows, cols)
    own, mask = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    key = mask
    for _ in range(plies):
        parts = []
        for column in range(cols):
            bit = (mask + b.floor) & b.board & b.column[column]
            fits = (bit != 0) & (lines(b, own | bit) == 0)
            parts.append(((own ^ mask)[fits], (mask | bit)[fits]))
        own, mask = (np.concatenate(part) for part in zip(*parts, strict=True))
        straight, mirrored = own + mask, image_of(b, own + mask)
        key, first = np.unique(np.minimum(straight, mirrored), return_index=True)
        turned = (mirrored < straight)[first]
        own = np.where(turned, image_of(b, own[first]), own[first])
        mask = np.where(turned, image_of(b, mask[first]), mask[first])
    playable = (mask + b.floor) & b.board
    quiet = (completing(b, own) | completing(b, own ^ mask)) & playable == 0
    return Positions(own[quiet], mask[quiet], key[quiet])
