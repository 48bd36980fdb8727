"""`plywise snails`: make an opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plywise.errors import SpecError
from plywise.kit.commands import Output


def book(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="`snails`, ...", show_default=False)
    ] = "snails",
    plies: Annotated[
        int, typer.Option(metavar="N", min=2, help="How many plies to look ahead for mistakes.")
    ] = 12,
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write the book to.")] = Path(
        "snails.xz"
    ),
) -> Output:
    """Make an opening book: safe moves after which the opponent is most likely to go wrong.

    This may take hours. Progress is kept in FILE.part: run the same command again after Ctrl-C to
    continue.
    """
    from lab.making.snails.book import Making
    from plywise.games import make

    made = make(game)
    if made.type.name != "snails":
        raise SpecError(f"{game} is not snails: write 'snails:rows=7,cols=7'")
    work = Making(made, plies, out)
    yield from work.grow()
    yield f"{out}: {len(work.finish().keys):,} positions, {out.stat().st_size:,} bytes"


COMMANDS = (book,)
