"""What one client or address may have: slots for what it holds, tokens for what it does."""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
        self.known: OrderedDict[str, Bucket] = OrderedDict()

    def of(self, name: str) -> Bucket:
        """Return the bucket of a name."""
        bucket = self.known.pop(name, None) or self._make()
        self.known[name] = bucket
        while len(self.known) > NAMES:
            self.known.popitem(last=False)
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
    """A number of slots. One address gets at most a quarter of them, and a browser `each`.

    The server itself, which has neither an address nor a browser, has no limit of its own.
    """

    def __init__(self, most: int, what: str, each: float = math.inf, full: str = "") -> None:
        self.most = most
        self.what = what  #: in the plural, for messages
        self.each = each
        self.full = full  #: what a browser is told that has its own already
        self.addresses: Counter[str] = Counter()  #: how many each has taken
        self.clients: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """How many are taken."""
        return self.addresses.total()

    @contextmanager
    def held(self, address: str, client: str = "") -> Iterator[None]:
        """Take a slot for a while; see `enter`."""
        self.enter(address, client)
        try:
            yield
        finally:
            self.leave(address, client)

    def enter(self, address: str, client: str = "") -> None:
        """Take a slot; TooMany if there is none left, or none for this address or browser."""
        if client and self.clients[client] >= self.each:
            raise TooMany(self.full, self.what)
        if self.total >= self.most:
            raise TooMany(f"too many {self.what} on this server: try again later", self.what)
        if address and self.addresses[address] >= share(self.most):
            raise TooMany(f"too many {self.what} from your address: wait for one to end", self.what)
        self.addresses[address] += 1
        self.clients[client] += 1

    def leave(self, address: str, client: str = "") -> None:
        """Give a slot back."""
        for counts, name in ((self.addresses, address), (self.clients, client)):
            counts[name] -= 1
            if not counts[name]:
                del counts[name]
