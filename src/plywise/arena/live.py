"""The games that are being played now: a small file for each, in a folder beside the results.

Whoever plays a game writes its moves there, not more often than people can follow; a quick game is
never written. Nothing depends on these files: the results are elsewhere.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PAUSE = 0.5  #: seconds between two writes
STALE = 300.0  #: seconds after which a game that was not written again is no longer shown


@dataclass(frozen=True)
class Playing:
    """A game that is being played."""

    first: str  #: the names of the agents
    second: str
    moves: tuple[str, ...]


class Board:
    """Shows one game to those who watch, move by move."""

    def __init__(self, folder: Path, playing: Playing) -> None:
        self.file = folder / f"{os.getpid()}.json"
        self.playing = playing
        self._moves = list(playing.moves)
        self._next = time.monotonic() + PAUSE

    def move(self, text: str) -> None:
        """Add a move."""
        self._moves.append(text)
        if time.monotonic() < self._next:
            return
        with suppress(OSError):  # nobody can watch then
            written = self.file.with_suffix(".part")
            written.write_text(json.dumps([self.playing.first, self.playing.second, self._moves]))
            written.replace(self.file)
        self._next = time.monotonic() + PAUSE


@contextmanager
def shown(folder: str, first: str, second: str, moves: tuple[str, ...]) -> Iterator[Board]:
    """Show a game until it ends."""
    board = Board(Path(folder), Playing(first, second, moves))
    try:
        yield board
    finally:
        with suppress(OSError):
            board.file.unlink(missing_ok=True)


def live_folder(results: Path) -> Path:
    """Where the games of a tournament are shown."""
    return results.with_name(f"{results.name}.live")


def playing(results: Path, most: int) -> list[Playing]:
    """Return games that are being played now, up to a limit, always in the same order."""
    found: list[Playing] = []
    now = time.time()
    for file in sorted(live_folder(results).glob("*.json")):
        with suppress(OSError, ValueError, TypeError):
            if now - file.stat().st_mtime > STALE:
                continue
            first, second, moves = json.loads(file.read_text(encoding="utf-8"))
            found.append(Playing(str(first), str(second), tuple(map(str, moves))))
    return found[:most]
