"""Boards of hexagons: a rhombus, and a hexagon."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import cos, pi, sin, sqrt

import numpy as np

from plywise.core.scene import Point
from plywise.kit.cells import column_text
from plywise.kit.layouts import Layout, Place, Stroke, middle, sizes

#: The steps of a hexagonal board, as (right, up-right): right, up-right, up-left and so on around.
HEX_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
HIGH = sqrt(3) / 2  #: from row to row of hexagons that are one unit wide
CORNER = 1 / sqrt(3)  #: from the middle of a hexagon one unit wide to its corners


def hex_board(rows: int, cols: int | None = None, *, goals: bool = False) -> Layout:
    """Return a rhombus of hexagons, a1 at the top left, each row half a cell further right.

    `steps` has six directions: right, up-right, up-left, left, down-left, down-right; the opposite
    of `way` is `(way + 3) % 6`. With `goals`, top and bottom are drawn in the first player's
    colour, left and right in the second's.

    >>> board = hex_board(3, 3)
    >>> board.places[4].name, board.steps[4].tolist()
    ('b2', [5, 2, 1, 3, 6, 7])
    """
    rows, cols = sizes(rows, rows if cols is None else cols)
    grid = [(row, col) for row in range(rows) for col in range(cols)]
    middles = {(row, col): (col + row / 2, HIGH * row) for row, col in grid}
    names = {(row, col): f"{column_text(col)}{row + 1}" for row, col in grid}
    strokes: list[Stroke] = []
    if goals:
        for col in range(cols):
            strokes += _sides(middles[0, col], (0, 1), 0)
            strokes += _sides(middles[rows - 1, col], (3, 4), 0)
        for row in range(rows):
            strokes += _sides(middles[row, 0], (4, 5), 1)
            strokes += _sides(middles[row, cols - 1], (1, 2), 1)
    return _honeycomb(
        (rows, cols),
        middles,
        names,
        {(row, col): (col + row, -row) for row, col in grid},
        [[(row, col) for col in range(cols)] for row in range(rows)],
        strokes,
        [
            *((column_text(col), (float(col), -HIGH - 0.06)) for col in range(cols)),
            *((str(row + 1), (row / 2 - 0.95, HIGH * row)) for row in range(rows)),
        ],
    )


def hexagon_board(side: int, *, named: int | None = None) -> Layout:
    """Return a hexagon of hexagons, a1 at the left of the bottom row.

    Rows are numbered from the bottom; the letters run along rows that lean to the right. Cells are
    named as in the middle of a board of side `named`, so that the middle is called the same
    whatever the size; by default as on a board of this size.

    >>> board = hexagon_board(2)
    >>> [board.places[place].name for place in board.rows[1]]
    ['a2', 'b2', 'c2']
    """
    named = side if named is None else named
    named = sizes(2 * named - 1, 2 * named - 1)[0] // 2 + 1
    side = operator.index(side)
    cells = [
        (q, r)
        for r in range(1 - side, side)
        for q in range(max(1 - side, 1 - side - r), min(side, side - r))
    ]
    middles = {(q, r): (q + r / 2, -HIGH * r) for q, r in cells}
    names = {(q, r): f"{column_text(q + named - 1)}{r + named}" for q, r in cells}
    rows = [[cell for cell in cells if cell[1] == r] for r in reversed(range(1 - side, side))]
    labels = [
        (str(row[-1][1] + named), (middles[row[-1]][0] + 0.95, middles[row[-1]][1])) for row in rows
    ]
    for q in range(1 - side, side):
        x, y = middles[min((cell for cell in cells if cell[0] == q), key=lambda cell: cell[1])]
        labels.append((column_text(q + named - 1), (x - 0.5 + 0.08, y + HIGH)))
    wide = 2 * side - 1
    slots = tuple((r + side - 1) * wide + q + side - 1 for q, r in cells)
    axial = {cell: cell for cell in cells}
    return replace(_honeycomb((wide, wide), middles, names, axial, rows, [], labels), slots=slots)


# ---- parts ---------------------------------------------------------------------------------------


def _honeycomb(
    shape: tuple[int, int],
    middles: Mapping[tuple[int, int], Point],
    names: Mapping[tuple[int, int], str],
    axial: Mapping[tuple[int, int], tuple[int, int]],
    rows: Sequence[Sequence[tuple[int, int]]],
    strokes: Sequence[Stroke],
    labels: Sequence[tuple[str, Point]],
) -> Layout:
    """Join hexagons; `axial` are their coordinates in steps to the right and up-right."""
    number = {cell: index for index, cell in enumerate(middles)}
    there = {axial[cell]: index for cell, index in number.items()}
    steps = [
        [there.get((axial[cell][0] + right, axial[cell][1] + up), -1) for right, up in HEX_STEPS]
        for cell in middles
    ]
    places = tuple(Place(names[cell], at, outline=_hexagon(at)) for cell, at in middles.items())
    edges: dict[Point, Stroke] = {}  # by their middle, so that none is drawn twice
    for place in places:
        for stroke in _sides(place.at, range(6), None):
            x, y = middle(stroke.start, stroke.end)
            edges[round(x, 3), round(y, 3)] = stroke
    strokes = (*edges.values(), *strokes)
    lines = tuple(tuple(number[cell] for cell in row) for row in rows)
    return Layout(
        places, np.array(steps, np.int16), lines, tuple(strokes), tuple(labels), shape=shape
    )


_WAYS = [pi * (2 * corner - 5) / 6 for corner in range(6)]
_CORNERS = [(cos(way), sin(way)) for way in _WAYS]


def _hexagon(at: Point) -> tuple[Point, ...]:
    """Return the corners of a hexagon, from the one at the top left clockwise."""
    return tuple((at[0] + CORNER * right, at[1] + CORNER * down) for right, down in _CORNERS)


def _sides(at: Point, sides: Iterable[int], owner: int | None) -> list[Stroke]:
    """Return sides of a hexagon as strokes; side 0 is the one from the top left to the top."""
    corners = _hexagon(at)
    return [Stroke(corners[side], corners[(side + 1) % 6], owner) for side in sides]
