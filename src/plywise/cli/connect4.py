"""`connect4 book`: make an opening book."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.console import as_json, printing, progress
from plywise.cli.inputs import Json

app = typer.Typer(help="What only Connect-4 has: `book`.", rich_markup_mode=None)


@app.callback()
def _connect4() -> None:
    """What only Connect-4 has."""


def book(
    plies: Annotated[
        int, typer.Option("--plies", metavar="N", min=1, help="The most discs on the board.")
    ] = 8,
    rows: Annotated[int, typer.Option("--rows", metavar="N", min=1, help="Rows.")] = 6,
    cols: Annotated[int, typer.Option("--cols", metavar="N", min=1, help="Columns.")] = 7,
    processes: Annotated[
        int | None,
        typer.Option("--processes", metavar="N", min=1, help="How many; all cores by default."),
    ] = None,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="On a GPU, by CuPy: minutes in place of hours.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where the book goes.")
    ] = None,
    json: Json = False,
) -> Iterator[str]:
    """Make an opening book: the exact score of every quiet position up to N plies.

    It may take hours. What is done is kept in FILE.part: after Ctrl-C the same command goes on.
    """
    from plywise.games import make
    from plywise.games.connect4.book_making import Making

    make(f"connect4:rows={rows},cols={cols}")  # refuses a board that does not fit
    file = out or Path(f"connect4-{cols}x{rows}-{plies}.xz")
    work = Making(rows, cols, plies, file)
    name = f"{work.count:,} positions"
    with progress(name, work.total) as move_on:
        for _ in range(len(work.progress.done)):
            move_on(name)
        solved = work.solve_on_gpu() if gpu else work.solve(processes or os.cpu_count() or 1)
        for _ in solved:
            move_on(name)
    work.finish()
    if json:
        yield as_json({"file": str(file), "plies": plies, "positions": work.count})
    else:
        yield f"{file}: {work.count:,} positions, {file.stat().st_size:,} bytes"


app.command()(printing(book))
