"""The registry of puzzles, every folder here and every entry point `plywise.puzzles`; reading one.

A puzzle's folder exposes `PUZZLE`, a `PuzzleType`. Nothing is imported before it is asked for.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plywise.core.spec import are_own, registered, variable_of
from plywise.errors import InvalidPosition, SpecError, suggest

if TYPE_CHECKING:
    from plywise.core.puzzle import Puzzle, PuzzleType, States

SUFFIXES = (".txt", ".lisp", ".puzzle")  #: an argument with one of these endings is a file name


def are_shipped() -> bool:
    """Return True if every registered puzzle comes with plywise."""
    return are_own(__name__)


def names() -> tuple[str, ...]:
    """The names of all registered puzzles."""
    return tuple(sorted(registered(__name__)))


@cache
def find(name: str) -> PuzzleType:
    """The puzzle registered under a name."""
    if name not in names():
        raise SpecError(f"there is no puzzle {name[:60]!r}: {suggest(name, names())}")
    try:
        return _puzzle_of(registered(__name__)[name].load(), name)
    except Exception as error:  # another package can fail in any way
        raise SpecError(f"the puzzle {name} cannot be loaded: {error}") from error


def writers(kind: PuzzleType) -> Mapping[str, Callable[[Puzzle, States], str]]:
    """Return what a puzzle can be shared as: `WRITERS` of `formats.py` beside its definition.

    Each writes a puzzle, with what is drawn on it, as text; they are listed by the names of their
    formats.
    """
    found: Mapping[str, Callable[[Puzzle, States], str]] = _beside(kind, "formats", "WRITERS", {})
    return found


def warmup(kind: PuzzleType) -> Callable[[], Iterator[tuple[str, Callable[[], Any]]]] | None:
    """Return what makes everything of a puzzle compile: `tasks` of `warmup.py`, if it has one."""
    found: Callable[[], Iterator[Any]] | None = _beside(kind, "warmup", "tasks", None)
    return found


def _beside(kind: PuzzleType, module: str, name: str, otherwise: Any) -> Any:
    """Return what a module beside the definition of a puzzle holds, if that is in a package."""
    package = sys.modules[kind.fault.__module__].__package__
    if not package or importlib.util.find_spec(f"{package}.{module}") is None:
        return otherwise
    return getattr(importlib.import_module(f"{package}.{module}"), name, otherwise)


def reference(kind: PuzzleType) -> tuple[Any, ...]:
    """Return how a pickle finds a puzzle again: by its name, or the variable it is in."""
    if kind.name in names() and find(kind.name) is kind:
        return find, (kind.name,)
    return variable_of(kind, (kind.fault.__module__, "__main__"), f"the puzzle {kind.name!r}")


def _puzzle_of(found: object, where: str) -> PuzzleType:
    from plywise.core.puzzle import PuzzleType  # `--help` does not need it

    puzzle = found if isinstance(found, PuzzleType) else getattr(found, "PUZZLE", None)
    if not isinstance(puzzle, PuzzleType):
        raise SpecError(f"{where} does not define a puzzle: it must set PUZZLE = PuzzleType(...)")
    return puzzle


# ---- a puzzle that a command is given ------------------------------------------------------


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
