"""Compiling in the background, so that nobody waits for it.

Rules run as they are, too, only slowly. Whoever needs a quick first answer starts the compiler here
and searches with the interpreted kernel until it is done.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_quiet = threading.local()
_running: set[Ahead] = set()


def at_work() -> bool:
    """True while something is being compiled in the background."""
    return bool(_running)


class Ahead:
    """Work that makes kernels compile, done in a thread of its own."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._done = threading.Event()
        self._error: BaseException | None = None
        self._lock = threading.Lock()
        self._started = False

    def ready(self, seconds: float | None = None) -> bool:
        """Start the work if need be; True if it is done within some seconds, or by default at all.

        If the work failed, its error is raised.
        """
        with self._lock:
            if not self._started:
                self._started = True
                threading.Thread(target=self._run, name="plywise-compile", daemon=True).start()
        done = self._done.wait(seconds)
        if self._error is not None:
            raise self._error
        return done

    def _run(self) -> None:
        _running.add(self)
        try:
            with quietly():
                self._work()
        except BaseException as error:
            self._error = error
        finally:
            _running.discard(self)
            self._done.set()


@contextmanager
def quietly() -> Iterator[None]:
    """Do not tell anyone what this thread compiles."""
    _quiet.on = True
    try:
        yield
    finally:
        _quiet.on = False


def is_quiet() -> bool:
    """True if nobody is to hear what this thread compiles."""
    return bool(getattr(_quiet, "on", False))
