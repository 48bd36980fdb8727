"""Where a puzzle comes from: a file, the standard input, or the text itself."""

from __future__ import annotations

import sys
from pathlib import Path

from plywise.core.puzzle import Puzzle, PuzzleType, States
from plywise.errors import InvalidPosition

SUFFIXES = (".txt", ".lisp", ".puzzle")  #: what ends like this is the name of a file


def read_source(kind: PuzzleType, source: str | None) -> tuple[Puzzle, States]:
    """The puzzle that an argument means, and what is drawn on it; the usual one for None."""
    puzzle, states = _read(kind, source)
    if not states:
        raise InvalidPosition("there is nothing to fill in on this puzzle: it is solved already")
    return puzzle, states


def _read(kind: PuzzleType, source: str | None) -> tuple[Puzzle, States]:
    if source is None:
        return kind.read(kind.default)
    if source == "-":
        return kind.read(sys.stdin.read())
    file = Path(source)
    if _exists(file):
        return kind.read(file_text(file))
    try:
        return kind.read(source)
    except InvalidPosition:
        if source.startswith(("./", "../", "~", "/")) or file.suffix in SUFFIXES:
            file.read_text(encoding="utf-8")  # raises, with the name of the file
        raise


def file_text(file: Path) -> str:
    """What a file holds; InvalidPosition if that is no text."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidPosition(
            f"line 1, column {error.start + 1}: {file} is no text; expected a puzzle in UTF-8"
        ) from None


def _exists(file: Path) -> bool:
    try:
        return file.is_file()
    except (OSError, ValueError):  # too long for a name, or no name at all
        return False
