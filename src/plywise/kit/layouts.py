"""Boards and their places: squares, hexagons, dots joined by lines, or any graph.

A layout says where the places of a board are, what they are called and which are neighbours. It
knows nothing of pieces or rules; `plywise.kit.look` draws a game on it. Places are numbered from 0,
and rules use these numbers:

    square_board(2, 3)      2 | 3 4 5        hex_board(2, 3)      a b c
                            1 | 0 1 2                         1   0 1 2
                                a b c                          2   3 4 5
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import cos, pi, sin, sqrt
from types import MappingProxyType
from typing import Any, Literal, SupportsIndex

import numpy as np

from plywise.core.scene import Point
from plywise.errors import SpecError
from plywise.kit.grid import cell_text

LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: The steps of a square board: up, right, down, left, then the diagonals, clockwise from up-right.
SQUARE_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
#: The steps of a hexagonal board, as (right, up-right): right, up-right, up-left and so on around.
HEX_STEPS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
HIGH = sqrt(3) / 2  #: from row to row of hexagons that are one unit wide
RIM = 0.65  #: from the edge of a board to its coordinates
CORNER = 1 / sqrt(3)  #: from the middle of a hexagon one unit wide to its corners

RADIUS = 0.45  #: of a round cell
NOTHING: Mapping[str, Any] = MappingProxyType({})

Kind = Literal["cell", "point", "line", "area"]


@dataclass(frozen=True)
class Place:
    """Something on a board that has a name: a cell, a point, a line, or an area to click on.

    Attributes:
        name: as it is written in moves, such as `a1`.
        at: its middle; x runs to the right and y down.
        kind: a cell, a point, a line, or an area to click on.
        outline: the corners of a cell or an area, the ends of a line.
        dark: tinted, as every other cell of a chessboard.
        owner: whose cell it is, if that never changes.
    """

    name: str
    at: Point
    kind: Kind = "cell"
    outline: tuple[Point, ...] = ()
    dark: bool = False
    owner: int | None = None


@dataclass(frozen=True)
class Stroke:
    """A line that is drawn on the board, in a player's colour if it has an owner.

    Attributes:
        start: where it begins.
        end: where it ends.
        owner: 0 or 1, if it has a player's colour.
    """

    start: Point
    end: Point
    owner: int | None = None


@dataclass(frozen=True)
class Layout:
    """The places of a board, how they are joined, and what is written around them.

    Attributes:
        places: in the order of their numbers.
        steps: for each place the neighbour in every direction; -1 where there is none.
        rows: the places of each line of a position text, from the top.
        strokes: the lines that are drawn on the board.
        labels: the coordinates along the edges.
    """

    places: tuple[Place, ...]
    steps: np.ndarray[Any, np.dtype[np.int16]] = field(repr=False, compare=False)
    rows: tuple[tuple[int, ...], ...] = ()
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[tuple[str, Point], ...] = ()

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The number of each place, by its name."""
        return {place.name: number for number, place in enumerate(self.places)}

    def rays(self, place: int, direction: int) -> list[int]:
        """Return the places from one place on in a direction, up to the edge of the board.

        >>> square_board(3, 3).rays(0, 4)
        [4, 8]
        """
        found: list[int] = []
        while (place := int(self.steps[place, direction])) >= 0 and place not in found:
            found.append(place)
        return found


def square_board(
    rows: int, cols: int | None = None, *, diagonals: bool = True, chequered: bool = False
) -> Layout:
    """Return a board of squares, a1 at the bottom left; as many columns as rows by default.

    `steps` has the directions up, right, down and left, then the diagonals, clockwise from
    up-right; `way ^ 2` is the opposite of `way`.

    >>> board = square_board(2, 3)
    >>> board.places[4].name, board.steps[4].tolist()
    ('b2', [-1, 5, 1, 3, -1, 2, 0, -1])
    """
    rows, cols = _sizes(rows, rows if cols is None else cols)

    def place(row: int, col: int) -> Place:
        x, y = col + 0.5, rows - row - 0.5
        corners = ((x - 0.5, y - 0.5), (x + 0.5, y - 0.5), (x + 0.5, y + 0.5), (x - 0.5, y + 0.5))
        dark = chequered and (row + col) % 2 == 0
        return Place(cell_text(row * cols + col, cols), (x, y), outline=corners, dark=dark)

    grid = [(row, col) for row in range(rows) for col in range(cols)]
    number = {cell: index for index, cell in enumerate(grid)}
    ways = SQUARE_STEPS if diagonals else SQUARE_STEPS[:4]
    steps = [[number.get((row + up, col + right), -1) for up, right in ways] for row, col in grid]
    strokes = [
        *(Stroke((0.0, float(y)), (float(cols), float(y))) for y in range(rows + 1)),
        *(Stroke((float(x), 0.0), (float(x), float(rows))) for x in range(cols + 1)),
    ]
    labels = [
        *((str(rows - row), (RIM - 1, row + 0.5)) for row in range(rows)),
        *((LETTERS[col], (col + 0.5, rows + 1 - RIM)) for col in range(cols)),
    ]
    lines = [tuple(number[row, col] for col in range(cols)) for row in reversed(range(rows))]
    return Layout(
        tuple(place(*cell) for cell in grid),
        np.array(steps, np.int16),
        tuple(lines),
        tuple(strokes),
        tuple(labels),
    )


def hex_board(rows: int, cols: int | None = None, *, goals: bool = False) -> Layout:
    """Return a rhombus of hexagons, a1 at the top left, each row half a cell further right.

    `steps` has six directions: right, up-right, up-left, left, down-left, down-right; the opposite
    of `way` is `(way + 3) % 6`. With `goals`, top and bottom are drawn in the first player's
    colour, left and right in the second's.

    >>> board = hex_board(3, 3)
    >>> board.places[4].name, board.steps[4].tolist()
    ('b2', [5, 2, 1, 3, 6, 7])
    """
    rows, cols = _sizes(rows, rows if cols is None else cols)
    grid = [(row, col) for row in range(rows) for col in range(cols)]
    middles = {(row, col): (col + row / 2, HIGH * row) for row, col in grid}
    names = {(row, col): f"{LETTERS[col]}{row + 1}" for row, col in grid}
    strokes: list[Stroke] = []
    if goals:
        for col in range(cols):
            strokes += _sides(middles[0, col], (0, 1), 0)
            strokes += _sides(middles[rows - 1, col], (3, 4), 0)
        for row in range(rows):
            strokes += _sides(middles[row, 0], (4, 5), 1)
            strokes += _sides(middles[row, cols - 1], (1, 2), 1)
    return _honeycomb(
        middles,
        names,
        {(row, col): (col + row, -row) for row, col in grid},
        [[(row, col) for col in range(cols)] for row in range(rows)],
        strokes,
        [
            *((LETTERS[col], (float(col), -HIGH - 0.06)) for col in range(cols)),
            *((str(row + 1), (row / 2 - 0.95, HIGH * row)) for row in range(rows)),
        ],
    )


def hexagon_board(side: int) -> Layout:
    """Return a hexagon of hexagons, a1 at the left of the bottom row.

    Rows are numbered from the bottom; the letters run along rows that lean to the right.

    >>> board = hexagon_board(2)
    >>> [board.places[place].name for place in board.rows[1]]
    ['a2', 'b2', 'c2']
    """
    side = _sizes(2 * side - 1, 2 * side - 1)[0] // 2 + 1
    cells = [
        (q, r)
        for r in range(1 - side, side)
        for q in range(max(1 - side, 1 - side - r), min(side, side - r))
    ]
    middles = {(q, r): (q + r / 2, -HIGH * r) for q, r in cells}
    names = {(q, r): f"{LETTERS[q + side - 1]}{r + side}" for q, r in cells}
    rows = [[cell for cell in cells if cell[1] == r] for r in reversed(range(1 - side, side))]
    labels = [
        (str(row[-1][1] + side), (middles[row[-1]][0] + 0.95, middles[row[-1]][1])) for row in rows
    ]
    for q in range(1 - side, side):
        x, y = middles[min((cell for cell in cells if cell[0] == q), key=lambda cell: cell[1])]
        labels.append((LETTERS[q + side - 1], (x - 0.5 + 0.08, y + HIGH)))
    return _honeycomb(middles, names, {cell: cell for cell in cells}, rows, [], labels)


def graph_board(
    points: Mapping[str, Point],
    lines: Iterable[tuple[str, str]] = (),
    *,
    cells: bool = False,
    owners: Mapping[str, int] = NOTHING,
    radius: Mapping[str, float] = NOTHING,
    labels: Iterable[tuple[str, Point]] | None = None,
) -> Layout:
    """Return a board of named points with lines between them; y runs down.

    The neighbours in `steps` are in the order of the lines. With `cells`, the places are round
    cells, such as the pits of a mancala board, and not points on lines; `owners` gives some of
    them a player's colour, and `radius` another size than 0.45. `labels` are texts and where they
    stand, by default the names of the points beside them.

    >>> board = graph_board({"a": (0, 0), "b": (1, 0), "c": (2, 0)}, [("a", "b"), ("b", "c")])
    >>> board.steps.tolist()
    [[1, -1], [0, 2], [1, -1]]
    """
    number = {name: index for index, name in enumerate(points)}
    joined: list[list[int]] = [[] for _ in points]
    strokes = []
    for line in lines:
        for name in line:
            if name not in number:
                raise SpecError(f"the line {line} ends at {name!r}, which is not a point")
        one, two = (number[name] for name in line)
        joined[one].append(two)
        joined[two].append(one)
        strokes.append(Stroke(_point(points[line[0]]), _point(points[line[1]])))
    most = max((len(each) for each in joined), default=0) or 1
    steps = np.full((len(number), most), -1, np.int16)
    for index, each in enumerate(joined):
        steps[index, : len(each)] = each
    kind: Kind = "cell" if cells else "point"
    places = tuple(
        Place(
            name,
            _point(at),
            kind,
            _ring(_point(at), radius.get(name, RADIUS)) if cells else (),
            owner=owners.get(name),
        )
        for name, at in points.items()
    )
    if labels is None:
        labels = [] if cells else [(name, (x + 0.22, y - 0.3)) for name, (x, y) in points.items()]
    beside = tuple((text, _point(at)) for text, at in labels)
    return Layout(places, steps, (tuple(range(len(places))),), tuple(strokes), beside)


def dot_board(rows: int, cols: int | None = None) -> Layout:
    """Return rows x cols dots: the lines between neighbours are places, then the boxes.

    First come the level lines, named by the box above them (`a1-` is the bottom edge of box a1),
    row by row from the bottom; then the upright lines, named by the box to their right (`a1|`);
    then the boxes. `steps` leads from a box to its four lines (below, above, left, right) and from
    a line to its boxes.

    >>> board = dot_board(2, 2)
    >>> [place.name for place in board.places]
    ['a1-', 'a2-', 'a1|', 'b1|', 'a1']
    >>> board.steps.tolist()
    [[4, -1, -1, -1], [4, -1, -1, -1], [4, -1, -1, -1], [4, -1, -1, -1], [0, 1, 2, 3]]
    """
    rows, cols = _sizes(rows, rows if cols is None else cols)
    if rows < 2 or cols < 2:
        raise SpecError(f"{rows} x {cols} dots have no box between them: there must be 2 x 2")
    high, wide = rows - 1, cols - 1

    def dot(row: int, col: int) -> Point:
        return float(col), float(high - row)

    def name(row: int, col: int, mark: str = "") -> str:
        return f"{LETTERS[col]}{row + 1}{mark}"

    places: list[Place] = []
    number: dict[tuple[str, int, int], int] = {}

    def add(place: Place, sort: str, row: int, col: int) -> None:
        number[sort, row, col] = len(places)
        places.append(place)

    for row in range(rows):
        for col in range(wide):
            ends = dot(row, col), dot(row, col + 1)
            add(Place(name(row, col, "-"), _middle(*ends), "line", ends), "-", row, col)
    for row in range(high):
        for col in range(cols):
            ends = dot(row, col), dot(row + 1, col)
            add(Place(name(row, col, "|"), _middle(*ends), "line", ends), "|", row, col)
    for row in range(high):
        for col in range(wide):
            corners = dot(row, col), dot(row, col + 1), dot(row + 1, col + 1), dot(row + 1, col)
            at = _middle(corners[0], corners[2])
            add(Place(name(row, col), at, "cell", corners), "box", row, col)
    steps = np.full((len(places), 4), -1, np.int16)
    for (sort, row, col), box in number.items():
        if sort == "box":
            around = ("-", row, col), ("-", row + 1, col), ("|", row, col), ("|", row, col + 1)
            steps[box] = [number[line] for line in around]
            for line in around:
                free = list(steps[number[line]]).index(-1)
                steps[number[line], free] = box
    sorts = [tuple(n for (sort, _, _), n in number.items() if sort == kind) for kind in ("-", "|")]
    boxes = tuple(n for (sort, _, _), n in number.items() if sort == "box")
    labels = [
        *((str(row + 1), (RIM - 1, high - row - 0.5)) for row in range(high)),
        *((LETTERS[col], (col + 0.5, high + 1 - RIM)) for col in range(wide)),
    ]
    return Layout(tuple(places), steps, (*sorts, boxes), (), tuple(labels))


# ---- parts ---------------------------------------------------------------------------------------


def _sizes(rows: SupportsIndex, cols: SupportsIndex) -> tuple[int, int]:
    """Return the sizes of a board as plain numbers; they may come from a board record."""
    rows, cols = operator.index(rows), operator.index(cols)
    if not (1 <= rows <= 99 and 1 <= cols <= len(LETTERS)):
        raise SpecError(
            f"a board of {rows} x {cols} cannot be drawn: it has 1 to 99 rows and 1 to "
            f"{len(LETTERS)} columns"
        )
    return rows, cols


def _honeycomb(
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
    edges: dict[tuple[float, ...], Stroke] = {}  # by their middle, so that none is drawn twice
    for place in places:
        for stroke in _sides(place.at, range(6), None):
            middle = _middle(stroke.start, stroke.end)
            edges[tuple(round(number, 3) for number in middle)] = stroke
    strokes = (*edges.values(), *strokes)
    lines = tuple(tuple(number[cell] for cell in row) for row in rows)
    return Layout(places, np.array(steps, np.int16), lines, tuple(strokes), tuple(labels))


def _hexagon(at: Point, size: float = CORNER) -> tuple[Point, ...]:
    """Return the corners of a hexagon, from the one at the top left clockwise."""
    ways = [pi * (2 * corner - 5) / 6 for corner in range(6)]
    return tuple((at[0] + size * cos(way), at[1] + size * sin(way)) for way in ways)


def _sides(at: Point, sides: Iterable[int], owner: int | None) -> list[Stroke]:
    """Return sides of a hexagon as strokes; side 0 is the one from the top left to the top."""
    corners = _hexagon(at)
    return [Stroke(corners[side], corners[(side + 1) % 6], owner) for side in sides]


def _ring(at: Point, radius: float) -> tuple[Point, ...]:
    """Return the corners of a round cell."""
    ways = [2 * pi * corner / 24 for corner in range(24)]
    return tuple((at[0] + radius * cos(way), at[1] + radius * sin(way)) for way in ways)


def _middle(one: Point, two: Point) -> Point:
    return (one[0] + two[0]) / 2, (one[1] + two[1]) / 2


def _point(at: Point) -> Point:
    x, y = at
    return float(x), float(y)
