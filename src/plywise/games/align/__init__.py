"""Align on any board from 3 x 3 to 8 x 8."""

from plywise.games.align.definition import GAME

__all__ = ["GAME"]
