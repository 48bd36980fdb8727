"""Boards and their places: squares, dots joined by lines, or any graph; hexagons are beside it.

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
from itertools import takewhile
from math import cos, pi, sin
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np

from plywise.core.scene import Point
from plywise.errors import SpecError
from plywise.kit.cells import cell_text, column_text

if TYPE_CHECKING:
    from plywise.kit.texts import Sheet

MOST = 99  #: rows or columns
#: The steps of a square board: up, right, down, left, then the diagonals, clockwise from up-right.
SQUARE_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
RIM = 0.65  #: from the edge of a board to its coordinates
FEET = 0.75  #: ... and below a board that stands
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

    @property
    def ends(self) -> tuple[Point, Point]:
        """The ends of a line."""
        start, end = self.outline
        return start, end

    def scaled(self, share: float) -> tuple[Point, ...]:
        """Return the outline made larger or smaller around the middle."""
        x, y = self.at
        return tuple((x + share * (px - x), y + share * (py - y)) for px, py in self.outline)


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
        upright: True if it stands, and pieces fall into it.
        shape: the rows and columns of an array for what stands on it; one row if it has none.
        slots: where each place is in that array, counted row by row; by default in the order of
            places.
    """

    places: tuple[Place, ...]
    steps: np.ndarray[Any, np.dtype[np.int16]] = field(repr=False, compare=False)
    rows: tuple[tuple[int, ...], ...] = ()
    strokes: tuple[Stroke, ...] = ()
    labels: tuple[tuple[str, Point], ...] = ()
    upright: bool = False
    shape: tuple[int, ...] = ()
    slots: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def is_lined(self) -> bool:
        """True if lines are played on."""
        return any(place.kind == "line" for place in self.places)

    @cached_property
    def sheets(self) -> dict[tuple[int, ...], Sheet]:
        """Drawings in plain text without their letters, by the widths of the letters."""
        return {}

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

    def runs(self, standing: Sequence[int], number: int, length: int) -> list[tuple[int, ...]]:
        """Return the unbroken lines of at least `length` places where this number stands.

        >>> square_board(2, 3).runs([1, 1, 0, 0, 1, 0], number=1, length=2)
        [(1, 4), (0, 1), (0, 4)]
        """
        there = {place for place in range(len(self)) if standing[place] == number}
        found: dict[frozenset[int], tuple[int, ...]] = {}  # each once, whichever way it is read
        for way in range(self.steps.shape[1]):
            inside = {int(self.steps[place, way]) for place in there}
            for place in sorted(there - inside):
                line = (place, *takewhile(there.__contains__, self.rays(place, way)))
                if len(line) >= length:
                    found.setdefault(frozenset(line), line)
        return list(found.values())


def square_board(
    rows: int,
    cols: int | None = None,
    *,
    diagonals: bool = True,
    chequered: bool = False,
    edge: bool = True,
    upright: bool = False,
) -> Layout:
    """Return a board of squares, a1 at the bottom left; as many columns as rows by default.

    `steps` has the directions up, right, down and left, then the diagonals, clockwise from
    up-right; `way ^ 2` is the opposite of `way`. Without `edge`, lines are drawn only between the
    cells. If it is `upright`, pieces fall into its columns, which are numbered from 1.

    >>> board = square_board(2, 3)
    >>> board.places[4].name, board.steps[4].tolist()
    ('b2', [-1, 5, 1, 3, -1, 2, 0, -1])
    """
    rows, cols = sizes(rows, rows if cols is None else cols)

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
        *(Stroke((0.0, float(y)), (float(cols), float(y))) for y in range(not edge, rows + edge)),
        *(Stroke((float(x), 0.0), (float(x), float(rows))) for x in range(not edge, cols + edge)),
    ]
    labels = [
        *((str(row + 1), (RIM - 1, rows - row - 0.5)) for row in range(rows)),
        *((column_text(col), (col + 0.5, rows + 1 - RIM)) for col in range(cols)),
    ]
    if upright:
        strokes = []
        labels = [(str(col + 1), (col + 0.5, rows + FEET)) for col in range(cols)]
    lines = [tuple(number[row, col] for col in range(cols)) for row in reversed(range(rows))]
    return Layout(
        tuple(place(*cell) for cell in grid),
        np.array(steps, np.int16),
        tuple(lines),
        tuple(strokes),
        tuple(labels),
        upright,
        (rows, cols),
    )


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
    for line in _checked(points, lines):
        one, two = (number[name] for name in line)
        joined[one].append(two)
        joined[two].append(one)
        strokes.append(Stroke(_point(points[line[0]]), _point(points[line[1]])))
    steps = _steps(joined)
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


def line_board(points: Mapping[str, Point], lines: Iterable[tuple[str, str]]) -> Layout:
    """Return a board whose places are lines between named points, called `a-b`; y runs down.

    The neighbours in `steps` are the lines that meet a line at one of its points.

    >>> board = line_board({"a": (0, 0), "b": (1, 0), "c": (2, 0)}, [("a", "b"), ("b", "c")])
    >>> [place.name for place in board.places], board.steps.tolist()
    (['a-b', 'b-c'], [[1], [0]])
    """
    joined = _checked(points, lines)
    at: dict[str, list[int]] = {name: [] for name in points}
    places = []
    for number, line in enumerate(joined):
        one, two = (_point(points[name]) for name in line)
        places.append(Place("-".join(line), middle(one, two), "line", (one, two)))
        for name in line:
            at[name].append(number)
    beside = [
        [other for name in line for other in at[name] if other != number]
        for number, line in enumerate(joined)
    ]
    return Layout(tuple(places), _steps(beside), (tuple(range(len(places))),))


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
    rows, cols = sizes(rows, rows if cols is None else cols)
    if rows < 2 or cols < 2:
        raise SpecError(f"{rows} x {cols} dots have no box between them: there must be 2 x 2")
    high, wide = rows - 1, cols - 1

    def dot(row: int, col: int) -> Point:
        return float(col), float(high - row)

    def name(row: int, col: int, mark: str = "") -> str:
        return f"{column_text(col)}{row + 1}{mark}"

    places: list[Place] = []
    number: dict[tuple[str, int, int], int] = {}

    def add(place: Place, sort: str, row: int, col: int) -> None:
        number[sort, row, col] = len(places)
        places.append(place)

    for row in range(rows):
        for col in range(wide):
            ends = dot(row, col), dot(row, col + 1)
            add(Place(name(row, col, "-"), middle(*ends), "line", ends), "-", row, col)
    for row in range(high):
        for col in range(cols):
            ends = dot(row, col), dot(row + 1, col)
            add(Place(name(row, col, "|"), middle(*ends), "line", ends), "|", row, col)
    for row in range(high):
        for col in range(wide):
            corners = dot(row, col), dot(row, col + 1), dot(row + 1, col + 1), dot(row + 1, col)
            at = middle(corners[0], corners[2])
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
        *((column_text(col), (col + 0.5, high + 1 - RIM)) for col in range(wide)),
    ]
    return Layout(tuple(places), steps, (*sorts, boxes), (), tuple(labels))


# ---- parts ---------------------------------------------------------------------------------------


def sizes(rows: SupportsIndex, cols: SupportsIndex) -> tuple[int, int]:
    """Return the sizes of a board as plain numbers; they may come from a board record."""
    rows, cols = operator.index(rows), operator.index(cols)
    if not (1 <= rows <= MOST and 1 <= cols <= MOST):
        raise SpecError(
            f"a board of {rows} x {cols} cannot be drawn: it has 1 to {MOST} rows and columns"
        )
    return rows, cols


def _checked(
    points: Mapping[str, Point], lines: Iterable[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the lines, all of which end at points."""
    found = list(lines)
    for line in found:
        for name in line:
            if name not in points:
                raise SpecError(f"the line {line} ends at {name!r}, which is not a point")
    return found


def _steps(joined: Sequence[Sequence[int]]) -> np.ndarray[Any, np.dtype[np.int16]]:
    """Return the neighbours of every place as an array, -1 where there are no more."""
    most = max((len(each) for each in joined), default=0) or 1
    steps = np.full((len(joined), most), -1, np.int16)
    for index, each in enumerate(joined):
        steps[index, : len(each)] = each
    return steps


def _ring(at: Point, radius: float) -> tuple[Point, ...]:
    """Return the corners of a round cell."""
    ways = [2 * pi * corner / 24 for corner in range(24)]
    return tuple((at[0] + radius * cos(way), at[1] + radius * sin(way)) for way in ways)


def middle(one: Point, two: Point) -> Point:
    """Return the point between two points."""
    return (one[0] + two[0]) / 2, (one[1] + two[1]) / 2


def _point(at: Point) -> Point:
    x, y = at
    return float(x), float(y)
