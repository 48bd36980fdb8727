"""The parts of a Scene: shapes and targets."""

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
    rectangle,
    stone_roles,
    words,
)

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
    "Target",
    "rectangle",
    "stone_roles",
    "words",
]
