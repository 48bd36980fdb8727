"""The switching game: who is sure to join the big dots, and by which lines."""

from plywise.games.makeway.oracle.explaining import explanation, slacks, standing, trees_of

__all__ = ["explanation", "slacks", "standing", "trees_of"]
