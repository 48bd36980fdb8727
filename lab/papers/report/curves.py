"""Charts as Scenes: a page of panels, one below the other, and curves over steps as a panel.

Nothing here depends on where the figures come from. Curves differ in their marks as well as their
colours.
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
    rectangle,
)

# In board units.
WIDTH = 20.0  #: of a page
MARGIN = 0.7
GAP = 1.1  #: between panels
HEADING, TITLE, SIZE, CAPTION, SMALL = 0.66, 0.52, 0.43, 0.38, 0.34  #: text sizes
LEADING = 0.58  #: from one line of a caption to the next
THIN, PEN = 0.025, 0.06
GRID = 0.6  #: the shade of lines behind the figures
NOTE = 0.9  #: the width of a note over a curve


# ---- a page --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Panel:
    """A part of a page: its height, and a function that draws it from a given top."""

    height: float
    draw: Callable[[float], Iterator[Shape]]


def page(title: str, subtitle: str, panels: Sequence[Panel], *, text: str = "") -> Scene:
    """Draw the panels one below the other; `text` is for screen readers."""
    name = "heading"
    shapes: list[Shape] = [
        words((MARGIN, MARGIN + HEADING / 2), title, HEADING, name, "score", "start"),
        words((MARGIN, MARGIN + 1.9 * HEADING), subtitle, SIZE, f"{name} 2", "text", "start"),
    ]
    top = MARGIN + 2.4 * HEADING
    for number, panel in enumerate(panels):
        top += GAP
        shapes += (replace(shape, id=f"{number} {shape.id}") for shape in panel.draw(top))
        top += panel.height
    return Scene(title, f"{title}. {subtitle}", text or title, (WIDTH, top + MARGIN), tuple(shapes))


def titles(top: float, title: str, caption: str) -> Iterator[Shape]:
    """Draw the title of a panel and its caption."""
    yield words((MARGIN, top + TITLE / 2), title, TITLE, "title", "score", "start")
    for number, line in enumerate(_wrapped(caption)):
        at = MARGIN, top + TITLE + 0.45 + LEADING * number
        yield words(at, line, CAPTION, f"caption {number}", "coordinate", "start")


def headroom(caption: str) -> float:
    """Return the height of a title and its caption."""
    return TITLE + 0.45 + LEADING * len(_wrapped(caption))


def _wrapped(caption: str) -> list[str]:
    room = int((WIDTH - 2 * MARGIN) / (CHARACTER * CAPTION))
    return [line for part in caption.splitlines() for line in textwrap.wrap(part, room)]


def words(
    at: Point, text: str, size: float, name: str, role: Role, anchor: Anchor = "middle"
) -> Label:
    """Return a piece of text."""
    return Label(at, text, size, anchor, id=name, roles=(role,), layer=3)


# ---- curves --------------------------------------------------------------------------------


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


def curves_panel(
    title: str, caption: str, axis: str, steps: Sequence[str], plots: Sequence[Plot]
) -> Panel:
    """Draw plots over the same steps, two in a row, with a legend above them."""
    height, key, head, foot = 4.0, 0.9, 1.1, 1.35  # of a plot; of the key; above and below a plot
    labels, gap = 1.8, 0.7  # room for the values along the axis; between plots
    width = (WIDTH - 2 * MARGIN - gap) / 2 - labels
    keys = list(_keys(MARGIN + labels, [curve.label for curve in plots[0].curves]))
    lines = 1 + keys[-1][1]
    above = headroom(caption) + key + LEADING * (lines - 1)

    def draw(top: float) -> Iterator[Shape]:
        yield from titles(top, title, caption)
        yield from _key(top + above - 0.35 - LEADING * (lines - 1), keys)
        for number, plot in enumerate(plots):
            start = MARGIN + labels + (number % 2) * (width + labels + gap)
            first = top + above + head + (number // 2) * (head + height + foot)
            yield from _plot(plot, number, steps, start, first, width, height)
            at = start + width / 2, first + height + 0.95
            yield words(at, axis, SMALL, f"axis {number}", "coordinate")

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
        yield words((x + 1.0, y), label, SIZE, f"key label {index}", "text", "start")


def _plot(
    plot: Plot,
    number: int,
    steps: Sequence[str],
    start: float,
    top: float,
    width: float,
    height: float,
) -> Iterator[Shape]:
    yield words((start, top - 0.42), plot.title, SIZE, f"title {number}", "coordinate", "start")
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
        yield words((start - 0.15, y), plot.tick(tick), SMALL, f"at {name}", "coordinate", "end")
    for index, text in enumerate(steps):
        at = place(index, ticks[0])[0], top + height + 0.42
        yield words(at, text, SMALL, f"step {number} {index}", "coordinate")
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
        for step, text in enumerate(curve.notes):
            spot = _beside(points[step], top + height, taken)
            if spot and (len(points) - 1 - step) % every == 0:  # the last one counts most
                taken.append(spot)
                yield words(spot, text, SMALL, f"note {name} {step}", "score")


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


# ---- ticks ---------------------------------------------------------------------------------


def decades(values: Sequence[float]) -> list[float]:
    """Return the powers of ten that enclose all values; at least two."""
    some = [value for value in values if value > 0] or [1.0]
    low = math.floor(math.log10(min(some)))
    high = max(low + 1, math.ceil(math.log10(max(some))))
    return [10.0**power for power in range(low, high + 1)]


def even(values: Sequence[float]) -> list[float]:
    """Return ticks from 0 to above the largest value, with room for a note, in up to five steps."""
    most = 1.12 * max([*values, 1e-6])
    power = 10.0 ** math.floor(math.log10(most / 5))
    step = next(factor * power for factor in (1, 2, 5, 10) if most <= 5 * factor * power)
    return [number * step for number in range(math.ceil(most / step - 1e-9) + 1)]
