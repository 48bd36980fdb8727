"""`plywise align`: solve the whole board, and make an opening book from the solution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plywise.kit.commands import Output


def solve_all(
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME", help="`align`, `align:checkerboard=yes`, ...", show_default=False
        ),
    ] = "align",
    plies: Annotated[
        int, typer.Option(metavar="N", min=0, help="Keep positions with up to N filled cells.")
    ] = 9,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Use a GPU, through CuPy; 6x6 needs 64 GiB of its memory.")
    ] = False,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="File to write the solution to.")
    ] = Path("align.npz"),
) -> Output:
    """Solve every position of a board: up to 5x5 on any computer, 6x6 on a GPU."""
    from lab.making.align import book as making

    yield from making.solve_all(game, plies, out, gpu)


def book(
    solution: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file that `solve-all` wrote.")
    ],
    plies: Annotated[
        int, typer.Option(metavar="N", min=0, help="Include positions with up to N filled cells.")
    ] = 8,
    out: Annotated[Path, typer.Option(metavar="FILE", help="File to write the book to.")] = Path(
        "book.xz"
    ),
) -> Output:
    """Make an opening book from the solution that `solve-all` wrote."""
    from lab.making.align.book import Solution, book_of, pack

    made = book_of(Solution.load(solution), plies)
    out.write_bytes(pack(made))
    positions = sum(map(len, made.layers))
    yield f"{out}: {positions:,} positions of {made.spec}, {out.stat().st_size:,} bytes"


COMMANDS = (solve_all, book)
