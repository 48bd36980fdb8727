"""Crosses and rings, the marks of pen-and-paper games."""

from __future__ import annotations

from dataclasses import dataclass

from plywise.core.scene import Circle, Path, Point, Role, Shape


@dataclass(frozen=True)
class Pen:
    """How marks are drawn: a cross for the first player, a ring for the second."""

    arm: float  #: half the size of a cross
    width: float
    layer: int

    def mark(self, player: int, at: Point, name: str, roles: tuple[Role, ...]) -> Shape:
        """Return the mark of player 0 or 1."""
        if player == 1:
            radius = self.arm + 0.02
            return Circle(
                at, radius, self.width, id=name, roles=roles, layer=self.layer, owner=1, glyph="O"
            )
        (x, y), arm = at, self.arm
        strokes = ((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm))
        return Path(strokes, self.width, id=name, roles=roles, layer=self.layer, owner=0, glyph="X")
