"""The search threads: some for engine moves, others for analyses that take turns.

All of it is controlled from the event loop, which never blocks: `move`, `find`, `hint`, `review`
and `work` are awaited, `analyse` returns a handle and reports as it deepens. Cancelling the task or
the handle ends the search within a millisecond or so. Everything is counted by address, so that
one address cannot use up what the others need.

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
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.position import Position
from plywise.engines.driver import Run
from plywise.play.hints import SECONDS as HINT_SECONDS
from plywise.play.hints import Hint, hint
from plywise.play.review import Review, review
from plywise.play.session import THINK, Session
from plywise.web.analysis.engine_pool import Lender
from plywise.web.analysis.fair_threads import FairThreads
from plywise.web.analysis.scheduler import Search, Turns
from plywise.web.caller import NOBODY, Caller
from plywise.web.limits import Slots
from plywise.web.settings import SHARE, Settings

NICE = 5  #: how much lower the priority of kernels is, as a `nice` value
#: Seconds after which a thread releases the GIL if another wants it. With 50 games and 20 analyses
#: on two processors a move is confirmed in half the time that the default of 0.005 takes.
HANDOVER = 0.0005
SLICE = 0.1  #: seconds that a search runs before a waiting one gets its turn
READERS = 4  #: positions in progress for one address, which take turns
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
        self._moving = FairThreads(settings.workers - searchers + 1, "moves")
        self._reading = FairThreads(READERS, "reads", at_once=1)
        self._working = FairThreads(searchers, "puzzles", at_once=searchers)
        self._pools = (self._working, self._reading, self._moving)
        self._searching = ThreadPoolExecutor(searchers, "plywise-searches")
        self._turns = Turns(self._searching, searchers, SLICE, self.lender)
        self._moves = Slots(settings.engine_moves, "thinking engines")
        each = settings.analyses_per_client
        full = f"you already have {each} analyses running: stop one first"
        self._analyses = Slots(settings.analyses, "analyses", each, full)  # hints and reviews too
        self._handover = sys.getswitchinterval()
        sys.setswitchinterval(HANDOVER)
        # More than needed: see there.
        start_kernel_threads(2 * (SHARE * self._moving.each + searchers))

    # ---- moves ---------------------------------------------------------------------------------

    async def move(self, session: Session, address: str = "") -> Analysis | None:
        """Let the engine to move play its move; TooMany if too many engines are thinking."""
        with self._moves.held(address):
            return await self._moving.run(lambda: session.think(self._usual(address)), address)

    def _usual(self, address: str) -> Limits:
        """The default limits of an engine; the more engines wait, the less time each gets."""
        share = THINK / max(1.0, self._moving.load(address) / self._moving.each)
        return Limits(time=min(max(SHORTEST, share), self.settings.move_seconds))

    # ---- analyses ------------------------------------------------------------------------------

    def analyse(
        self,
        position: Position,
        agent: str = "auto",
        lines: bool = True,
        on_info: OnInfo | None = None,
        caller: Caller = NOBODY,
    ) -> Search:
        """Search until the result is proved, the search is cancelled, or its time is over.

        `on_info` is called on the event loop, at a limited rate, with the result so far.
        """
        seconds = self.settings.analysis_seconds
        return self._search(position, agent, seconds, caller, lines=lines, on_info=on_info)

    async def find(
        self,
        position: Position,
        agent: str = "auto",
        seconds: float = 1.0,
        lines: bool = True,
        caller: Caller = NOBODY,
    ) -> Analysis:
        """Search for some seconds, up to the server's limit, and return the result."""
        seconds = min(seconds, self.settings.answer_seconds)
        search = self._search(position, agent, seconds, caller, lines=lines, weight=URGENT)
        return await search.wait()

    def _search(
        self, position: Position, agent: str, seconds: float, caller: Caller, **options: Any
    ) -> Search:
        """Start a search that counts as one of the caller's analyses."""
        self._analyses.enter(caller.address, caller.client)
        leave = partial(self._analyses.leave, caller.address, caller.client)
        limits, address = Limits(time=seconds), caller.address
        return self._turns.add(
            Search(position, agent, limits, address=address, on_end=leave, **options)
        )

    async def hint(
        self, position: Position, seconds: float | None = None, caller: Caller = NOBODY
    ) -> Hint:
        """A hint for the side to move."""
        limits = Limits(time=min(seconds or HINT_SECONDS, self.settings.answer_seconds))
        return await self._help(
            caller, URGENT, lambda engine: hint(position, limits, engine=engine)
        )

    async def review(
        self,
        position: Position,
        on_position: Callable[[int], None] | None = None,
        caller: Caller = NOBODY,
    ) -> Review:
        """Review a game; `on_position` is called on the event loop with the progress."""
        loop = asyncio.get_running_loop()
        limits = Limits(time=self.settings.review_seconds)

        def heard(count: int) -> None:
            if on_position is not None:
                loop.call_soon_threadsafe(on_position, count)

        return await self._help(
            caller, BESIDE, lambda engine: review(position, engine, limits, on_position=heard)
        )

    async def work(self, work: Callable[[], T], caller: Caller = NOBODY) -> T:
        """Run other work that takes a while and limits its own time, such as making a puzzle.

        It ends early where it calls `check_cancelled`, if the caller is cancelled.
        """
        with self._analyses.held(caller.address, caller.client):
            return await self._working.run(work, caller.address)

    async def read(self, work: Callable[[], T], address: str = "") -> T:
        """Run something short in a thread, such as building a position.

        It ends early where it calls `check_cancelled`, if the caller is cancelled.
        """
        return await self._reading.run(work, address)

    # ---- state and closing ---------------------------------------------------------------------

    @property
    def busy(self) -> int:
        """How many moves and searches are waiting or running."""
        return self._moves.total + self._turns.count + self._analyses.total

    @property
    def load(self) -> dict[str, int]:
        """How many of them run and how many wait for a thread."""
        running = self._turns.running + self._moving.running
        return {"running": running, "waiting": self._turns.count + self._moving.count - running}

    @property
    def at_work(self) -> bool:
        """True if a thread still works on something that nobody waits for."""
        return any(pool.at_work for pool in self._pools)

    async def close(self) -> None:
        """Stop everything; pending results are cancelled."""
        sys.setswitchinterval(self._handover)
        await self._turns.close()
        for pool in self._pools:
            pool.close()
        self._searching.shutdown(wait=False, cancel_futures=True)

    async def _help(self, caller: Caller, weight: float, work: Callable[[_Fair], T]) -> T:
        """Run work that does many searches, in a thread that mostly waits for them."""
        with self._analyses.held(caller.address, caller.client):
            engine = _Fair(self._turns, weight, caller.address, self._reading.aside)
            try:
                return await self._reading.run(lambda: work(engine), caller.address)
            finally:
                engine.call_off()


@dataclass
class _Fair:
    """The engine of hints and reviews: its searches take turns with all others."""

    turns: Turns
    weight: float
    address: str
    aside: Callable[[], AbstractContextManager[None]]  #: what to do while a search runs
    name: str = "auto"

    def __post_init__(self) -> None:
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

        async def search() -> Analysis:
            asked = Search(
                position, self.name, limits, lines, weight=self.weight, address=self.address
            )
            return await self.turns.add(asked).wait()

        self._future = asyncio.run_coroutine_threadsafe(search(), self._loop)
        if self._called_off:
            self._future.cancel()
        with self.aside():
            return self._future.result()

    def call_off(self) -> None:
        """Cancel the current search and all later ones."""
        self._called_off = True
        if self._future is not None:
            self._future.cancel()


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

    threading.Thread(target=start, name="plywise-start", daemon=True).start()
