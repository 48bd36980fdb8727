"""Choices of the Connect-4 search: the next null window, and which move to try first."""

from __future__ import annotations

from typing import Any

from plywise.jit import rule
from plywise.jit.bits import popcount

STEP = 8  #: scores this near to 0 are found step by step from 0, others by bisection
QUIET = 3  #: up to this score forcing moves are tried later, above it sooner


@rule
def yes() -> bool:
    """The technique is used."""
    return True


@rule
def no() -> bool:
    """The technique is left out, to measure its worth."""
    return False


@rule
def next_question(low: int, high: int) -> int:
    """The next alpha: bisection for large scores, cheap ones first; from 0 outwards near 0."""
    if low >= -STEP and high <= STEP:
        return 0 if low <= 0 < high else low if low > 0 else high - 1
    return halve(low, high)


@rule
def halve(low: int, high: int) -> int:
    """The middle, or halfway from 0 to the farther end."""
    middle = low + (high - low) // 2
    if middle <= 0 and -(-low // 2) < middle:
        return -(-low // 2)
    if middle >= 0 and high // 2 > middle:
        return high // 2
    return middle


@rule
def threats_first(threats: Any, near: Any, now: Any, alpha: int) -> int:
    """Rate a move by the threats it makes and by how soon they can be played."""
    urge = -1 if -QUIET <= alpha <= QUIET else 1
    return 2 * popcount(threats) + popcount(threats & near) + urge * popcount(now)


@rule
def middle_first(threats: Any, near: Any, now: Any, alpha: int) -> int:
    """The middle first, whatever a move threatens."""
    return 0
