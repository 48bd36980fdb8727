"""Make Way on random boards of any size, or on a board of your own."""

from plywise.games.makeway.definition import GAME

__all__ = ["GAME"]
