"""Commands that a game brings along: plain functions with typed options, and what they yield.

A game's folder may have a `commands.py` with `COMMANDS`, a tuple of functions. The command line
mounts them as `plywise NAME FUNCTION`, and imports the file only when one of them is called. Such a
function imports neither the command line nor anything that draws:

    def book(
        plies: Annotated[int, Option("How far to look.", metavar="N", low=2)] = 12,
        out: Annotated[Path, Option("Where the book goes.", metavar="FILE")] = Path("book.xz"),
    ) -> Output:
        '''Make an opening book.'''
        yield Progress("proving", done=3, total=10)
        yield f"{out}: 1,278 positions"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Option:
    """An option of a command: `--name`, or a flag if it is a bool."""

    help: str
    metavar: str | None = None
    low: float | None = None


@dataclass(frozen=True)
class Argument:
    """What is written without a name."""

    help: str
    metavar: str | None = None


@dataclass(frozen=True)
class Progress:
    """How far the work is; shown while somebody watches, and nowhere else."""

    what: str
    done: int
    total: int


@dataclass(frozen=True)
class Data:
    """The result, which comes last: as data for `--json`, in words otherwise."""

    words: str
    data: dict[str, Any] = field(default_factory=dict)


#: What a command yields: lines of text, the result as data, and how far it is.
Output = Iterator[str | Data | Progress]
GameCommand = Callable[..., Output]
