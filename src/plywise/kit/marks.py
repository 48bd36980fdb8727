"""The marks of pen-and-paper games: crosses and rings, or the digits 1 and 0."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from plywise.core.scene import Circle, Path, Point, Role, Shape

_CORNERS = 32  #: of a 0, enough to look round


@dataclass(frozen=True)
class Pen:
    """How marks are drawn: a cross or a 1 for the first player, a ring or a 0 for the second."""

    arm: float  #: half the size of a cross, or of a digit
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

    def digit(self, player: int, at: Point, name: str, roles: tuple[Role, ...]) -> Shape:
        """Return the digit of player 0 or 1: the first player writes 1, the second 0."""
        (x, y), tall, wide = at, self.arm, 0.62 * self.arm
        strokes: tuple[tuple[Point, ...], ...]
        if player == 0:  # its foot is as wide as its flag on both sides, to stay in the middle
            flag = (x - wide, y - 0.45 * tall), (x, y - tall), (x, y + tall)
            strokes = flag, ((x - wide, y + tall), (x + wide, y + tall))
        else:
            ways = [2 * pi * corner / _CORNERS for corner in range(_CORNERS + 1)]
            strokes = (tuple((x + wide * sin(way), y - tall * cos(way)) for way in ways),)
        return Path(
            strokes,
            self.width,
            id=name,
            roles=roles,
            layer=self.layer,
            owner=player,
            glyph="10"[player],
        )
