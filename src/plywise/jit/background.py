"""Compiling in a thread of its own, so that nobody waits for it and no interrupt reaches it.

Rules run as they are, too, only slowly. Whoever needs a quick first answer starts the compiler here
and searches with the interpreted kernel until it is done.

numba is not prepared for a KeyboardInterrupt: what it was compiling, and often all that comes
after it, fails for as long as the process lives. A program ends then, but the kernel of a notebook
and an interactive session go on. There the compiler always has a thread of its own. An interrupt
ends the wait at once, the compiler finishes in the background, and what it has made is kept.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from plywise.core.analysis import Cancelled
from plywise.core.progress import in_notebook

T = TypeVar("T")
_POLL_SECONDS = 0.02  #: between checks whether a job has ended
_AHEAD, _WAITED_FOR = "plywise-ahead", "plywise-compile"  #: names of threads
_thread = threading.local()


def at_work() -> bool:
    """True while something is being compiled in the background."""
    return any(thread.name == _AHEAD for thread in threading.enumerate())


def is_quiet() -> bool:
    """True if nobody is to hear what this thread compiles."""
    return threading.current_thread().name == _AHEAD


class Ahead:
    """Work that makes kernels compile, done in a thread of its own."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work
        self._future: Future[None] | None = None
        self._lock = threading.Lock()

    def ready(self, seconds: float | None = None) -> bool:
        """Start the work if need be; True if it is done within some seconds, or by default at all.

        If the work failed, its error is raised.
        """
        with self._lock:
            if self._future is None:
                self._future = _started(self._work, _AHEAD)
        wait([self._future], seconds)
        if not self._future.done():
            return False
        self._future.result()
        return True


def _started(work: Callable[[], T], name: str) -> Future[T]:
    """Start work in a thread of that name, and return what becomes of it."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            result = work()
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future


def undisturbed(work: Callable[[], T]) -> T:
    """Return what `work`, which compiles something, returns.

    If the wait for it is interrupted, it still runs to its end. In a `Job` that nobody waits for
    any more, Cancelled is raised then: what was compiled must not be called.
    """
    if _is_exposed():
        return _started(work, _WAITED_FOR).result()
    job: Job | None = getattr(_thread, "job", None)
    if job is None:
        return work()
    job.compiling = True
    try:
        return work()
    finally:
        job.compiling = False
        if job.left:
            raise Cancelled("cancelled while it was compiled")


def _is_exposed() -> bool:
    """Return True if an interrupt would hit this thread, and another one may do its work.

    While a module is being imported, another thread that needs it would wait for this one.
    """
    if threading.current_thread() is not threading.main_thread():
        return False
    if not (in_notebook() or hasattr(sys, "ps1")):
        return False
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_globals.get("__name__") == "importlib._bootstrap":
            return False
    return True


class Job:
    """A job of a search, in a thread of its own; it can be left while it compiles."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.compiling = False
        self.left = False

    def __call__(self) -> Any:
        """Do the work."""
        before = getattr(_thread, "job", None)
        _thread.job = self
        try:
            return self.work()
        finally:
            _thread.job = before


def leave(jobs: Sequence[Job], futures: Sequence[Future[Any]]) -> None:
    """Wait until jobs that were told to stop have done so, but not for those that compile.

    The last of the jobs may not have been started.
    """
    for job in jobs:
        job.left = True
    started = list(zip(jobs, futures, strict=False))
    while any(not (future.done() or job.compiling) for job, future in started):
        wait(futures, _POLL_SECONDS)
