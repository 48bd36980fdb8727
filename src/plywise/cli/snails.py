"""`snails book`: make an opening book."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.console import printing
from plywise.errors import SpecError

app = typer.Typer(help="What only Snails has: `book`.", rich_markup_mode=None)


@app.callback()
def _snails() -> None:
    """What only Snails has."""


def book(
    game: Annotated[str, typer.Argument(metavar="GAME", help="`snails`, ...")] = "snails",
    plies: Annotated[
        int, typer.Option("--plies", metavar="N", min=2, help="How far to look for mistakes.")
    ] = 12,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the book goes.")] = Path(
        "snails.xz"
    ),
) -> Iterator[str]:
    """Make an opening book: moves that hold, where the other is most likely to go wrong.

    It may take hours. What is proved is kept in FILE.part: after Ctrl-C the same command goes on.
    """
    from plywise.games import make
    from plywise.games.snails.book_making import Making

    made = make(game)
    if made.type.name != "snails":
        raise SpecError(f"{game} is not snails: write 'snails:rows=7,cols=7'")
    work = Making(made, plies, out)
    yield from work.grow()
    yield f"{out}: {len(work.finish().keys):,} positions, {out.stat().st_size:,} bytes"


app.command()(printing(book))
