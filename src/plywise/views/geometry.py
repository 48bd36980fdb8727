"""The scale of pictures and rounded corners, shared by the SVG and PNG views."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, sqrt

from plywise.core.scene import Point, Scene

SIDE = 180.0  #: pixels of a picture one unit wide; one of n units has sqrt(n) times as many


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


def _towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at a distance from `start` towards `end`, at most halfway."""
    share = min(0.5, distance / dist(start, end))
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
