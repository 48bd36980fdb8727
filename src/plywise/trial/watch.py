"""Interrupts a function that does not return."""

from __future__ import annotations

import ctypes
import threading
import time
from types import TracebackType

_POLL_SECONDS = 0.05  #: between checks of the clock


class TooSlow(BaseException):
    """A function took too long. Not an Exception, so that no rule catches it."""


class Watch:
    """Raises TooSlow in the thread that opened it if one call uses too much processor time.

    The time of the process is counted, not the clock on the wall, so that a busy machine does not
    matter. Only Python code is interrupted; a rule is nothing else while it is interpreted.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.what = ""
        self.since = time.process_time()
        self.thread = threading.get_ident()
        self.ended = threading.Event()
        self.watcher = threading.Thread(target=self._watch, daemon=True)

    def begin(self, what: str) -> None:
        """Start the time of a call."""
        self.what = what
        self.since = time.process_time()

    def _watch(self) -> None:
        while not self.ended.wait(_POLL_SECONDS):
            if time.process_time() - self.since > self.patience:
                self._interrupt(TooSlow)
                return

    def _interrupt(self, kind: type[BaseException] | None) -> None:
        error = None if kind is None else ctypes.py_object(kind)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self.thread), error)

    def __enter__(self) -> Watch:
        self.thread = threading.get_ident()
        self.begin("")
        self.watcher.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, traceback: TracebackType | None
    ) -> None:
        self.ended.set()
        self.watcher.join()
        if kind is None or not issubclass(kind, TooSlow):
            self._interrupt(None)  # it may have been asked for at the last moment
