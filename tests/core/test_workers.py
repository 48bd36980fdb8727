"""Workers: the same results whoever does the work, and a worker that dies costs nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from itertools import count, islice
from pathlib import Path

import pytest

from plywise.core.workers import LocalWorkers, Workers, start_workers
from plywise.errors import SpecError


def slow_at_first(number: int) -> int:
    time.sleep(0.3 if number == 0 else 0.0)
    return number * number


def dies_once(task: tuple[Path, int]) -> int:
    """Kill the worker the first time that a task with a file is done."""
    file, number = task
    if number % 3 == 1 and not (flag := file / str(number)).exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def always_dies(task: int) -> int:
    os.kill(os.getpid(), signal.SIGKILL)
    return task


@pytest.mark.slow
def test_a_worker_that_dies_costs_nothing(tmp_path: Path) -> None:
    with LocalWorkers(dies_once, 2) as workers:
        found = dict(workers.run([(tmp_path, number) for number in range(6)]))
    assert {number: result for (_, number), result in found.items()} == {
        number: number * number for number in range(6)
    }


@pytest.mark.slow
def test_workers_that_always_die_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.core.workers.MOST_DEATHS", 2)
    with LocalWorkers(always_dies, 1) as workers, pytest.raises(Exception, match="2 workers died"):
        list(workers.run([1]))


@pytest.mark.slow
def test_results_come_as_they_are_done_or_in_order_without_end() -> None:
    """The first task takes longest; there is no last one."""
    with start_workers(slow_at_first, 2) as workers:
        assert list(islice(workers.in_order(count()), 6)) == [0, 1, 4, 9, 16, 25]
        found = [task for task, _ in islice(workers.run(count()), 6)]
        assert found[0] != 0
        assert len(set(found)) == 6
    assert list(islice(start_workers(slow_at_first).in_order(count()), 3)) == [0, 1, 4]


def test_how_many() -> None:
    assert type(start_workers(slow_at_first)) is Workers
    assert list(start_workers(slow_at_first, 1).run([])) == []
    for wrong in (0, -1, 1000):
        with pytest.raises(SpecError, match="1 to 256 workers"):
            start_workers(slow_at_first, wrong)


def pid_of_worker(task: int) -> int:
    return os.getpid()


KILLED = """
import os, signal
from plywise.core.workers import start_workers
from tests.core.test_workers import pid_of_worker
with start_workers(pid_of_worker, 2) as workers:
    next(workers.run([1, 2]))
    print(*workers._pool._processes, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.slow
def test_workers_end_with_the_process_that_started_them() -> None:
    """Even if it is killed: its output, which they share, comes to its end."""
    folder = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", KILLED], stdout=subprocess.PIPE, text=True, cwd=folder
    ) as process:
        assert process.stdout is not None
        pids = [int(pid) for pid in process.stdout.readline().split()]
        ended = threading.Event()
        threading.Thread(target=lambda: (process.communicate(), ended.set()), daemon=True).start()
        try:
            assert ended.wait(60.0), "the worker is still there"
        finally:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
