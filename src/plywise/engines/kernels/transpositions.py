"""The transposition table: search results, stored by the key of the position.

A bucket is four words: two slots of (key xor data, data). The xor makes a slot that two threads
wrote at the same time look empty instead of wrong, so threads share a table without locks. The
first slot keeps the deepest entry, the second is always replaced.

    data:  value 22 bits | move 16 | depth 8 | bound 2 | generation 8 | age 8

Entries of another generation are ignored: a new generation clears the table. Entries of another
age are still valid, but replaced first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit import kernel, rule

LOWER, UPPER, EXACT = 1, 2, 3  #: the bound that the stored value is
PROVED = 255  #: the depth of a value that no deeper search can change
NOTHING = np.uint64(0)  #: no entry: a real one has a bound

FEWEST = 1 << 15  #: buckets that a search begins with: a megabyte

Words = np.ndarray[tuple[int], np.dtype[np.uint64]]

_BIAS = 1 << 21
_VALUE = np.uint64((1 << 22) - 1)
_MOVE, _DEPTH, _BOUND, _GENERATION, _AGE = (np.uint64(bit) for bit in (22, 38, 46, 48, 56))
_BYTE = np.uint64(0xFF)


@rule
def pack(value: int, move: int, depth: int, bound: int, era: int) -> Any:
    """Pack an entry; `era` is generation + 256 * age."""
    word = np.uint64(value + _BIAS) | (np.uint64(move) << _MOVE)
    word |= (np.uint64(depth) << _DEPTH) | (np.uint64(bound) << _BOUND)
    return word | (np.uint64(era) << _GENERATION)


@rule
def value_in(data: Any) -> Any:
    """Return the stored value."""
    return np.int64(data & _VALUE) - _BIAS


@rule
def move_in(data: Any) -> Any:
    """Return the best known move."""
    return np.int64((data >> _MOVE) & np.uint64(0xFFFF))


@rule
def depth_in(data: Any) -> Any:
    """Return the depth of the search, or PROVED."""
    return np.int64((data >> _DEPTH) & _BYTE)


@rule
def bound_in(data: Any) -> Any:
    """Return LOWER, UPPER or EXACT."""
    return np.int64((data >> _BOUND) & np.uint64(3))


@rule
def find(table: Any, key: Any, era: int) -> Any:
    """Return the entry of a key, or NOTHING."""
    generation = np.uint64(era) & _BYTE
    at = bucket(table, key)
    for slot in (at, at + 2):
        data = table[slot + 1]
        if table[slot] ^ data == key and (data >> _GENERATION) & _BYTE == generation:
            return data
    return NOTHING


@rule
def bucket(table: Any, key: Any) -> Any:
    """Return the start of a key's bucket."""
    return np.int64(key & np.uint64(table.size // 4 - 1)) * 4


@rule
def keep(table: Any, key: Any, data: Any) -> None:
    """Store an entry, over the old one of its key or else over the least useful one."""
    at = bucket(table, key)
    first = table[at + 1]
    if table[at] ^ first != key:
        current = data >> _GENERATION
        stale = first >> _GENERATION != current
        if not stale and depth_in(first) > depth_in(data):
            at += 2
        elif not stale:  # the old deepest entry moves to the second slot
            table[at + 2] = table[at]
            table[at + 3] = first
    table[at] = key ^ data
    table[at + 1] = data


class TranspositionTable:
    """The memory of a table, and its era.

    A search begins with a part of the memory and takes more as it goes on: a small table stays in
    the processor's cache, where a look-up takes a tenth of the time.
    """

    def __init__(self, megabytes: float) -> None:
        buckets = 1 << max(4, int(megabytes * (1 << 20) / 32).bit_length() - 1)
        self._memory = aligned(4 * buckets)
        self.words = self._memory[: 4 * FEWEST]
        self.generation = 0
        self.age = 0

    @property
    def era(self) -> int:
        """The current generation and age, as in `pack`."""
        return self.generation + 256 * self.age

    def forget(self) -> None:
        """Clear the table, and begin small again."""
        self.words = self._memory[: 4 * FEWEST]
        self.generation += 1
        if self.generation == 256:
            self._memory[:] = 0
            self.generation = 0

    def grow_old(self) -> None:
        """Make all current entries the first to be replaced."""
        self.age = (self.age + 1) % 256

    def make_room(self, nodes: int) -> None:
        """Grow, while there is memory left, until there is a slot for every other node.

        One node in ten is stored or fewer, as those next to the leaves are not.
        """
        size = self.words.size
        while size < min(nodes, self._memory.size):
            size *= 2
        before = self.words.size
        if size > before:
            self.words = self._memory[:size]
            spreading.build()(self.words, before, np.uint64(self.generation))

    def warm(self) -> None:
        """Compile what grows the table, before a clock starts."""
        spreading.build()(self.words, 0, np.uint64(self.generation))


@kernel
def spreading() -> Any:
    """Move every entry to its bucket in a table that was smaller before; drop the outdated."""

    def spread_out(table: Any, before: int, generation: Any) -> None:
        for slot in range(0, before, 2):
            word, data = table[slot], table[slot + 1]
            there = bucket(table, word ^ data) + slot % 4
            if there != slot:
                if (data >> _GENERATION) & _BYTE == generation:
                    table[there] = word
                    table[there + 1] = data
                table[slot] = NOTHING
                table[slot + 1] = NOTHING

    return spread_out


def aligned(size: int) -> Words:
    """Return `size` zeros; the first is at the start of a cache line."""
    line = 64 // 8
    memory = np.zeros(size + line, np.uint64)
    start = -memory.ctypes.data % 64 // 8
    return memory[start : start + size]
