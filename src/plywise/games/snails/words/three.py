"""A set of cells as three words, on any board."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, index_of, popcount
from plywise.jit.bits import lowest as lowest_bit

Words = tuple[Any, Any, Any]  #: a set of cells

NONE: Words = (ZERO, ZERO, ZERO)
WORD = np.uint64(64)  #: the bits of a word


@rule
def only(cell: int) -> Words:
    """The set of one cell."""
    bit = ONE << np.uint64(cell & 63)
    word = cell >> 6
    return (
        bit if word == 0 else ZERO,
        bit if word == 1 else ZERO,
        bit if word == 2 else ZERO,
    )


@rule
def some(cells: Words) -> bool:
    """True if a set is not empty."""
    return bool(cells[0] | cells[1] | cells[2] != ZERO)


@rule
def count(cells: Words) -> int:
    """Count the cells of a set."""
    number = popcount(cells[0])
    if cells[1] | cells[2] != ZERO:
        number += popcount(cells[1]) + popcount(cells[2])
    return number


@rule
def union(cells: Words, others: Words) -> Words:
    """The cells of either set."""
    return cells[0] | others[0], cells[1] | others[1], cells[2] | others[2]


@rule
def common(cells: Words, others: Words) -> Words:
    """The cells of both sets."""
    return cells[0] & others[0], cells[1] & others[1], cells[2] & others[2]


@rule
def without(cells: Words, others: Words) -> Words:
    """The cells of the first set that are not in the second."""
    return cells[0] & ~others[0], cells[1] & ~others[1], cells[2] & ~others[2]


@rule
def lowest(cells: Words) -> Words:
    """The set of the lowest cell of a set, which must not be empty."""
    if cells[0] != ZERO:
        return lowest_bit(cells[0]), ZERO, ZERO
    if cells[1] != ZERO:
        return ZERO, lowest_bit(cells[1]), ZERO
    return ZERO, ZERO, lowest_bit(cells[2])


@rule
def first_of(cells: Words) -> int:
    """The lowest cell of a set that is not empty."""
    if cells[0] != ZERO:
        return index_of(lowest_bit(cells[0]))
    if cells[1] != ZERO:
        return 64 + index_of(lowest_bit(cells[1]))
    return 128 + index_of(lowest_bit(cells[2]))


@rule
def raised(cells: Words, n: Any) -> Words:
    """Every cell `n` higher. Bits beyond the board may be among them."""
    rest = WORD - n
    return cells[0] << n, cells[1] << n | cells[0] >> rest, cells[2] << n | cells[1] >> rest


@rule
def lowered(cells: Words, n: Any) -> Words:
    """Every cell `n` lower."""
    rest = WORD - n
    return cells[0] >> n | cells[1] << rest, cells[1] >> n | cells[2] << rest, cells[2] >> n


@rule
def cells_of(words: Any) -> Words:
    """Read a set of cells from a record."""
    return words[0], words[1], words[2]
