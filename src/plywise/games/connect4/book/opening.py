"""The opening book: exact scores of all quiet positions up to a number of plies.

Quiet means that nobody can complete a four at once. A book file is a title line, then the
compressed scores, in the order of `pages`.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plywise.errors import SpecError
from plywise.games.connect4.book.pages import Pages, pages_of, write_down
from plywise.games.connect4.bounds import completing, image_of, lines, shape_of

Words = np.ndarray[Any, np.dtype[np.uint64]]

SHIPPED = Path(__file__).with_name("book.xz")
MAGIC = "plywise connect4 book 2"
#: The best compression, with a window that needs little memory to unpack.
FILTERS = [
    {
        "id": lzma.FILTER_LZMA2,
        "preset": 9 | lzma.PRESET_EXTREME,
        "dict_size": 1 << 22,
        "lc": 4,
        "lp": 0,
        "pb": 0,
    }
]
PIECE = 1 << 16  #: bytes read at a time, which keeps memory use low


class Positions(NamedTuple):
    """Positions, each with the smaller of its key and its mirror image's."""

    own: Words
    mask: Words
    key: Words


@dataclass(frozen=True)
class Book:
    """Scores of the quiet positions of a board, up to a number of discs."""

    rows: int
    cols: int
    plies: int
    pages: Pages

    @staticmethod
    def of(rows: int, cols: int, plies: int, keys: Words, scores: Any) -> Book:
        """A book with the scores of these positions."""
        pages = pages_of(rows, cols, plies)
        write_down(pages, keys, image_of(shape_of(rows, cols), keys), np.asarray(scores, np.int64))
        return Book(rows, cols, plies, pages)

    def write(self, path: Path) -> None:
        """Write the file."""
        title = f"{MAGIC} {self.rows} {self.cols} {self.plies}\n"
        packed = lzma.compress(self.pages.scores.tobytes(), filters=FILTERS)
        path.write_bytes(title.encode() + packed)

    @staticmethod
    def read(path: Path) -> Book:
        """A book from a file."""
        with path.open("rb") as file:
            title = file.readline(100)
            if not title.startswith(MAGIC.encode()):
                raise SpecError(
                    f"{path.name} is not a book: its first line should be '{MAGIC} ...'"
                )
            rows, cols, plies = (int(number) for number in title.split()[-3:])
            pages = pages_of(rows, cols, plies)
            with lzma.open(file) as packed:
                for at in range(0, len(pages.scores), PIECE):
                    packed.readinto(pages.scores[at : at + PIECE])
        return Book(rows, cols, plies, pages)


@lru_cache(maxsize=1)
def shipped() -> Book | None:
    """The book that comes with the package, if there is one."""
    return Book.read(SHIPPED) if SHIPPED.exists() else None


def quiet_positions(rows: int, cols: int, plies: int) -> list[Positions]:
    """List every quiet position, one of each mirrored pair, by the number of discs.

    Each list is sorted by key.
    """
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
