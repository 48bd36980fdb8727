"""`plywise snails`: make an opening book."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from plywise.core.command import Argument, Option, Output
from plywise.errors import SpecError


def book(
    game: Annotated[str, Argument("`snails`, ...", "GAME")] = "snails",
    plies: Annotated[int, Option("How far to look for mistakes.", "N", low=2)] = 12,
    out: Annotated[Path, Option("Where the book goes.", "FILE")] = Path("snails.xz"),
) -> Output:
    """Make an opening book: moves that hold, where the other is most likely to go wrong.

    It may take hours. What is proved is kept in FILE.part: after Ctrl-C the same command goes on.
    """
    from plywise.games import make
    from plywise.games.snails.making.book import Making

    made = make(game)
    if made.type.name != "snails":
        raise SpecError(f"{game} is not snails: write 'snails:rows=7,cols=7'")
    work = Making(made, plies, out)
    yield from work.grow()
    yield f"{out}: {len(work.finish().keys):,} positions, {out.stat().st_size:,} bytes"


COMMANDS = (book,)
