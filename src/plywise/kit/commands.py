"""Commands of a single game or puzzle: functions with typed options, and their output.

A game's folder may have a `commands.py` with `COMMANDS`, a tuple of functions. The command line
offers them as `plywise NAME FUNCTION`, and imports the file only when one of them is called. Such a
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
from typing import TYPE_CHECKING, Annotated, Any

if TYPE_CHECKING:
    from plywise.core.scene import Scene


@dataclass(frozen=True)
class Option:
    """An option of a command: `--name`, or a flag if it is a bool."""

    help: str
    metavar: str | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Argument:
    """A positional argument of a command."""

    help: str
    metavar: str | None = None


#: Two options that many commands have; see `plywise.core.workers`.
WorkerCount = Annotated[
    int | None, Option("Number of processes; all cores by default.", metavar="N", low=1)
]
Cluster = Annotated[
    str | None, Option("Work on a Ray cluster; 'local' starts one here.", metavar="ADDRESS")
]


@dataclass(frozen=True)
class Progress:
    """The progress of the work; shown only in an interactive terminal."""

    what: str
    done: int
    total: int


@dataclass(frozen=True)
class Data:
    """A result: as data with `--json`, which leaves lines of text out; otherwise in words."""

    words: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """What `--svg` and `--png` write; see `pictures`."""

    scene: Scene


#: What a command yields: lines of text, results as data, progress, and pictures.
Output = Iterator[str | Data | Progress | Picture]
GameCommand = Callable[..., Output]


def pictures(command: GameCommand) -> GameCommand:
    """Mark a command that yields a `Picture`: it gets the options --svg, --png and --theme."""
    command.pictures = True  # type: ignore[attr-defined]
    return command
