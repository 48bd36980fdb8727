"""The threads that search: engines' moves on some, and analyses that take turns on others.

All of it is steered from the event loop, which never waits: `move`, `find`, `hint` and `review`
are awaited, `analyse` gives a handle and reports as it deepens. Whoever stops waiting (a task that
is cancelled, a handle that is) ends the search within a millisecond or so.

Kernels run at a lower priority than everything else, so that the event loop answers at once. The
threads here, which run Python, do not: one that held Python's lock and got no processor would
keep the event loop waiting. For the same reason they have to hand over that lock more often.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TypeVar

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.position import Position
from plywise.engines.driver import Run
from plywise.play.hints import SECONDS as HINT_SECONDS
from plywise.play.hints import Hint, hint
from plywise.play.review import Review, review
from plywise.play.session import THINK, Session
from plywise.web.analysis.engine_pool import Lender
from plywise.web.analysis.scheduler import Search, Turns
from plywise.web.errors import TooMany
from plywise.web.settings import Settings

NICE = 5  #: how much lower the priority of kernels is, as `nice` counts
#: Seconds after which a thread hands over Python's lock if another wants it. With 50 games and 20
#: analyses on two processors a move is confirmed in half the time that the usual 0.005 takes.
HANDOVER = 0.0005
SHORTEST = 0.02  #: seconds that an engine thinks about a move, however many wait
URGENT = 8.0  #: shares of the threads for a search whose answer somebody waits for
BESIDE = 3.0  #: shares for the positions of a review

T = TypeVar("T")


class Searches:
    """Everything that searches in one server. Made, used and closed on the event loop."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.lender = Lender()
        searchers = max(1, settings.workers // 2)
        self._movers = settings.workers - searchers + 1
        self._moving = _threads(self._movers, "moves")
        self._searching = _threads(searchers, "searches")
        self._waiting = _threads(settings.analyses, "waits")
        self._working = _threads(searchers, "puzzles")
        self._turns = Turns(self._searching, searchers, settings.slice, self.lender)
        self._moves = 0  # asked for and not made yet
        self._asked: Counter[str] = Counter()  # analyses, hints and reviews, by client
        self._handover = sys.getswitchinterval()
        sys.setswitchinterval(HANDOVER)
        start_kernel_threads(2 * (self._movers + searchers))  # some to spare: see there

    # ---- moves ---------------------------------------------------------------------------------

    async def move(self, session: Session) -> Analysis | None:
        """Let the engine on turn move; TooMany if too many others are about to."""
        if self._moves >= self.settings.engine_moves:
            raise TooMany("too many engines are thinking: wait a moment")
        self._moves += 1
        try:
            return await self._run(self._moving, lambda: session.think(self._usual()))
        finally:
            self._moves -= 1

    def _usual(self) -> Limits:
        """What an engine thinks that is not told how long; the more wait, the less."""
        share = THINK / max(1.0, self._moves / self._movers)
        return Limits(time=min(max(SHORTEST, share), self.settings.move_seconds))

    # ---- analyses ------------------------------------------------------------------------------

    def analyse(
        self,
        position: Position,
        agent: str = "auto",
        lines: bool = True,
        on_info: OnInfo | None = None,
        client: str = "",
    ) -> Search:
        """Search until it is proved, cancelled, or the time of an analysis is over.

        `on_info` hears, on the event loop and not too often, what is known so far.
        """
        limits = Limits(time=self.settings.analysis_seconds)
        self._enter(client)
        leave = partial(self._leave, client)
        return self._turns.add(
            Search(position, agent, limits, lines=lines, on_info=on_info, on_end=leave)
        )

    async def find(
        self,
        position: Position,
        agent: str = "auto",
        seconds: float = 1.0,
        lines: bool = True,
        client: str = "",
    ) -> Analysis:
        """One answer after some seconds, or after as many as the server allows."""
        limits = Limits(time=min(seconds, self.settings.answer_seconds))
        self._enter(client)
        leave = partial(self._leave, client)
        search = Search(position, agent, limits, lines=lines, weight=URGENT, on_end=leave)
        return await self._turns.add(search).wait()

    async def hint(
        self, position: Position, seconds: float | None = None, client: str = ""
    ) -> Hint:
        """A hint for the side to move."""
        limits = Limits(time=min(seconds or HINT_SECONDS, self.settings.answer_seconds))
        return await self._help(
            client, URGENT, lambda engine: hint(position, limits, engine=engine)
        )

    async def review(
        self,
        position: Position,
        on_position: Callable[[int], None] | None = None,
        client: str = "",
    ) -> Review:
        """A look back at a game; `on_position` hears, on the event loop, how far it is."""
        loop = asyncio.get_running_loop()
        limits = Limits(time=self.settings.review_seconds)

        def heard(count: int) -> None:
            if on_position is not None:
                loop.call_soon_threadsafe(on_position, count)

        return await self._help(
            client,
            BESIDE,
            lambda engine: review(position, engine, limits, on_position=heard),
        )

    async def work(self, work: Callable[[], T], client: str = "") -> T:
        """Anything else that takes a while and knows when to stop: reading or making a puzzle."""
        self._enter(client)
        try:
            return await self._run(self._working, work)
        finally:
            self._leave(client)

    # ---- the rest ------------------------------------------------------------------------------

    @property
    def busy(self) -> int:
        """How many moves and searches are asked for; 0 when nothing runs."""
        return self._moves + self._turns.count + self._asked.total()

    async def close(self) -> None:
        """End everything; what is still waited for is cancelled."""
        sys.setswitchinterval(self._handover)
        await self._turns.close()
        for threads in (self._working, self._waiting, self._searching, self._moving):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _help(self, client: str, weight: float, work: Callable[[_Fair], T]) -> T:
        """Run what searches again and again, in a thread that does nothing but wait for it."""
        self._enter(client)
        engine = _Fair(self._turns, weight)
        try:
            return await self._run(self._waiting, lambda: work(engine))
        finally:
            engine.call_off()
            self._leave(client)

    def _enter(self, client: str) -> None:
        if self._asked.total() >= self.settings.analyses:
            raise TooMany("too many positions are being analysed: try again in a while")
        if client and self._asked[client] >= self.settings.analyses_per_client:
            most = self.settings.analyses_per_client
            raise TooMany(f"you have {most} analyses under way: stop one first")
        self._asked[client] += 1

    def _leave(self, client: str) -> None:
        self._asked[client] -= 1
        if not self._asked[client]:
            del self._asked[client]

    @staticmethod
    async def _run(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)


class _Fair:
    """The engine of hints and reviews: each of its searches takes its turns with the others."""

    name = "auto"

    def __init__(self, turns: Turns, weight: float) -> None:
        self._turns = turns
        self._weight = weight
        self._loop = asyncio.get_running_loop()
        self._future: concurrent.futures.Future[Analysis] | None = None
        self._called_off = False

    def search(
        self,
        position: Position,
        limits: Limits = Limits(),  # noqa: B008 - it never changes
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """Called in a thread; waits there for a turn."""
        search = self._search(position, limits, lines)
        self._future = asyncio.run_coroutine_threadsafe(search, self._loop)
        if self._called_off:
            self._future.cancel()
        return self._future.result()

    async def _search(self, position: Position, limits: Limits, lines: bool) -> Analysis:
        search = Search(position, self.name, limits, lines=lines, weight=self._weight)
        return await self._turns.add(search).wait()

    def call_off(self) -> None:
        """Nobody waits for it any more."""
        self._called_off = True
        if self._future is not None:
            self._future.cancel()


def _threads(count: int, name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, f"plywise-{name}")


def start_kernel_threads(count: int) -> None:
    """Have the driver start the threads of its kernels, so many at least, at a low priority.

    A thread inherits its priority, and the driver starts one when none is idle. That it does not
    have to, later on, from a thread with another priority, there are more of them than searches.
    """
    if sys.platform != "linux":  # elsewhere a priority is that of the whole process
        return

    def start() -> None:
        with suppress(OSError):
            usual = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), usual + NICE)
        together = threading.Barrier(count)
        Run(Limits()).call([together.wait] * count)

    thread = threading.Thread(target=start, name="plywise-start")
    thread.start()
    thread.join()
