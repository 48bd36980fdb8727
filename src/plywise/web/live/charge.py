"""Which server has the engine of a game think, where several servers use one database.

It is the one where a player is, or which made the last change. The others only watch. If nothing
happens for a while, that server may be gone, and they think too: should two engines move at once,
the store refuses one of the moves.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable


class Charge:
    """Whether a room is in charge of its engine. Used on the event loop."""

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
