"""Exercises on the disk: one file for a game, one exercise in a line of JSON.

Before the exercises of each board there is a line with the spec of the game.
"""

from __future__ import annotations

import gzip
import inspect
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

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


def read(path: Path) -> tuple[Exercise, ...]:
    """Read all exercises of a file."""
    found: list[Exercise] = []
    game = None
    for line in _lines(path):
        if isinstance(line, dict) and "game" in line:
            game = str(line["game"])
        elif game is None:
            break
        else:
            found.append(Exercise.from_json(game, line))
    if game is None:
        raise SpecError(f"{path.name} is not a file of exercises: make one with plywise exercises")
    return tuple(found)


def write(path: Path, exercises: Iterable[Exercise]) -> None:
    """Write a file, board by board; the same exercises give the same bytes."""
    boards: dict[str, list[Exercise]] = {}
    for exercise in exercises:
        boards.setdefault(exercise.game, []).append(exercise)
    lines: list[dict[str, Any]] = []
    for game, every in boards.items():
        lines.append({"game": game})
        every.sort(key=lambda exercise: exercise.moves)  # those of one game are alike: less to keep
        lines += [exercise.to_json() for exercise in every]
    text = "".join(f"{json.dumps(line, separators=(',', ':'))}\n" for line in lines)
    beside = path.with_name(f"{path.name}.new")
    beside.write_bytes(gzip.compress(text.encode(), mtime=0))
    beside.replace(path)


def replace(path: Path, game: str, exercises: Iterable[Exercise]) -> None:
    """Write the exercises of one board into a file, and keep those of other boards."""
    kept = [each for each in read(path) if each.game != game] if path.exists() else []
    write(path, [*kept, *exercises])


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
