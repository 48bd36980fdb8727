"""A search tree to be looked at: plain data, whatever search it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from plywise.core.position import Position

#: max and min have children; the other two are leaves, one by the rules, one by the depth.
Kind = Literal["max", "min", "over", "horizon"]


@dataclass(frozen=True)
class Branch:
    """A node with everything below it, in the order searched."""

    position: Position
    kind: Kind
    value: float  #: for the player to move at the root
    figure: str  #: the value in a few letters: `12`, `W3` (won after 3 plies), `≤ 0` (a bound)
    window: tuple[str, str] | None = None  #: alpha and beta it was entered with, if it used them
    best: bool = False  #: does it lie on the best path?
    children: tuple[Branch, ...] = ()
    pruned: tuple[str, ...] = ()  #: moves never looked at, because nothing depended on them

    @property
    def move(self) -> str:
        """The move that led here; nothing at the root of a game."""
        return self.position.moves[-1] if self.position.moves else ""

    def walk(self) -> Iterator[Branch]:
        """All nodes, in the order searched."""
        yield self
        for child in self.children:
            yield from child.walk()

    def to_json(self) -> dict[str, Any]:
        """Plain data, the children within."""
        return {
            "move": self.move,
            "kind": self.kind,
            "value": self.value,
            "figure": self.figure,
            "window": None if self.window is None else list(self.window),
            "best": self.best,
            "pruned": list(self.pruned),
            "children": [child.to_json() for child in self.children],
        }
