"""What all commands share: output, the note about compiling, progress bars."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from typing import Any

Command = Callable[..., Iterator[str]]


def printing(command: Command) -> Callable[..., None]:
    """Turn a command that yields lines into one that prints them as they come.

    Only these lines reach stdout: whatever a user's agent or game file prints goes to stderr, so
    that `--json` prints one object and nothing else.
    """

    @wraps(command)
    def run(**given: Any) -> None:
        out = sys.stdout
        with redirect_stdout(sys.stderr), _word_about_compiling(given.get("game")):
            for line in command(**given):
                print(line, file=out, flush=True)

    return run


@contextmanager
def _word_about_compiling(game: str | None) -> Iterator[None]:
    """Say once that a kernel is being compiled, since that takes seconds."""
    from plywise.jit import on_compile

    what = f"kernel for {game}" if game else "kernel and others"
    said = False

    def say(kernel: str) -> None:
        nonlocal said
        if not said:
            note(f"compiling the {kernel} {what} (only once, then cached) ...")
        said = True

    undo = on_compile(say)
    try:
        yield
    finally:
        undo()


def as_json(data: dict[str, Any]) -> str:
    """Format data as one JSON object on one line."""
    return json.dumps(data, allow_nan=False)


def note(text: str) -> None:
    """Print a line to stderr, apart from the result."""
    print(text, file=sys.stderr, flush=True)


def watched() -> bool:
    """Return True if stderr is a terminal, so that progress is worth showing."""
    return sys.stderr.isatty()


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show a progress bar on a terminal; yields a function that advances it and sets its text."""
    if not watched():
        yield lambda text: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        Remaining(),
    )
    bar = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    with bar:
        task = bar.add_task(what, total=total)
        yield lambda text: bar.update(task, advance=1, description=text)


def table(rows: list[list[str]]) -> Iterator[str]:
    """Lay out rows, headings first, in columns as wide as they need to be."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
