"""Charts as Scenes: a matrix of shares, rows of bars with whiskers, curves over steps.

A page is a title and panels one below the other. Nothing here depends on where the figures come
from. Curves differ in their marks as well as their colours, and every shaded cell of a matrix
shows its number.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypedDict

from plywise.core.scene import (
    CHARACTER,
    Anchor,
    Circle,
    Label,
    Line,
    Path,
    Point,
    Polygon,
    Role,
    Scene,
    Shape,
)
from plywise.kit.squares import rectangle
from plywise.views.ticks import decades, even

# In board units.
WIDTH = 20.0  #: of a page
MARGIN = 0.7
GAP = 1.1  #: between panels
HEADING, TITLE, SIZE, CAPTION, SMALL = 0.66, 0.52, 0.43, 0.38, 0.34  #: text sizes
LEADING = 0.58  #: from one line of a caption to the next
NOTE = 0.9  #: the width of a note over a curve
THIN, PEN = 0.025, 0.06
GRID = 0.6  #: the shade of lines behind the figures
LONGEST = 26  #: characters of a label; of a longer one only the end is shown
DEEPEST = 0.55  #: the shade of a share of 0 or 1 in a matrix: text is still readable on it


@dataclass(frozen=True)
class Cell:
    """A cell of a matrix: a share from 0 to 1, and the words below it."""

    share: float
    words: str = ""


@dataclass(frozen=True)
class Bar:
    """A value with the ends of its whisker; `text` is the value as written."""

    value: float
    low: float
    high: float
    text: str


@dataclass(frozen=True)
class Field:
    """A column of bars on one axis; with a log scale, dots with a line to the high end."""

    title: str
    bars: Sequence[Bar | None]
    scale: Literal["share", "log"]
    tick: Callable[[float], str]  #: writes a value along the axis


@dataclass(frozen=True)
class Curve:
    """A value for each step, with a short note over each if there is room."""

    label: str
    values: Sequence[float]
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Plot:
    """Curves over steps."""

    title: str
    curves: Sequence[Curve]
    scale: Literal["log", "even"]
    tick: Callable[[float], str]  #: writes a value along the axis


@dataclass(frozen=True)
class Panel:
    """A part of a page: its height, and a function that draws it from a given top."""

    height: float
    draw: Callable[[float], Iterator[Shape]]


def page(title: str, subtitle: str, panels: Sequence[Panel], *, text: str = "") -> Scene:
    """Draw the panels one below the other; `text` is for screen readers."""
    name = "heading"
    shapes: list[Shape] = [
        _words((MARGIN, MARGIN + HEADING / 2), title, HEADING, name, "score", "start"),
        _words((MARGIN, MARGIN + 1.9 * HEADING), subtitle, SIZE, f"{name} 2", "text", "start"),
    ]
    top = MARGIN + 2.4 * HEADING
    for number, panel in enumerate(panels):
        top += GAP
        shapes += (replace(shape, id=f"{number} {shape.id}") for shape in panel.draw(top))
        top += panel.height
    return Scene(title, f"{title}. {subtitle}", text or title, (WIDTH, top + MARGIN), tuple(shapes))


# ---- the matrix ----------------------------------------------------------------------------


def matrix_panel(
    title: str, caption: str, labels: Sequence[str], cells: Sequence[Sequence[Cell | None]]
) -> Panel:
    """Draw a matrix of rows against columns with the same labels; columns show only numbers."""
    names = [f"{_end(label)}  {number}" for number, label in enumerate(labels, 1)]
    left = MARGIN + _longest(names)
    across = min(2.4, (WIDTH - MARGIN - left) / max(1, len(labels)))
    down = 1.1
    head = _head(caption) + 0.7

    def draw(top: float) -> Iterator[Shape]:
        yield from _titles(top, title, caption)
        first = top + head
        for row, name in enumerate(names):
            y = first + (row + 0.5) * down
            yield _words((left - 0.2, y), name, SIZE, f"row {row}", "text", "end")
            x = left + (row + 0.5) * across
            yield _words((x, first - 0.3), str(row + 1), SIZE, f"column {row}", "coordinate")
            for col, cell in enumerate(cells[row]):
                x = left + (col + 0.5) * across
                yield from _cell(cell, (x, y), across, down, f"{row} {col}")

    return Panel(head + down * len(labels), draw)


def _cell(cell: Cell | None, at: Point, across: float, down: float, name: str) -> Iterator[Shape]:
    x, y = at
    if cell is None:
        yield _words(at, "·", SIZE, f"cell {name}", "coordinate")
        return
    corners = rectangle(
        x - across / 2 + 0.03, y - down / 2 + 0.03, x + across / 2 - 0.03, y + down / 2 - 0.03
    )
    shade = max(0.04, DEEPEST * abs(2 * cell.share - 1))
    yield Polygon(
        corners,
        0.1,
        id=f"shade {name}",
        roles=("stone",),
        owner=1 if cell.share >= 0.5 else 0,
        shade=shade,
    )
    lift = 0.18 if cell.words else 0.0
    figure = f"{100 * cell.share:.0f}"
    size = min(0.46, across / (CHARACTER * 4))
    yield _words((x, y - lift), figure, size, f"share {name}", "score")
    if cell.words:
        size = min(0.3, 0.95 * across / (CHARACTER * len(cell.words)))
        yield _words((x, y + 0.27), cell.words, size, f"words {name}", "text")


# ---- bars ----------------------------------------------------------------------------------


def bars_panel(title: str, caption: str, labels: Sequence[str], fields: Sequence[Field]) -> Panel:
    """Draw a row for each label, with a bar in each field."""
    labels = [_end(label) for label in labels]
    left = MARGIN + _longest(labels)
    gap, figures = 0.5, 1.9  # between fields; room for a bar's text
    width = (WIDTH - MARGIN - left - gap * (len(fields) - 1)) / len(fields) - figures
    down = 0.8
    head = _head(caption) + 0.75

    def draw(top: float) -> Iterator[Shape]:
        yield from _titles(top, title, caption)
        first = top + head
        last = first + down * len(labels)
        for row, label in enumerate(labels):
            at = left - 0.2, first + (row + 0.5) * down
            yield _words(at, label, SIZE, f"label {row}", "text", "end")
        for number, chart in enumerate(fields):
            start = left + number * (width + figures + gap)
            yield from _axis(chart, number, start, width, first, last)
            place = _place(chart, start, width)
            for row, bar in enumerate(chart.bars):
                if bar is not None:
                    y = first + (row + 0.5) * down
                    yield from _bar(bar, chart, place, start, y, f"{number} {row}")
                    end = start + width + 0.2, y
                    yield _words(end, bar.text, SIZE, f"figure {number} {row}", "text", "start")

    return Panel(head + down * len(labels) + 0.7, draw)


def _axis(
    chart: Field, number: int, start: float, width: float, first: float, last: float
) -> Iterator[Shape]:
    """Draw the title above, the grid lines, and their values below."""
    yield _words((start, first - 0.42), chart.title, SIZE, f"title {number}", "coordinate", "start")
    ticks = [0.0, 0.25, 0.5, 0.75, 1.0]
    if chart.scale == "log":
        ticks = decades([end for bar in chart.bars if bar for end in (bar.value, bar.high)])
    place = _place(chart, start, width)
    every = max(1, math.ceil(1.2 * len(ticks) / width))
    for index, tick in enumerate(ticks):
        x, name = place(tick), f"{number} {index}"
        yield Line(
            (x, first), (x, last), THIN, id=f"tick {name}", roles=("grid",), layer=-1, shade=GRID
        )
        if index % every == 0:
            at = x, last + 0.4
            yield _words(at, chart.tick(tick), SMALL, f"at {name}", "coordinate")


def _place(chart: Field, start: float, width: float) -> Callable[[float], float]:
    """Return a function from values to positions along the axis."""
    if chart.scale == "share":
        return lambda value: start + width * value
    ticks = decades([end for bar in chart.bars if bar for end in (bar.value, bar.high)])
    low, high = math.log10(ticks[0]), math.log10(ticks[-1])
    return lambda value: start + width * (math.log10(max(value, ticks[0])) - low) / (high - low)


def _bar(
    bar: Bar, chart: Field, place: Callable[[float], float], start: float, y: float, name: str
) -> Iterator[Shape]:
    value, low, high = place(bar.value), place(bar.low), place(bar.high)
    if chart.scale == "share":
        if value - start > 0.02:
            corners = rectangle(start, y - 0.24, value, y + 0.24)
            yield Polygon(corners, id=f"bar {name}", roles=("stone",), owner=1, shade=0.55)
        caps = (((low, y - 0.12), (low, y + 0.12)), ((high, y - 0.12), (high, y + 0.12)))
        whisker = (((low, y), (high, y)), *caps)
        yield Path(whisker, PEN, id=f"whisker {name}", roles=("text",), layer=1)
        return
    if bar.value == 0:
        return  # a log axis has no zero
    line = ((value, y), (high, y)), ((high, y - 0.12), (high, y + 0.12))
    yield Path(line, PEN, id=f"whisker {name}", roles=("text",), layer=1)
    yield Circle((value, y), 0.17, id=f"bar {name}", roles=("stone",), owner=1, layer=2)


# ---- curves --------------------------------------------------------------------------------


def curves_panel(
    title: str, caption: str, axis: str, steps: Sequence[str], plots: Sequence[Plot]
) -> Panel:
    """Draw plots over the same steps, two in a row, with a legend above them."""
    height, key, head, foot = 4.0, 0.9, 1.1, 1.35  # of a plot; of the key; above and below a plot
    labels, gap = 1.8, 0.7  # room for the values along the axis; between plots
    width = (WIDTH - 2 * MARGIN - gap) / 2 - labels
    keys = list(_keys(MARGIN + labels, [curve.label for curve in plots[0].curves]))
    lines = 1 + keys[-1][1]
    above = _head(caption) + key + LEADING * (lines - 1)

    def draw(top: float) -> Iterator[Shape]:
        yield from _titles(top, title, caption)
        yield from _key(top + above - 0.35 - LEADING * (lines - 1), keys)
        for number, plot in enumerate(plots):
            start = MARGIN + labels + (number % 2) * (width + labels + gap)
            first = top + above + head + (number // 2) * (head + height + foot)
            yield from _plot(plot, number, steps, start, first, width, height)
            at = start + width / 2, first + height + 0.95
            yield _words(at, axis, SMALL, f"axis {number}", "coordinate")

    return Panel(above + (head + height + foot) * ((len(plots) + 1) // 2), draw)


def _keys(left: float, labels: Sequence[str]) -> Iterator[tuple[float, int, str]]:
    """Place the labels of the key: yield x and the line of each."""
    x, line = left, 0
    for label in labels:
        width = 1.9 + CHARACTER * SIZE * len(label)
        if x > left and x + width > WIDTH:
            x, line = left, line + 1
        yield x, line, label
        x += width


def _key(top: float, keys: Sequence[tuple[float, int, str]]) -> Iterator[Shape]:
    for index, (x, line, label) in enumerate(keys):
        y = top + LEADING * line
        yield Line((x, y), (x + 0.8, y), PEN, id=f"key {index}", layer=1, **_style(index))
        yield _mark((x + 0.4, y), index, f"key mark {index}")
        yield _words((x + 1.0, y), label, SIZE, f"key label {index}", "text", "start")


def _plot(
    plot: Plot,
    number: int,
    steps: Sequence[str],
    start: float,
    top: float,
    width: float,
    height: float,
) -> Iterator[Shape]:
    yield _words((start, top - 0.42), plot.title, SIZE, f"title {number}", "coordinate", "start")
    figures = [value for curve in plot.curves for value in curve.values]
    ticks = decades(figures) if plot.scale == "log" else even(figures)
    up = math.log10 if plot.scale == "log" else float
    low, high = up(ticks[0]), up(ticks[-1])

    def place(step: int, value: float) -> Point:
        share = (up(max(value, ticks[0])) - low) / (high - low)
        return start + width * (step + 0.5) / len(steps), top + height * (1 - share)

    for index, tick in enumerate(ticks):
        y, name = place(0, tick)[1], f"{number} {index}"
        ends = (start, y), (start + width, y)
        yield Line(*ends, THIN, id=f"tick {name}", roles=("grid",), layer=-1, shade=GRID)
        yield _words((start - 0.15, y), plot.tick(tick), SMALL, f"at {name}", "coordinate", "end")
    for index, words in enumerate(steps):
        at = place(index, ticks[0])[0], top + height + 0.42
        yield _words(at, words, SMALL, f"step {number} {index}", "coordinate")
    lines = [
        tuple(place(step, value) for step, value in enumerate(curve.values))
        for curve in plot.curves
    ]
    taken = [point for points in lines for point in points]
    for index, (curve, points) in enumerate(zip(plot.curves, lines, strict=True)):
        name = f"{number} {index}"
        if len(points) > 1:
            yield Path((points,), PEN, id=f"curve {name}", layer=1, **_style(index))
        for step, point in enumerate(points):
            yield _mark(point, index, f"mark {name} {step}")
        every = math.ceil(NOTE * len(steps) / width)
        for step, words in enumerate(curve.notes):
            spot = _beside(points[step], top + height, taken)
            if spot and (len(points) - 1 - step) % every == 0:  # the last one counts most
                taken.append(spot)
                yield _words(spot, words, SMALL, f"note {name} {step}", "score")


def _beside(point: Point, floor: float, taken: Sequence[Point]) -> Point | None:
    """Find room for a note: above its mark, or below it and above the floor."""
    x, y = point
    for at in ((x - 0.1, y - 0.46), (x - 0.1, y + 0.46)):
        free = all(abs(at[0] - u) > NOTE / 2 or abs(at[1] - v) > SMALL for u, v in taken)
        if free and at[1] + SMALL / 2 < floor:
            return at
    return None


#: The colours of curves, in turn: a role and an owner.
_PAINTS: tuple[tuple[Role, int | None], ...] = (
    ("stone", 1),
    ("stone", 0),
    ("best", None),
    ("text", None),
    ("coordinate", None),
)


class _Style(TypedDict):
    roles: tuple[Role, ...]
    owner: int | None


def _style(index: int) -> _Style:
    role, owner = _PAINTS[index % len(_PAINTS)]
    return {"roles": (role,), "owner": owner}


def _mark(at: Point, index: int, name: str) -> Shape:
    """Return a disc, a square, a triangle or a diamond."""
    x, y = at
    if index % 4 == 0:
        return Circle(at, 0.17, id=name, layer=2, **_style(index))
    corners = {
        1: rectangle(x - 0.15, y - 0.15, x + 0.15, y + 0.15),
        2: ((x, y - 0.21), (x + 0.2, y + 0.15), (x - 0.2, y + 0.15)),
        3: ((x, y - 0.22), (x + 0.22, y), (x, y + 0.22), (x - 0.22, y)),
    }
    return Polygon(corners[index % 4], id=name, layer=2, **_style(index))


# ---- shared --------------------------------------------------------------------------------


def _titles(top: float, title: str, caption: str) -> Iterator[Shape]:
    yield _words((MARGIN, top + TITLE / 2), title, TITLE, "title", "score", "start")
    for number, line in enumerate(_wrapped(caption)):
        at = MARGIN, top + TITLE + 0.45 + LEADING * number
        yield _words(at, line, CAPTION, f"caption {number}", "coordinate", "start")


def _head(caption: str) -> float:
    """Return the height of a title and its caption."""
    return TITLE + 0.45 + LEADING * len(_wrapped(caption))


def _wrapped(caption: str) -> list[str]:
    room = int((WIDTH - 2 * MARGIN) / (CHARACTER * CAPTION))
    return [line for part in caption.splitlines() for line in textwrap.wrap(part, room)]


def _words(
    at: Point, text: str, size: float, name: str, role: Role, anchor: Anchor = "middle"
) -> Label:
    return Label(at, text, size, anchor, id=name, roles=(role,), layer=3)


def _end(label: str) -> str:
    return label if len(label) <= LONGEST else "..." + label[3 - LONGEST :]


def _longest(labels: Sequence[str]) -> float:
    """Return the width of the longest label."""
    return 0.3 + CHARACTER * SIZE * max(map(len, labels), default=0)
