"""A listening socket and a log that survive a flood of connections."""

from __future__ import annotations

import errno
import logging
import socket
import time
from collections.abc import Callable
from typing import Any

AT_ONCE = 32  #: connections taken before the event loop does something else
SCARCE = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
RESERVED = 128  #: descriptors kept for the store, the files of the page and the event loop
FEWEST = 16  #: connections that are allowed in any case

ALIKE = 5  #: messages of one kind that are written in a while; the others are counted
WHILE = 60.0  #: seconds
KINDS = 1000  #: kinds of messages that are remembered


class Listener(socket.socket):
    """A listening socket that takes a few connections at a time.

    When there are no descriptors left, asyncio stops accepting for a second. But Python before
    3.14 then tries again and again for the whole backlog, and logs each failure: the first one
    is enough.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.admits: Callable[[str], bool] = lambda host: True  #: False sends a host away
        self._taken = 0

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; BlockingIOError if there is none, or it is time for others."""
        while self._taken < AT_ONCE:
            try:
                made, address = super().accept()
            except OSError as error:
                self._taken = AT_ONCE if error.errno in SCARCE else 0
                raise
            self._taken += 1
            if self.admits(address[0]):
                return made, address
            made.close()
        self._taken = 0
        raise BlockingIOError


def raise_descriptor_limit() -> int | None:
    """Allow as many descriptors as the system permits; return how many, None if unknown."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        except (ValueError, OSError):  # macOS says "unlimited" and does not mean it
            return soft
    return None if hard == resource.RLIM_INFINITY else hard


def most_connections(wanted: int, descriptors: int | None) -> int:
    """Return how many connections may be open, so that there are always descriptors left.

    >>> most_connections(4000, 1024), most_connections(4000, None), most_connections(4000, 64)
    (896, 4000, 16)
    """
    if descriptors is None:
        return wanted
    return max(FEWEST, min(wanted, descriptors - RESERVED))


class RepeatFilter(logging.Filter):
    """Lets a few messages of each kind through in a minute, and says how many it held back."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._seen: dict[tuple[str, str, str], tuple[float, int]] = {}  # since when, how many

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to write a message."""
        failure = "" if record.exc_info is None else str(record.exc_info[0])
        kind = record.name, str(record.msg), failure
        since, count = self._seen.get(kind, (float("-inf"), 0))
        now = self._clock()
        if now - since >= WHILE:
            if count > ALIKE:
                record.msg = f"{record.msg} ({count - ALIKE:,} more like this were not written)"
            since, count = now, 0
        if len(self._seen) >= KINDS:
            self._seen.clear()
        self._seen[kind] = since, count + 1
        return count < ALIKE
