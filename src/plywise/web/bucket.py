"""A token bucket: how much one client may do at once and over time."""

from __future__ import annotations

import time
from collections.abc import Callable


class Bucket:
    """Starts with `most` tokens, and gets `rate` of them back per second."""

    def __init__(
        self, most: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.most = most
        self.rate = rate
        self.clock = clock
        self.left = most
        self.at = clock()

    def take(self) -> float:
        """Take a token. Returns 0 if there was one, else the seconds until there is."""
        now = self.clock()
        self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return (1 - self.left) / self.rate
        self.left -= 1
        return 0.0
