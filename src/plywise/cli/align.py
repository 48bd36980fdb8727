"""`align solve-all` and `align book`: solve the whole board, and make an opening book of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.console import printing

app = typer.Typer(help="What only Align has: `solve-all`, `book`.", rich_markup_mode=None)

Game = Annotated[str, typer.Argument(metavar="GAME", help="`align`, `align:checkerboard=yes`, ...")]


@app.callback()
def _align() -> None:
    """What only Align has."""


def solve_all(
    game: Game = "align",
    plies: Annotated[
        int,
        typer.Option("--plies", metavar="N", min=0, help="Keep positions with up to N cells."),
    ] = 9,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="On a GPU, by CuPy; 6x6 takes 64 GiB there.")
    ] = False,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where they go.")] = Path(
        "align.npz"
    ),
) -> Iterator[str]:
    """Work out every position of a board: up to 5x5 anywhere, 6x6 on a GPU."""
    from plywise.games.align import book_making

    yield from book_making.solve_all(game, plies, out, gpu)


def book(
    solution: Annotated[Path, typer.Argument(metavar="FILE", help="What `solve-all` wrote.")],
    plies: Annotated[
        int,
        typer.Option("--plies", metavar="N", min=0, help="Positions with up to N filled cells."),
    ] = 8,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where it goes.")] = Path(
        "book.xz"
    ),
) -> Iterator[str]:
    """Make an opening book of what `solve-all` found."""
    from plywise.games.align.book_making import Solution, book_of

    made = book_of(Solution.load(solution), plies)
    out.write_bytes(made.pack())
    positions = sum(map(len, made.layers))
    yield f"{out}: {positions:,} positions of {made.spec}, {out.stat().st_size:,} bytes"


app.command("solve-all")(printing(solve_all))
app.command()(printing(book))
