"""Work that can be cancelled: long loops ask now and then whether anybody still waits for them.

Searches of games have a `Stop`. Other work, such as the solver of a puzzle, may be deep inside
plain functions: it calls `check_cancelled`, which costs next to nothing and raises if the caller
has gone. Whoever runs the work may also use these moments to let others go first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from plywise.core.analysis import Stop
from plywise.errors import PlywiseError

OnCheck = Callable[[], None]

_running: ContextVar[tuple[Stop, OnCheck | None] | None] = ContextVar("running", default=None)


class Cancelled(PlywiseError):
    """The work was cancelled: its client has gone."""


@contextmanager
def cancellable(stop: Stop, on_check: OnCheck | None = None) -> Iterator[None]:
    """Let `stop` cancel what runs here, in this thread; `on_check` is called where it asks."""
    before = _running.set((stop, on_check))
    try:
        yield
    finally:
        _running.reset(before)


def check_cancelled() -> None:
    """Raise Cancelled if the work that this thread does was cancelled."""
    running = _running.get()
    if running is None:
        return
    stop, on_check = running
    if on_check is not None:
        on_check()
    if stop.is_set():
        raise Cancelled("cancelled: the client has gone")
