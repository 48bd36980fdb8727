"""Draws a Scene as text: with colour and Unicode if the terminal can show them, else in ASCII.

Every shape with a glyph is drawn at its centre. The distinct x of all centres become columns and
the distinct y become lines, so squares and hexagons need no different code. Straight lines of the
role `grid` between two columns or lines are drawn if there is room, and so is a frame around a
board. Nets, whose lines are the board, are drawn by `plywise.views.net`.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Literal, TextIO

from plywise.core.scene import Line, Point, Scene, Shape
from plywise.views.net import coloured, draw_net, is_net
from plywise.views.theme import ASCII, find_theme

if TYPE_CHECKING:
    from rich.style import Style

Edge = Literal["left", "right", "top", "bottom"]


@dataclass(frozen=True)
class Terminal:
    """What an output can show. The default is a file: plain text of any size."""

    unicode: bool = False
    colours: str | None = None  #: the name that rich uses: standard, 256, truecolor
    marks: bool = False  #: show the last move, winning stones and the cursor?
    width: int | None = None
    height: int | None = None


def terminal(stream: TextIO, *, ascii: bool = False) -> Terminal:
    """Find out what a stream can show; obeys NO_COLOR and TERM=dumb in the environment."""
    if not stream.isatty():
        return Terminal()
    from rich.console import Console

    size = shutil.get_terminal_size()
    dull = bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    utf = (stream.encoding or "").lower().startswith("utf")
    return Terminal(
        unicode=utf and not ascii,
        colours=None if dull else Console(file=stream).color_system,
        marks=True,
        width=size.columns,
        height=size.lines,
    )


def draw_text(
    scene: Scene, output: Terminal | None = None, *, theme: str = "light", cursor: str | None = None
) -> str:
    """Draw a Scene as text; `cursor` is the move that is pointed at."""
    if not any(shape.glyph for shape in scene.shapes):
        return scene.text
    output = output or Terminal()
    if is_net(scene):
        return draw_net(scene, output, theme, cursor, lambda shape: _glyph(shape, output))
    pen = Pen(scene, output, theme)
    spots = [_spot(target.at) for target in scene.targets if target.move == cursor]
    sheet = Sheet(scene, output, spots[0] if spots else None)
    return "\n".join(pen.write(spans).rstrip() for spans in sheet.lines())


@dataclass(frozen=True)
class Span:
    """A piece of text of one kind; parts of the board have its background colour."""

    text: str
    kind: Literal["blank", "label", "rule", "frame", "cell"] = "blank"
    shape: Shape | None = None
    pointed_at: bool = False


class Sheet:
    """The layout of the text: the columns, the lines, and their labels."""

    def __init__(self, scene: Scene, output: Terminal, cursor: Point | None) -> None:
        self.output = output
        self.cursor = cursor
        self.shapes = _visible(scene)
        self.ys = sorted({y for _, y in self.shapes})
        self.xs = self._columns(scene)
        self.board = any(shape.roles[0] == "board" for shape in scene.shapes)
        self.scored = any(shape.roles[0] == "score" for shape in scene.shapes)
        self.rules = _rules(scene, self.xs, self.ys, 0), _rules(scene, self.ys, self.xs, 1)
        self.inner: dict[Point, str] = {}
        self.labels = self._labels(scene)
        self.glyphs = {spot: _glyph(shape, output) for spot, shape in self.shapes.items()}
        self.longest = max(map(len, self.glyphs.values()))
        self.gap = self._gap()
        along = *self.labels["top"].values(), *self.labels["bottom"].values()
        self.widest_label = max(map(len, along), default=0)
        self.roomy = self.ruled = self.stacked = False
        self._choose_layout()

    def _columns(self, scene: Scene) -> list[float]:
        """Return where the columns are; labels on a slanted left edge get columns of their own."""
        xs = sorted({x for x, _ in self.shapes})
        spots = [_spot(label.at) for label in scene.coordinates]
        outside = {x for x, y in spots if x < xs[0] and self.ys[0] <= y <= self.ys[-1]}
        if len(outside) < 2:
            return xs
        step = min(there - here for here, there in pairwise(xs))
        count = round((xs[0] - min(outside)) / step)
        return [*(xs[0] - step * number for number in range(count, 0, -1)), *xs]

    def _labels(self, scene: Scene) -> dict[Edge, dict[float, str]]:
        """Return the coordinates along each edge, by the nearest column or line.

        On a board that is not a rectangle, those inside it stay where they are.
        """
        labels: dict[Edge, dict[float, str]] = {"left": {}, "right": {}, "top": {}, "bottom": {}}
        for label in scene.coordinates:
            x, y = _spot(label.at)
            if self.ys[0] <= y <= self.ys[-1] and self.xs[0] <= x <= self.xs[-1]:
                self.inner[_nearest(self.xs, x), _nearest(self.ys, y)] = label.text
            elif self.ys[0] <= y <= self.ys[-1]:
                edge: Edge = "left" if x < self.xs[0] else "right"
                labels[edge][_nearest(self.ys, y)] = label.text
            else:
                edge = "top" if y < self.ys[0] else "bottom"
                labels[edge][_nearest(self.xs, x)] = label.text
        return labels

    def _gap(self) -> int:
        """Return how many columns apart the cells of a line are: 2 in a honeycomb."""
        number = {x: place for place, x in enumerate(self.xs)}
        taken = sorted((y, number[x]) for x, y in {*self.shapes, *self.inner})
        steps = [there - here for (y, here), (z, there) in pairwise(taken) if y == z]
        return min(steps, default=1)

    # ---- layout ----------------------------------------------------------------------------

    def _choose_layout(self) -> None:
        """Choose the most spacious layout that fits: roomy and ruled, roomy, tight, stacked."""
        if not self.output.marks:
            self.roomy = self.scored  # scores need room for the brackets of the best move
            return
        ruled = self.output.unicode and any(self.rules)
        for self.roomy, self.ruled, self.stacked in (
            *([(True, True, False)] if ruled else []),
            (True, False, False),
            (False, False, False),
            (False, False, True),
        ):
            if self._fits():
                return

    def _fits(self) -> bool:
        width = sum(len(span.text) for span in self._line(self.ys[0]))
        height = len(self.ys) + self.ruled * len(self.rules[1]) + 4  # with the text below
        too_high = self.ruled and self.output.height is not None and height > self.output.height
        return not too_high and (self.output.width is None or width <= self.output.width)

    @property
    def cell_width(self) -> int:
        """The width of a column's text: the widest one, which may spread over blank columns."""
        spaces = len(self._padded(""))
        widest = max(1, -(-(self.longest + spaces) // self.gap) - spaces)
        return widest if self.stacked else max(widest, self.widest_label)

    @property
    def framed(self) -> bool:
        """True if a frame is drawn around the board."""
        return self.board and self.roomy and self.output.unicode

    def _spaced(self, text: str) -> str:
        """Pad the text of a cell with spaces."""
        width = self.cell_width
        return self._padded(text.center(width) if self.roomy else text.rjust(width))

    def _padded(self, text: str) -> str:
        return f" {text} " if self.roomy else f"{text} "

    # ---- lines -----------------------------------------------------------------------------

    def lines(self) -> Iterator[Sequence[Span]]:
        """Yield the lines from top to bottom."""
        yield from self._column_labels("top")
        yield from self._frame("╭╮")
        for number, y in enumerate(self.ys):
            yield self._line(y)
            if self.ruled and number in self.rules[1]:
                dashes = Span("─" * len(self._spaced("")), "rule")
                yield [self._margin("left"), *self._row([dashes] * len(self.xs), "┼")]
        yield from self._frame("╰╯")
        yield from self._column_labels("bottom")

    def _line(self, y: float) -> list[Span]:
        wall = [Span("│", "frame")] if self.framed else []
        cells = self._row(self._spread([self._cell((x, y)) for x in self.xs]), "│")
        return [self._margin("left", y), *wall, *cells, *wall, self._margin("right", y)]

    def _cell(self, at: Point) -> Span:
        shape = self.shapes.get(at)
        if at in self.inner:
            return Span(self._spaced(self.inner[at]), "label")
        if shape is None:
            return Span(self._spaced(""), "cell")
        here = at == self.cursor
        text = self._spaced(self.glyphs[at])
        around = "><" if here else self._brackets(shape)
        if self.roomy and around:
            text = f"{around[0]}{self.glyphs[at]}{around[1]}".center(len(text))
        return Span(text, "cell", shape, here)

    def _brackets(self, shape: Shape) -> str:
        """Return what to write around a shape; the last move is always in square brackets.

        So is a legal move in round ones, if it shows a score or a player's shape and not a dot.
        Colours mark winning stones, the best move and scores, but never a player's shape.
        """
        noted = {"last"} if self.output.colours else {"last", "winning", "best"}
        if noted & set(shape.roles):
            return "[]"
        in_colour = self.output.colours is not None and shape.owner is None
        return "()" if "legal" in shape.roles[1:] and not in_colour else ""

    def _spread(self, cells: list[Span]) -> list[Span]:
        """Let a text that is wider than its column cover part of the blank ones beside it."""
        width = len(self._spaced(""))
        for number, over in enumerate([len(cell.text) - width for cell in cells]):
            left = over // 2 if number else 0
            if left > 0:
                before = cells[number - 1]
                cells[number - 1] = replace(before, text=before.text[:-left])
            if over > 0 and number + 1 < len(cells):
                after = cells[number + 1]
                cells[number + 1] = replace(after, text=after.text[over - left :])
        return cells

    def _row(self, cells: Sequence[Span], rule: str) -> Iterator[Span]:
        """Yield cells with the grid lines between them."""
        for number, cell in enumerate(cells):
            yield cell
            if self.ruled and number in self.rules[0]:
                yield Span(rule, "rule")

    def _margin(self, edge: Edge, y: float | None = None) -> Span:
        labels = self.labels[edge]
        width = max(map(len, labels.values()), default=0)
        if not width:
            return Span("")
        text = "" if y is None else labels.get(y, "")
        return Span(f"  {text}" if edge == "right" else f"{text.rjust(width)}  ", "label")

    def _frame(self, corners: str) -> Iterator[Sequence[Span]]:
        if self.framed:
            dashes = "─" * len(self._spaced("")) * len(self.xs)
            yield self._margin("left"), Span(corners[0] + dashes + corners[1], "frame")

    def _column_labels(self, edge: Edge) -> Iterator[Sequence[Span]]:
        texts = [self.labels[edge].get(x, "") for x in self.xs]
        if not any(texts):
            return
        height = max(map(len, texts)) if self.stacked else 1
        for row in range(height):
            shown = [text.rjust(height)[row] for text in texts] if self.stacked else texts
            cells = [Span(self._spaced(text), "label") for text in shown]
            yield self._margin("left"), Span(" " * self.framed), *self._row(cells, " ")


def _visible(scene: Scene) -> dict[Point, Shape]:
    """Return the shape that is shown in each place: the topmost one with a glyph.

    The dot of a legal move does not hide a player's shape, but becomes one of its roles.
    """
    found: dict[Point, Shape] = {}
    for shape in scene.painted:
        spot = _spot(shape.centre)
        below = found.get(spot)
        if shape.roles[0] == "legal" and below is not None and below.owner is not None:
            found[spot] = replace(below, roles=(*below.roles, "legal"))
        elif shape.glyph:
            found[spot] = shape
    return found


def _nearest(places: Sequence[float], to: float) -> float:
    return min(places, key=lambda place: abs(place - to))


def _spot(at: Point) -> Point:
    """Round a point, so that shapes in the same place compare equal."""
    return round(at[0], 3), round(at[1], 3)


def _glyph(shape: Shape, output: Terminal) -> str:
    if output.unicode:
        return shape.glyph
    return "".join(ASCII.get(letter, letter) for letter in shape.glyph)


def _rules(scene: Scene, places: Sequence[float], across: Sequence[float], axis: int) -> set[int]:
    """Return the columns (axis 0) or lines (axis 1) that a line across the board follows."""
    lines = [
        shape.start[axis]
        for shape in scene.shapes
        if isinstance(shape, Line)
        and shape.roles[0] == "grid"
        and shape.start[axis] == shape.end[axis]
        and shape.box[1 - axis] <= across[0]
        and shape.box[3 - axis] >= across[-1]
    ]
    between = [at for at in lines if places[0] < at < places[-1]]
    return {sum(place < at for place in places) - 1 for at in between}


class Pen:
    """Colours the spans of a Scene, if the terminal has colours."""

    def __init__(self, scene: Scene, output: Terminal, theme: str) -> None:
        self.theme = find_theme(theme)
        self.palette = self.theme.palette(scene)
        self.board = any(shape.roles[0] == "board" for shape in scene.shapes)
        self.colours = output.colours

    def write(self, spans: Sequence[Span]) -> str:
        """Return a line of text with its colour codes."""
        return coloured(((span.text, span) for span in spans), self._style, self.colours)

    def _style(self, span: Span) -> Style:
        from rich.style import Style

        if span.kind == "blank":
            return Style()
        if span.kind in ("label", "rule"):
            return Style(dim=True)
        # Without a board the terminal's own background shows: the strokes of the light theme are
        # readable on black and on white.
        ground = self.palette.board if self.board else None
        colour = self.palette.edge if span.kind == "frame" else self.palette.cell
        shape = span.shape
        if shape is None or span.kind == "frame":
            return Style(color=colour, bgcolor=ground)
        roles = set(shape.roles)
        if shape.owner is not None:
            player = self.palette.players[shape.owner]
            colour = player.fill if self.board else player.ink
        elif "best" in roles:
            colour = "#2fd0a0" if self.board else self.theme.best
        elif "legal" in roles:
            colour = self.palette.legal or (colour if self.board else self.theme.legal)
        elif shape.roles[0] == "score" and not self.board:
            return Style(reverse=span.pointed_at)
        elif shape.roles[0] == "cell" and not self.board:
            return Style(dim=True, reverse=span.pointed_at)
        elif span.pointed_at:
            colour = "#ffffff"  # the cursor would be black on an empty cell of a dark board
        return Style(
            color=colour,
            bgcolor=ground,
            bold=shape.roles[0] == "stone" or "best" in roles,
            underline="last" in roles and "[" not in span.text,  # no room for brackets
            reverse="winning" in roles or span.pointed_at,
        )
