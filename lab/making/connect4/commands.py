"""`plywise connect4`: make an opening book."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from plywise.kit.commands import Cluster, Output, Progress, WorkerCount


def book(
    plies: Annotated[int, typer.Option(metavar="N", min=1, help="Up to N discs on the board.")] = 8,
    rows: Annotated[int, typer.Option(metavar="N", min=1, help="Rows.")] = 6,
    cols: Annotated[int, typer.Option(metavar="N", min=1, help="Columns.")] = 7,
    workers: WorkerCount = None,
    ray: Cluster = None,
    gpu: Annotated[
        bool, typer.Option("--gpu", help="Use a GPU, through CuPy: minutes instead of hours.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File to write the book to.")
    ] = None,
) -> Output:
    """Make an opening book: the exact score of every quiet position up to N plies.

    This may take hours. Progress is kept in FILE.part: run the same command again after Ctrl-C to
    continue.
    """
    from lab.making.connect4.book import Making
    from plywise.games import make

    make(f"connect4:rows={rows},cols={cols}")  # refuses a board that is too large
    file = out or Path(f"connect4-{cols}x{rows}-{plies}.xz")
    work = Making(rows, cols, plies, file)
    before = len(work.progress.done)
    solved = work.solve_on_gpu() if gpu else work.solve(workers or os.cpu_count() or 1, ray)
    yield Progress(f"{work.count:,} positions", before, work.total)
    for done, _ in enumerate(solved, before + 1):
        yield Progress(f"{work.count:,} positions", done, work.total)
    work.finish()
    yield {"file": str(file), "plies": plies, "positions": work.count}
    yield f"{file}: {work.count:,} positions, {file.stat().st_size:,} bytes"


COMMANDS = (book,)
