"""Threads that many addresses share: whoever asks for much waits, and nobody else does.

Only one thread runs Python at a time. When several of them are building boards, the event loop
has to wait for all of them, and so does every player. So little of it runs at once, and the rest
waits for its turn: first what has had the least, in coarse steps, so that a short request never
waits for a hundred long ones; then the address that has had the least lately. Long work gives up
its turn where it calls `check_cancelled`, and continues later.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import count
from threading import Event, Lock, local
from typing import Any, TypeVar

from plywise.core.analysis import Stop, cancellable, check_cancelled
from plywise.web.errors import NotNow
from plywise.web.settings import SHARE

SLICE = 0.02  #: seconds by which work may be ahead of what waits, before it gives up its turn
STEP = 4.0  #: work that has had so many times as much comes after what has had less
THREADS = 256  #: at most; work that gave up its turn keeps its thread
HALF = 30.0  #: seconds after which what an address has had counts half as much
ADDRESSES = 10_000  #: that are remembered after their work is done

T = TypeVar("T")


class _Use:
    """What each address has had lately, in seconds, of which half is forgotten every `HALF`."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._had: OrderedDict[str, tuple[float, float]] = OrderedDict()  # how much, and when

    def of(self, address: str) -> float:
        """What an address has had, in seconds as of now."""
        had, at = self._had.get(address, (0.0, 0.0))
        return had * math.exp2((at - self._clock()) / HALF)

    def add(self, address: str, seconds: float) -> None:
        """Count what an address has had."""
        self._had[address] = self.of(address) + seconds, self._clock()
        self._had.move_to_end(address)
        while len(self._had) > ADDRESSES:
            self._had.popitem(last=False)


class _Job:
    """Work that waits for a turn, or has one."""

    def __init__(self, work: Callable[[], Any], address: str, number: int) -> None:
        self.work = work
        self.address = address
        self.number = number  # the order in which they came
        self.stop = Stop()
        self.result: Future[Any] = Future()
        self.begun = False  # does it have a thread?
        self.turn = Event()  # set when it gets a turn
        self.used = 0.0  # seconds of its turns ...
        self.counted = 0.0  # ... up to this time


class FairThreads:
    """A pool of threads: so many run `at_once`, and at most `each` of them for one address.

    By default there are several times as many as for one address: the others stay free for other
    addresses even if the work cannot be interrupted.
    """

    def __init__(
        self,
        each: int,
        name: str,
        at_once: int | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.each = each
        self._clock = clock
        self._at_once = at_once or SHARE * each
        self._threads = ThreadPoolExecutor(THREADS, f"plywise-{name}")
        self._here = local()  # the job of a thread
        self._numbers = count()
        self._lock = Lock()
        self._closed = False
        self._waiting: list[_Job] = []
        self._running: list[_Job] = []
        self._all: set[_Job] = set()
        self._begun: Counter[str] = Counter()  # work under way by address, not counting `aside`
        self._held = 0  # threads in use
        self._users: Counter[str] = Counter()  # all work, by address
        self._use = _Use(clock)

    async def run(self, work: Callable[[], T], address: str = "") -> T:
        """Run work in a thread.

        If the caller is cancelled, work that has begun goes on until it calls `check_cancelled`.
        """
        job = _Job(work, address, next(self._numbers))
        with self._lock:
            if self._closed:
                raise NotNow("the server is shutting down")
            self._users[address] += 1
            self._all.add(job)
            self._waiting.append(job)
            self._next()
        try:
            found: T = await asyncio.wrap_future(job.result)
            return found
        finally:
            job.stop.set()
            with self._lock:
                if job in self._waiting and not job.begun:
                    self._leave(job)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Leave the turn to others while the work of this thread waits for something else."""
        job: _Job = self._here.job
        self._count(job)
        with self._lock:
            self._begun[job.address] -= 1
        self._give_up(job)
        try:
            yield
        finally:
            with self._lock:
                self._begun[job.address] += 1
            self._wait(job)

    @property
    def at_work(self) -> bool:
        """True if a thread has not ended its work."""
        return self._held > 0

    @property
    def count(self) -> int:
        """How much work is waiting or running."""
        return sum(list(self._users.values()))  # a copy: threads change it

    @property
    def running(self) -> int:
        """How much of it has a thread."""
        return sum(min(count, self.each) for count in list(self._users.values()))

    def load(self, address: str) -> int:
        """How much work this address waits for; at least what all addresses may do at once."""
        with self._lock:
            return max(self._users[address], self.running)

    def close(self) -> None:
        """Start nothing more, and end what can be interrupted."""
        with self._lock:
            self._closed = True
            for job in self._all:
                job.stop.set()
                job.turn.set()
                if not job.begun:
                    job.result.cancel()
        self._threads.shutdown(wait=False)

    # ---- turns: the lock is held ---------------------------------------------------------------

    def _next(self) -> None:
        """Give free turns to those who come first."""
        while len(self._running) < self._at_once and not self._closed:
            job = min(filter(self._ready, self._waiting), key=self._rank, default=None)
            if job is None:
                return
            self._waiting.remove(job)
            self._running.append(job)
            job.turn.set()
            if not job.begun:
                job.begun = True
                self._begun[job.address] += 1
                self._held += 1
                self._threads.submit(self._work, job)

    def _ready(self, job: _Job) -> bool:
        """True if a thread can do the work: each address has only a few."""
        free = self._begun[job.address] < self.each and self._held < THREADS
        return job.begun or free

    def _rank(self, job: _Job) -> tuple[int, float, int]:
        """What has had the least comes first, and then the address that has had the least."""
        step = 0 if job.used < SLICE else 1 + int(math.log(job.used / SLICE, STEP))
        return step, self._use.of(job.address), job.number

    def _leave(self, job: _Job) -> None:
        """Forget work that has ended, or that nobody waits for."""
        for jobs in (self._waiting, self._running):
            if job in jobs:
                jobs.remove(job)
        self._all.remove(job)
        self._begun[job.address] -= job.begun
        self._held -= job.begun
        self._users[job.address] -= 1
        if not self._users[job.address]:
            del self._users[job.address], self._begun[job.address]
        self._next()

    # ---- in a thread ---------------------------------------------------------------------------

    def _work(self, job: _Job) -> None:
        """Do the work, and free the turn before the caller gets the result."""
        self._here.job = job
        job.counted = self._clock()
        if not job.result.set_running_or_notify_cancel():
            self._end(job)
            return
        try:
            with cancellable(job.stop, partial(self._check, job)):
                check_cancelled()
                found = job.work()
        except BaseException as error:
            self._end(job)
            job.result.set_exception(error)
        else:
            self._end(job)
            job.result.set_result(found)

    def _end(self, job: _Job) -> None:
        self._count(job)
        with self._lock:
            self._leave(job)

    def _count(self, job: _Job) -> None:
        """Count what the work has used since the last time."""
        now = self._clock()
        seconds, job.counted = now - job.counted, now
        job.used += seconds
        with self._lock:
            self._use.add(job.address, seconds)

    def _check(self, job: _Job) -> None:
        """Let others go first if they have had less."""
        if self._clock() - job.counted < SLICE / 2:
            return
        self._count(job)
        with self._lock:
            first = min(map(self._rank, filter(self._ready, self._waiting)), default=None)
            step, use, _ = self._rank(job)
            ahead = first is not None and (first[0], first[1] + SLICE) < (step, use)
        if ahead:
            self._give_up(job)
            self._wait(job)

    def _give_up(self, job: _Job) -> None:
        with self._lock:
            job.turn.clear()
            self._running.remove(job)
            self._next()

    def _wait(self, job: _Job) -> None:
        """Wait for the next turn."""
        with self._lock:
            self._waiting.append(job)
            self._next()
            if self._closed:
                job.turn.set()
        job.turn.wait()
        job.counted = self._clock()
