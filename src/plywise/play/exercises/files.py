"""Exercises on the disk: one file for a game, one exercise in a line of JSON."""

from __future__ import annotations

import gzip
import inspect
import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from plywise import games
from plywise.core.game import GameType
from plywise.errors import SpecError
from plywise.play.exercises.exercise import Exercise

NAME = "exercises.jsonl.gz"


def file_of(kind: GameType) -> Path:
    """Return where the exercises of a game are: beside its rules."""
    own = games.file_of(kind)
    if own is not None:
        return own.with_suffix(f".{NAME}")
    return Path(inspect.getfile(kind.rules.setup)).with_name(NAME)


def read(path: Path) -> tuple[str, tuple[Exercise, ...]]:
    """Read a file: the spec of its game, and its exercises."""
    lines = _lines(path)
    head = next(lines, None)
    if not isinstance(head, dict) or "game" not in head:
        raise SpecError(f"{path.name} is not a file of exercises: make one with plywise exercises")
    return str(head["game"]), tuple(Exercise.from_json(line) for line in lines)


def write(path: Path, game: str, exercises: Iterable[Exercise]) -> None:
    """Write a file; the same exercises give the same bytes."""
    lines = [{"game": game}, *(exercise.to_json() for exercise in exercises)]
    text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)
    beside = path.with_name(f"{path.name}.new")
    beside.write_bytes(gzip.compress(text.encode(), mtime=0))
    beside.replace(path)


def _lines(path: Path) -> Iterator[object]:
    try:
        text = gzip.decompress(path.read_bytes()).decode()
    except FileNotFoundError:
        raise SpecError(f"there is no file {path.name}") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise SpecError(f"{path.name} cannot be read: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        try:
            yield json.loads(line)
        except ValueError as error:
            raise SpecError(f"line {number} of {path.name} is not JSON: {error}") from error
