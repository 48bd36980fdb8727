"""Random numbers inside kernels: xorshift64 on a one-word array, the same compiled or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit.hashing import random_words
from plywise.jit.kernels import rule

_A, _B, _C = np.uint64(13), np.uint64(7), np.uint64(17)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


def generator(seed: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the state of a generator, to pass to kernels."""
    return random_words(1, seed) | np.uint64(1)


@rule
def below(rng: Any, count: int) -> Any:
    """Return a random whole number from 0 to count - 1."""
    word = rng[0]
    word ^= word << _A
    word ^= word >> _B
    word ^= word << _C
    rng[0] = word
    return np.int64(((word >> _HALF) * np.uint64(count)) >> _HALF)
