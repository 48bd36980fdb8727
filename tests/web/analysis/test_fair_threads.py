"""Threads that addresses share: turns, interruptions, and work that waits for something else."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Awaitable, Callable

import pytest

from plywise.core.analysis import Cancelled, check_cancelled
from plywise.web.analysis.fair_threads import ADDRESSES, HALF, SLICE, FairThreads, _Use
from plywise.web.errors import NotNow
from tests.web.steps import PATIENCE


def run(test: Callable[[FairThreads], Awaitable[None]], at_once: int = 1, each: int = 2) -> None:
    """Run a test on the event loop, with threads that are closed afterwards."""

    async def work() -> None:
        threads = FairThreads(each, "test", at_once=at_once)
        try:
            await test(threads)
        finally:
            threads.close()

    asyncio.run(work())


def burn(seconds: float) -> None:
    """Use the processor, and let others go first where they may."""
    started = time.thread_time()
    while time.thread_time() - started < seconds:
        check_cancelled()


class Endless:
    """Work that goes on until it is cancelled, or told to end."""

    def __init__(self) -> None:
        self.begun, self.over, self.cancelled = (threading.Event() for _ in range(3))

    def __call__(self) -> None:
        self.begun.set()
        try:
            while not self.over.is_set():
                burn(SLICE / 10)
        except Cancelled:
            self.cancelled.set()
            raise


async def heard(event: threading.Event) -> None:
    assert await asyncio.to_thread(event.wait, PATIENCE)


def test_long_work_lets_short_work_go_first() -> None:
    async def test(threads: FairThreads) -> None:
        long = Endless()
        task = asyncio.create_task(threads.run(long, "a"))
        await heard(long.begun)
        for address in ("a", "b", "c"):  # even that of the same address
            assert await asyncio.wait_for(threads.run(lambda: 7, address), PATIENCE) == 7
        assert not task.done()
        long.over.set()
        await task

    run(test)


@pytest.mark.slow
def test_a_hundred_addresses_with_long_work_do_not_keep_anybody_waiting() -> None:
    async def test(threads: FairThreads) -> None:
        crowd = [Endless() for _ in range(100)]
        tasks = [asyncio.create_task(threads.run(one, str(n))) for n, one in enumerate(crowd)]
        await heard(crowd[-1].begun)
        for _ in range(10):
            assert await asyncio.wait_for(threads.run(lambda: 7, "visitor"), PATIENCE) == 7
        for task in tasks:
            task.cancel()
        for one in crowd:
            await heard(one.cancelled)
        await asyncio.gather(*tasks, return_exceptions=True)

    run(test)


@pytest.mark.slow
def test_short_work_goes_first_even_if_its_address_has_had_the_most() -> None:
    """With a hundred fresh addresses, a fair share alone would mean to wait for all of them."""

    async def test(threads: FairThreads) -> None:
        await threads.run(lambda: burn(1.5), "visitor")
        crowd = [Endless() for _ in range(100)]
        tasks = [asyncio.create_task(threads.run(one, str(n))) for n, one in enumerate(crowd)]
        await heard(crowd[-1].begun)
        for _ in range(10):
            assert await asyncio.wait_for(threads.run(lambda: 7, "visitor"), 30) == 7
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    run(test)


def test_what_an_address_has_had_is_remembered_and_fades() -> None:
    now = 0.0
    use = _Use(lambda: now)
    use.add("a", 3.0)
    use.add("b", 1.0)
    now = HALF
    assert (use.of("a"), use.of("b"), use.of("c")) == (1.5, 0.5, 0.0)
    use.add("b", 2.0)
    assert use.of("b") == 2.5
    now = 100 * HALF  # the numbers stay small
    use.add("c", 1.0)
    assert use.of("c") == 1.0
    assert use.of("b") < 1e-20
    for number in range(ADDRESSES + 5):
        use.add(str(number), 1.0)
    assert use.of("c") == 0.0, "only so many are remembered"


def test_only_so_many_run_at_once() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def work() -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.002)
        with lock:
            now -= 1

    async def test(threads: FairThreads) -> None:
        await asyncio.gather(*(threads.run(work, str(n % 7)) for n in range(40)))

    run(test, at_once=2, each=40)
    assert (now, most) == (0, 2)


def test_an_address_that_has_had_more_comes_later() -> None:
    """The order is a b a b a b, not a a a b b b."""
    order: list[str] = []
    begun, go_on = threading.Event(), threading.Event()

    def block() -> None:
        begun.set()
        assert go_on.wait(PATIENCE)

    async def test() -> None:
        threads = FairThreads(1, "test", at_once=1, clock=lambda: float(len(order)))
        first = asyncio.create_task(threads.run(block, "c"))
        await heard(begun)
        tasks = [
            asyncio.create_task(threads.run(lambda n=name: order.append(n), name))
            for name in "aaabbb"
        ]
        await asyncio.sleep(0)  # now all of them wait
        go_on.set()
        await asyncio.gather(first, *tasks)
        threads.close()

    asyncio.run(test())
    assert order == list("ababab")


def test_whoever_leaves_before_the_turn_has_come_is_forgotten() -> None:
    async def test(threads: FairThreads) -> None:
        first, begun = threading.Event(), threading.Event()

        def block() -> None:
            begun.set()
            assert first.wait(PATIENCE)

        task = asyncio.create_task(threads.run(block, "a"))
        await heard(begun)
        ran: list[str] = []
        gone = asyncio.create_task(threads.run(lambda: ran.append("b"), "b"))
        await asyncio.sleep(0)
        assert threads.load("b") == 2
        gone.cancel()
        await asyncio.wait({gone})
        assert threads.load("b") == 1
        first.set()
        await task
        await threads.run(lambda: ran.append("c"), "c")
        assert ran == ["c"]

    run(test)


def test_work_that_waits_for_something_else_leaves_its_turn_to_others() -> None:
    async def test(threads: FairThreads) -> None:
        there, go_on = threading.Event(), threading.Event()

        def work() -> str:
            with threads.aside():
                there.set()
                assert go_on.wait(PATIENCE)
            return "done"

        # As many as one address may run at once: they do not count while they wait.
        tasks = [asyncio.create_task(threads.run(work, "a")) for _ in range(4)]
        await heard(there)
        assert await asyncio.wait_for(threads.run(lambda: 7, "a"), PATIENCE) == 7
        go_on.set()
        assert await asyncio.gather(*tasks) == ["done"] * 4

    run(test)


def test_errors_reach_the_caller() -> None:
    async def test(threads: FairThreads) -> None:
        with pytest.raises(ZeroDivisionError):
            await threads.run(lambda: 1 / 0)
        assert await threads.run(lambda: 7) == 7

    run(test)


def test_closing_ends_everything() -> None:
    async def test(threads: FairThreads) -> None:
        crowd = [Endless() for _ in range(3)]
        tasks = [asyncio.create_task(threads.run(one, str(n))) for n, one in enumerate(crowd)]
        for one in crowd:
            await heard(one.begun)  # two of them have given up their turn
        threads.close()
        for one in crowd:
            await heard(one.cancelled)
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(each, Cancelled) for each in ended)
        with pytest.raises(NotNow):
            await threads.run(lambda: 7)

    run(test)
