"""Unfinished games, saved in the user's data folder after every move, so that no crash loses one.

Each has its own file, and next to it a lock that is held while the game is played: a game whose
lock is free was left or interrupted, and can be resumed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Generic, TypeVar

from plywise.core.files import data_folder
from plywise.errors import PlywiseError, SpecError
from plywise.play import attempt as attempts
from plywise.play.attempt import Attempt
from plywise.play.new_game import may_be
from plywise.play.records import saves
from plywise.play.records.files import read_whole, write_whole
from plywise.play.records.game_record import GameRecord

_KEEP = 20  #: unfinished games to keep; older ones are deleted

Kept = TypeVar("Kept", bound=GameRecord | Attempt)


@dataclass(frozen=True)
class Shelf(Generic[Kept]):
    """How one kind of unfinished thing, games or puzzles, is read and written."""

    suffix: str
    header: str  #: how a file begins
    load: Callable[[Path], Kept]
    save: Callable[[Kept, Path], None]
    waits: Callable[[Kept], bool]  #: is there something to resume?

    def new_place(self) -> Place[Kept]:
        """Return a place for a new one, without a file if the data folder is not writable."""
        try:
            folder = data_folder() / "unfinished"
            folder.mkdir(parents=True, exist_ok=True)
            self._remove_old(folder)
            for number in range(1000):
                name = f"{time.strftime('%Y%m%d-%H%M%S')}-{number:03}{self.suffix}"
                lock = _lock(folder / name)
                if lock is not None and not (folder / name).exists():
                    return Place(self, folder / name, lock)
        except (OSError, RuntimeError):  # no home folder, or not writable
            pass
        return Place(self, None)

    def newest(self, fits: Callable[[Kept], bool]) -> tuple[Place[Kept], Kept] | None:
        """Return the newest that can be resumed, of those that fit."""
        with suppress(OSError, RuntimeError):  # no home folder, or not readable
            for file, lock in self._free(data_folder() / "unfinished"):
                with suppress(PlywiseError):  # a game file that is gone, or edited by hand
                    kept = self.load(file)
                    if self.waits(kept) and fits(kept):
                        return Place(self, file, lock), kept
                lock.close()
        return None

    @property
    def what(self) -> str:
        """What it holds, in a word."""
        return self.suffix.removeprefix(".")

    def place_for(self, save: Path | None) -> Place[Kept]:
        """Return where a new one is saved: in the user's file, or with the unfinished ones."""
        return self.new_place() if save is None else Place(self, save, chosen=True)

    def check_save(self, save: Path | None, load: Path | None) -> None:
        """Refuse to save to a file that holds something else than what is loaded."""
        if save is None:
            return
        self.check_free(save)
        if save.exists() and save != load:
            raise SpecError(
                f"{save} already holds a {self.what}: add --load {save} to continue it, or choose"
                " another file"
            )

    def check_free(self, file: Path) -> None:
        """Refuse to overwrite anything but a saved game or puzzle of this kind."""
        if not file.exists():
            return
        with open(file, "rb") as opened:
            if opened.read(len(self.header)) != self.header.encode():
                raise SpecError(
                    f"{file} exists and is not a saved {self.what}: choose another file"
                )

    def _free(self, folder: Path) -> Iterator[tuple[Path, IO[str]]]:
        """Yield the files that nobody plays at the moment, the newest first, each with its lock."""
        for file in sorted(folder.glob(f"*{self.suffix}"), reverse=True):
            if (lock := _lock(file)) is not None:
                yield file, lock

    def _remove_old(self, folder: Path) -> None:
        """Delete finished ones that a crash left behind, and all but the newest of the others."""
        left = 0
        for file, lock in self._free(folder):
            try:
                over = not self.waits(self.load(file))
            except PlywiseError:  # unreadable from here: its own game file may be elsewhere
                over = False
            left += not over
            if over or left > _KEEP:
                _remove(file)
            lock.close()


@dataclass(frozen=True)
class Place(Generic[Kept]):
    """Where a game is saved while it is played. A file the user chose is not ours to delete."""

    shelf: Shelf[Kept]
    file: Path | None  #: None if nothing can be written
    lock: IO[str] | None = None
    chosen: bool = False

    def keep(self, kept: Kept) -> None:
        """Save the game, if there is somewhere to write it."""
        if self.file is not None:
            self.shelf.save(kept, self.file)

    def release(self, kept: Kept) -> None:
        """Let go of the game; its file stays if there is something to resume."""
        if self.lock is None or self.file is None:
            return
        if not self.shelf.waits(kept) or not self.file.exists():
            _remove(self.file)
        self.lock.close()


def load_attempt(file: Path) -> Attempt:
    """Load an attempt at a puzzle from a file."""
    return Attempt.from_text(read_whole(file), str(file))


GAMES = Shelf(
    ".game",
    saves.HEADER,
    saves.load,
    saves.save,
    lambda record: record.result is None and bool(record.moves),
)
PUZZLES = Shelf(
    ".puzzle",
    attempts.HEADER,
    load_attempt,
    lambda attempt, file: write_whole(attempt.to_text(), file),
    lambda attempt: bool(attempt.moves or attempt.undone) and not attempt.solved,
)


def newest_game(
    game: str | None = None, players: tuple[str, str] | None = None
) -> tuple[Place[GameRecord], GameRecord] | None:
    """Return the newest game that can be resumed: any, or this game between these players."""
    return GAMES.newest(
        lambda record: (
            (game is None or may_be(game, record.game)) and players in (None, record.players)
        )
    )


def _lock(file: Path) -> IO[str] | None:
    """Take the lock of a game; None if another process has it. It ends with the process."""
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
