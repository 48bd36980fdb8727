"""The opening book in the package: moves after which the opponent is likely to go wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from plywise.core.game import Game
from plywise.engines.book import Book

FILE = Path(__file__).with_name("book.xz")
GOOD = 0.9  #: of the best chance: such a move is played now and then


@cache
def shipped(game: Game) -> Book | None:
    """The book for the standard board; other boards have none."""
    return Book.unpack(FILE.read_bytes(), game, FILE.name) if game.spec == "snails" else None
