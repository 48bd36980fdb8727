"""Who is at a game, here or at another server."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable

from plywise.play.records.store import Seats

LINGER = 4.0  #: seconds until somebody who closed their page is away: they may have reloaded it


class Visits:
    """The visits to one room. Used on the event loop.

    `seats` tells who plays, `changed` is called when somebody comes or goes, and `note` with a
    player who has come to this server, or has left it.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        seats: Callable[[], Seats],
        changed: Callable[[], None],
        note: Callable[[int, bool], None],
    ) -> None:
        self._loop = loop
        self._seats = seats
        self._changed = changed
        self._note = note
        self._here: Counter[str] = Counter()  # open pages, by client; those that linger too
        self._lingering: set[asyncio.TimerHandle] = set()
        self._elsewhere = 0.0, 0.0  # until when each player is at another server

    @property
    def here(self) -> list[int]:
        """The players that have a page open at this server."""
        return [n for n, client in enumerate(self._seats(), 1) if client and self._here[client]]

    def present(self, number: int) -> bool:
        """True if player 1 or 2 is there, at any server."""
        return number in self.here or self._elsewhere[number - 1] > time.time()

    @property
    def outdated(self) -> bool:
        """True if somebody was at another server, and nobody knows whether they still are."""
        return any(0.0 < until <= time.time() for until in self._elsewhere)

    def come(self, client: str) -> None:
        """Somebody has opened a page."""
        before = self.here
        self._here[client] += 1
        self._compare(before)

    def leave(self, client: str) -> None:
        """Somebody has closed a page; they are away if they do not come back soon."""

        def go() -> None:
            self._lingering.discard(timer)
            before = self.here
            self._here -= Counter([client])
            self._compare(before)

        timer = self._loop.call_later(LINGER, go)
        self._lingering.add(timer)

    def sit(self, number: int) -> None:
        """Somebody has taken a seat: say so if they are here."""
        if number in self.here:
            self._note(number, True)

    def heard(self, until: tuple[float, float]) -> None:
        """Take over who is there, as the store has it."""
        before = [self.present(number) for number in (1, 2)]
        self._elsewhere = until
        if before != [self.present(number) for number in (1, 2)]:
            self._changed()

    def close(self) -> None:
        """The room is closed: whoever lingers has gone."""
        for timer in self._lingering:
            timer.cancel()
        self._lingering.clear()

    def _compare(self, before: list[int]) -> None:
        for number in (1, 2):
            if (number in before) != (number in self.here):
                self._elsewhere = (  # what is stored is out of date now
                    (0.0, self._elsewhere[1]) if number == 1 else (self._elsewhere[0], 0.0)
                )
                self._note(number, number in self.here)
        if before != self.here:
            self._changed()
