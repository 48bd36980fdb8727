"""Andantino on hexagons of side 4 to 10."""

from plywise.games.andantino.definition import GAME

__all__ = ["GAME"]
