"""`plywise align`: solve the whole board, and make an opening book from the solution."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from plywise.kit.commands import Argument, Option, Output


def solve_all(
    game: Annotated[str, Argument("`align`, `align:checkerboard=yes`, ...", "GAME")] = "align",
    plies: Annotated[int, Option("Keep positions with up to N filled cells.", "N", low=0)] = 9,
    gpu: Annotated[
        bool, Option("Use a GPU, through CuPy; 6x6 needs 64 GiB of its memory.")
    ] = False,
    out: Annotated[Path, Option("File to write the solution to.", "FILE")] = Path("align.npz"),
) -> Output:
    """Solve every position of a board: up to 5x5 on any computer, 6x6 on a GPU."""
    from lab.making.align import book as making

    yield from making.solve_all(game, plies, out, gpu)


def book(
    solution: Annotated[Path, Argument("The file that `solve-all` wrote.", "FILE")],
    plies: Annotated[int, Option("Include positions with up to N filled cells.", "N", low=0)] = 8,
    out: Annotated[Path, Option("File to write the book to.", "FILE")] = Path("book.xz"),
) -> Output:
    """Make an opening book from the solution that `solve-all` wrote."""
    from lab.making.align.book import Solution, book_of, pack

    made = book_of(Solution.load(solution), plies)
    out.write_bytes(pack(made))
    positions = sum(map(len, made.layers))
    yield f"{out}: {positions:,} positions of {made.spec}, {out.stat().st_size:,} bytes"


COMMANDS = (solve_all, book)
