"""A book of openings: positions to aim at, each with a chance that this is a win.

A position is known by its key, which its images share. So a move is in the book if the position
that it leads to is.
"""

from __future__ import annotations

import lzma
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.errors import SpecError

WON = 255  #: in place of a chance: proved to win

Numbers = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Book:
    """Keys of positions in rising order, and a chance for each, from 0 to 254."""

    game: Game
    keys: Numbers
    chances: Numbers

    @staticmethod
    def of(game: Game, entries: dict[int, int]) -> Book:
        """A book of some positions."""
        keys = sorted(entries)
        return Book(
            game,
            np.array(keys, np.uint64),
            np.array([entries[key] for key in keys], np.uint8),
        )

    def moves(self, position: Position) -> dict[int, int]:
        """The moves of the book with their chances; none where the book ends."""
        every = {move: self.chance(position.play_code(move)) for move in position.legal_codes}
        return {move: chance for move, chance in every.items() if chance >= 0}

    def chance(self, position: Position) -> int:
        """Of a position that somebody has moved to; -1 if it is not there."""
        place = int(np.searchsorted(self.keys, np.uint64(position.key)))
        there = place < len(self.keys) and int(self.keys[place]) == position.key
        return int(self.chances[place]) if there else -1

    def pack(self) -> bytes:
        """The file."""
        title = f"{_title(self.game)}{len(self.keys)}\n"
        return title.encode() + lzma.compress(self.keys.tobytes() + self.chances.tobytes())

    @staticmethod
    def unpack(data: bytes, game: Game, name: str = "this") -> Book:
        """A book from a file's bytes; `game` is the one it has to be for."""
        title, _, packed = data.partition(b"\n")
        begin = _title(game)
        if not title.startswith(begin.encode()):
            raise SpecError(
                f"{name} is no book of {game.spec}: its first line would be '{begin}...'"
            )
        count = int(title.decode()[len(begin) :])
        numbers = lzma.decompress(packed)
        return Book(
            game,
            np.frombuffer(numbers, np.uint64, count),
            np.frombuffer(numbers, np.uint8, offset=8 * count),
        )


def _title(game: Game) -> str:
    return f"plywise {game.type.name} book 1 {game.spec} "
