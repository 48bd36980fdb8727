"""What work costs: seconds of the processor, whatever else the machine is doing meanwhile."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

YARDSTICK = 0.02  #: seconds that `_measure` takes on the machine for which limits are meant
ROUNDS = 400_000


def cost(work: Callable[[], Any]) -> float:
    """Seconds of the processor that a call takes in this thread."""
    started = time.thread_time()
    work()
    return time.thread_time() - started


@cache
def slowness() -> float:
    """By what to multiply a limit in seconds here: 1, or more on a slower machine."""
    return max(1.0, min(cost(_measure) for _ in range(3)) / YARDSTICK)


def _measure() -> None:
    """Work that takes a fixed number of steps."""
    number = 1
    for step in range(ROUNDS):
        number = (number * 31 + step) & 0xFFFFF
