"""Learned evaluations: small nets over patterns of places, kept in one file each.

inputs    the patterns, and the numbers of their rows
verbs     a game's rules with a net in place of its evaluation
weights   the weights in whole numbers, their file, and which net a game has
"""

from plywise.engines.net.inputs import Inputs, Sight
from plywise.engines.net.weights import Net

__all__ = ["Inputs", "Net", "Sight"]
