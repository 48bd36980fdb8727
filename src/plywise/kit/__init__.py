"""Building blocks for authors of games and puzzles.

look      what a game looks like, described once: `Look`, `Piece`
layouts   boards of squares, dots or any graph
hexagons  boards of hexagons
planes    features for learning: `features`, `features_shape`, `write_features`
grid      the names of cells: `a1`
lines     lines of k cells, and their names
bits      sets of cells in one word, hashes
cells     boards as arrays: empty cells, pieces in a row
groups    connected groups
paths     shortest paths between edges
drawing   Scenes: shapes and targets
canvas    boards and nets of lines in plain text
words     numbers and lists in words
puzzle    the parts of a PuzzleType
intervals shares and means with their 95 % intervals
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
