"""The opening book: exact scores of all quiet positions up to a number of plies.

Quiet means that nobody can complete a four at once. A book file is a title line, then the
compressed scores, in the order of pages.

No key is stored: the heights of the columns give the start of a page, and the colours of the discs
the line on it. Of two mirrored sets of heights, only the first has a page.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cache, lru_cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plywise.errors import SpecError
from plywise.games.connect4.bounds import NO_BOUND
from plywise.jit import rule

Words = np.ndarray[Any, np.dtype[np.uint64]]

SHIPPED = Path(__file__).with_name("book.xz")
MAGIC = "plywise connect4 book 2"
PIECE = 1 << 16  #: bytes read at a time, which keeps memory use low


@dataclass(frozen=True)
class Book:
    """Scores of the quiet positions of a board, up to a number of discs."""

    rows: int
    cols: int
    plies: int
    pages: Pages

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


# ---- pages ---------------------------------------------------------------------------------------


BIAS = 64  #: added to a score; 0 means that the position is not in the book


class Pages(NamedTuple):
    """The scores and the tables to find one. Discs are numbered column by column, upwards."""

    left: int  #: positions with at least this many empty cells have a line
    scores: Any  #: one byte for every line of every page
    begins: Any  #: where a page begins, by the index of its heights
    line: Any  #: the line, by the colours
    before: Any  #: how many heights come first, [column, discs so far, height of this column]
    height: Any  #: of a column, by its part of a key
    colours: Any  #: of a column's discs, likewise


@rule
def look_up(pages: Pages, key: Any, mirrored: Any) -> Any:
    """The score of a position within the book's plies, or NO_BOUND."""
    found = pages.scores[place_of(pages, key, mirrored)]
    return np.int64(found) - BIAS if found else NO_BOUND


@rule
def place_of(pages: Pages, key: Any, mirrored: Any) -> Any:
    """The index of a position's score."""
    page, colours = page_of(pages, key)
    other_page, other_colours = page_of(pages, mirrored)
    if other_page < page:
        page, colours = other_page, other_colours
    return pages.begins[page] + pages.line[colours]


@rule
def page_of(pages: Pages, key: Any) -> Any:
    """The index of the heights, and the colours of the discs. `key` may be an array."""
    columns, _, bits = pages.before.shape
    part = np.uint64((1 << bits) - 1)
    page, colours, discs = 0, 0, 0
    for column in range(columns):
        height = pages.height[key & part]
        page = page + pages.before[column, discs, height]
        colours = colours | pages.colours[key & part] << discs
        discs = discs + height
        key = key >> np.uint64(bits)
    return page, colours


def pages_of(rows: int, cols: int, plies: int) -> Pages:
    """The pages of a book, with no scores yet."""
    begins, size = _begins(rows, cols, plies)
    scores, before = np.zeros(size, np.uint8), _before(rows, cols, plies)
    columns = _columns(min(rows, plies))
    return Pages(rows * cols - plies, scores, begins, _lines(plies), before, *columns)


@cache
def _begins(rows: int, cols: int, plies: int) -> tuple[Any, int]:
    """Where each page begins, and where the last one ends."""
    heights = np.zeros((1, 0), np.int64)  # all of them, in order
    for _ in range(cols):
        choices = np.minimum(rows, plies - heights.sum(1)) + 1
        first = np.repeat(np.cumsum(choices) - choices, choices)
        heights = np.repeat(heights, choices, axis=0)
        heights = np.column_stack([heights, np.arange(len(heights)) - first])
    digits = (rows + 1) ** np.arange(cols)
    sizes = np.array([comb(discs, discs // 2) for discs in range(plies + 1)])[heights.sum(1)]
    sizes[heights @ digits[::-1] > heights @ digits] = 0  # their mirror image has the page
    ends = np.cumsum(sizes)
    return (ends - sizes).astype(np.uint32), int(ends[-1])


def _before(rows: int, cols: int, plies: int) -> Any:
    """Count the heights that come before."""
    before = np.zeros((cols, plies + 1, rows + 1), np.int64)
    ways = np.ones(plies + 1, np.int64)  # ways to continue after so many discs
    for column in reversed(range(cols)):
        for discs in range(plies + 1):
            tallest = min(rows, plies - discs)
            before[column, discs, 1 : tallest + 1] = np.cumsum(ways[discs : discs + tallest])
        ways = np.array(
            [ways[discs : min(rows, plies - discs) + discs + 1].sum() for discs in range(plies + 1)]
        )
    return before


def _lines(plies: int) -> Any:
    """The line for each colouring of the discs: its rank among those with as many of a colour."""
    lines = np.zeros(1 << plies, np.uint32)
    for disc in range(plies):
        for fewer in range(1 << disc):
            colours = 1 << disc | fewer
            lines[colours] = lines[fewer] + comb(disc, colours.bit_count())
    return lines


def _columns(tallest: int) -> tuple[Any, Any]:
    """The height and the colours of a column, by its part of a key (all discs plus own)."""
    parts = [(height, own) for height in range(tallest + 1) for own in range(1 << height)]
    height, colours = np.array(parts, np.int64).T
    return np.ascontiguousarray(height), np.ascontiguousarray(colours)
