"""What one client or address may have: slots for what it holds, tokens for what it does."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from functools import partial

from plywise.web.errors import TooMany
from plywise.web.settings import share

NAMES = 10_000  #: how many names are remembered


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

    def wait(self, cost: float = 1.0) -> float:
        """Return the seconds until there are so many tokens; 0 if there are."""
        now = self.clock()
        self.left = min(self.most, self.left + (now - self.at) * self.rate)
        self.at = now
        return max(0.0, (cost - self.left) / self.rate)

    def take(self) -> float:
        """Take a token. Returns 0 if there was one, else the seconds until there is."""
        wait = self.wait()
        if not wait:
            self.left -= 1
        return wait


class Buckets:
    """A bucket for each name, such as an address; those not seen for long are forgotten."""

    def __init__(
        self, most: float, rate: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._make = partial(Bucket, most, rate, clock)
        self.seen: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str) -> Bucket:
        """Return the bucket of a name."""
        bucket = self.seen.pop(name, None) or self._make()
        self.seen[name] = bucket
        while len(self.seen) > NAMES:
            self.seen.popitem(last=False)
        return bucket


class Throttle:
    """Slows down whoever asks for more than the rate, and refuses what would wait too long."""

    def __init__(self, most: float, rate: float, longest: float) -> None:
        self._buckets = Buckets(most, rate)
        self._longest = longest

    async def wait(self, name: str, cost: float = 1.0) -> None:
        """Wait for the tokens, which are taken at once; TooMany if that would take too long."""
        bucket = self._buckets.of(name)
        seconds = bucket.wait(cost)
        if seconds > self._longest:
            raise TooMany("too many requests from your address: slow down", "requests")
        bucket.left -= cost
        if seconds:
            await asyncio.sleep(seconds)


class Slots:
    """A number of slots. One address gets at most a quarter; the server itself has no limit."""

    def __init__(self, most: int, what: str) -> None:
        self.most = most
        self.what = what  #: in the plural, for messages
        self.taken: Counter[str] = Counter()  #: by address

    @property
    def total(self) -> int:
        """How many are taken."""
        return self.taken.total()

    def enter(self, address: str) -> None:
        """Take a slot; TooMany if there is none left, or none for this address."""
        if self.total >= self.most:
            raise TooMany(f"too many {self.what} on this server: try again later", self.what)
        if address and self.taken[address] >= share(self.most):
            raise TooMany(f"too many {self.what} from your address: wait for one to end", self.what)
        self.taken[address] += 1

    def leave(self, address: str) -> None:
        """Give a slot back."""
        self.taken[address] -= 1
        if not self.taken[address]:
            del self.taken[address]
