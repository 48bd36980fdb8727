"""A pointer that arrow keys move over the targets of a Scene."""

from __future__ import annotations

from math import dist

from plywise.core.scene import Point, Scene

DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_ASIDE = 2.0  #: a step sideways counts as this many steps ahead


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
