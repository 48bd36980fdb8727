"""The opening book that comes with the package: where the other is likely to go wrong."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from plywise.core.game import Game
from plywise.engines.book import Book

FILE = Path(__file__).with_name("book.xz")
GOOD = 0.9  #: of the best chance, for a move to be played now and then


@cache
def shipped(game: Game) -> Book | None:
    """The book of the usual board; other boards have none."""
    return Book.unpack(FILE.read_bytes(), game, FILE.name) if game.spec == "snails" else None
