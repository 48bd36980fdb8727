r"""Slither (Slitherlink): one closed loop on a grid; a clue counts the lines around its cell.

>>> from plywise.puzzles import slither
>>> puzzle = slither.read("..2.0\n232.2\n21..3\n.12.3\n.2...")
>>> result = slither.solve(puzzle)
>>> result.status
'unique'
>>> result.solution.moves[:3]
('1 1 t', '1 2 t', '1 3 t')
"""

from plywise.puzzles.slither.definition import PUZZLE
from plywise.puzzles.slither.formats import DEFAULT, read, read_drawing, write
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.solver.engine import Result, solve

__all__ = [
    "CROSS",
    "DEFAULT",
    "LINE",
    "PUZZLE",
    "UNKNOWN",
    "Drawing",
    "Puzzle",
    "Result",
    "read",
    "read_drawing",
    "solve",
    "write",
]
