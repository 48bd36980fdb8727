"""Hash keys: random words for Zobrist hashing, and mixing the bits of a key."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit.kernels import rule

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


@rule
def hash_words(words: Any, extra: int) -> Any:
    """Return a key for an array of words and one more number, such as the side to move.

    >>> hash_words(np.array([1, 2], np.uint64), 0) == hash_words(np.array([2, 1], np.uint64), 0)
    np.False_
    """
    key = spread(np.uint64(extra))
    for index in range(len(words)):
        key = spread(key ^ words[index])
    return key


@rule
def hash_cells(cells: Any, bits: int, extra: int) -> Any:
    """Return a key for an array of small numbers, below 2 ** bits, and one more number.

    >>> hash_cells(np.array([0, 1, 2]), 2, 0) == hash_cells(np.array([0, 1, 2]), 2, 1)
    np.False_
    """
    key, word, room = spread(np.uint64(extra)), np.uint64(0), 64 // bits
    for index in range(len(cells)):
        word = word << np.uint64(bits) | np.uint64(cells[index])
        if index % room == room - 1:
            key, word = spread(key ^ word), np.uint64(0)
    return spread(key ^ word)
