"""Runs kernels off the main thread, with a time limit, and stops them at any moment."""

from __future__ import annotations

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import Any, Self
from weakref import WeakKeyDictionary

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import refuse_finished
from plywise.core.position import Position
from plywise.jit.background import Ahead, Job, leave
from plywise.jit.kernels import Kernel

NO_LIMITS = Limits()
NO_BUDGET = 1 << 62  #: nodes that no search reaches
MANY = 1024  #: most threads at once; there are only as many as running searches need


def first_move(position: Position) -> Analysis:
    """Return any legal move, for when nothing else is known yet; raise if the game is over."""
    refuse_finished(position)
    return Analysis(position.legal[0], 0.0, 0.0, pv=position.legal[:1])


class Run:
    """One running search: its clock and the two flags that its kernels watch.

    `halt` is set when the time is up, `stop` belongs to the caller. Kernels run in their own
    threads without the GIL, so Ctrl-C, a deadline and other requests still get through.

    `grace` is how many nodes are searched regardless of the clock; a search counts them down.
    `brief` says that the next job is short: it is done in the caller's thread.
    """

    def __init__(self, limits: Limits, stop: Stop | None = None, grace: int = 0) -> None:
        self.started = time.perf_counter()
        self.deadline = None if limits.time is None else self.started + limits.time
        self.grace = 0 if limits.time is None else grace
        self.brief = False
        self.halt = np.zeros(1, np.uint8)
        self.stop = (stop or Stop()).flag

    @property
    def seconds(self) -> float:
        """Seconds since the start."""
        return time.perf_counter() - self.started

    @property
    def stopped(self) -> bool:
        """True if the time is up or a stop was requested."""
        late = self.deadline is not None and time.perf_counter() >= self.deadline
        return (late and self.grace <= 0) or bool(self.halt[0] or self.stop[0])

    def left(self, share: float = 1.0, most: float | None = None) -> Limits:
        """Return a share of the remaining time, of at most `most` seconds, as limits."""
        if self.deadline is None:
            return Limits(time=most)
        seconds = share * max(0.0, self.deadline - time.perf_counter())
        return Limits(time=seconds if most is None else min(seconds, most))

    @contextmanager
    def off_the_clock(self) -> Iterator[None]:
        """Pause the clock, to compile in the middle of a search."""
        begun = time.perf_counter()
        yield
        lost = time.perf_counter() - begun
        self.started += lost
        if self.deadline is not None:
            self.deadline += lost

    def call(self, jobs: Sequence[Callable[[], Any]], *, hurry: bool = True) -> list[Any]:
        """Run all jobs at once and return their results; set `halt` when the time is up.

        Without `hurry` the clock is ignored: the jobs end by themselves.
        """
        if self.brief and len(jobs) == 1:
            return [jobs[0]()]
        given = [Job(job) for job in jobs]
        futures: list[Future[Any]] = []
        try:
            for each in given:
                futures.append(_threads().submit(each))
            until = self.deadline if hurry else None
            left = None if until is None else max(0.0, until - time.perf_counter())
            done, _ = wait(futures, left, FIRST_EXCEPTION)
            if len(done) < len(futures):  # the time is up, or one of them failed
                self.halt[0] = 1
                wait(futures)
        except BaseException:  # Ctrl-C: no kernel may keep running
            self.halt[0] = 1
            leave(given, futures)
            raise
        return [future.result() for future in futures]


class GameAgent(ABC):
    """What agents have in common: they refuse finished games and have limits of their own."""

    name = ""  #: if it is not the spec that the agent was made from
    limits = NO_LIMITS
    hurried = False  #: does somebody wait for it who would rather have a weaker move soon?

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
        **asked: Any,
    ) -> Analysis:
        """Return the best move within the limits; some agents can be asked for more by name."""
        refuse_finished(position)
        return self.think(position, self.limits & limits, on_info, stop or Stop(), lines, **asked)

    @abstractmethod
    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Return the best move of a position that is not over."""


class TwoSpeeds:
    """A search whose kernel also runs interpreted: slower, but at once, with the same result."""

    kernel: Kernel
    interpreted: Kernel

    def compile(self) -> None:
        """Compile the kernel in this thread, or load it from the disk."""
        raise NotImplementedError

    @property
    def ahead(self) -> Ahead:
        """Compiles the kernel in the background, once for all searches that use it."""
        return _waiting.setdefault(self.kernel, Ahead(self.compile))

    def uncompiled(self) -> Self:
        """Return the same search with the interpreted kernel."""
        twin = copy(self)
        twin.kernel = self.interpreted
        return twin


_waiting: WeakKeyDictionary[Kernel, Ahead] = WeakKeyDictionary()


@cache
def _threads() -> ThreadPoolExecutor:
    """Return the shared thread pool: starting a thread takes longer than a small search."""
    return ThreadPoolExecutor(MANY, thread_name_prefix="plywise")


if hasattr(os, "register_at_fork"):  # a forked process does not inherit the threads
    os.register_at_fork(after_in_child=_threads.cache_clear)
