"""Bits of a 64-bit word, and sets of several.

All constants are uint64: mixed arithmetic would give floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit.kernels import rule

ZERO = np.uint64(0)
ONE = np.uint64(1)


@rule
def popcount(word: Any) -> int:
    """Return how many bits are set. (The compiler turns the loop into one instruction.)"""
    count = 0
    while word != ZERO:
        word = word & (word - ONE)
        count += 1
    return count


@rule
def lowest(word: Any) -> Any:
    """Return the lowest set bit alone; `word` must not be zero."""
    return word & (~word + ONE)


@rule
def index_of(bit: Any) -> int:
    """Return the index of a single bit."""
    return popcount(bit - ONE)


@rule
def wide(number: Any) -> Any:
    """The same number in 64 bits: a rule that is called with one type only is compiled once."""
    return np.int64(number)


@rule
def natural(number: Any) -> Any:
    """The same number in 64 bits. As the compiler now knows, it is not negative.

    An index that might be negative is compared with zero, and counted from the end if it is below:
    all in all a tenth of the time of a search.
    """
    return np.int64(number) & 0x7FFFFFFF


@rule
def list_bits(word: Any, first: int, out: Any, count: int) -> int:
    """Append the numbers of the bits set, from `first` on, to a list of `count`; the new count."""
    while word != ZERO:
        bit = lowest(word)
        word ^= bit
        out[count] = first + index_of(bit)
        count += 1
    return count


# ---- sets of several words, the lowest places in the first ---------------------------------------


@rule
def has(words: Any, place: int) -> bool:
    """Return True if a place is in a set."""
    return bool((words[place >> 6] >> np.uint64(place & 63)) & ONE != ZERO)


@rule
def include(words: Any, place: int) -> None:
    """Put a place into a set."""
    words[place >> 6] |= ONE << np.uint64(place & 63)


@rule
def exclude(words: Any, place: int) -> None:
    """Take a place out of a set."""
    words[place >> 6] &= ~(ONE << np.uint64(place & 63))
