"""The layout of trees: the tidy algorithm of Reingold and Tilford, for nodes of any width.

Subtrees are pushed together as far as their outlines allow at every depth, so no two nodes
overlap, and a parent is centred over its first and last child.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from plywise.core.tree import Branch

Outline = list[tuple[float, float]]  #: how far a subtree reaches left and right, by depth


@dataclass
class Place:
    """A node, or the stub of pruned moves; x is its middle."""

    branch: Branch | None  #: None for a stub
    width: float
    depth: int
    pruned: tuple[str, ...] = ()  #: the moves of a stub
    x: float = 0.0
    children: list[Place] = field(default_factory=list)

    def walk(self) -> Iterator[Place]:
        """Yield this place and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def shift(self, by: float) -> None:
        """Move it and all below it to the right."""
        for place in self.walk():
            place.x += by


def arrange(root: Branch, width: float, stub: float, gap: float) -> Place:
    """Lay out a tree of nodes `width` wide and stubs `stub` wide, starting at x = 0."""
    place, _ = _arrange(root, 0, width, stub, gap)
    place.shift(-min(each.x - each.width / 2 for each in place.walk()))
    return place


def _arrange(
    branch: Branch, depth: int, width: float, stub: float, gap: float
) -> tuple[Place, Outline]:
    place = Place(branch, width, depth)
    below: Outline = []
    for child in branch.children:
        _append(place, *_arrange(child, depth + 1, width, stub, gap), below, gap)
    if branch.pruned:
        last = Place(None, stub, depth + 1, branch.pruned)
        _append(place, last, [(-stub / 2, stub / 2)], below, gap)
    if place.children:
        place.x = (place.children[0].x + place.children[-1].x) / 2
    return place, [(place.x - width / 2, place.x + width / 2), *below]


def _append(parent: Place, child: Place, outline: Outline, below: Outline, gap: float) -> None:
    """Place a subtree to the right of its siblings, as close as possible."""
    apart = max(
        (right + gap - left for (_, right), (left, _) in zip(below, outline, strict=False)),
        default=0.0,
    )
    child.shift(apart)
    parent.children.append(child)
    for level, (left, right) in enumerate(outline):
        if level < len(below):
            below[level] = below[level][0], right + apart
        else:
            below.append((left + apart, right + apart))
