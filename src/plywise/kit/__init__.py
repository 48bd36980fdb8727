"""Building blocks for authors of games and puzzles.

look        what a game looks like, described once: `Look`, `Piece`
layouts     boards of squares, dots or any graph
hexagons    boards of hexagons
planes      features for learning: `features`, `features_shape`, `write_features`
sight       what a net sees: contents of places, and patterns of them
cells       the names of cells `a1`, boards as arrays, lines of k cells
bits        sets of cells in one word, hashes
connection  connected groups, and shortest paths between edges
picture     the picture of a look, with what a game adds
marks       pieces
window      the part of a large board that is in use
texts       position texts, boards in plain text, a canvas
editing     setting up a position piece by piece
words       numbers, lists and tables in words
commands    what commands yield: data, progress, pictures; options that many have
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plywise.kit.hexagons import hex_board, hexagon_board
    from plywise.kit.layouts import Layout, Place, dot_board, graph_board, line_board, square_board
    from plywise.kit.look import Look, Piece
    from plywise.kit.planes import features, features_shape, write_features

#: The names to import from here by their modules, which are imported on first use.
_NAMES = {
    "hexagons": ("hex_board", "hexagon_board"),
    "layouts": ("Layout", "Place", "dot_board", "graph_board", "line_board", "square_board"),
    "look": ("Look", "Piece"),
    "planes": ("features", "features_shape", "write_features"),
}

__all__ = [
    "Layout",
    "Look",
    "Piece",
    "Place",
    "dot_board",
    "features",
    "features_shape",
    "graph_board",
    "hex_board",
    "hexagon_board",
    "line_board",
    "square_board",
    "write_features",
]


def __getattr__(name: str) -> Any:
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
