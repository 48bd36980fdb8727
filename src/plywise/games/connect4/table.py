"""The solver's transposition table: a word of 64 bits for each position.

A key is split without loss into a bucket index (20 bits) and the rest (44 bits). A bucket is two
words, so the table takes 16 MB. (Tables two and four times as large saved up to 4 % of the nodes on
the empty board, but took longer: 7.0 s and 8.4 s instead of 6.4 s.)

     63                20   19   18  14 13   7 6    0
    | rest of the key    | work | move | high | low  |

`low` and `high` are bounds of the score, plus 32. `work` says whether it took many nodes. `move`
is the column that was good enough, if one was.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO

INDEX_BITS = 20
WORDS = 2 << INDEX_BITS
MUCH = 64  #: a position with at least this many nodes is worth keeping
NO_MOVE = 31
NOTHING = ZERO

_BIAS = 32
_SEVEN_BITS, _FIVE_BITS, _ONE_BIT = np.uint64(127), np.uint64(31), np.uint64(1)
_HIGH, _MOVE, _WORK, _REST = (np.uint64(bit) for bit in (7, 14, 19, 20))
_HALF, _LOW = np.uint64(32), np.uint64(0xFFFFFFFF)
_PRIME = np.uint64(0x9E3779B1)
_BUCKETS = np.uint64((1 << INDEX_BITS) - 1)
_INDEX = np.uint64(INDEX_BITS)
_SPREAD = np.uint64(20)  #: the bits of the product that depend on all bits of the key


def new_table() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Make an empty table."""
    table = np.empty(WORDS, np.uint64)
    table.fill(0)
    return table


@rule
def bucket_of(key: Any) -> Any:
    """Where the bucket of a key starts."""
    return (((((key & _LOW) * _PRIME) >> _SPREAD) ^ (key >> _HALF)) & _BUCKETS) * np.uint64(2)


@rule
def rest_of(key: Any) -> Any:
    """The part of a key that is stored in a word, in its place."""
    return ((key & _LOW) | ((key >> (_HALF + _INDEX)) << _HALF)) << _REST


@rule
def find(table: Any, key: Any) -> Any:
    """The word of a key, or NOTHING."""
    at = bucket_of(key)
    rest = rest_of(key)
    first = table[at]
    if (first ^ rest) >> _REST == ZERO:
        return first
    second = table[at + ONE]
    if (second ^ rest) >> _REST == ZERO:
        return second
    return NOTHING


@rule
def low_in(word: Any) -> Any:
    """The lower bound of the score."""
    return np.int64(word & _SEVEN_BITS) - _BIAS


@rule
def high_in(word: Any) -> Any:
    """The upper bound of the score."""
    return np.int64((word >> _HIGH) & _SEVEN_BITS) - _BIAS


@rule
def move_in(word: Any) -> Any:
    """The column to try first, or NO_MOVE."""
    return np.int64((word >> _MOVE) & _FIVE_BITS)


@rule
def pack(key: Any, low: int, high: int, move: int, nodes: int) -> Any:
    """Pack a position's entry into a word."""
    work = 0
    if nodes >= MUCH:
        work = 1
    word = np.uint64(low + _BIAS) | (np.uint64(high + _BIAS) << _HIGH)
    return word | (np.uint64(move) << _MOVE) | (np.uint64(work) << _WORK) | rest_of(key)


@rule
def keep_two(table: Any, key: Any, word: Any) -> None:
    """Store a word: the first of a bucket took the most work, the second is the latest."""
    at = bucket_of(key)
    first = table[at]
    if (first ^ word) >> _REST != ZERO:
        if (word >> _WORK) & _ONE_BIT < (first >> _WORK) & _ONE_BIT:
            at += ONE
        else:
            table[at + ONE] = first
    table[at] = word
