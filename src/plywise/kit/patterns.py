"""Patterns of places that a net learns, found from the layout of a board.

A line runs along an axis, a block along two axes; on a board without axes, a place and its
neighbours are a pattern. On a small board every pattern has a table of its own, which its images
under the symmetries of the game share. On a large one all patterns of the same form share a table,
wherever they lie.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from plywise.kit.layouts import Layout

Array = np.ndarray[Any, np.dtype[Any]]
Pattern = tuple[int, ...]  #: places; -1 is off the board
Kinds = dict[str, Iterable[Pattern]]

SMALL = 100  #: places of a board whose patterns have tables of their own
ROWS = 24_000  #: the most rows of patterns that have tables of their own
SHARED_ROWS = 60_000  #: ... and of those that share tables, of which fewer are used
#: The length of lines and the sides of blocks, the largest first ...
LOCATED = ((6, (2, 3)), (5, (2, 3)), (4, (2, 3)), (5, (2, 2)), (4, (2, 2)))
SHARED = (
    *((7, (2, 4)), (7, (2, 3)), (6, (2, 3)), (5, (2, 3))),
    *((5, (2, 2)), (4, (2, 2)), (3, (1, 2)), (2, (1, 2))),
)
HEXAGONS = 3  #: axes of a board of hexagons


def found_patterns(layout: Layout, codes: int, images: Sequence[Array]) -> tuple[Array, Array]:
    """Return the patterns of a board, a row of places for each, and their families.

    `codes` is the number of kinds of contents; `images` are the symmetries of the places. The
    largest patterns are taken that do not need too many rows. Shorter ones end with the number of
    places, which stands for no place.
    """
    for length, block in LOCATED if len(layout) <= SMALL else ():
        places, families = located(kinds(layout, length, block), images)
        if _rows(places, families, codes) <= ROWS:
            return _arrays(places, families, len(layout))
    places, families = located({"single": singles(layout)}, images)
    for length, block in SHARED:
        more = shared(kinds(layout, length, block, large=True), max(families) + 1)
        if more[0] and _rows(*more, codes) <= SHARED_ROWS:
            return _arrays([*places, *more[0]], [*families, *more[1]], len(layout))
    return _arrays(places, families, len(layout))


def kinds(layout: Layout, length: int, block: tuple[int, int], *, large: bool = False) -> Kinds:
    """Return the patterns of every kind."""
    found: Kinds = {} if large else {"single": singles(layout)}
    ways = axes(layout)
    if not ways:
        return found | {"around": around(layout, length)}
    found["line"] = lines(layout, length)
    if large and len(ways) == HEXAGONS:
        return found | {"around": around(layout), "strip": strips(layout, *block)}
    return found | {"block": blocks(layout, *block)}


def axes(layout: Layout) -> list[tuple[int, int]]:
    """Return the directions of a board in pairs, each with the way back.

    >>> from plywise.kit import square_board
    >>> axes(square_board(3))
    [(0, 2), (1, 3), (4, 6), (5, 7)]
    """
    steps, there = layout.steps, np.arange(len(layout))

    def returns(way: int, back: int) -> bool:
        inside = steps[:, way] >= 0
        return bool((steps[steps[inside, way], back] == there[inside]).all())

    pairs = combinations(range(steps.shape[1]), 2)
    return [(way, back) for way, back in pairs if returns(way, back) and returns(back, way)]


def walk(layout: Layout, place: int, ways: Iterable[int]) -> int:
    """Follow directions from a place; return -1 off the board."""
    for way in ways:
        if place >= 0:
            place = int(layout.steps[place, way])
    return place


def lines(layout: Layout, length: int) -> Iterator[Pattern]:
    """Yield the straight lines from every place."""
    for way, _ in axes(layout):
        for place in range(len(layout)):
            yield tuple(walk(layout, place, [way] * far) for far in range(length))


def blocks(layout: Layout, wide: int, long: int) -> Iterator[Pattern]:
    """Yield the blocks along the first two axes, lying and standing, from every place."""
    if len(sides := axes(layout)[:2]) < 2:
        return
    (one, _), (two, _) = sides
    yield from _block(layout, wide, long, one, two)
    if wide != long:
        yield from _block(layout, wide, long, two, one)


def strips(layout: Layout, wide: int, long: int) -> Iterator[Pattern]:
    """Yield the blocks of a board of hexagons that lie along its axes, from every place."""
    for along in range(HEXAGONS):
        yield from _block(layout, wide, long, along + 1, along)


def _block(layout: Layout, wide: int, long: int, across: int, along: int) -> Iterator[Pattern]:
    for place in range(len(layout)):
        yield tuple(
            walk(layout, place, [across] * i + [along] * j)
            for i in range(wide)
            for j in range(long)
        )


def around(layout: Layout, most: int | None = None) -> Iterator[Pattern]:
    """Yield every place with its neighbours, the first few if there are many."""
    for place in range(len(layout)):
        if (layout.steps[place] >= 0).any():
            yield (place, *map(int, layout.steps[place]))[:most]


def located(every: Kinds, images: Sequence[Array]) -> tuple[list[Pattern], list[int]]:
    """Return the patterns on the board, each once; a family is what symmetries map to each other.

    The places of a pattern are in the order of the one that its family began with.
    """
    places: list[Pattern] = []
    families: list[int] = []
    number = 0
    for patterns in every.values():
        known: dict[frozenset[int], tuple[Pattern, int]] = {}
        for pattern in patterns:
            inside = tuple(place for place in pattern if place >= 0)
            whole = len(inside) == len(pattern) or "around" in every
            if not whole or frozenset(inside) in known:
                continue
            found = (inside, number)
            for image in images:
                back = {int(image[place]): place for place in inside}
                if frozenset(back) in known:
                    first, family = known[frozenset(back)]
                    found = tuple(back[place] for place in first), family
                    break
            number += found[1] == number
            known[frozenset(inside)] = found
            places.append(found[0])
            families.append(found[1])
    return places, families


def singles(layout: Layout) -> Iterator[Pattern]:
    """Yield every place by itself."""
    for place in range(len(layout)):
        yield (place,)


def shared(every: Kinds, first: int) -> tuple[list[Pattern], list[int]]:
    """Return the patterns on the board; a family is a kind: all lines, all blocks."""
    places: list[Pattern] = []
    families: list[int] = []
    for family, patterns in enumerate(every.values(), first):
        for pattern in patterns:
            if min(pattern) >= 0:
                places.append(pattern)
                families.append(family)
    return places, families


def _rows(places: Sequence[Pattern], families: Sequence[int], codes: int) -> int:
    sizes = dict(zip(families, map(len, places), strict=True))
    return sum(codes**size for size in sizes.values())


def _arrays(places: Sequence[Pattern], families: Sequence[int], count: int) -> tuple[Array, Array]:
    found = np.full((len(places), max(map(len, places))), count, np.int16)
    for row, pattern in enumerate(places):
        found[row, : len(pattern)] = pattern
    return found, np.array(families, np.int32)
