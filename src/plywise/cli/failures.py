"""Turns exceptions into one-line messages that also say what would be right."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

import typer

from plywise.errors import PlywiseError, PlywiseWarning, describe, suggest

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
