"""Reads files, and writes them in one step: readers find the old text or the new one, whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TextIO

from plywise.errors import PlywiseError


class SaveError(PlywiseError, ValueError):
    """A file that cannot be read or written, or holds no valid game; the message names the line."""


def read_whole(file: Path) -> str:
    """Return the text of a file."""
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise SaveError(f"{file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SaveError(f"{file} is not a text file: {error.reason}") from error


def write_whole(text: str, file: Path) -> None:
    """Write a file in one step: readers find either the old text or the new one, whole."""
    try:
        with whole_file(file) as out:
            out.write(text)
    except OSError as error:
        raise SaveError(f"{file.resolve()} cannot be written: {error.strerror or error}") from error


@contextmanager
def whole_file(file: Path, *, private: bool = False, replace: bool = True) -> Iterator[TextIO]:
    """Open a new file for writing; it gets its name when it is complete and on the disk.

    Nobody else may read a `private` one. Without `replace`, FileExistsError if the name is taken,
    even if that has happened in the meantime.
    """
    file = file.resolve()  # a link is followed, not replaced
    beside = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    try:
        mode = 0o600 if private else 0o666
        descriptor = os.open(beside, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, mode)
        with open(descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="") as out:
            yield out
            out.flush()
            os.fsync(out.fileno())
        if replace:
            os.replace(beside, file)
        else:
            _name_once(beside, file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    if os.name == "posix":  # the new name must reach the disk as well
        folder = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _name_once(beside: Path, file: Path) -> None:
    """Rename a file, unless the new name is taken."""
    try:
        os.link(beside, file)  # unlike a rename, it never replaces anything
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if file.exists():
            raise FileExistsError(f"{file} exists") from None
        os.replace(beside, file)
    else:
        beside.unlink()


def make_private(file: str) -> None:
    """Create a file for SQLite that no other user of the machine can read."""
    with suppress(OSError):  # SQLite gives a better error
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
