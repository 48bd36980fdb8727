"""`plywise andantino`: black's win, proved and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plywise.errors import SpecError
from plywise.kit.commands import Output


def book(
    memory: Annotated[
        float, typer.Option(metavar="MB", min=1, help="Megabytes for the proof numbers.")
    ] = 4096.0,
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write the book to.")] = Path(
        "andantino.xz"
    ),
) -> Output:
    """Prove that black wins, and write the winning moves to a book.

    This may take an hour. Progress is kept in FILE.part: run the same command again after Ctrl-C to
    continue.
    """
    from lab.making.andantino.book import Making
    from plywise.games import make

    work = Making(make("andantino"), out, memory)
    yield from work.grow()
    yield f"{out}: {len(work.finish().keys):,} positions, {out.stat().st_size:,} bytes"


def check(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="A book; by default the one in the package."),
    ] = None,
) -> Output:
    """Check a book against every move of white's, and prove the positions where it ends."""
    from lab.making.andantino import book as making
    from plywise.engines.book import Book, book_file
    from plywise.games import make

    game = make("andantino")
    file = file or book_file(game)
    try:
        data = file.read_bytes()
    except OSError as error:
        raise SpecError(f"{file} cannot be read: {error.strerror}") from error
    found = making.check(Book.unpack(data, game, str(file)))
    for position in found.open:
        yield f"not proved: {game.join_moves(position.moves)}"
    result = "not a proof" if found.open else "black wins"
    yield {**found._asdict(), "open": len(found.open), "bytes": len(data)}
    size = f"{found.positions:,} positions in the book, {found.leaves:,} after it"
    yield f"{result}: {size}, {found.nodes:,} nodes"


COMMANDS = (book, check)
