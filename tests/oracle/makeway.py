"""The switching game and Make Way by brute force: slow, plain, and without any code of ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

Lines = Sequence[tuple[int, int]]


def joined(lines: Lines, owned: int, end: int) -> bool:
    """Do the lines whose bits are set join dot 0 to the end?"""
    seen, fresh = {0}, [0]
    while fresh:
        dot = fresh.pop()
        for number, (low, high) in enumerate(lines):
            if owned >> number & 1 and dot in (low, high):
                other = low + high - dot
                if other not in seen:
                    seen.add(other)
                    fresh.append(other)
    return end in seen


def short_wins(lines: Lines, end: int, own: int, gone: int, short_moves: bool) -> bool:
    """Does Short join dot 0 to the end, with `own` lines already his and some gone?"""
    everything = (1 << len(lines)) - 1

    @cache
    def wins(own: int, gone: int, moves: bool) -> bool:
        if joined(lines, own, end):
            return True
        if not joined(lines, everything & ~gone, end):
            return False
        free = [1 << n for n in range(len(lines)) if not (own | gone) >> n & 1]
        if moves:
            return any(wins(own | line, gone, False) for line in free)
        return all(wins(own, gone | line, True) for line in free)

    return wins(own, gone, short_moves)


def values(lines: Lines, end: int) -> Callable[[int, int], int]:
    """1, 0 or -1 for the side to move in Make Way, by his lines and the other's; plain search."""
    everything = (1 << len(lines)) - 1

    @cache
    def best(mine: int, others: int) -> int:
        if joined(lines, others, end):
            return -1
        if not any(joined(lines, everything & ~side, end) for side in (mine, others)):
            return 0
        found = -2
        for number in range(len(lines)):
            if not (mine | others) >> number & 1:
                found = max(found, -best(others, mine | 1 << number))
                if found == 1:
                    break
        return 0 if found == -2 else found

    return best
