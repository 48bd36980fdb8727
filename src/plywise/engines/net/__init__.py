"""Learned evaluations: small nets over patterns of places, kept in one file each.

shape     the patterns, and the numbers of their rows
verbs     a game's rules with a net in place of its evaluation
weights   the weights in whole numbers, and their file
finding   which net a game has: one that ships with it, or one that was learned here
"""

from plywise.engines.net.shape import Shape, Sight
from plywise.engines.net.weights import Net

__all__ = ["Net", "Shape", "Sight"]
