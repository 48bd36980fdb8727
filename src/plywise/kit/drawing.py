"""The parts of a Scene: shapes, targets, and the layout of a board of squares."""

from __future__ import annotations

from plywise.core.scene import (
    Circle,
    Label,
    Line,
    Motion,
    Path,
    Point,
    Polygon,
    Role,
    Scene,
    Shape,
    Target,
    stone_roles,
    words,
)
from plywise.kit.squares import Squares, rectangle

__all__ = [
    "Circle",
    "Label",
    "Line",
    "Motion",
    "Path",
    "Point",
    "Polygon",
    "Role",
    "Scene",
    "Shape",
    "Squares",
    "Target",
    "rectangle",
    "stone_roles",
    "words",
]
