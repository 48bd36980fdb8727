"""Token buckets: they fill up again, forget, and slow down."""

from __future__ import annotations

import asyncio

import pytest

from plywise.web.errors import TooMany
from plywise.web.limits import NAMES, Buckets, Throttle


def test_a_bucket_fills_up_again() -> None:
    now = 0.0
    buckets = Buckets(2, 2 / 60.0, lambda: now)
    assert [buckets.of("a").take() for _ in range(3)] == [0, 0, 30]
    assert buckets.of("b").take() == 0
    now = 31.0
    assert buckets.of("a").take() == 0
    assert buckets.of("a").take() > 0


def test_buckets_do_not_remember_everybody() -> None:
    buckets = Buckets(2, 1.0, lambda: 0.0)
    for number in range(NAMES + 10):
        buckets.of(str(number)).take()
    assert len(buckets.known) == NAMES


def test_a_throttle_delays_and_then_refuses() -> None:
    async def work() -> None:
        throttle = Throttle(2, 0.001, longest=1500.0)
        for _ in range(2):
            await throttle.wait("a")
        waiting = asyncio.create_task(throttle.wait("a"))
        await asyncio.sleep(0.01)
        assert not waiting.done()
        with pytest.raises(TooMany, match="slow down"):
            await throttle.wait("a")
        await throttle.wait("b")
        waiting.cancel()

    asyncio.run(work())
