"""What all commands share: output, the note about compiling, progress bars, errors in one line."""

from __future__ import annotations

import json
import shutil
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from plywise.errors import PlywiseError, PlywiseWarning, describe, suggest

if TYPE_CHECKING:
    from plywise.views.text import Terminal

Command = Callable[..., Iterator[str]]
Advance = Callable[..., None]  #: (text, steps=1): the bar moves by these steps and shows the text

#: What the kernels that are not searches do, in a user's words.
_COMPILED = dict.fromkeys(("replay", "kinds", "perft"), "the rules") | {"view": "the heuristics"}
_SOON = 0.5  #: seconds before a terminal shows that something takes long
_TICK = 0.25  #: seconds between two changes of that line


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
    from plywise.engines import on_choice
    from plywise.jit import on_compile

    whom = f" for {game}" if game else ""
    said = False

    def say(kernel: str) -> None:
        nonlocal said
        if not said:
            what = _COMPILED.get(kernel, "a search")
            note(f"compiling {what}{whom} (first time only) ...")
        said = True

    undo = on_compile(say), on_choice(note)
    try:
        yield
    finally:
        for each in undo:
            each()


def say(line: str) -> None:
    """Print a line to stdout, where only results go: `printing` redirects `sys.stdout`."""
    print(line, file=sys.__stdout__ or sys.stdout, flush=True)


def paper(*, ascii: bool = False) -> Terminal:
    """Return what stdout can show."""
    from plywise.views.text import terminal

    return terminal(sys.__stdout__ or sys.stdout, ascii=ascii)


def read_line() -> str | None:
    """Read a line from stdin; None at its end."""
    line = sys.stdin.readline()
    return line.strip() if line else None


def as_json(data: dict[str, Any]) -> str:
    """Format data as one JSON object on one line."""
    return json.dumps(data, allow_nan=False)


#: What is shown on the terminal at the moment, the latest last: each can print a line above itself.
_shown: list[Callable[[str], None]] = []


def note(text: str) -> None:
    """Print a line to stderr, apart from the result, and above a progress bar."""
    if _shown:
        _shown[-1](text)
    else:
        print(text, file=sys.stderr, flush=True)


def watched() -> bool:
    """Return True if stderr is a terminal, so that progress is worth showing."""
    return sys.stderr.isatty()


class _Status:
    """A line on the terminal that says what is being done, and for how long already."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.started = time.monotonic()
        self.writing = threading.Lock()
        self.ended = threading.Event()
        self.visible = False
        self.thread = threading.Thread(target=self._show, daemon=True)

    def _show(self) -> None:
        wait = _SOON
        while not self.ended.wait(wait):
            wait = _TICK
            with self.writing:
                width = shutil.get_terminal_size().columns - 1
                text = f"{time.monotonic() - self.started:.0f} s  {self.what}"
                self._write(text[:width])
                self.visible = True

    def say(self, what: str) -> None:
        """Change the text."""
        self.what = what

    def above(self, text: str) -> None:
        """Print a line that stays."""
        with self.writing:
            self._write(f"{text}\n")
            self.visible = False

    def end(self) -> None:
        """Remove the line."""
        self.ended.set()
        self.thread.join()
        if self.visible:
            self._write("")

    def _write(self, text: str) -> None:
        start = "\r\x1b[2K" if self.visible else ""  # clears the line
        print(f"{start}{text}", end="", file=sys.stderr, flush=True)


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is going on, if it takes long; yields a function that says more."""
    if not watched():
        yield lambda text: None
        return
    status = _Status(what)
    status.thread.start()
    _shown.append(status.above)
    try:
        yield status.say
    finally:
        _shown.remove(status.above)
        status.end()


@contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """Show a progress bar on a terminal; yields a function that advances it and sets its text."""
    if not watched():
        yield lambda text, steps=1: None
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

    def above(text: str) -> None:
        bar.console.print(text, markup=False, highlight=False, soft_wrap=True)

    with bar:
        task = bar.add_task(what, total=total)
        _shown.append(above)
        try:
            yield lambda text, steps=1: bar.update(task, advance=steps, description=text)
        finally:
            _shown.remove(above)


def table(rows: list[list[str]]) -> Iterator[str]:
    """Lay out rows, headings first, in columns as wide as they need to be.

    >>> list(table([["agent", "won"], ["auto", "12"]]))
    ['agent  won', 'auto   12']
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


# ---- exceptions and warnings in one line -----------------------------------------------------

#: The base class of typer's usage errors; it has moved between modules over time.
UsageError: Any = typer.BadParameter.__base__


def warn_in_one_line() -> None:
    """Print warnings of plywise as one line, without the place in the code they come from."""
    usual = warnings.formatwarning

    def format_warning(message: Any, category: Any, *rest: Any, **options: Any) -> str:
        if issubclass(category, PlywiseWarning):
            return f"plywise: {message}\n"
        return usual(message, category, *rest, **options)

    warnings.formatwarning = format_warning


def explain(error: BaseException) -> str | None:
    """Return the line for the user, or None for a bug in plywise, which deserves a traceback."""
    if isinstance(error, PlywiseError):
        return str(error)
    if isinstance(error, UsageError):
        return _usage(error)
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return reason if error.filename is None else f"{error.filename}: {reason}"
    return _users_fault(error)


def _usage(error: Any) -> str:
    context = error.ctx
    if context is None:
        return str(error.format_message())
    if type(error).__name__ == "NoSuchOption":
        options = {name for param in context.command.params for name in param.opts}
        hint = suggest(error.option_name, {"--help", *(o for o in options if o.startswith("--"))})
        return f"{context.info_name} has no option {error.option_name!r}: {hint}"
    message = error.format_message().rstrip(".")
    message = message[:1].lower() + message[1:]
    usage = " ".join(context.get_usage().split())
    return f"{message}; {usage[:1].lower() + usage[1:]}"


def _users_fault(error: BaseException) -> str | None:
    """Blame the user's game file, once one is loaded, for an unexpected exception."""
    files = [
        Path(module.__file__)
        for name, module in sys.modules.items()
        if name.startswith("plywise_game_") and module.__file__
    ]
    if not files:
        return None
    return f"the game file {files[-1]} raised {describe(error, files[-1])}"
