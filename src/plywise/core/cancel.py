"""Work that can be cancelled: long loops ask now and then whether anybody still waits for them.

Searches of games have a `Stop`. Other work, such as the solver of a puzzle, may be deep inside
plain functions: it calls `check_cancelled`, which costs next to nothing and raises if the caller
has gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from plywise.core.analysis import Stop
from plywise.errors import PlywiseError

_stop: ContextVar[Stop | None] = ContextVar("stop", default=None)


class Cancelled(PlywiseError):
    """The work was cancelled: its client has gone."""


@contextmanager
def cancellable(stop: Stop) -> Iterator[None]:
    """Let `stop` cancel what runs here, in this thread."""
    before = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(before)


def check_cancelled() -> None:
    """Raise Cancelled if the work that this thread does was cancelled."""
    stop = _stop.get()
    if stop is not None and stop.is_set():
        raise Cancelled("cancelled: nobody waits for this any more")
