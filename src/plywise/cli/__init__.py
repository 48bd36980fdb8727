"""The command line. Light to import: `plywise --help` loads neither NumPy nor numba."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress

_VERBOSE = "--verbose"  #: an option of every command
_BAD_INPUT = 2
_INTERRUPTED = 130  #: what shells report for a program ended by Ctrl-C
_PIPE_CLOSED = 141  #: what they report when the reader of a pipe has gone


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code. Bad input gets one line on stderr, code 2."""
    code = _run(arguments)
    ahead = sys.modules.get("plywise.jit.background")
    if arguments is None and ahead is not None and ahead.at_work():
        with suppress(OSError):
            sys.stdout.flush()
        os._exit(code)  # all is done, but Python would wait until the last kernel is compiled
    return code


def _run(arguments: Sequence[str] | None) -> int:
    _open_streams()
    try:
        from plywise.cli.app import run
        from plywise.cli.console import explain, warn_in_one_line

        warn_in_one_line()

        given = list(sys.argv[1:] if arguments is None else arguments)
        verbose = _VERBOSE in given or bool(os.environ.get("PLYWISE_VERBOSE"))
        try:
            run([argument for argument in given if argument != _VERBOSE])
            sys.stdout.flush()
        except BrokenPipeError:
            raise
        except (Exception, SystemExit) as error:  # a user's file may call exit
            message = explain(error)
            if message is None:
                raise
            if verbose:
                traceback.print_exception(error)
            return _complain(message, _BAD_INPUT)
    except KeyboardInterrupt:
        return _complain("stopped", _INTERRUPTED)
    except BrokenPipeError:
        # Whatever is left in the buffer has nowhere to go; Python would complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _PIPE_CLOSED
    return 0


def _open_streams() -> None:
    """Send what goes to a closed stream nowhere (`>&-`), and not into the next file opened."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            while (opened := os.open(os.devnull, os.O_RDWR)) < number:
                pass  # an earlier stream is closed, too
            if opened != number:  # it is open after all, but unusable
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", encoding="utf-8"))


def _complain(message: str, code: int) -> int:
    print(f"plywise: {' '.join(message.split())}", file=sys.stderr)
    return code
