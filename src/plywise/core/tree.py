"""A search tree as plain data for drawing, from any search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from plywise.core.position import Position

#: max and min have children; the other two are leaves: the game is over, or the depth is reached.
Kind = Literal["max", "min", "over", "horizon"]


@dataclass(frozen=True)
class Branch:
    """A node with everything below it, in search order."""

    position: Position
    kind: Kind
    value: float  #: for the player to move at the root
    figure: str  #: the value in short: `12`, `W3` (won after 3 plies), `≤ 0` (a bound)
    window: tuple[str, str] | None = None  #: alpha and beta on entry, if the search has them
    best: bool = False  #: is it on the principal variation?
    children: tuple[Branch, ...] = ()
    pruned: tuple[str, ...] = ()  #: moves cut off without a search

    @property
    def move(self) -> str:
        """The move that led here; empty at the start of a game."""
        return self.position.moves[-1] if self.position.moves else ""

    def walk(self) -> Iterator[Branch]:
        """Yield all nodes, in search order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def to_json(self) -> dict[str, Any]:
        """Return plain data, with the children nested."""
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
