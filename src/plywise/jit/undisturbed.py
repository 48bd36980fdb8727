"""Compiling out of reach of interrupts.

numba is not prepared for a KeyboardInterrupt: what it was compiling, and often all that comes
after it, fails for as long as the process lives. A program ends then, but the kernel of a notebook
and an interactive session go on. So the compiler runs in a thread of its own there. An interrupt
ends the wait at once, the compiler finishes in the background, and what it has made is kept.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import nullcontext
from typing import Any, TypeVar

from plywise.core.cancel import Cancelled
from plywise.core.progress import in_notebook
from plywise.jit.ahead import is_quiet, quietly

T = TypeVar("T")
_POLL_SECONDS = 0.02  #: between checks whether a job has ended
_thread = threading.local()


def undisturbed(work: Callable[[], T]) -> T:
    """Return what `work`, which compiles something, returns.

    If the wait for it is interrupted, it still runs to its end. In a `Job` that nobody waits for
    any more, Cancelled is raised then: what was compiled must not be called.
    """
    if _is_exposed():
        return _beside(work)
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


def _beside(work: Callable[[], T]) -> T:
    """Run work in a thread and wait for it."""
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
