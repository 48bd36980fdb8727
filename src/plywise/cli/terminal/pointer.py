"""A pointer that arrow keys move over the targets of a Scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, dist

from plywise.core.scene import Point, Scene

DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_ASIDE = 2.0  #: a step sideways counts as this many steps ahead
_SAME = 1e-6  #: points that are nearer than this are the same


def places(scene: Scene) -> dict[str, Point]:
    """Return where each move is on the board: the centre of the (last) shape that plays it."""
    centres = {shape.id: shape.centre for shape in scene.shapes}
    return {target.move: centres[target.shapes[-1]] for target in scene.targets}


def nearest(scene: Scene, point: Point | None = None) -> str | None:
    """Return the move nearest to a point, or to the middle of the board."""
    found = places(scene)
    at = point or (scene.size[0] / 2, scene.size[1] / 2)
    return min(found, key=lambda move: dist(found[move], at), default=None)


def step(scene: Scene, move: str, key: str) -> str:
    """Return the next move in the direction of an arrow key; the same one if there is none.

    If all moves start from one place, the direction is taken from there.
    """
    found = places(scene)
    start = found[move] if scene.hub is None else scene.hub
    right, down = DIRECTIONS[key]

    def way(other: str) -> tuple[float, float]:
        """Return how far another move is along the direction, and sideways."""
        x, y = found[other][0] - start[0], found[other][1] - start[1]
        return x * right + y * down, abs(x * down) + abs(y * right)

    ahead = {other: way(other) for other in found}
    ahead = {other: (on, aside) for other, (on, aside) in ahead.items() if on > 1e-6}
    return min(ahead, key=lambda other: ahead[other][0] + _ASIDE * ahead[other][1], default=move)


def turn(scene: Scene, move: str, by: int) -> str:
    """Return the move `by` places on in the game's own order, wrapping around."""
    moves = [target.move for target in scene.targets]
    return moves[(moves.index(move) + by) % len(moves)]


@dataclass(frozen=True)
class Sides:
    """Places that are the sides of square cells, one unit wide, such as the lines of a grid."""

    places: Sequence[Point]
    cells: Sequence[Point]  #: the middle of a cell of which the place is a side

    def step(self, place: int, cell: Point, key: str) -> tuple[int, Point]:
        """Return the same side of the next cell, and this cell.

        At the edge of the board there is no next cell: there an arrow key still leads from one
        side of the last cell to the opposite one.
        """
        right, down = DIRECTIONS[key]
        x, y = self.places[place]
        goal = (x + right, y + down)
        found = min(range(len(self.places)), key=lambda each: dist(self.places[each], goal))
        if dist(self.places[found], goal) > _SAME:
            return place, cell
        beyond = (cell[0] + right, cell[1] + down)
        near = min(self.cells, key=lambda each: dist(each, beyond))
        return found, near if dist(near, beyond) < _SAME else cell

    def turn(self, place: int, cell: Point, by: int) -> tuple[int, Point]:
        """Return the side of the same cell that is `by` sides further clockwise, and the cell."""

        def angle(side: int) -> float:
            x, y = self.places[side]
            return atan2(y - cell[1], x - cell[0])

        around = range(len(self.places))
        sides = [each for each in around if dist(self.places[each], cell) < 0.5 + _SAME]
        sides.sort(key=angle)
        return sides[(sides.index(place) + by) % len(sides)], cell
