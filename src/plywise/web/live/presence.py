"""Who is at a game, here or at another server, and so which server has its engine think."""

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


class EngineHost:
    """Which server has the engine of a game think, where several use one database.

    It is the one where a player is, or which made the last change. The others only watch. If
    nothing happens for a while, that server may be gone, and they think too: should two engines
    move at once, the store refuses one of the moves. Used on the event loop.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        belongs: Callable[[str], bool],
        patience: float,
        taken: Callable[[], None],
    ) -> None:
        self.ours = False
        self._loop = loop
        self._belongs = belongs  # whether a client is one of the players
        self._patience = patience
        self._taken = taken  # called when nobody else has moved in time
        self._present: Counter[str] = Counter()  # users of the room, by client
        self._timer: asyncio.TimerHandle | None = None

    def come_in(self, client: str) -> None:
        """Somebody is here."""
        self._present[client] += 1
        if self._belongs(client):
            self.take()

    def leave(self, client: str) -> None:
        """Somebody has gone."""
        self._present -= Counter([client])

    def take(self) -> None:
        """Be in charge, because a player is here or has done something here."""
        self.ours = True
        self.close()

    def give(self) -> None:
        """Leave it to the server that has just made a change, unless a player is here too."""
        self.close()
        self.ours = any(map(self._belongs, self._present))

    def wait(self) -> None:
        """Wait for the move of another server, and take over if none comes."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._patience, self._take_over)

    def _take_over(self) -> None:
        self.take()
        self._taken()

    def close(self) -> None:
        """Stop waiting."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
