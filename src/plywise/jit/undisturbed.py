"""Compiling out of reach of interrupts.

numba is not prepared for a KeyboardInterrupt: what it was compiling, and often all that comes
after it, fails for as long as the process lives. A program ends then, but the kernel of a notebook
goes on. So there the compiler runs in a thread of its own. An interrupt ends the wait at once, the
compiler finishes in the background, and the next cell finds what it has made.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from contextlib import nullcontext
from typing import TypeVar

from plywise.core.progress import in_notebook
from plywise.jit.ahead import is_quiet, quietly

T = TypeVar("T")


def undisturbed(work: Callable[[], T]) -> T:
    """Return what `work` returns; if the wait is interrupted, it still runs to its end."""
    if not _is_exposed():
        return work()
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()
    quiet = is_quiet()

    def run() -> None:
        try:
            with quietly() if quiet else nullcontext():
                results.append(work())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name="plywise-undisturbed", daemon=True).start()
    done.wait()
    if errors:
        raise errors[0]
    return results[0]


def _is_exposed() -> bool:
    """Return True if an interrupt would hit this thread, and another one may do its work.

    While a module is being imported, another thread that needs it would wait for this one.
    """
    if threading.current_thread() is not threading.main_thread() or not in_notebook():
        return False
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return False
    return True
