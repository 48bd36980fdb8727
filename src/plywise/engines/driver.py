"""Running kernels: off the main thread, under a clock, and stoppable at any moment."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from plywise.core.analysis import Analysis, Limits, Stop
from plywise.core.position import Position
from plywise.errors import Unsupported

NO_LIMITS = Limits()
NO_BUDGET = 1 << 62  #: nodes that no search reaches
_LONG = 3600.0  #: how long a wait without a deadline sleeps before it looks again


def first_move(position: Position) -> Analysis:
    """What to answer when nothing is known yet: any legal move. A finished game has none."""
    if position.over:
        raise Unsupported(f"the game is over ({position.reason}): there is no move to look for")
    return Analysis(position.legal[0], 0.0, 0.0, pv=position.legal[:1])


class Run:
    """One search under way: its clock and the two flags its kernels watch.

    `halt` is set when the time is up, `stop` is the caller's. Kernels run in threads of their
    own without the lock, so Ctrl-C, a deadline and other requests are heard while they work.
    """

    def __init__(self, limits: Limits, stop: Stop | None = None) -> None:
        self.started = time.perf_counter()
        self.deadline = None if limits.time is None else self.started + limits.time
        self.halt = np.zeros(1, np.uint8)
        self.stop = (stop or Stop()).flag

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.perf_counter() - self.started

    @property
    def stopped(self) -> bool:
        """Is it over, by the clock or by request?"""
        late = self.deadline is not None and time.perf_counter() >= self.deadline
        return late or bool(self.halt[0] or self.stop[0])

    def call(self, jobs: Sequence[Callable[[], Any]]) -> list[Any]:
        """Run all jobs at once and return their results; set `halt` when the time is up."""
        results: list[Any] = [None] * len(jobs)
        failures: list[BaseException] = []
        done = threading.Semaphore(0)

        def work(index: int) -> None:
            try:
                results[index] = jobs[index]()
            except BaseException as error:
                failures.append(error)
                self.halt[0] = 1
            finally:
                done.release()

        threads = [
            threading.Thread(target=work, args=(index,), daemon=True) for index in range(len(jobs))
        ]
        for thread in threads:
            thread.start()
        try:
            for _ in threads:
                self._wait(done)
        except BaseException:
            self.halt[0] = 1
            raise
        finally:
            for thread in threads:
                thread.join()
        if failures:
            raise failures[0]
        return results

    def _wait(self, done: threading.Semaphore) -> None:
        """Until one job is done, however long it takes to heed the clock."""
        if self.deadline is not None and not self.halt[0]:
            if done.acquire(timeout=max(0.0, self.deadline - time.perf_counter())):
                return
            self.halt[0] = 1
        while not done.acquire(timeout=_LONG):
            pass
