"""Analyses that share a few threads by turns, controlled from the event loop.

A search that is alone keeps running. When others wait, it yields after its turn and continues later
with what is left in its table. Turns get longer, since each one repeats the depths that the table
already has; a new search cuts the turns of others short, so that it shows a first result soon.

The threads are shared by addresses first, and then by the searches of each: whoever asks for a
hint gets it in about twice its time, however many searches another address has.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, TypeVar

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop, moves_to_win
from plywise.core.position import Position
from plywise.web.analysis.engine_pool import Lender
from plywise.web.errors import NotNow

INTERVAL = 0.125  #: seconds between two reports of one search
LONGEST = 20  #: the longest turn of a search, as a multiple of its first
PATIENCE = 1.0  #: seconds that searches have to stop on shutdown


T = TypeVar("T")


class Newest(Generic[T]):
    """Passes the newest value from a thread to the event loop, at a limited rate."""

    def __init__(self, loop: asyncio.AbstractEventLoop, tell: Callable[[T], None]) -> None:
        self._loop = loop
        self._tell = tell
        self._newest: T
        self._under_way = False
        self._last = float("-inf")

    def put(self, value: T) -> None:
        """Queue a value, from a thread. Only one call to the loop is pending at a time."""
        self._newest = value
        if not self._under_way:
            self._under_way = True
            with suppress(RuntimeError):  # the loop is closed: nobody listens
                self._loop.call_soon_threadsafe(self._pass_on)

    def _pass_on(self) -> None:
        wait = self._last + INTERVAL - self._loop.time()
        if wait > 0:
            self._loop.call_later(wait, self._pass_on)
            return
        self._under_way = False
        self._last = self._loop.time()
        self._tell(self._newest)


@dataclass(eq=False)
class Search:
    """One analysis: await `wait`, read `result`, or call `cancel`."""

    position: Position
    agent: str
    limits: Limits
    lines: bool = False
    on_info: OnInfo | None = None
    weight: float = 1.0  #: its share of the threads; above 1 if somebody waits for the answer
    address: str = ""  #: who it is for
    on_end: Callable[[], None] | None = None  #: called once, when the search has ended

    def __post_init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.result: asyncio.Future[Analysis] = self.loop.create_future()
        self.ended = False
        self.turns = 0
        self.used = 0.0  # thread time used, divided by the weight
        self.begun = 0.0  # start of the current turn
        self.stop = Stop()  # of the current turn
        self.lent = 0  # the number of the engine it had last
        self._best: Analysis | None = None
        self._nodes = 0  # before the current turn
        self._seconds = 0.0
        self._news = Newest(self.loop, self._tell)

    async def wait(self) -> Analysis:
        """Wait for the result. If the waiting task is cancelled, the search stops."""
        try:
            return await self.result
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Stop the search and drop its result."""
        if not self.ended:
            self.result.cancel()
            self._end()

    def finish(self, error: BaseException | None = None) -> None:
        """End the search with the best result so far, or with an error."""
        if error is not None and not self.result.done():
            self.result.set_exception(error)
        elif not self.result.done():
            assert self._best is not None
            self.result.set_result(self._best)
        self._end()

    def _end(self) -> None:
        self.ended = True
        self.stop.set()
        if self.on_end is not None:
            self.on_end()

    # ---- in a thread ---------------------------------------------------------------------------

    def go_on(self, stop: Stop, lender: Lender) -> Analysis:
        """Run one turn."""
        left = self.limits
        if left.time is not None:
            left = replace(left, time=max(0.0, left.time - self._seconds))
        heard = None if self.on_info is None else self._hear
        with lender.lend(self.agent, self.position.game, self.lent) as lent:
            self.lent = lent.number
            found = lent.engine.search(self.position, left, heard, stop, lines=self.lines)
        self._count(found)
        return found

    def _hear(self, found: Analysis) -> None:
        self._count(found)
        self._news.put(self._learn(found))

    def _count(self, found: Analysis) -> None:
        """Play the proved lines here, so that the event loop finds their lengths in the cache."""
        if self.on_info is not None:
            for line in found.line, *found.lines:
                moves_to_win(self.position, line)

    def _learn(self, found: Analysis) -> Analysis:
        """Keep the best result: after each turn a search starts at a small depth again."""
        best = self._best
        proved, known = found.outcome is not None, best is not None and best.outcome is not None
        if best is None or proved > known or (proved == known and found.depth >= best.depth):
            best = found
        nodes, seconds = self._nodes + found.nodes, self._seconds + found.seconds
        self._best = replace(best, nodes=nodes, seconds=seconds)
        return self._best

    # ---- on the event loop ---------------------------------------------------------------------

    def _tell(self, found: Analysis) -> None:
        if self.on_info is not None and not self.ended:
            self.on_info(found)

    def end_turn(self, found: Analysis) -> bool:
        """Record the result of a turn; True if the search needs another one.

        Only search time counts, not compile time, since others benefit from compiled code too.
        """
        self._learn(found)
        self._nodes += found.nodes
        self._seconds += found.seconds
        self.turns += 1
        self.used += found.seconds / self.weight
        time_left = self.limits.time is None or self._seconds < self.limits.time
        return self.stop.is_set() and time_left and not self._proved

    @property
    def _proved(self) -> bool:
        best = self._best
        if best is None or best.outcome is None:
            return False
        scored = {line.move for line in best.lines if line.outcome is not None}
        return not self.lines or len(scored) == len(self.position.legal)


class Turns:
    """The scheduler. Everything here runs on the event loop."""

    def __init__(self, threads: Executor, workers: int, turn: float, lender: Lender) -> None:
        self._threads = threads
        self._workers = workers
        self._turn = turn
        self._lender = lender
        self._waiting: list[Search] = []
        self._given: dict[str, float] = {}  # the time that each address has had, as in `used`
        self._running: dict[Search, asyncio.Future[Analysis]] = {}
        self._timers: list[asyncio.TimerHandle] = []
        self._closed = False

    @property
    def count(self) -> int:
        """How many searches are running or waiting."""
        return len(self._running) + sum(not search.ended for search in self._waiting)

    @property
    def running(self) -> int:
        """How many searches are running."""
        return len(self._running)

    def add(self, search: Search) -> Search:
        """Add a search. It gets its first turn before others get another one."""
        if self._closed:
            raise NotNow("the server is shutting down")
        everybody = [*self._waiting, *self._running]
        mine = [other for other in everybody if other.address == search.address]
        search.used = min((other.used for other in mine), default=0.0)
        given = {other.address: self._given[other.address] for other in everybody}
        self._given = {search.address: min(given.values(), default=0.0), **given}
        self._waiting.append(search)
        self._next()
        return search

    async def close(self) -> None:
        """Cancel all searches and wait for them to end."""
        self._closed = True
        for search in [*self._waiting, *self._running]:
            search.cancel()
        self._next()
        if self._running:
            await asyncio.wait(list(self._running.values()), timeout=PATIENCE)

    def _next(self) -> None:
        """Give free threads to the searches that had the least, and time the others' turns."""
        self._waiting = [search for search in self._waiting if not search.ended]
        while self._waiting and len(self._running) < self._workers:
            search = min(self._waiting, key=self._order)
            self._waiting.remove(search)
            self._begin(search)
        for timer in self._timers:
            timer.cancel()
        self._timers = [
            search.loop.call_later(due - time.monotonic(), search.stop.set)
            for due, search in sorted(
                ((self._due(search), search) for search in self._running), key=lambda pair: pair[0]
            )[: len(self._waiting)]
        ]

    def _order(self, search: Search) -> tuple[float, float, bool]:
        """Who comes first: the address that had least, then its search that had least."""
        now = sum(other.address == search.address for other in self._running)
        return self._given[search.address] + now * self._turn, search.used, search.turns > 0

    def _due(self, search: Search) -> float:
        """When a running search has to yield to a waiting one."""
        newcomer = any(other.turns == 0 for other in self._waiting)
        seconds = self._turn * (1 if newcomer else min(LONGEST, 2**search.turns))
        urgent = [
            self._given[other.address]
            for other in self._waiting
            if other.weight > 1 and other.address != search.address
        ]
        if urgent:  # somebody else waits for an answer: run no longer than is fair
            owed = (min(urgent) - self._given[search.address]) * search.weight
            seconds = min(seconds, max(self._turn, owed))
        return search.begun + seconds

    def _begin(self, search: Search) -> None:
        search.stop = Stop()
        search.begun = time.monotonic()
        go_on = partial(search.go_on, search.stop, self._lender)
        future = search.loop.run_in_executor(self._threads, go_on)
        self._running[search] = future
        future.add_done_callback(partial(self._end, search))

    def _end(self, search: Search, future: asyncio.Future[Analysis]) -> None:
        del self._running[search]
        failed = future.cancelled() or future.exception() is not None
        if not failed:  # it counts even if nobody waits for it any more
            self._given[search.address] += future.result().seconds / search.weight
        if search.ended or future.cancelled():
            search.cancel()
        elif (error := future.exception()) is not None:
            search.finish(error)
        elif search.end_turn(future.result()):
            self._waiting.append(search)
        else:
            search.finish()
        self._next()
