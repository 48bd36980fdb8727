"""`plywise snails`: make an opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from plywise.errors import SpecError
from plywise.kit.commands import Argument, Option, Output


def book(
    game: Annotated[str, Argument("`snails`, ...", "GAME")] = "snails",
    plies: Annotated[int, Option("How many plies to look ahead for mistakes.", "N", low=2)] = 12,
    out: Annotated[Path, Option("File to write the book to.", "FILE")] = Path("snails.xz"),
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
