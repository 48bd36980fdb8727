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
commands    commands of one game or puzzle: their options and their output
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plywise.kit.hexagons import hex_board, hexagon_board
    from plywise.kit.layouts import Layout, Place, dot_board, graph_board, line_board, square_board
    from plywise.kit.look import Look, Piece
    from plywise.kit.planes import features, features_shape, write_features

#: The names to import from here, and their modules, which are imported on first use.
_HOME = {
    "Layout": "layouts",
    "Look": "look",
    "Piece": "look",
    "Place": "layouts",
    "dot_board": "layouts",
    "features": "planes",
    "features_shape": "planes",
    "graph_board": "layouts",
    "hex_board": "hexagons",
    "hexagon_board": "hexagons",
    "line_board": "layouts",
    "square_board": "layouts",
    "write_features": "planes",
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
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
