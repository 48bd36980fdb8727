"""A board of Make Way as plain data: dots with their places, lines between them.

There are two ways to write it. As JSON, in a file of its own:

    {"dots": [[0, 3], [2, 1], [2, 5], [4, 3]], "lines": [[0, 1], [0, 2], [1, 3], [2, 3]]}

and in one word, in a spec (`makeway:board=...`) and so in every saved game:

    0/3_2/1_2/5_4/3:0-1_0-2_1-3_2-3

x runs to the right and y down. Dot 0 is the start and the last dot the end. Everything that
is read is checked, and an error names the entry that is wrong.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DOTS = 64  #: most dots of a board, so that a set of them fits in one word
LINES = 128  #: ... and lines: two words
LETTERS = 64_000  #: most characters of a file
FARTHEST = 1e6  #: the largest coordinate
DIGITS = 3  #: decimals of a coordinate

Place = tuple[float, float]
Ends = tuple[int, int]


class GraphError(ValueError):
    """An impossible board; the message names the entry."""


@dataclass(frozen=True)
class Graph:
    """Dots and lines. Lines have their lower dot first and are in order, each once."""

    dots: tuple[Place, ...]
    lines: tuple[Ends, ...]

    @classmethod
    def of(cls, dots: Sequence[Place], lines: Iterable[Ends]) -> Graph:
        """Check a graph and sort its lines; GraphError names the entry that is wrong."""
        graph = cls(tuple(dots), tuple(sorted(_checked(len(dots), list(lines)))))
        for number, place in enumerate(dots):
            if (before := dots.index(place)) != number:
                raise GraphError(f"dots[{number}] has the same place as dots[{before}]")
        if not reached(neighbours(len(dots), graph.lines), 1) >> len(dots) - 1 & 1:
            raise GraphError(f"no path leads from dot 0 to dot {len(dots) - 1}, the end")
        return graph


def neighbours(dots: int, lines: Iterable[Ends]) -> list[int]:
    """For each dot the set of dots that lines join it to, as bits."""
    beside = [0] * dots
    for low, high in lines:
        beside[low] |= 1 << high
        beside[high] |= 1 << low
    return beside


def reached(beside: Sequence[int], start: int, without: int = 0) -> int:
    """The set of dots that can be reached from some dots `without` passing others, as bits."""
    seen = fresh = start & ~without
    while fresh:
        found = 0
        while fresh:
            lowest = fresh & -fresh
            fresh ^= lowest
            found |= beside[lowest.bit_length() - 1]
        fresh = found & ~(seen | without)
        seen |= fresh
    return seen


def _checked(dots: int, lines: Sequence[Ends]) -> Iterable[Ends]:
    """Check the lines, and yield each with the lower dot first."""
    if not 2 <= dots <= DOTS:
        raise GraphError(f"dots has {dots} entries: a board has 2 to {DOTS} dots")
    if not 1 <= len(lines) <= LINES:
        raise GraphError(f"lines has {len(lines)} entries: a board has 1 to {LINES} lines")
    seen: dict[Ends, int] = {}
    for number, ends in enumerate(lines):
        for dot in ends:
            if not 0 <= dot < dots:
                raise GraphError(
                    f"lines[{number}] names dot {dot}, but the dots go from 0 to {dots - 1}"
                )
        low, high = sorted(ends)
        if low == high:
            raise GraphError(f"lines[{number}] joins dot {low} to itself")
        if (before := seen.setdefault((low, high), number)) != number:
            raise GraphError(f"lines[{number}] repeats lines[{before}]: {low}-{high}")
        yield low, high


# ---- in one word -----------------------------------------------------------------------------


def to_word(graph: Graph) -> str:
    """Write the board in one word."""
    dots = "_".join(f"{_number(x)}/{_number(y)}" for x, y in graph.dots)
    return f"{dots}:{'_'.join(f'{low}-{high}' for low, high in graph.lines)}"


def from_word(word: str) -> Graph:
    """Read a board from one word.

    >>> from_word("0/0_1/0:0-1").lines
    ((0, 1),)
    """
    dots, colon, lines = word.partition(":")
    if not colon:
        raise GraphError("write dots as x/y_x/y, then a colon, then lines as 0-1_0-2")
    places = [_read_place(part, number) for number, part in enumerate(dots.split("_"))]
    return Graph.of(places, [_read_ends(part, n) for n, part in enumerate(lines.split("_"))])


def _read_place(part: str, number: int) -> Place:
    x, _, y = part.partition("/")
    try:
        return _coordinate(float(x)), _coordinate(float(y))
    except ValueError:
        raise GraphError(f"dots[{number}] is {part[:40]!r}, not x/y") from None


def _read_ends(part: str, number: int) -> Ends:
    found = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", part, re.ASCII)
    if found is None:
        raise GraphError(f"lines[{number}] is {part[:40]!r}, not two dots such as 0-1")
    return int(found[1]), int(found[2])


def _number(value: float) -> str:
    return repr(value).removesuffix(".0")


def _coordinate(value: float) -> float:
    """Round a coordinate; ValueError if it is too far away."""
    if not math.isfinite(value) or abs(value) > FARTHEST:
        raise ValueError("too far away")
    return round(float(value), DIGITS) + 0.0  # no negative zero


# ---- in a file -------------------------------------------------------------------------------


def to_json(graph: Graph) -> str:
    """Write the board as JSON."""
    dots = ", ".join(f"[{_number(x)}, {_number(y)}]" for x, y in graph.dots)
    lines = ", ".join(f"[{low}, {high}]" for low, high in graph.lines)
    return f'{{"dots": [{dots}],\n "lines": [{lines}]}}\n'


def write(graph: Graph, file: Path) -> None:
    """Write a board file."""
    file.write_text(to_json(graph), encoding="utf-8")


def read(file: Path) -> Graph:
    """Read a board file; GraphError says what is wrong with it and where."""
    try:
        with file.open(encoding="utf-8-sig") as lines:
            text = lines.read(LETTERS + 1)
    except OSError as error:
        raise GraphError(f"{file} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise GraphError(f"{file} is not a text file: {error.reason}") from error
    if len(text) > LETTERS:
        raise GraphError(f"{file} is not a board: it has more than {LETTERS} characters")
    try:
        return from_json(text)
    except GraphError as error:
        raise GraphError(f"{file}: {error}") from error


def from_json(text: str) -> Graph:
    """Read a board from JSON."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise GraphError(f"this is not JSON: {error}") from error
    if not isinstance(data, dict):
        raise GraphError('a board is an object with "dots" and "lines"')
    for key in data:
        if key not in ("dots", "lines"):
            raise GraphError(f'unknown entry {key[:40]!r}: a board has "dots" and "lines"')
    for key in ("dots", "lines"):
        if not isinstance(data.get(key), list):
            raise GraphError(f'"{key}" is missing or not a list')
    dots = [_place(entry, number) for number, entry in enumerate(data["dots"])]
    return Graph.of(dots, [_ends(entry, number) for number, entry in enumerate(data["lines"])])


def _place(entry: Any, number: int) -> Place:
    if _is_pair(entry, (int, float)):
        try:
            return _coordinate(entry[0]), _coordinate(entry[1])
        except (ValueError, OverflowError):
            pass
    raise GraphError(
        f"dots[{number}] is {json.dumps(entry)[:40]}, not two numbers such as [2, 1.5]"
    )


def _ends(entry: Any, number: int) -> Ends:
    if not _is_pair(entry, (int,)):
        raise GraphError(
            f"lines[{number}] is {json.dumps(entry)[:40]}, not two dots such as [0, 1]"
        )
    return entry[0], entry[1]


def _is_pair(entry: Any, kinds: tuple[type, ...]) -> bool:
    """True for a list of two numbers; booleans do not count."""
    return isinstance(entry, list) and len(entry) == 2 and all(type(n) in kinds for n in entry)
