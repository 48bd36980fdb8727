"""Where a puzzle comes from: a file, the standard input, or the text itself."""

from __future__ import annotations

import sys
from pathlib import Path

from plywise.core.puzzle import Puzzle, PuzzleType, States
from plywise.errors import InvalidPosition

SUFFIXES = (".txt", ".lisp", ".puzzle")  #: an argument with one of these endings is a file name


def read_source(kind: PuzzleType, source: str | None) -> tuple[Puzzle, States]:
    """The puzzle an argument names, and what is drawn on it; the default puzzle for None."""
    puzzle, states = _read(kind, source)
    if not states:
        raise InvalidPosition("there is nothing to fill in: this puzzle is already solved")
    return puzzle, states


def _read(kind: PuzzleType, source: str | None) -> tuple[Puzzle, States]:
    if source is None:
        return kind.read(kind.default)
    if source == "-":
        return kind.read(sys.stdin.read())
    file = Path(source)
    if is_file(file):
        return kind.read(file_text(file))
    try:
        return kind.read(source)
    except InvalidPosition:
        if source.startswith(("./", "../", "~", "/")) or file.suffix in SUFFIXES:
            file.read_text(encoding="utf-8")  # raises an error that names the file
        raise


def file_text(file: Path) -> str:
    """Read a text file; InvalidPosition if it is not UTF-8 text."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidPosition(
            f"line 1, column {error.start + 1}: {file} is not a text file; "
            "expected a puzzle in UTF-8"
        ) from None


def is_file(file: Path) -> bool:
    """Return True if there is such a file; any text can be asked about."""
    try:
        return file.is_file()
    except (OSError, ValueError):  # too long for a file name, or not a valid one
        return False
