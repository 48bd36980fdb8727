"""The send queue of a socket: a slow reader gets only the newest frame of each kind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

MOST = 64  #: answers that may wait; beyond that no frames are read

#: A frame is written only when it is sent, so it is up to date.
Frame = Callable[[], str]


class Outbox:
    """Frames in the order in which they will be sent."""

    def __init__(self) -> None:
        self._frames: dict[str, Frame] = {}
        self._answers = 0
        self._number = 0
        self._ready = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, kind: str, frame: Frame) -> None:
        """Queue a frame, replacing a waiting one of the same kind."""
        self._frames[kind] = frame
        self._ready.set()

    def answer(self, frame: Frame) -> None:
        """Queue a frame that no other replaces."""
        self._number += 1
        self._answers += 1
        self.put(f"answer {self._number}", frame)
        if self._answers >= MOST:
            self._room.clear()

    def drop(self, kind: str) -> None:
        """Remove a waiting frame of this kind."""
        self._frames.pop(kind, None)

    async def room(self) -> None:
        """Wait until there is room for another answer."""
        await self._room.wait()

    async def next(self) -> str:
        """Wait for the next frame to send and return it."""
        while not self._frames:
            self._ready.clear()
            await self._ready.wait()
        kind = next(iter(self._frames))
        if kind.startswith("answer "):
            self._answers -= 1
            self._room.set()
        return self._frames.pop(kind)()
