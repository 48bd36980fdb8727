"""Building blocks for authors of games and puzzles.

look      what a game looks like, described once: `Look`, `Piece`
layouts   boards of squares, hexagons, dots or any graph
grid      boards as text: `a1` cells, position texts, drawings
lines     lines of k cells, and their names
bits      sets of cells in one word, hashes
cells     boards as arrays: empty cells, pieces in a row
groups    connected groups
paths     shortest paths between edges
drawing   Scenes: shapes, targets, boards of squares
canvas    boards and nets of lines in plain text
words     numbers and lists in words
puzzle    the parts of a PuzzleType
duels     games between agents, for the tables of a report
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from plywise.kit.layouts import (
        Layout,
        Place,
        dot_board,
        graph_board,
        hex_board,
        hexagon_board,
        square_board,
    )
    from plywise.kit.look import Look, Piece

#: The names to import from here, and their modules, which are imported on first use.
_HOME = {
    "Layout": "layouts",
    "Look": "look",
    "Piece": "look",
    "Place": "layouts",
    "dot_board": "layouts",
    "graph_board": "layouts",
    "hex_board": "layouts",
    "hexagon_board": "layouts",
    "square_board": "layouts",
}

__all__ = [
    "Layout",
    "Look",
    "Piece",
    "Place",
    "dot_board",
    "graph_board",
    "hex_board",
    "hexagon_board",
    "square_board",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
