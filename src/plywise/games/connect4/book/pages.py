"""A book in memory: where in its bytes the score of a position stands.

There is no key to search for: the heights of the columns say where a page begins, the colours
of the discs which line of it. Of heights and their mirror image only the first has a page.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np

from plywise.games.connect4.bounds import NO_BOUND
from plywise.jit import rule

BIAS = 64  #: is added to a score; 0 stands for a position that is not in the book


class Pages(NamedTuple):
    """The scores and what finds one. Discs are numbered column by column, from the bottom."""

    scores: Any  #: a byte for every line of every page
    begins: Any  #: where a page begins, by the number of its heights
    line: Any  #: the line, by the colours
    before: Any  #: how many heights come first, [column, discs so far, height of this column]
    height: Any  #: of a column, by its part of a key
    colours: Any  #: of a column's discs, likewise


@rule
def look_up(pages: Pages, key: Any, mirrored: Any) -> Any:
    """The score of a position, or NO_BOUND. It has no more discs than the book has plies."""
    found = pages.scores[place_of(pages, key, mirrored)]
    return np.int64(found) - BIAS if found else NO_BOUND


@rule
def place_of(pages: Pages, key: Any, mirrored: Any) -> Any:
    """Where the score of a position stands."""
    page, colours = page_of(pages, key)
    other_page, other_colours = page_of(pages, mirrored)
    if other_page < page:
        page, colours = other_page, other_colours
    return pages.begins[page] + pages.line[colours]


@rule
def page_of(pages: Pages, key: Any) -> Any:
    """The number of the heights, and the colours of the discs. `key` may be an array of keys."""
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


def pages_of(rows: int, cols: int, plies: int, scores: Any = None) -> Pages:
    """The pages of a book; empty ones, where no scores are given."""
    begins, size = _begins(rows, cols, plies)
    if scores is None:
        scores = np.zeros(size, np.uint8)
    before = _before(rows, cols, plies)
    return Pages(scores, begins, _lines(plies), before, *_columns(min(rows, plies)))


def write_down(pages: Pages, key: Any, mirrored: Any, scores: Any) -> None:
    """Write scores into a book, for arrays of keys and their images."""
    for here, there in ((key, mirrored), (mirrored, key)):
        page, colours = page_of(pages, here)
        mine = page <= page_of(pages, there)[0]  # both images where the heights are their own
        places = pages.begins[page[mine]] + pages.line[colours[mine]]
        pages.scores[places] = scores[mine] + BIAS


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
    sizes[heights @ digits[::-1] > heights @ digits] = 0  # their image comes first
    ends = np.cumsum(sizes)
    return (ends - sizes).astype(np.uint32), int(ends[-1])


def _before(rows: int, cols: int, plies: int) -> Any:
    """How many heights come first."""
    before = np.zeros((cols, plies + 1, rows + 1), np.int64)
    ways = np.ones(plies + 1, np.int64)  # to go on after so many discs
    for column in reversed(range(cols)):
        for discs in range(plies + 1):
            tallest = min(rows, plies - discs)
            before[column, discs, 1 : tallest + 1] = np.cumsum(ways[discs : discs + tallest])
        ways = np.array(
            [ways[discs : min(rows, plies - discs) + discs + 1].sum() for discs in range(plies + 1)]
        )
    return before


def _lines(plies: int) -> Any:
    """The line of every way to colour so many discs: those with as many of a colour, in order."""
    lines = np.zeros(1 << plies, np.uint32)
    for disc in range(plies):
        for fewer in range(1 << disc):
            colours = 1 << disc | fewer
            lines[colours] = lines[fewer] + comb(disc, colours.bit_count())
    return lines


def _columns(tallest: int) -> tuple[Any, Any]:
    """The height and the colours of a column, by its part of a key: all discs plus the mover's."""
    parts = [(height, own) for height in range(tallest + 1) for own in range(1 << height)]
    height, colours = np.array(parts, np.int64).T
    return np.ascontiguousarray(height), np.ascontiguousarray(colours)
