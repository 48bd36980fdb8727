"""Bits of a 64-bit word. All constants are uint64: mixed arithmetic would leave the integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit.kernels import rule

ZERO = np.uint64(0)
ONE = np.uint64(1)


@rule
def popcount(word: Any) -> int:
    """How many bits are set. (The compiler makes one instruction of this loop.)"""
    count = 0
    while word != ZERO:
        word = word & (word - ONE)
        count += 1
    return count


@rule
def lowest(word: Any) -> Any:
    """The lowest set bit alone; `word` is not zero."""
    return word & (~word + ONE)


@rule
def index_of(bit: Any) -> int:
    """The number of a single bit."""
    return popcount(bit - ONE)
