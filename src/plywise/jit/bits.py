"""64-bit words in rules and kernels: bits, sets, hash keys and random numbers.

All constants are uint64: mixed arithmetic would give floats.
"""

from __future__ import annotations

from collections.abc import Callable
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


# ---- hash keys -----------------------------------------------------------------------------------

_WORD = (1 << 64) - 1
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_FIRST, _SECOND = np.uint64(0x9E3779B1), np.uint64(0x85EBCA77)  #: large primes


def random_words(count: int, seed: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return `count` pseudo-random words, the same on every machine (splitmix64)."""
    words, state = np.zeros(count, np.uint64), seed
    for index in range(count):
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        words[index] = mixed ^ (mixed >> 31)
    return words


@rule
def spread(key: Any) -> Any:
    """Mix the bits of a key; different keys stay different, and nothing overflows."""
    high, low = key >> _HALF, key & _LOW
    product = low * _FIRST
    high ^= (product ^ (product >> _HALF)) & _LOW
    product = high * _SECOND
    low ^= (product ^ (product >> _HALF)) & _LOW
    product = low * _FIRST
    high ^= (product ^ (product >> _HALF)) & _LOW
    return (low << _HALF) | high


# ---- random numbers ------------------------------------------------------------------------------

# xorshift64 on an array of one word, the same compiled or not.

_A, _B, _C = np.uint64(13), np.uint64(7), np.uint64(17)


def generator(seed: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the state of a generator, to pass to kernels."""
    return random_words(1, seed) | np.uint64(1)


def numbers(seed: int) -> Callable[[int], int]:
    """Return a function that gives the numbers of `below`, one after the other.

    In plain Python it takes a tenth of the time.

    >>> rng, number = generator(7), numbers(7)
    >>> [int(below(rng, 100)) for _ in range(4)] == [number(100) for _ in range(4)]
    True
    """
    word = int(generator(seed)[0])

    def number(count: int) -> int:
        nonlocal word
        word = (word ^ word << 13) & _WORD
        word ^= word >> 7
        word = (word ^ word << 17) & _WORD
        return ((word >> 32) * count) >> 32

    return number


@rule
def below(rng: Any, count: int) -> Any:
    """Return a random whole number from 0 to count - 1."""
    word = rng[0]
    word ^= word << _A
    word ^= word >> _B
    word ^= word << _C
    rng[0] = word
    return np.int64(((word >> _HALF) * np.uint64(count)) >> _HALF)
