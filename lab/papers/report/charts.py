"""Two panels of a page of charts: a matrix of shares, and rows of bars with whiskers.

Every shaded cell of a matrix shows its number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from lab.papers.report.curves import (
    GRID,
    MARGIN,
    PEN,
    SIZE,
    SMALL,
    THIN,
    WIDTH,
    Panel,
    decades,
    headroom,
    titles,
    words,
)
from plywise.core.scene import CHARACTER, Circle, Line, Path, Point, Polygon, Shape, rectangle

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


# ---- the matrix ----------------------------------------------------------------------------


def matrix_panel(
    title: str, caption: str, labels: Sequence[str], cells: Sequence[Sequence[Cell | None]]
) -> Panel:
    """Draw a matrix of rows against columns with the same labels; columns show only numbers."""
    names = [f"{_end(label)}  {number}" for number, label in enumerate(labels, 1)]
    left = MARGIN + _longest(names)
    across = min(2.4, (WIDTH - MARGIN - left) / max(1, len(labels)))
    down = 1.1
    head = headroom(caption) + 0.7

    def draw(top: float) -> Iterator[Shape]:
        yield from titles(top, title, caption)
        first = top + head
        for row, name in enumerate(names):
            y = first + (row + 0.5) * down
            yield words((left - 0.2, y), name, SIZE, f"row {row}", "text", "end")
            x = left + (row + 0.5) * across
            yield words((x, first - 0.3), str(row + 1), SIZE, f"column {row}", "coordinate")
            for col, cell in enumerate(cells[row]):
                x = left + (col + 0.5) * across
                yield from _cell(cell, (x, y), across, down, f"{row} {col}")

    return Panel(head + down * len(labels), draw)


def _cell(cell: Cell | None, at: Point, across: float, down: float, name: str) -> Iterator[Shape]:
    x, y = at
    if cell is None:
        yield words(at, "·", SIZE, f"cell {name}", "coordinate")
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
    yield words((x, y - lift), figure, size, f"share {name}", "score")
    if cell.words:
        size = min(0.3, 0.95 * across / (CHARACTER * len(cell.words)))
        yield words((x, y + 0.27), cell.words, size, f"words {name}", "text")


# ---- bars ----------------------------------------------------------------------------------


def bars_panel(title: str, caption: str, labels: Sequence[str], fields: Sequence[Field]) -> Panel:
    """Draw a row for each label, with a bar in each field."""
    labels = [_end(label) for label in labels]
    left = MARGIN + _longest(labels)
    gap, figures = 0.5, 1.9  # between fields; room for a bar's text
    width = (WIDTH - MARGIN - left - gap * (len(fields) - 1)) / len(fields) - figures
    down = 0.8
    head = headroom(caption) + 0.75

    def draw(top: float) -> Iterator[Shape]:
        yield from titles(top, title, caption)
        first = top + head
        last = first + down * len(labels)
        for row, label in enumerate(labels):
            at = left - 0.2, first + (row + 0.5) * down
            yield words(at, label, SIZE, f"label {row}", "text", "end")
        for number, chart in enumerate(fields):
            start = left + number * (width + figures + gap)
            yield from _axis(chart, number, start, width, first, last)
            place = _place(chart, start, width)
            for row, bar in enumerate(chart.bars):
                if bar is not None:
                    y = first + (row + 0.5) * down
                    yield from _bar(bar, chart, place, start, y, f"{number} {row}")
                    end = start + width + 0.2, y
                    yield words(end, bar.text, SIZE, f"figure {number} {row}", "text", "start")

    return Panel(head + down * len(labels) + 0.7, draw)


def _axis(
    chart: Field, number: int, start: float, width: float, first: float, last: float
) -> Iterator[Shape]:
    """Draw the title above, the grid lines, and their values below."""
    yield words((start, first - 0.42), chart.title, SIZE, f"title {number}", "coordinate", "start")
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
            yield words(at, chart.tick(tick), SMALL, f"at {name}", "coordinate")


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


def _end(label: str) -> str:
    return label if len(label) <= LONGEST else "..." + label[3 - LONGEST :]


def _longest(labels: Sequence[str]) -> float:
    """Return the width of the longest label."""
    return 0.3 + CHARACTER * SIZE * max(map(len, labels), default=0)
