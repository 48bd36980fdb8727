"""A pointer that arrow keys move over the targets of a Scene."""

from __future__ import annotations

from math import dist

from plywise.core.scene import Point, Scene

DIRECTIONS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
_ASIDE = 2.0  #: a target this much beside the way is as far as one that much further on it


def places(scene: Scene) -> dict[str, Point]:
    """Where one points for each move: the middle of the (last) shape that plays it."""
    centres = {shape.id: shape.centre for shape in scene.shapes}
    return {target.move: centres[target.shapes[-1]] for target in scene.targets}


def nearest(scene: Scene, point: Point | None = None) -> str | None:
    """The move nearest to a point, or to the middle of the board."""
    found = places(scene)
    at = point or (scene.size[0] / 2, scene.size[1] / 2)
    return min(found, key=lambda move: dist(found[move], at), default=None)


def step(scene: Scene, move: str, key: str) -> str:
    """The next move in the direction of an arrow key; the same one if there is none.

    Where all moves start in one place, the direction is taken from there.
    """
    found = places(scene)
    start = found[move] if scene.hub is None else scene.hub
    right, down = DIRECTIONS[key]

    def way(other: str) -> tuple[float, float]:
        """How far another move is along the direction, and beside it."""
        x, y = found[other][0] - start[0], found[other][1] - start[1]
        return x * right + y * down, abs(x * down) + abs(y * right)

    ahead = {other: way(other) for other in found}
    ahead = {other: (on, aside) for other, (on, aside) in ahead.items() if on > 1e-6}
    return min(ahead, key=lambda other: ahead[other][0] + _ASIDE * ahead[other][1], default=move)


def turn(scene: Scene, move: str, by: int) -> str:
    """The move that comes `by` later in the game's own order, round and round."""
    moves = [target.move for target in scene.targets]
    return moves[(moves.index(move) + by) % len(moves)]
