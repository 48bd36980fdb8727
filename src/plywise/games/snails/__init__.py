"""Snails on any board from 4 x 4 to 12 x 12."""

from plywise.games.snails.definition import GAME

__all__ = ["GAME"]
