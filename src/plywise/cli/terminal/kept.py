"""Games under way, kept in the user's data folder after every move: no crash loses one.

Each has a file of its own, and beside it a lock that is held while the game is played: a game
whose lock is free was left or cut short, and can be gone on with.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from plywise.errors import PlywiseError
from plywise.play.places import data_folder
from plywise.play.record import Record
from plywise.play.saves import load, save

_KEEP = 20  #: unfinished games; older ones are removed


@dataclass(frozen=True)
class Place:
    """Where a game is kept while it is played. One that the user chose is not ours to remove."""

    file: Path | None  #: None where nothing can be written
    lock: IO[str] | None = None
    chosen: bool = False

    def keep(self, record: Record) -> None:
        """Write the game down, if there is somewhere to write it."""
        if self.file is not None:
            save(record, self.file)

    def release(self, record: Record) -> None:
        """The game is left; its file stays if there is something to go on with."""
        if self.lock is None or self.file is None:
            return
        if record.result is not None or not record.moves or not self.file.exists():
            _remove(self.file)
        self.lock.close()


def chosen_place(file: Path) -> Place:
    """A file that the user has named."""
    return Place(file, chosen=True)


def new_place() -> Place:
    """A place for a new game; one without a file if the data folder cannot be written."""
    try:
        folder = data_folder() / "unfinished"
        folder.mkdir(parents=True, exist_ok=True)
        _remove_old(folder)
        for number in range(1000):
            name = f"{time.strftime('%Y%m%d-%H%M%S')}-{number:03}.game"
            lock = _lock(folder / name)
            if lock is not None and not (folder / name).exists():
                return Place(folder / name, lock)
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        pass
    return Place(None)


def unfinished(
    game: str | None = None, players: tuple[str, str] | None = None
) -> tuple[Place, Record] | None:
    """The newest game that waits to be gone on with: any, or this game between these players."""
    try:
        files = sorted((data_folder() / "unfinished").glob("*.game"), reverse=True)
    except (OSError, RuntimeError):
        return None
    for file in files:
        found = _claim(file)
        if found is None:
            continue
        place, record = found
        if game in (None, record.game) and players in (None, record.players):
            return place, record
        place.release(record)
    return None


def _claim(file: Path) -> tuple[Place, Record] | None:
    lock = _lock(file)
    if lock is None:
        return None
    try:
        record = load(file)
        if record.result is None and record.moves:
            return Place(file, lock), record
    except PlywiseError:  # a game file that is gone, or edited by hand
        pass
    lock.close()
    return None


def _lock(file: Path) -> IO[str] | None:
    """Hold the lock of a game, or None if somebody else does. It ends with the process."""
    try:
        lock = open(file.with_suffix(".lock"), "w")  # noqa: SIM115  (held, not read)
    except OSError:
        return None
    try:
        import fcntl
    except ImportError:  # Windows: every game is free
        return lock
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        return None
    return lock


def _remove(file: Path) -> None:
    file.unlink(missing_ok=True)
    file.with_suffix(".lock").unlink(missing_ok=True)


def _remove_old(folder: Path) -> None:
    """Finished games that a crash left behind, and all but the newest of the others."""
    left = 0
    for file in sorted(folder.glob("*.game"), reverse=True):
        lock = _lock(file)
        if lock is None:
            continue
        try:
            record = load(file)
            over = record.result is not None or not record.moves
        except PlywiseError:  # not to be read here, as its own game file may be elsewhere
            over = False
        left += not over
        if over or left > _KEEP:
            _remove(file)
        lock.close()
