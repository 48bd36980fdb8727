"""What all commands share: their output, their word about compiling, their progress."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from typing import Any

Command = Callable[..., Iterator[str]]


def printing(command: Command) -> Callable[..., None]:
    """A command that yields its lines, made one that prints them as they come.

    Only those reach stdout: what a user's agent or game file prints goes to stderr, so that
    `--json` is one object and nothing else.
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
    """Say once that a kernel is compiled, as it takes seconds."""
    from plywise.jit import on_compile

    what = f"kernel for {game}" if game else "kernel and others"
    said = False

    def say(kernel: str) -> None:
        nonlocal said
        if not said:
            note(f"compiling the {kernel} {what} (once; kept for the next time) ...")
        said = True

    undo = on_compile(say)
    try:
        yield
    finally:
        undo()


def as_json(data: dict[str, Any]) -> str:
    """One object on one line."""
    return json.dumps(data, allow_nan=False)


def note(text: str) -> None:
    """A line about the work, beside the result."""
    print(text, file=sys.stderr, flush=True)


def watched() -> bool:
    """Does a person look at stderr, so that progress is worth showing?"""
    return sys.stderr.isatty()


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[str], None]]:
    """A bar on a terminal; the function it gives moves it on by one and sets its text."""
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
    """Rows under their headings, in columns as wide as they need."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
