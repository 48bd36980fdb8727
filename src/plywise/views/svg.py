"""Draws a Scene as SVG: the same Scene always gives exactly the same text.

Colours are attributes and not a style sheet, so that several pictures can be on one page without
affecting each other; the classes name the roles, for restyling.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from math import dist, sqrt
from xml.sax.saxutils import escape, quoteattr

from plywise.core.scene import Circle, Label, Line, Path, Point, Polygon, Scene, Shape, windowed
from plywise.views.theme import FONT, OUTLINE, Theme, find_theme

SIDE = 180.0  #: pixels of a picture one unit wide; one of n units has sqrt(n) times as many


def draw_svg(scene: Scene, theme: str | Theme = "light") -> str:
    """Draw a Scene as an SVG document."""
    scene = windowed(scene)
    colours = find_theme(theme) if isinstance(theme, str) else theme
    unit = pixels_per_unit(scene)
    width, height = (_number(side * unit) for side in scene.size)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" class="plywise {colours.name}">',
        f"<title>{escape(scene.title)}</title>",
        f"<desc>{escape(scene.description)}</desc>",
        f'<rect width="{width}" height="{height}" rx="{_number(0.15 * unit)}" '
        f'fill="{colours.page}"/>',
    ]
    for attributes, shapes in groupby(
        scene.painted, key=lambda shape: _attributes(scene, shape, colours, unit)
    ):
        lines.append(f"<g {attributes}>")
        lines += [_element(shape, unit) for shape in shapes]
        lines.append("</g>")
    return "\n".join([*lines, "</svg>", ""])


def _attributes(scene: Scene, shape: Shape, theme: Theme, unit: float) -> str:
    """Return the attributes that neighbouring shapes can share: roles, owner, colours, pen."""
    owner = [] if shape.owner is None else [f"player-{shape.owner + 1}"]
    found = {"class": " ".join([*shape.roles, *owner])}
    paint = theme.paint(scene, shape)
    pen = getattr(shape, "width", 0.0)
    if isinstance(shape, Label):
        weight = "normal" if shape.roles[0] in ("coordinate", "text", "dead") else "bold"
        found |= {
            "fill": paint.colour,
            "font-family": FONT,
            "font-size": _number(shape.size * unit),
            "font-weight": weight,
            "text-anchor": shape.anchor,
        }
    elif pen:
        found |= {"fill": "none", "stroke": paint.colour, "stroke-width": _number(pen * unit)}
        if not isinstance(shape, Circle):
            found |= {"stroke-linecap": "round", "stroke-linejoin": "round"}
    else:
        found["fill"] = paint.colour
        if paint.outline is not None:
            found |= {"stroke": paint.outline, "stroke-width": _number(OUTLINE * unit)}
        if isinstance(shape, Polygon) and shape.holes:
            found["fill-rule"] = "evenodd"
    return " ".join(f"{key}={quoteattr(value)}" for key, value in found.items())


def _element(shape: Shape, unit: float) -> str:
    name = f"id={quoteattr(shape.id.replace(' ', '-'))}"

    def at(point: Point, x: str, y: str) -> str:
        return f'{x}="{_number(point[0] * unit)}" {y}="{_number(point[1] * unit)}"'

    if isinstance(shape, Circle):
        return f'<circle {name} {at(shape.at, "cx", "cy")} r="{_number(shape.radius * unit)}"/>'
    if isinstance(shape, Line):
        return f"<line {name} {at(shape.start, 'x1', 'y1')} {at(shape.end, 'x2', 'y2')}/>"
    if isinstance(shape, Path):
        strokes = ("M" + "L".join(_pair(p, unit) for p in stroke) for stroke in shape.strokes)
        return f'<path {name} d="{"".join(strokes)}"/>'
    if isinstance(shape, Label):
        # The baseline is about a third of the text height below the middle; not every SVG
        # renderer can centre text vertically.
        x, y = shape.at
        return (
            f"<text {name} {at((x, y + 0.35 * shape.size), 'x', 'y')}>{escape(shape.text)}</text>"
        )
    assert isinstance(shape, Polygon)
    return f'<path {name} d="{_outline(shape, unit)}"/>'


def _outline(shape: Polygon, unit: float) -> str:
    if shape.corner == 0:
        parts = ["M" + "L".join(_pair(point, unit) for point in shape.points) + "Z"]
    else:
        curves = [
            f"{_pair(start, unit)}Q{_pair(control, unit)} {_pair(end, unit)}"
            for start, control, end in rounded(shape.points, shape.corner)
        ]
        parts = ["M" + "L".join(curves) + "Z"]
    for (x, y), radius in shape.holes:
        r = _number(radius * unit)
        across = _number(2 * radius * unit)
        parts.append(
            f"M{_pair((x - radius, y), unit)}a{r} {r} 0 1 0 {across} 0a{r} {r} 0 1 0 -{across} 0Z"
        )
    return "".join(parts)


def _pair(point: Point, unit: float) -> str:
    return f"{_number(point[0] * unit)} {_number(point[1] * unit)}"


def _number(value: float) -> str:
    """Write a number with at most two decimals and no trailing zeros."""
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "0", value == 0)


# ---- geometry, for the PNG view too --------------------------------------------------------


def pixels_per_unit(scene: Scene) -> float:
    """Return the scale of a picture: it grows with the board, but less than in proportion.

    A board of 3 x 3 cells is 360 pixels wide, one of 19 x 19 is 800.
    """
    return SIDE / sqrt(max(scene.size))


def rounded(points: Sequence[Point], corner: float) -> list[tuple[Point, Point, Point]]:
    """Return the start, control point and end of the curve at each corner of a polygon."""
    curves = []
    for index, at in enumerate(points):
        before, after = points[index - 1], points[(index + 1) % len(points)]
        curves.append((_towards(at, before, corner), at, _towards(at, after, corner)))
    return curves


def _towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at a distance from `start` towards `end`, at most halfway."""
    share = min(0.5, distance / dist(start, end))
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
