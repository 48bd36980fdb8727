"""Draws a Scene of lines between places as text: with fine dots in colour, else with characters.

A stroke is a line or a path with a glyph: without colours, it is drawn with that character to show
whose it is. Everything else with a glyph is drawn at its centre.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, TypeVar

from plywise.core.palette import Palette
from plywise.core.scene import Label, Line, Path, Point, Scene, Shape
from plywise.kit.texts import TALL, Canvas
from plywise.views.theme import Theme, find_theme

if TYPE_CHECKING:
    from rich.style import Style

    from plywise.views.text import Terminal

Kind = TypeVar("Kind")

COLUMNS = 78  #: if the output has no known width
FEWEST = 20  #: columns of the narrowest board
BELOW = 4  #: lines left free for the text below the board
FINE = 4, 2  #: the dots of a Braille character: rows and columns
#: The bits of those dots, counted from U+2800.
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
BROAD = 0.15  #: a stroke of this width has several dots side by side


@dataclass(frozen=True)
class Ink:
    """The shape that a character belongs to."""

    shape: Shape
    pointed_at: bool = False


def is_net(scene: Scene) -> bool:
    """Return True if the lines of a Scene are its board."""
    return any(isinstance(shape, Line) and shape.glyph for shape in scene.shapes)


def draw_net(
    scene: Scene, output: Terminal, theme: str, cursor: str | None, glyph: Callable[[Shape], str]
) -> str:
    """Draw a net as text; `glyph` gives the text of a shape."""
    columns = output.width or COLUMNS
    if output.height is not None:
        widest = (output.height - BELOW) * TALL * scene.size[0] / scene.size[1]
        columns = max(FEWEST, min(columns, int(widest)))
    canvas = Canvas(scene.size, columns)
    pointed = {name for target in scene.targets if target.move == cursor for name in target.shapes}
    shapes = [shape for shape in scene.painted if shape.glyph]
    shapes += [shape for shape in scene.shapes if shape.id in pointed]
    dots: dict[tuple[int, int], int] = {}
    for shape in shapes:
        ink = Ink(shape, shape.id in pointed)
        strokes = _strokes(shape)
        if strokes and output.unicode and output.colours:
            for start, end in strokes:
                _dotted(canvas, dots, start, end, ink)
        elif strokes:
            canvas.stroke(*_as_one(strokes), glyph(shape) or "#", ink)
        elif isinstance(shape, Label):
            share = {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
            canvas.put(shape.at, glyph(shape), ink, share)
        else:
            cell = shape.roles[0] == "cell"
            canvas.put(shape.centre, f" {glyph(shape)} " if cell else glyph(shape), ink)
        if output.marks and "last" in shape.roles:
            canvas.put(shape.centre, f"[{glyph(shape)}]", ink)
    for label in scene.coordinates:
        canvas.put(label.at, label.text, Ink(label))
    colours = find_theme(theme)
    style = partial(_style, theme=colours, palette=colours.palette(scene))
    lines = []
    for line in canvas.lines():
        runs = groupby(line, key=lambda cell: cell[1])  # neighbours of one shape
        pieces = (("".join(letter for letter, _ in run), ink) for ink, run in runs)
        lines.append(coloured(pieces, style, output.colours).rstrip())
    return "\n".join(lines)


def _strokes(shape: Shape) -> list[tuple[Point, Point]]:
    if isinstance(shape, Line):
        return [(shape.start, shape.end)]
    if isinstance(shape, Path):
        pairs = (pairwise(stroke) for stroke in shape.strokes)
        return [pair for stroke in pairs for pair in stroke]
    return []


def _as_one(strokes: list[tuple[Point, Point]]) -> tuple[Point, Point]:
    """Replace parallel lines and dashes by one stroke through their middle."""
    (x, y), (end_x, end_y) = strokes[0]
    points = [point for stroke in strokes for point in stroke]
    along = [(px - x) * (end_x - x) + (py - y) * (end_y - y) for px, py in points]
    slack = 1e-6 * (max(along) - min(along))

    def middle(end: float) -> Point:
        there = [point for point, at in zip(points, along, strict=True) if abs(at - end) <= slack]
        return sum(px for px, _ in there) / len(there), sum(py for _, py in there) / len(there)

    return middle(min(along)), middle(max(along))


def _dotted(
    canvas: Canvas, dots: dict[tuple[int, int], int], start: Point, end: Point, ink: Ink
) -> None:
    """Draw a stroke of fine dots. Where two strokes share a character, they share a colour."""
    for row, column in _broad(canvas, start, end, getattr(ink.shape, "width", 0.0)):
        cell = row // FINE[0], column // FINE[1]
        dots[cell] = dots.get(cell, 0) | BITS[row % FINE[0]][column % FINE[1]]
        canvas.cells[cell] = chr(0x2800 + dots[cell]), ink


def _broad(canvas: Canvas, start: Point, end: Point, width: float) -> Iterator[tuple[int, int]]:
    """Yield the dots of a stroke, and those beside it if it is broad."""
    level = abs(end[0] - start[0]) > abs(end[1] - start[1])
    last = canvas.rows * FINE[0] - 1, canvas.columns * FINE[1] - 1
    for row, column in canvas.along(start, end, FINE):
        yield row, column
        if width >= BROAD:
            beside = (row + 1, column) if level else (row, column + 1)
            yield min(beside[0], last[0]), min(beside[1], last[1])


def _style(ink: Ink | None, theme: Theme, palette: Palette) -> Style:
    from rich.style import Style

    if ink is None:
        return Style()
    shape, roles = ink.shape, set(ink.shape.roles)
    if ink.pointed_at:
        return Style(bold=True, reverse=True)
    if shape.owner is not None:
        player = palette.players[shape.owner]
        return Style(color=player.ink, bold=True, reverse="winning" in roles)
    if "best" in roles:
        return Style(color=theme.best, bold=True)
    if shape.roles[0] == "cell":
        return Style(bold=True, reverse=True, underline="winning" in roles)
    return Style(dim=True)


def coloured(
    pieces: Iterable[tuple[str, Kind]], style: Callable[[Kind], Style], colours: str | None
) -> str:
    """Join the pieces of a line of text; in colour, if the terminal has colours, each in its style.

    The style of a piece follows from the kind that comes with it.
    """
    if colours is None:
        return "".join(text for text, _ in pieces)
    from rich.console import COLOR_SYSTEMS

    return "".join(
        each.render("".join(text for text, _ in alike), color_system=COLOR_SYSTEMS[colours])
        for each, alike in groupby(pieces, key=lambda piece: style(piece[1]))
    )
