"""Draws a Scene as PNG: enlarged, with Pillow and its own font, then scaled down to be smooth."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING

from plywise.core.scene import Circle, Label, Line, Path, Point, Polygon, Scene, Shape, windowed
from plywise.views.svg import pixels_per_unit, rounded
from plywise.views.theme import OUTLINE, Paint, find_theme

if TYPE_CHECKING:
    from PIL.Image import Image as Canvas
    from PIL.ImageFont import FreeTypeFont

#: Characters that Pillow's own font does not have.
SPELLED_OUT = str.maketrans({"∞": "inf", "≤": "<=", "≥": ">=", "µ": "u", "\u00d7": "x"})
FONTS = 32  #: sizes of the font that are kept
FINER = 3  #: how many times larger it is drawn before it is scaled down


def draw_png(scene: Scene, theme: str = "light", zoom: float = 2.0) -> bytes:
    """Draw a Scene as a PNG file, `zoom` times as large as the SVG."""
    from PIL import Image

    scene = windowed(scene)
    colours = find_theme(theme)
    width, height = (round(side * pixels_per_unit(scene) * zoom) for side in scene.size)
    image = Image.new("RGB", (FINER * width, FINER * height), colours.page)
    brush = Brush(image, FINER * width / scene.size[0])
    for shape in scene.painted:
        brush.draw(shape, colours.paint(scene, shape))
    file = BytesIO()
    image.reduce(FINER).save(file, "PNG", optimize=True)
    return file.getvalue()


class Brush:
    """Draws shapes, given in board units, on an image."""

    def __init__(self, image: Canvas, unit: float) -> None:
        from PIL import ImageDraw

        self.image = image
        self.unit = unit
        self.pen = ImageDraw.Draw(image)

    def draw(self, shape: Shape, paint: Paint) -> None:
        """Draw one shape."""
        if isinstance(shape, Label):
            self._letters(shape, paint.colour)
        elif isinstance(shape, Line):
            self._stroke((shape.start, shape.end), shape.width, paint.colour)
        elif isinstance(shape, Path):
            for stroke in shape.strokes:
                self._stroke(stroke, shape.width, paint.colour)
        elif isinstance(shape, Circle) and shape.width:
            self._ring(shape.at, shape.radius, shape.width, paint.colour)
        elif isinstance(shape, Circle):
            self.pen.ellipse(self._around(shape.at, shape.radius), paint.colour)
            if paint.outline is not None:
                self._ring(shape.at, shape.radius, OUTLINE, paint.outline)
        else:
            assert isinstance(shape, Polygon)
            self._polygon(shape, paint)

    def _polygon(self, shape: Polygon, paint: Paint) -> None:
        from PIL import Image, ImageDraw

        points = flattened(shape.points, shape.corner)
        corners = [(x * self.unit, y * self.unit) for x, y in points]
        if shape.holes:
            stencil = Image.new("1", self.image.size, 0)
            cut = ImageDraw.Draw(stencil)
            cut.polygon(corners, 1)
            for at, radius in shape.holes:
                cut.ellipse(self._around(at, radius), 0)
            self.image.paste(paint.colour, (0, 0), stencil)
        else:
            self.pen.polygon(corners, paint.colour)
        if paint.outline is not None:
            self._stroke((*points, points[0]), OUTLINE, paint.outline)
            for at, radius in shape.holes:
                self._ring(at, radius, OUTLINE, paint.outline)

    def _stroke(self, points: tuple[Point, ...], width: float, colour: str) -> None:
        """Draw a line with round ends and joints."""
        corners = [(x * self.unit, y * self.unit) for x, y in points]
        pixels = max(1, round(width * self.unit))
        self.pen.line(corners, colour, pixels)
        for point in points:
            self.pen.ellipse(self._around(point, (pixels - 1) / 2 / self.unit), colour)

    def _ring(self, at: Point, radius: float, width: float, colour: str) -> None:
        box = self._around(at, radius + width / 2)
        self.pen.ellipse(box, outline=colour, width=max(1, round(width * self.unit)))

    def _letters(self, label: Label, colour: str) -> None:
        font = _font(label.size * self.unit)
        x, y = (coordinate * self.unit for coordinate in label.at)
        # As in the SVG view, text is placed by its baseline, not by its own height.
        base = y + 0.35 * label.size * self.unit
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[label.anchor]
        self.pen.text((x, base), label.text.translate(SPELLED_OUT), colour, font, anchor=anchor)

    def _around(self, at: Point, radius: float) -> tuple[float, float, float, float]:
        x, y, r = at[0] * self.unit, at[1] * self.unit, radius * self.unit
        return x - r, y - r, x + r, y + r


def flattened(points: Sequence[Point], corner: float, steps: int = 12) -> list[Point]:
    """Approximate a polygon with rounded corners by one with many corners."""
    if corner == 0:
        return list(points)
    flat = []
    for start, control, end in rounded(points, corner):
        for step in range(steps + 1):
            t = step / steps
            weights = (1 - t) ** 2, 2 * t * (1 - t), t**2
            flat.append(
                (
                    weights[0] * start[0] + weights[1] * control[0] + weights[2] * end[0],
                    weights[0] * start[1] + weights[1] * control[1] + weights[2] * end[1],
                )
            )
    return flat


@lru_cache(FONTS)
def _font(size: float) -> FreeTypeFont:
    """Return the font in a size; reading it takes longer than writing a few words."""
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
