"""A game type with some of its parts replaced, wherever they are."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from plywise.core.game import GameType

GROUPS = ("notation", "words", "strength")


def altered(kind: GameType, **parts: Any) -> GameType:
    """Replace fields of a game type and of its groups by their names."""
    for group in GROUPS:
        now = getattr(kind, group)
        own = {each.name for each in fields(now)} & parts.keys()
        parts[group] = replace(now, **{name: parts.pop(name) for name in own})
    return replace(kind, **parts)
