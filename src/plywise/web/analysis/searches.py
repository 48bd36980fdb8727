"""The search threads: some for engine moves, others for analyses that take turns.

All of it is controlled from the event loop, which never blocks: `move`, `find`, `hint` and `review`
are awaited, `analyse` returns a handle and reports as it deepens. Cancelling the task or the handle
ends the search within a millisecond or so.

Kernels run at a lower priority than everything else, so that the event loop stays responsive. The
Python threads here do not: one that held the GIL without getting a processor would block the event
loop. For the same reason they have to release the GIL more often.
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

NICE = 5  #: how much lower the priority of kernels is, as a `nice` value
#: Seconds after which a thread releases the GIL if another wants it. With 50 games and 20 analyses
#: on two processors a move is confirmed in half the time that the default of 0.005 takes.
HANDOVER = 0.0005
SHORTEST = 0.02  #: least seconds that an engine thinks about a move, however many wait
URGENT = 8.0  #: weight of a search whose answer someone is waiting for
BESIDE = 3.0  #: weight of the positions of a review

T = TypeVar("T")


class Searches:
    """All searches of one server. Created, used and closed on the event loop."""

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
        self._moves = 0  # requested and not played yet
        self._asked: Counter[str] = Counter()  # analyses, hints and reviews, by client
        self._handover = sys.getswitchinterval()
        sys.setswitchinterval(HANDOVER)
        start_kernel_threads(2 * (self._movers + searchers))  # more than needed: see there

    # ---- moves ---------------------------------------------------------------------------------

    async def move(self, session: Session) -> Analysis | None:
        """Let the engine to move play its move; TooMany if too many engines are thinking."""
        if self._moves >= self.settings.engine_moves:
            raise TooMany("too many engines are thinking: wait a moment")
        self._moves += 1
        try:
            return await self._run(self._moving, lambda: session.think(self._usual()))
        finally:
            self._moves -= 1

    def _usual(self) -> Limits:
        """The default limits of an engine; the more engines wait, the less time each gets."""
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
        """Search until the result is proved, the search is cancelled, or its time is over.

        `on_info` is called on the event loop, at a limited rate, with the result so far.
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
        """Search for some seconds, up to the server's limit, and return the result."""
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
        """Review a game; `on_position` is called on the event loop with the progress."""
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
        """Run other work that takes a while and limits its own time, such as making a puzzle."""
        self._enter(client)
        try:
            return await self._run(self._working, work)
        finally:
            self._leave(client)

    # ---- state and closing ---------------------------------------------------------------------

    @property
    def busy(self) -> int:
        """How many moves and searches are waiting or running."""
        return self._moves + self._turns.count + self._asked.total()

    async def close(self) -> None:
        """Stop everything; pending results are cancelled."""
        sys.setswitchinterval(self._handover)
        await self._turns.close()
        for threads in (self._working, self._waiting, self._searching, self._moving):
            threads.shutdown(wait=False, cancel_futures=True)

    async def _help(self, client: str, weight: float, work: Callable[[_Fair], T]) -> T:
        """Run work that does many searches, in a thread that only waits for them."""
        self._enter(client)
        engine = _Fair(self._turns, weight)
        try:
            return await self._run(self._waiting, lambda: work(engine))
        finally:
            engine.call_off()
            self._leave(client)

    def _enter(self, client: str) -> None:
        if self._asked.total() >= self.settings.analyses:
            raise TooMany("too many positions are being analysed: try again later")
        if client and self._asked[client] >= self.settings.analyses_per_client:
            most = self.settings.analyses_per_client
            raise TooMany(f"you already have {most} analyses running: stop one first")
        self._asked[client] += 1

    def _leave(self, client: str) -> None:
        self._asked[client] -= 1
        if not self._asked[client]:
            del self._asked[client]

    @staticmethod
    async def _run(threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(threads, work)


class _Fair:
    """The engine of hints and reviews: its searches take turns with all others."""

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
        """Search a position; called in a thread, which waits for its turn."""
        search = self._search(position, limits, lines)
        self._future = asyncio.run_coroutine_threadsafe(search, self._loop)
        if self._called_off:
            self._future.cancel()
        return self._future.result()

    async def _search(self, position: Position, limits: Limits, lines: bool) -> Analysis:
        search = Search(position, self.name, limits, lines=lines, weight=self._weight)
        return await self._turns.add(search).wait()

    def call_off(self) -> None:
        """Cancel the current search and all later ones."""
        self._called_off = True
        if self._future is not None:
            self._future.cancel()


def _threads(count: int, name: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(count, f"plywise-{name}")


def start_kernel_threads(count: int) -> None:
    """Make the driver start at least this many kernel threads at a low priority.

    A thread inherits its priority, and the driver starts one when none is idle. There are more of
    them than searches, so that it never starts one later from a thread of normal priority.
    """
    if sys.platform != "linux":  # elsewhere a priority applies to the whole process
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
