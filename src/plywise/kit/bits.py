"""Sets of cells as the bits of one word, for rules that compile; and hashes for `key`."""

from __future__ import annotations

from plywise.jit.bits import ONE, ZERO, index_of, list_bits, lowest, popcount, wide
from plywise.jit.hashing import random_words, spread

__all__ = [
    "ONE",
    "ZERO",
    "index_of",
    "list_bits",
    "lowest",
    "popcount",
    "random_words",
    "spread",
    "wide",
]
