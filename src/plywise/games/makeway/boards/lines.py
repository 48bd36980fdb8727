"""The lines of a random board: which ones are possible between given dots, and which are chosen.

Dots are places in whole tenths of a unit. Everything about a pair of lines is worked out once, for
all pairs together; choosing and removing lines then only looks it up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from plywise.games.makeway.boards.graph import Ends

LONGEST = 85  #: of a line, in tenths
CLEAR = 6  #: the least distance of a line from other dots, in tenths
SINE = (2419, 10_000)  #: of 14 degrees, the smallest angle between lines at a dot
FORWARD = (2, 4)  #: lines from a dot to following dots
FEWEST = 2  #: lines at any dot
CROSSING = 1 << 20  #: one crossing outweighs every length: the square of LONGEST is below it
NEVER = 1 << 60  #: the weight of a line that cannot be chosen

Place = tuple[int, int]
Below = Callable[[int], int]  #: a random number below this one
Numbers = np.ndarray[Any, np.dtype[np.int64]]
Table = np.ndarray[Any, np.dtype[np.bool_]]


class Lines:
    """Every line that can stand between some dots, in order of its ends, and those chosen.

    A line stands if it is short enough, keeps clear of other dots and does not join the big dots.
    """

    def __init__(self, dots: Sequence[Place]) -> None:
        self.count = len(dots)
        self.x, self.y = np.array(dots, np.int64).T
        self.low, self.high, self.length, self.left = self._standing()
        self.meetings = self._meetings()
        self.narrow = self._narrow()
        self.chosen: list[int] = []

    @property
    def ends(self) -> list[Ends]:
        """The ends of the chosen lines."""
        return [(int(self.low[line]), int(self.high[line])) for line in self.chosen]

    # ---- what is possible --------------------------------------------------------------------

    def _standing(self) -> tuple[Numbers, Numbers, Numbers, Table]:
        """The ends of the lines, the squares of their lengths, and which dots are to the left."""
        low, high = _pairs(self.count)
        length = (self.x[high] - self.x[low]) ** 2 + (self.y[high] - self.y[low]) ** 2
        short = (length <= LONGEST**2) & ((low > 0) | (high < self.count - 1))
        low, high, length = low[short], high[short], length[short]
        across, down = self.x[high] - self.x[low], self.y[high] - self.y[low]
        x = self.x[None, :] - self.x[low][:, None]  # [line, dot]: from the line's lower end
        y = self.y[None, :] - self.y[low][:, None]
        along = x * across[:, None] + y * down[:, None]
        aside = x * down[:, None] - y * across[:, None]
        beside = (along > 0) & (along < length[:, None])  # else beyond an end: dots keep apart
        close = beside & (aside**2 < CLEAR**2 * length[:, None])
        clear = ~close.any(axis=1)  # its own ends are not beside it
        return low[clear], high[clear], length[clear], aside[clear] < 0

    def _narrow(self) -> Table:
        """[line, line]: do they share a dot, with too small an angle between them?"""
        narrow = np.zeros((len(self.low), len(self.low)), np.bool_)
        one, other, dot = self.meetings
        ax, ay = self._away(one, dot)
        bx, by = self._away(other, dot)
        scalar, cross = ax * bx + ay * by, ax * by - ay * bx
        lengths = self.length[one] * self.length[other]
        bad = (scalar > 0) & (SINE[1] ** 2 * cross**2 < SINE[0] ** 2 * lengths)
        narrow[one[bad], other[bad]] = narrow[other[bad], one[bad]] = True
        return narrow

    def _meetings(self) -> tuple[Numbers, Numbers, Numbers]:
        """Every two lines that share a dot, and the dot."""
        lines = np.tile(np.arange(len(self.low)), 2)
        dots = np.concatenate([self.low, self.high])
        order = np.argsort(dots, kind="stable")
        lines, sizes = lines[order], np.bincount(dots, minlength=self.count)
        ones, others, begin = [], [], 0
        for size in sizes.tolist():
            one, other = _pairs(size)
            ones.append(one + begin)
            others.append(other + begin)
            begin += size
        at = np.repeat(np.arange(self.count), sizes * (sizes - 1) // 2)
        return lines[np.concatenate(ones)], lines[np.concatenate(others)], at

    def _away(self, line: Numbers, dot: Numbers) -> tuple[Numbers, Numbers]:
        """Where lines lead from a dot at one of their ends."""
        far = self.low[line] + self.high[line] - dot
        return self.x[far] - self.x[dot], self.y[far] - self.y[dot]

    def _crossings(self) -> Table:
        """[line, line]: do they cross?"""
        parted = self.left[:, self.low] != self.left[:, self.high]
        cross = parted & parted.T
        one, other, _ = self.meetings
        cross[one, other] = cross[other, one] = False  # lines that meet at a dot do not cross
        return cross

    # ---- choosing ----------------------------------------------------------------------------

    def join(self, below: Below) -> None:
        """Draw 2 to 4 lines from each dot to near following dots; keep the short ones."""
        begin = np.searchsorted(self.low, np.arange(self.count + 1)).tolist()
        lengths = self.length.tolist()
        picked: list[int] = []
        for dot in range(self.count - 1):
            number = FORWARD[0] + below(FORWARD[1] - FORWARD[0] + 1)
            ahead = sorted(range(begin[dot], begin[dot + 1]), key=lengths.__getitem__)
            picked += some(ahead[: FORWARD[1] + 2], number, below)
        taken = np.zeros(len(lengths), np.bool_)
        for line in sorted(picked, key=lengths.__getitem__):
            if not taken[line]:
                self.chosen.append(line)
                taken |= self.narrow[line]

    def fit(self, wanted: int) -> None:
        """Add the next best lines until there are as many as wanted, or remove the worst."""
        cross = self._crossings() * np.int64(CROSSING)
        self._add(wanted, cross)
        if len(self.chosen) > wanted:
            self._remove(wanted, cross)

    def _add(self, wanted: int, cross: Numbers) -> None:
        """Add those that cross the fewest others, and of these the shortest."""
        weight = self.length + cross[self.chosen].sum(axis=0)
        degree, ahead = self.degrees()
        weight[self.chosen] = NEVER
        weight[self.narrow[self.chosen].any(axis=0) | (ahead[self.low] >= FORWARD[1])] = NEVER
        poor = set(np.flatnonzero(degree < FEWEST).tolist())
        while True:
            # Step 1: first where a dot has too few.
            line = -1
            if poor:
                few = degree < FEWEST
                line = _lightest(np.where(few[self.low] | few[self.high], weight, NEVER))
            # Step 2: else the best of all.
            if line < 0 and len(self.chosen) < wanted:
                line = _lightest(weight)
            if line < 0:
                return
            low, high = int(self.low[line]), int(self.high[line])
            self.chosen.append(line)
            for dot in (low, high):
                degree[dot] += 1
                if degree[dot] >= FEWEST:
                    poor.discard(dot)
            ahead[low] += 1
            weight += cross[line]
            weight[self.narrow[line]] = weight[line] = NEVER
            if ahead[low] >= FORWARD[1]:
                weight[self.low == low] = NEVER

    def _remove(self, wanted: int, cross: Numbers) -> None:
        """Remove the worst lines: the dots stay connected and none has too few."""
        beside = self.neighbours()
        if reached(beside, 0) != (1 << self.count) - 1:
            return
        chosen = np.array(self.chosen)
        low, high = self.low[chosen], self.high[chosen]
        cross = cross[np.ix_(chosen, chosen)]
        weight = self.length[chosen] + cross.sum(axis=0)
        degree, _ = self.degrees()
        left, gone = len(chosen), np.zeros(len(chosen), np.bool_)
        fixed = np.zeros(len(chosen), np.bool_)  # gone, or the only way between two parts
        while left > wanted:
            free = ~fixed & (degree[low] > FEWEST) & (degree[high] > FEWEST)
            if not free.any():
                break
            worst = int(np.where(free, weight, -1).argmax())
            fixed[worst] = True
            one, other = int(low[worst]), int(high[worst])
            beside[one] ^= 1 << other
            beside[other] ^= 1 << one
            if not reached(beside, one, other) >> other & 1:
                beside[one] |= 1 << other
                beside[other] |= 1 << one
                continue
            gone[worst] = True
            left -= 1
            degree[one] -= 1
            degree[other] -= 1
            weight -= cross[worst]
        self.chosen = [line for line, off in zip(self.chosen, gone, strict=True) if not off]

    # ---- what is chosen ----------------------------------------------------------------------

    def degrees(self) -> tuple[Numbers, Numbers]:
        """How many chosen lines each dot has, and how many of them lead to following dots."""
        ahead = np.bincount(self.low[self.chosen], minlength=self.count)
        return ahead + np.bincount(self.high[self.chosen], minlength=self.count), ahead

    def neighbours(self) -> list[int]:
        """For each dot the set of dots that chosen lines join it to, as bits."""
        beside = [0] * self.count
        for low, high in self.ends:
            beside[low] |= 1 << high
            beside[high] |= 1 << low
        return beside


def reached(beside: Sequence[int], start: int, goal: int | None = None) -> int:
    """The set of dots that can be reached from one of them, as bits; as far as a goal, if given."""
    seen = fresh = 1 << start
    target = 0 if goal is None else 1 << goal
    while fresh and not seen & target:
        found = 0
        while fresh:
            lowest = fresh & -fresh
            fresh ^= lowest
            found |= beside[lowest.bit_length() - 1]
        fresh = found & ~seen
        seen |= fresh
    return seen


def some(items: Sequence[int], count: int, below: Below) -> list[int]:
    """Choose up to `count` of the items at random."""
    rest, found = list(items), list[int]()
    while rest and len(found) < count:
        found.append(rest.pop(below(len(rest))))
    return found


@cache
def _pairs(count: int) -> tuple[Numbers, Numbers]:
    """Every two of so many numbers, the lower ones and the higher ones, in order."""
    low, high = np.triu_indices(count, 1)
    return low, high


def _lightest(weight: Numbers) -> int:
    """The line with the least weight; -1 if none can be chosen."""
    if not len(weight):
        return -1
    line = int(weight.argmin())
    return line if weight[line] < NEVER else -1
