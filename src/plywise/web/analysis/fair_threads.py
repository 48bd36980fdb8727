"""Threads that many addresses share: whoever asks for a lot waits, and nobody else does."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from plywise.web.settings import SHARE

T = TypeVar("T")


class FairThreads:
    """A pool of threads, of which one address uses at most `each` at a time.

    Work in a thread cannot be interrupted, so there are several times as many threads: the others
    stay free for other addresses. Further work waits, in the order in which it came.
    """

    def __init__(self, each: int, name: str) -> None:
        self.each = each
        self._threads = ThreadPoolExecutor(SHARE * each, f"plywise-{name}")
        self._free: dict[str, asyncio.Semaphore] = {}
        self._users: Counter[str] = Counter()  # waiting or running, by address

    async def run(self, work: Callable[[], T], address: str = "") -> T:
        """Run work in a thread. If the caller is cancelled, it may still run to its end."""
        loop = asyncio.get_running_loop()
        free = self._free.setdefault(address, asyncio.Semaphore(self.each))
        self._users[address] += 1
        try:
            await free.acquire()
            future = self._threads.submit(work)
        except BaseException:
            self._leave(address)
            raise
        future.add_done_callback(partial(self._done, loop, address))
        return await asyncio.wrap_future(future)

    def _done(self, loop: asyncio.AbstractEventLoop, address: str, _: Future[Any]) -> None:
        """Free the thread; called in it. Only now, since a cancelled caller has left long ago."""

        def free() -> None:
            self._free[address].release()
            self._leave(address)

        with suppress(RuntimeError):  # the loop is closed: nobody waits
            loop.call_soon_threadsafe(free)

    def _leave(self, address: str) -> None:
        self._users[address] -= 1
        if not self._users[address]:
            del self._users[address], self._free[address]

    @property
    def count(self) -> int:
        """How much work is waiting or running."""
        return self._users.total()

    @property
    def running(self) -> int:
        """How much of it has a thread."""
        return sum(min(count, self.each) for count in self._users.values())

    def load(self, address: str) -> int:
        """How much work this address waits for; at least what all addresses may do at once."""
        return max(self._users[address], self.running)

    def close(self) -> None:
        """Start nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
