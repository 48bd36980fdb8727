"""Slots: how many of something there may be, and how many of them for one address."""

from __future__ import annotations

from collections import Counter

from plywise.web.errors import TooMany
from plywise.web.settings import share


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
