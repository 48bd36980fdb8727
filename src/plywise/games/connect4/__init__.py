"""Connect-4 on any board that fits 64 bits."""

from plywise.games.connect4.definition import GAME

__all__ = ["GAME"]
