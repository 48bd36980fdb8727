"""The opening book: exact scores of all quiet positions up to a number of plies.

Quiet means that nobody can complete a four at once. Of a position and its mirror image the one
with the smaller key is kept. In memory a book is a sorted array of words, as the kernel wants
it; on disk a line that says what it is, then packed together the differences of the keys, byte
by byte, and the scores.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plywise.errors import SpecError
from plywise.games.connect4.solver_bounds import completing, lines, shape_of
from plywise.games.connect4.solver_kernel import BOOK_BIAS, BOOK_BITS, BOOK_SCORE, image_of

Words = np.ndarray[Any, np.dtype[np.uint64]]

SHIPPED = Path(__file__).with_name("book.xz")
MAGIC = "plywise connect4 book 1"
#: Packed as well as can be, with a window that needs little memory to unpack.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "dict_size": 1 << 22}]
KEY_BITS = 58  #: what a word leaves for a key


class Positions(NamedTuple):
    """Positions, and the smaller key of each and its mirror image."""

    own: Words
    mask: Words
    key: Words


@dataclass(frozen=True)
class Book:
    """Scores of the quiet positions of a board with up to so many discs."""

    rows: int
    cols: int
    plies: int
    words: Words

    def pack(self) -> bytes:
        """The file."""
        steps = np.diff(self.words >> BOOK_BITS, prepend=np.uint64(0))
        scores = (self.words & BOOK_SCORE).astype(np.uint8)
        columns = steps.view(np.uint8).reshape(-1, 8).T
        packed = lzma.compress(columns.tobytes() + scores.tobytes(), filters=FILTERS)
        title = f"{MAGIC} {self.rows} {self.cols} {self.plies} {len(self.words)}\n"
        return title.encode() + packed

    @staticmethod
    def unpack(data: bytes, name: str = "this") -> Book:
        """A book from a file's bytes."""
        title, _, packed = data.partition(b"\n")
        if not title.startswith(MAGIC.encode()):
            raise SpecError(f"{name} is no book: its first line would be '{MAGIC} ...'")
        rows, cols, plies, count = (int(number) for number in title.split()[-4:])
        unpacking = lzma.LZMADecompressor()
        words = np.zeros(count, np.uint64)  # all in place: the book is much of what a solve takes
        for part in range(9):
            found = unpacking.decompress(packed if part == 0 else b"", count)
            while len(found) < count:
                found += unpacking.decompress(b"", count - len(found))
            if part < 8:
                words.view(np.uint8)[part::8] = np.frombuffer(found, np.uint8)
        np.cumsum(words, out=words)
        words <<= BOOK_BITS
        words |= np.frombuffer(found, np.uint8)
        return Book(rows, cols, plies, words)


@lru_cache(maxsize=1)
def shipped() -> Book | None:
    """The book that comes with the package, if there is one."""
    return Book.unpack(SHIPPED.read_bytes(), SHIPPED.name) if SHIPPED.exists() else None


def words_of(positions: Positions, scores: Any) -> Words:
    """What a book has of positions with these scores."""
    biased = (np.asarray(scores, np.int64) + BOOK_BIAS).astype(np.uint64)
    return positions.key << BOOK_BITS | biased


def quiet_positions(rows: int, cols: int, plies: int) -> list[Positions]:
    """Every quiet position, one of each pair of images: a list for each number of discs.

    Each list is sorted by key.
    """
    if cols * (rows + 1) > KEY_BITS:
        raise SpecError(f"rows={rows},cols={cols} is too large for a book: keys have 58 bits")
    b = shape_of(rows, cols)
    own, mask = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    found = [Positions(own, mask, mask)]
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
        found.append(Positions(own[quiet], mask[quiet], key[quiet]))
    return found
