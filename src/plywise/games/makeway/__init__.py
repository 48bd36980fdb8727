"""Make Way on boards by lot, of any size, or on a board of one's own."""

from plywise.games.makeway.definition import GAME

__all__ = ["GAME"]
