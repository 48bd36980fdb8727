"""Random boards, as the paper makes them: a seed gives the same board on every machine.

All places are whole tenths of a unit and every comparison is between integers, so nothing depends
on how a machine rounds. One try has four steps:

1. A pool of candidate points, about three for each dot wanted.
2. Dots from the pool, a quota from each of four sub-areas, no two nearer than 2 in both x and y.
   Numbered by x; the start is left of all and the end right of all.
3. From each dot 2 to 4 lines to following dots. Those that are too long, that pass close to a
   third dot or that make too small an angle with a shorter line at a shared dot are dropped.
4. Plain dropping leaves about 60 lines on the standard board, so the next best are added: those
   that cross the fewest others, and of these the shortest. On a board with few lines, some are
   removed again.

A try that breaks one of the rules is thrown away; the next one continues the same random
sequence. Everything about a pair of lines is worked out once, for all pairs together; choosing and
removing lines then only looks it up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from plywise.core.analysis import check_cancelled
from plywise.errors import SpecError
from plywise.games.makeway.graph import LINES, Ends, Graph, neighbours, reached
from plywise.jit.bits import numbers

TENTH = 10  #: places are whole tenths of a unit while a board is made
POOL = (80, 25)  #: candidate points for so many dots
SPACING = 2 * TENTH  #: the least distance of two dots, in x or in y
AROUND = tuple(product((-1, 0, 1), repeat=2))  #: a square and its neighbours
ROOM = 15  #: square units of the field for each dot
WIDE = (9, 5)  #: width to height of the field
MARGIN = 2 * TENTH  #: between the big dots and the field
TRIES = 200
EFFORT = 8000  #: tries times dots: larger boards get fewer tries, so that all are refused soon


@dataclass(frozen=True)
class Wanted:
    """What a board should be like; `low` to `high` lines, at random."""

    dots: int  #: small ones
    low: int
    high: int

    @classmethod
    def usual(cls, dots: int) -> Wanted:
        """The paper's density: 70 to 80 lines on 25 small dots, and in proportion."""
        lines, width = 3 * (dots + 2) - 6, (dots + 2) // 5
        high = min(lines + width, LINES)
        return cls(dots, min(lines - width, high), high)

    @property
    def impossible(self) -> bool:
        """True if the lines are certainly too few for the dots, or too many."""
        return self.high < FEWEST * (self.dots + 2) / 2 or self.low > FORWARD[1] * (self.dots + 1)


def generate(wanted: Wanted, seed: int) -> Graph:
    """The board of a seed; SpecError, within a second, if no try has enough lines."""
    below = numbers(seed)
    nearest, away = 0, LINES
    for _ in range(min(TRIES, EFFORT // wanted.dots)):
        check_cancelled()
        dots = _dots(wanted.dots, below)
        if dots is None:
            continue
        lines = Lines(dots)
        lines.join(below)
        lines.fit(wanted.low + below(wanted.high - wanted.low + 1))
        if not lines.holds():
            continue
        found = len(lines.chosen)
        if wanted.low <= found <= wanted.high:
            return _graph(dots, lines)
        missed = max(wanted.low - found, found - wanted.high)
        if missed < away:
            nearest, away = found, missed
        if wanted.impossible:
            break  # one board is enough to say what works
    raise SpecError(_refusal(wanted, seed, nearest))


def _graph(dots: list[Place], lines: Lines) -> Graph:
    places = tuple((x / TENTH, y / TENTH) for x, y in dots)
    return Graph(places, tuple(sorted(lines.ends)))


def _refusal(wanted: Wanted, seed: int, nearest: int) -> str:
    """Say that there is no such board, and name one that a try has found."""
    lines = f"lines={wanted.low}"
    if wanted.low < wanted.high:
        lines = f"{wanted.low} to {wanted.high} lines"
    works = f"lines={nearest} works" if nearest else "try another seed"
    return f"there is no board with dots={wanted.dots}, {lines} and seed={seed}: {works}"


# ---- dots ------------------------------------------------------------------------------------


def _dots(count: int, below: Below) -> list[Place] | None:
    """Start, small dots by x, end; None if the pool has too few."""
    height = 1
    while height * height * WIDE[0] < count * ROOM * TENTH * TENTH * WIDE[1]:
        height += 1
    height = max(height, 4 * TENTH)
    width = max(height * WIDE[0] // WIDE[1], 2 * TENTH)
    pool = [(below(width + 1), below(height + 1)) for _ in range(-(-count * POOL[0] // POOL[1]))]
    quarters: list[list[Place]] = [[], [], [], []]
    for x, y in pool:
        quarters[2 * (2 * x > width) + (2 * y > height)].append((x, y))
    quota = [count // 4] * 4
    for extra in some(range(4), count % 4, below):
        quota[extra] += 1
    taken: list[Place] = []
    squares: dict[Place, Place] = {}  # as wide as the spacing, so each has at most one dot
    for quarter, number in zip(quarters, quota, strict=True):
        before = len(taken)
        for place in quarter:
            if len(taken) - before == number:
                break
            column, row = place[0] // SPACING, place[1] // SPACING
            around = ((column + right, row + down) for right, down in AROUND)
            if not any(at in squares and _close(place, squares[at]) for at in around):
                taken.append(place)
                squares[column, row] = place
        if len(taken) - before < number:
            return None
    first = min(x for x, _ in taken)
    taken = sorted((x - first + MARGIN, y) for x, y in taken)
    middle = [height // 3 + below(height // 3 + 1) for _ in range(2)]
    return [(0, middle[0]), *taken, (taken[-1][0] + MARGIN, middle[1])]


def _close(one: Place, other: Place) -> bool:
    """True if two dots are nearer than the spacing in both x and y."""
    return abs(one[0] - other[0]) < SPACING and abs(one[1] - other[1]) < SPACING


# ---- lines ---------------------------------------------------------------------------------------


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
        self.low, self.high, self.length, left = self._standing()
        #: [line, line]: 1 if they begin or end at the same dot, -1 if one begins where another ends
        meet = self._share(self.low, self.low) | self._share(self.high, self.high)
        self.meet = meet - (self._share(self.low, self.high) | self._share(self.high, self.low))
        self.narrow = self._narrow()
        parted = left[:, self.low] != left[:, self.high]
        #: [line, line]: the weight of a crossing; lines that meet at a dot do not cross
        self.cross = (parted & parted.T & (self.meet == 0)) * np.int64(CROSSING)
        self.chosen: list[int] = []

    @property
    def ends(self) -> list[Ends]:
        """The ends of the chosen lines."""
        low, high = self.low[self.chosen].tolist(), self.high[self.chosen].tolist()
        return list(zip(low, high, strict=True))

    # ---- what is possible --------------------------------------------------------------------

    def _standing(self) -> tuple[Numbers, Numbers, Numbers, Table]:
        """The ends of the lines, the squares of their lengths, and which dots are to the left."""
        low, high = np.triu_indices(self.count, 1)
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

    @staticmethod
    def _share(ends: Numbers, others: Numbers) -> Numbers:
        """[line, line]: 1 if these ends of them are the same dot, else 0."""
        return np.equal.outer(ends, others).astype(np.int64)

    def _narrow(self) -> Table:
        """[line, line]: do they share a dot, with too small an angle between them?"""
        across, down = self.x[self.high] - self.x[self.low], self.y[self.high] - self.y[self.low]
        scalar = self.meet * (np.outer(across, across) + np.outer(down, down))
        turned = np.outer(across, down)
        lengths = np.outer(self.length, self.length)
        narrow: Table = SINE[1] ** 2 * (turned - turned.T) ** 2 < SINE[0] ** 2 * lengths
        return narrow & (scalar > 0)

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
        self._add(wanted)
        self._remove(wanted)

    def _add(self, wanted: int) -> None:
        """Add those that cross the fewest others, and of these the shortest."""
        while True:
            degree, ahead = self.degrees()
            weight = self.length + self.cross[self.chosen].sum(axis=0)
            # A chosen line is at no angle to itself.
            weight[self.narrow[self.chosen].any(axis=0) | (ahead[self.low] >= FORWARD[1])] = NEVER
            # Step 1: first where a dot has too few.
            few = degree < FEWEST
            line = _lightest(np.where(few[self.low] | few[self.high], weight, NEVER))
            # Step 2: else the best of all.
            if line < 0 and len(self.chosen) < wanted:
                line = _lightest(weight)
            if line < 0:
                return
            self.chosen.append(line)

    def _remove(self, wanted: int) -> None:
        """Remove the worst lines: the dots stay connected and none has too few."""
        beside = neighbours(self.count, self.ends)
        weight = self.length + self.cross[self.chosen].sum(axis=0)
        fixed = set[int]()  # the only way between two parts
        while len(self.chosen) > wanted:
            degree, _ = self.degrees()
            spare = np.minimum(degree[self.low], degree[self.high]) > FEWEST
            free = [line for line in self.chosen if spare[line] and line not in fixed]
            if not free:
                return
            worst = free[int(weight[free].argmax())]
            low, high = int(self.low[worst]), int(self.high[worst])
            beside[low] ^= 1 << high
            if reached(beside, 1 << low) >> high & 1:
                beside[high] ^= 1 << low
                self.chosen.remove(worst)
                weight -= self.cross[worst]
            else:
                beside[low] ^= 1 << high
                fixed.add(worst)

    # ---- what is chosen ----------------------------------------------------------------------

    def degrees(self) -> tuple[Numbers, Numbers]:
        """How many chosen lines each dot has, and how many of them lead to following dots."""
        ahead = np.bincount(self.low[self.chosen], minlength=self.count)
        return ahead + np.bincount(self.high[self.chosen], minlength=self.count), ahead

    def holds(self) -> bool:
        """True if the dots are connected and each has enough lines."""
        connected = reached(neighbours(self.count, self.ends), 1) == (1 << self.count) - 1
        return connected and bool((self.degrees()[0] >= FEWEST).all())


def some(items: Sequence[int], count: int, below: Below) -> list[int]:
    """Choose up to `count` of the items at random."""
    rest, found = list(items), list[int]()
    while rest and len(found) < count:
        found.append(rest.pop(below(len(rest))))
    return found


def _lightest(weight: Numbers) -> int:
    """The line with the least weight; -1 if none can be chosen."""
    if not len(weight):
        return -1
    line = int(weight.argmin())
    return line if weight[line] < NEVER else -1
