"""Remembers which games have passed their trial, by the content of their sources."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import partial
from pathlib import Path
from typing import Any

from plywise.core import __version__, folders
from plywise.core.game import Game, GameType
from plywise.jit.cache import fingerprint

_KEEP = 500  #: games to remember


def functions_of(kind: GameType) -> list[Callable[..., Any]]:
    """Return all functions that an author gave a game."""
    parts: list[Any] = [kind, kind.rules, kind.look, *kind.strength.heuristics.values()]
    values = (value for part in parts if is_dataclass(part) for value in _values(part))
    found = (_plain(value) for value in values if callable(value))
    return list(dict.fromkeys(each for each in found if hasattr(each, "__code__")))


def _values(part: Any) -> Iterator[Any]:
    return (getattr(part, field.name) for field in fields(part))


def _plain(value: Any) -> Any:
    """Return the function itself of a method or a partial function."""
    while isinstance(value, partial):
        value = value.func
    return getattr(value, "__func__", value)


def mark_of(game: Game, functions: Sequence[Callable[..., Any]]) -> str:
    """Return a name for a game as it is now: another after every edit of its files."""
    kind = game.type
    facts = [__version__, repr(dict(game.params)), repr(kind.points)]
    return fingerprint(functions, [*facts, str(kind.state), str(kind.board), kind.name])


def has_passed(mark: str) -> bool:
    """Return True if a game with this name has passed its trial."""
    try:
        os.utime(_folder() / mark)
    except (OSError, RuntimeError):  # there is no such file, or no home
        return False
    return True


def remember(mark: str) -> None:
    """Remember that a game has passed; forget the oldest."""
    with suppress(OSError, RuntimeError):
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        (folder / mark).touch()
        marks = sorted(folder.iterdir(), key=lambda file: file.stat().st_mtime)
        for old in marks[:-_KEEP]:
            old.unlink(missing_ok=True)


def _folder() -> Path:
    return folders.cache_folder() / "tried"
