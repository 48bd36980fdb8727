"""Who does the work: this process, several of this machine, or a Ray cluster.

Tournaments, reports, and the making of puzzles, exercises and books have many tasks that do not
depend on each other. Workers get them and give results; there may be no end of tasks. A worker that
dies costs nothing but time: its task is done again by another. Each keeps what it has compiled.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from importlib import import_module
from inspect import isfunction
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any, Generic, TypeVar

from plywise.errors import PlywiseError, SpecError, Unsupported, to_install

MOST_DEATHS = 20  #: in a row, without a single result between them: then something is wrong
MOST_WORKERS = 256

T = TypeVar("T")
R = TypeVar("R")
Work = Callable[[T], R]  #: a function of a module, so that another process finds it


class Workers(Generic[T, R]):
    """Does tasks in this process, one after the other."""

    def __init__(self, work: Work[T, R]) -> None:
        self.work = work

    def run(self, tasks: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Yield each task with its result as soon as it is done."""
        for _, task, result in self._numbered(tasks):
            yield task, result

    def in_order(self, tasks: Iterable[T]) -> Iterator[R]:
        """Yield the results in the order of the tasks."""
        early: dict[int, R] = {}
        wanted = 0
        for number, _, result in self._numbered(tasks):
            early[number] = result
            while wanted in early:
                yield early.pop(wanted)
                wanted += 1

    def _numbered(self, tasks: Iterable[T]) -> Iterator[tuple[int, T, R]]:
        """Yield each task with its number and its result as soon as it is done."""
        for number, task in enumerate(tasks):
            yield number, task, self.work(task)

    def close(self) -> None:
        """Stop at once."""

    def __enter__(self) -> Workers[T, R]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class LocalWorkers(Workers[T, R]):
    """Does tasks in several processes of this machine."""

    def __init__(self, work: Work[T, R], count: int) -> None:
        super().__init__(work)
        if not 1 <= count <= MOST_WORKERS:
            raise SpecError(f"there can be 1 to {MOST_WORKERS} workers, not {count}")
        self.count = count
        self._pool: ProcessPoolExecutor | None = None

    def _numbered(self, tasks: Iterable[T]) -> Iterator[tuple[int, T, R]]:
        """Yield each task with its number and its result; never more than are needed run."""
        left, again, deaths = enumerate(tasks), list[tuple[int, T]](), 0
        running: dict[Future[R], tuple[int, T]] = {}
        while True:
            try:
                while len(running) < self.count:
                    if not again:
                        again += islice(left, 1)
                    if not again:
                        break
                    future = self._submit(again[-1][1])
                    running[future] = again.pop()
                if not running:
                    return
                for future in wait(running, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    deaths = 0
                    yield *running.pop(future), result
            except BrokenProcessPool as error:
                deaths += 1
                if deaths >= MOST_DEATHS:
                    raise PlywiseError(
                        f"{deaths} workers died one after the other, without a result"
                    ) from error
                again += running.values()
                running.clear()
                self.close()

    def _submit(self, task: T) -> Future[R]:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self.count, get_context("spawn"), initializer=_follow_the_parent
            )
        return self._pool.submit(self.work, task)

    def close(self) -> None:
        """End the processes, also those at work."""
        pool, self._pool = self._pool, None
        if pool is not None:
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                with suppress(OSError, ValueError):
                    process.kill()
            for process in processes:
                process.join()


def _follow_the_parent() -> None:
    """Leave Ctrl-C to the process that started this one, and end with it, even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_the_parent, daemon=True).start()


def _end_with_the_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # otherwise it would wait for tasks for ever


class RayWorkers(Workers[T, R]):
    """Does tasks on a Ray cluster, in as many workers as it has processors.

    `address` is that of the cluster; `local` starts one on this machine.
    """

    def __init__(self, work: Work[T, R], address: str, count: int | None = None) -> None:
        super().__init__(work)
        try:
            ray: Any = import_module("ray")
        except ImportError as error:
            raise Unsupported(f"--ray needs Ray: {to_install('ray')}") from error
        self._ray = ray
        started = {} if address == "local" else {"address": address}
        try:
            ray.init(**started, num_cpus=count if address == "local" else None, log_to_driver=False)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise SpecError(f"there is no Ray cluster at {address}: {error}") from error
        cpus = int(ray.cluster_resources().get("CPU", 1))
        self.count = max(1, min(count or cpus, MOST_WORKERS))
        function = work if isfunction(work) else lambda task: work(task)  # Ray takes nothing else
        # A worker that dies, or whose machine does, has its tasks done again elsewhere.
        self._remote = ray.remote(num_cpus=1, max_retries=MOST_DEATHS)(function)

    def _numbered(self, tasks: Iterable[T]) -> Iterator[tuple[int, T, R]]:
        """Yield each task with its number and its result as soon as it is done."""
        left = enumerate(tasks)
        running: dict[Any, tuple[int, T]] = {}
        while True:
            for number, task in islice(left, self.count - len(running)):
                running[self._remote.remote(task)] = number, task
            if not running:
                return
            (done, *_), _ = self._ray.wait(list(running), num_returns=1)
            try:
                result = self._ray.get(done)
            except self._ray.exceptions.RayTaskError as error:
                raise error.as_instanceof_cause() from None
            yield *running.pop(done), result

    def close(self) -> None:
        """Leave the cluster."""
        self._ray.shutdown()


def start_workers(work: Work[T, R], count: int = 1, ray: str | None = None) -> Workers[T, R]:
    """Return workers: on a Ray cluster, if one is named, or in `count` processes.

    `work` and everything it is given must be found by other processes, if there are any.
    """
    if ray is not None:
        return RayWorkers(work, ray, count if count > 1 else None)
    return LocalWorkers(work, count) if count != 1 else Workers(work)
