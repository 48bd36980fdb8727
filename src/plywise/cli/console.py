"""What all commands share: output, the note about compiling, progress bars, errors in one line."""

from __future__ import annotations

import json
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stdout
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from plywise.cli.inputs import Json, Png, Svg, Theme, write_pictures
from plywise.errors import PlywiseError, PlywiseWarning, describe, suggest
from plywise.kit.commands import Drawn, Output, Picture, Progress

if TYPE_CHECKING:
    from plywise.views.text import Terminal

#: (text, steps=1): the bar moves by these steps, or to `done=` in all, and shows the text.
Advance = Callable[..., None]

#: What the kernels that are not searches do, in a user's words.
_COMPILED = dict.fromkeys(("replay", "kinds", "perft"), "the rules") | {"view": "the heuristics"}
_SOON = 0.5  #: seconds before a terminal shows that something takes long


def option(name: str, annotation: Any, default: Any) -> Parameter:
    """Return an option for a command's signature."""
    return Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


_DATA = (option("json", Json, False),)
_PICTURES = option("svg", Svg, None), option("png", Png, None), option("theme", Theme, "light")
#: The options that a command has besides its own, by what it returns.
_ADDED = {Output: _DATA, Drawn: (*_PICTURES, *_DATA)}


def printing(
    command: Callable[..., Iterator[Any]], *first: Any, more: Sequence[Parameter] = ()
) -> Callable[..., None]:
    """Turn a command into a function for typer that prints what it yields as it comes.

    The command gets the values `first` before its options, and may take `more` options than it
    names. Only what it yields reaches stdout: whatever a user's agent or game file prints goes to
    stderr, so that `--json` prints one object and nothing else.
    """
    found = signature(command, eval_str=True)
    named = list(found.parameters.values())[len(first) :]
    own = [
        option(each.name, each.annotation, each.default)
        for each in named
        if each.kind != Parameter.VAR_KEYWORD
    ]
    added = _ADDED.get(found.return_annotation, ())

    @wraps(command)
    def run(**given: Any) -> None:
        wanted = {each.name: given.pop(each.name) for each in added}
        out = sys.stdout
        with redirect_stdout(sys.stderr), _word_about_compiling(given.get("game")):
            for line in _lines(command(*first, **given), **wanted):
                print(line, file=out, flush=True)

    made: Any = run
    made.__signature__ = Signature([*more, *own, *added])
    made.__annotations__ = {}  # all are in the signature
    return run


def _lines(
    output: Drawn,
    json: bool = False,
    svg: Path | None = None,
    png: Path | None = None,
    theme: str = "light",
) -> Iterator[str]:
    """Yield what to print of a command's output; draw its pictures and show its progress."""
    lines: list[str] = []
    found = False
    advance: Advance | None = None
    with ExitStack() as stack:
        for item in output:
            if isinstance(item, Progress):
                if advance is None:
                    advance = stack.enter_context(progress(item.what, item.total))
                advance(item.what, done=item.done)
            elif isinstance(item, Picture):
                write_pictures(item.scene, svg, png, theme)
            elif isinstance(item, dict):
                found = True
                if json:
                    yield _as_json(item)
            elif json:
                lines.append(item)
            else:
                yield item
    if json and lines and not found:
        yield _as_json({"lines": lines})


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


def _as_json(data: dict[str, Any]) -> str:
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


@contextmanager
def _line(what: str, total: int | None = None) -> Iterator[Callable[..., None]]:
    """Show a line at the foot of the terminal; yields a function that changes it.

    With a total it has a progress bar. Without one it says how long the work has taken, and is
    shown only once that is worth saying.
    """
    if not watched():
        yield lambda **changes: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        (TextColumn("{task.elapsed:.0f} s  {task.description}", markup=False),)
        if total is None
        else (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            Remaining(),
        )
    )
    line = Progress(
        *columns,
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = line.add_task(what, total=total)
    soon = threading.Timer(_SOON, line.start)

    def above(text: str) -> None:
        line.console.print(text, markup=False, highlight=False, soft_wrap=True)

    _shown.append(above)
    if total is None:
        soon.start()
    else:
        line.start()
    try:
        yield partial(line.update, task)
    finally:
        _shown.remove(above)
        if total is None:
            soon.cancel()
            soon.join()
        if line.live.is_started:
            line.stop()


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is going on, if it takes long; yields a function that says more."""
    with _line(what) as change:
        yield lambda text: change(description=text)


@contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """Show a progress bar on a terminal; yields a function that advances it and sets its text."""
    with _line(what, total) as change:
        yield lambda text, steps=1, done=None: change(
            description=text, advance=steps if done is None else None, completed=done
        )


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


def complaint(error: PlywiseError | OSError) -> str:
    """Return the line that says why something could not be done."""
    if isinstance(error, PlywiseError):
        return str(error)
    reason = error.strerror or str(error)
    return reason if error.filename is None else f"{error.filename}: {reason}"


def explain(error: BaseException) -> str | None:
    """Return the line for the user, or None for a bug in plywise, which deserves a traceback."""
    if isinstance(error, PlywiseError | OSError):
        return complaint(error)
    return _usage(error) if isinstance(error, UsageError) else _users_fault(error)


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
