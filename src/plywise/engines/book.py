"""An opening book: positions to aim for, each with the chance that reaching it wins.

Positions are stored by key, which symmetric positions share. A move is in the book if the position
it leads to is.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.errors import SpecError

WON = 255  #: instead of a chance: a proved win

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Book:
    """Sorted keys of positions, and a chance for each, from 0 to 254."""

    game: Game
    keys: Numbers
    chances: Numbers

    @staticmethod
    def of(game: Game, entries: dict[int, int]) -> Book:
        """Make a book from keys and chances."""
        keys = sorted(entries)
        return Book(
            game,
            np.array(keys, np.uint64),
            np.array([entries[key] for key in keys], np.uint8),
        )

    def moves(self, position: Position) -> dict[int, int]:
        """Return the book moves with their chances; empty outside the book."""
        every = {move: self.chance(position.play_code(move)) for move in position.legal_codes}
        return {move: chance for move, chance in every.items() if chance >= 0}

    def chance(self, position: Position) -> int:
        """Return the chance of the player who just moved; -1 if the position is not in the book."""
        place = int(np.searchsorted(self.keys, np.uint64(position.key)))
        there = place < len(self.keys) and int(self.keys[place]) == position.key
        return int(self.chances[place]) if there else -1

    def pack(self) -> bytes:
        """Return the contents of the book's file."""
        title = f"{_title(self.game)}{len(self.keys)}\n"
        return title.encode() + lzma.compress(self.keys.tobytes() + self.chances.tobytes())

    @staticmethod
    def unpack(data: bytes, game: Game, name: str = "this") -> Book:
        """Read a book from a file's bytes; it must be for this game."""
        title, _, packed = data.partition(b"\n")
        begin = _title(game)
        if not title.startswith(begin.encode()):
            raise SpecError(
                f"{name} is not a book for {game.spec}: its first line must be '{begin}...'"
            )
        count = int(title.decode()[len(begin) :])
        numbers = lzma.decompress(packed)
        return Book(
            game,
            np.frombuffer(numbers, np.uint64, count),
            np.frombuffer(numbers, np.uint8, offset=8 * count),
        )


def book_file(game: Game) -> Path:
    """Return where the book would be that comes with a game."""
    folder = game.type.folder
    assert folder is not None
    return folder / "book.xz"


@cache
def shipped(game: Game) -> Book | None:
    """Return the book that comes with a game, which is for its standard board, or None."""
    file = book_file(game)
    if game.spec != game.type.name or not file.exists():
        return None
    return Book.unpack(file.read_bytes(), game, file.name)


def _title(game: Game) -> str:
    return f"plywise {game.type.name} book 1 {game.spec} "
