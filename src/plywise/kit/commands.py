"""Commands: functions with typer's options that yield their output.

A game's folder may have a `commands.py` with `COMMANDS`, a tuple of functions. The command line
offers them as `plywise NAME FUNCTION`, and imports the file only when one of them is called. Such a
function imports neither the command line nor anything that draws:

    def book(
        plies: Annotated[int, typer.Option(metavar="N", min=2, help="How far to look.")] = 12,
        out: Annotated[Path, typer.Option(metavar="FILE", help="To write.")] = Path("book.xz"),
    ) -> Output:
        '''Make an opening book.'''
        yield Progress("proving", done=3, total=10)
        yield {"positions": 1278}
        yield f"{out}: 1,278 positions"

What it returns says which options it has besides its own: `Iterator[str]` none, `Output` --json,
and `Drawn` also --svg, --png and --theme.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from plywise.core.scene import Scene

#: Two options that many commands have; see `plywise.core.workers`.
WorkerCount = Annotated[
    int | None,
    typer.Option(
        "--workers", metavar="N", min=1, help="Number of processes; all cores by default."
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        "--ray", metavar="ADDRESS", help="Work on a Ray cluster; 'local' starts one here."
    ),
]


@dataclass(frozen=True)
class Progress:
    """The progress of the work; shown only in an interactive terminal."""

    what: str
    done: int
    total: int


@dataclass(frozen=True)
class Picture:
    """What `--svg` and `--png` write."""

    scene: Scene


#: What a command yields: lines of text, progress, and results as data. With --json only data is
#: printed (or the lines, if there is none), and without it only lines.
Output = Iterator[str | dict[str, Any] | Progress]
Drawn = Iterator[str | dict[str, Any] | Progress | Picture]  #: and pictures
