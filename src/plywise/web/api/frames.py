"""Pictures of the moves that follow a position, as changes, so that a page can show them alone.

A frame is what changes from the position before it: shapes that are new or look different, the
ids of those that are gone, and a few fields of the scene. Nobody plays on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from plywise.core.cancel import check_cancelled
from plywise.core.position import Position
from plywise.core.scene import Scene, scene_of, standing

KEPT = ("title", "description", "size", "shapes", "motion")  #: fields of a scene


def frames(position: Position, lines: Iterable[Sequence[str]]) -> dict[str, dict[str, Any]]:
    """Return the frame of every position on these lines, by the moves that lead to it."""
    seen: dict[tuple[str, ...], tuple[Position, Scene]] = {(): (position, scene_of(position))}
    found: dict[str, dict[str, Any]] = {}
    for line in lines:
        for count in range(1, len(line) + 1):
            path = tuple(line[:count])
            if path in seen:
                continue
            check_cancelled()
            before, old = seen[path[:-1]]
            after = before.play(path[-1])
            scene = scene_of(after)
            seen[path] = after, scene
            found[" ".join(path)] = {"standing": standing(after), **changes(old, scene)}
    return found


def changes(old: Scene, new: Scene) -> dict[str, Any]:
    """Return what a frame says about a scene."""
    known = {shape.id: shape for shape in old.shapes}
    there = {shape.id for shape in new.shapes}
    changed = tuple(shape for shape in new.shapes if known.get(shape.id) != shape)
    # Only what changed is written: a large board takes a while.
    written = replace(new, shapes=changed, coordinates=(), targets=()).to_json()
    gone = [shape.id for shape in old.shapes if shape.id not in there]
    return {"gone": gone, **{name: written[name] for name in KEPT}}
