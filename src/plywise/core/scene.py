"""What a position looks like, as plain data in board units."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Scene:
    """A picture of a position that any view can draw without knowing the game."""
