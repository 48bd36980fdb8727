"""Answers that only a new version of plywise changes, kept on disk for the next start.

To list the games, each of them is imported, played and drawn: a quarter of a start. The names of
the files hold a digest of all files of plywise, so an update or an edit makes them again. A
server with games of its user, or of other packages, keeps nothing.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

from plywise import games, puzzles
from plywise.core import folders
from plywise.core.sealed import read_sealed, write_sealed

ROOT = Path(__file__).parents[1]
FOLDER = "answers"  #: in the cache
MOST = 4  #: versions of an answer that are kept, for switching back and forth


class Ready(NamedTuple):
    """An answer, ready to send."""

    plain: bytes
    packed: bytes  #: with gzip


def pack(plain: bytes) -> Ready:
    """Compress an answer once."""
    return Ready(plain, gzip.compress(plain, 6, mtime=0))


def kept(
    name: str, facts: object, make: Callable[[], Ready], is_complete: Callable[[], bool]
) -> Ready:
    """Return the answer with this name that an earlier start has made, or else make it.

    `facts` is what it depends on beside plywise itself. One that is not complete is not kept.
    """
    if not (games.are_shipped() and puzzles.are_shipped()):
        return make()
    try:
        folder = folders.trusted(folders.cache_folder()) / FOLDER
    except (OSError, RuntimeError):  # no home, or one that cannot be written
        return make()
    file = folder / f"{name}-{_digest(facts)}.gz"
    with suppress(OSError):
        packed = read_sealed(file)
        os.utime(file)
        return Ready(gzip.decompress(packed), packed)
    answer = make()
    if is_complete():
        with suppress(OSError):
            folder.mkdir(exist_ok=True, mode=0o700)
            write_sealed(file, answer.packed)
            _remove_old(folder, name)
    return answer


def _digest(facts: object) -> str:
    return hashlib.sha256(f"{_version()} {facts!r}".encode()).hexdigest()[:32]


@cache
def _version() -> str:
    """A digest of the names, sizes and times of all files of plywise."""
    found = sorted(f"{path} {size} {time}" for path, size, time in _files(ROOT))
    return hashlib.sha256("\n".join(found).encode()).hexdigest()


def _files(folder: Path) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _files(Path(entry.path))
            else:
                facts = entry.stat()
                yield entry.path, facts.st_size, facts.st_mtime_ns


def _remove_old(folder: Path, name: str) -> None:
    files = sorted(folder.glob(f"{name}-*.gz"), key=lambda file: file.stat().st_mtime)
    for file in files[:-MOST]:
        file.unlink(missing_ok=True)
