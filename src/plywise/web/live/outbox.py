"""What waits to be sent on a socket: a slow reader gets the newest of each kind, not all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

MOST = 64  #: answers that wait; no frame is read while there are so many

#: A frame is written when it is sent, and then says what is true at that moment.
Frame = Callable[[], str]


class Outbox:
    """Frames in the order in which they are sent."""

    def __init__(self) -> None:
        self._frames: dict[str, Frame] = {}
        self._answers = 0
        self._number = 0
        self._ready = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, kind: str, frame: Frame) -> None:
        """Send a frame, in place of one of the same kind that still waits."""
        self._frames[kind] = frame
        self._ready.set()

    def answer(self, frame: Frame) -> None:
        """Send a frame that none takes the place of."""
        self._number += 1
        self._answers += 1
        self.put(f"answer {self._number}", frame)
        if self._answers >= MOST:
            self._room.clear()

    def drop(self, kind: str) -> None:
        """What is said there is no longer of interest."""
        self._frames.pop(kind, None)

    async def room(self) -> None:
        """Wait until the other side has read enough."""
        await self._room.wait()

    async def next(self) -> str:
        """The frame to send next; waits for one."""
        while not self._frames:
            self._ready.clear()
            await self._ready.wait()
        kind = next(iter(self._frames))
        if kind.startswith("answer "):
            self._answers -= 1
            self._room.set()
        return self._frames.pop(kind)()
