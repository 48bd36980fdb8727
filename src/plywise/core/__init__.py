"""The basic types: games, positions, limits, analyses, and the syntax of specs.

Nothing here compiles, draws or depends on a particular game. For pictures, and for how a pickle
finds a game again, the core asks packages above it, and imports none of them:
`plywise/__init__.py`, which Python runs before every other file of the package, says here how to
get each one; it is imported when somebody asks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from plywise.core.analysis import Analysis
    from plywise.core.position import Position
    from plywise.core.scene import Scene

__version__ = "0.1.0"


class Views(Protocol):
    """Draws Scenes and analyses: the package `plywise.views`."""

    def marked(self, position: Position, analysis: Analysis | None, *, legal: bool) -> Scene:
        """Return the Scene of a position, with legal moves and the lines of an analysis marked."""
        ...

    def draw_svg(self, scene: Scene, theme: str) -> str:
        """Draw a Scene as SVG."""
        ...

    def draw_png(self, scene: Scene, theme: str) -> bytes:
        """Draw a Scene as the bytes of a PNG file."""
        ...

    def draw_apng(self, scenes: Iterable[Scene], theme: str, pace: float) -> bytes:
        """Draw Scenes as the bytes of an animated PNG file, `pace` seconds each."""
        ...

    def analysis_html(self, analysis: Analysis) -> str:
        """Draw an Analysis for a notebook."""
        ...


class Registry(Protocol):
    """Finds what has a name: the packages `plywise.games` and `plywise.puzzles`."""

    def reference(self, kind: Any) -> tuple[Any, ...]:
        """Return how a pickle finds a game or a puzzle again, as `__reduce__` returns it."""
        ...


views: Callable[[], Views]
games: Callable[[], Registry]
puzzles: Callable[[], Registry]
