"""The toss that decides who moves first."""

from __future__ import annotations

import random


def swaps(seed: int) -> bool:
    """Return True if the toss puts the second player first; the same seed repeats the toss.

    >>> [swaps(seed) for seed in range(6)]
    [False, False, False, True, False, True]
    """
    return random.Random(f"toss {seed}").random() < 0.5
