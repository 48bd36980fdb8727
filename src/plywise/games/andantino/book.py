"""The opening book that comes with the package: how black wins from the first three stones."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from plywise.core.game import Game
from plywise.engines.book import Book

FILE = Path(__file__).with_name("book.xz")


@cache
def shipped(game: Game) -> Book | None:
    """The book for the standard board; other boards have none."""
    if game.spec != "andantino" or not FILE.exists():
        return None
    return Book.unpack(FILE.read_bytes(), game, FILE.name)
