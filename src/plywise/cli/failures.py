"""What went wrong, in one line that also says what would be right."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import typer

from plywise.errors import PlywiseError, describe, suggest

#: The root of typer's complaints about arguments; it has moved between modules over time.
UsageError: Any = typer.BadParameter.__base__


def explain(error: BaseException) -> str | None:
    """The line for the user, or None for a fault of plywise itself, which deserves a trace."""
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
    """Whatever fails while a game file of the user's is loaded is put down to that file."""
    files = [
        Path(module.__file__)
        for name, module in sys.modules.items()
        if name.startswith("plywise_game_") and module.__file__
    ]
    if not files:
        return None
    return f"the game file {files[-1]} raised {describe(error, files[-1])}"
