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
sequence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from plywise.errors import SpecError
from plywise.games.makeway.boards.graph import LINES, Ends, Graph
from plywise.jit.rng import below, generator

TENTH = 10  #: places are whole tenths of a unit while a board is made
POOL = (80, 25)  #: candidate points for so many dots
SPACING = 2 * TENTH  #: the least distance of two dots, in x or in y
ROOM = 15  #: square units of the field for each dot
WIDE = (9, 5)  #: width to height of the field
MARGIN = 2 * TENTH  #: between the big dots and the field
LONGEST = 85  #: of a line, in tenths
CLEAR = 6  #: the least distance of a line from other dots, in tenths
SINE = (2419, 10_000)  #: of 14 degrees, the smallest angle between lines at a dot
FORWARD = (2, 4)  #: lines from a dot to following dots
FEWEST = 2  #: lines at any dot
TRIES = 200

Place = tuple[int, int]


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


def generate(wanted: Wanted, seed: int) -> Graph:
    """The board of a seed; SpecError if no try has so many lines."""
    rng = generator(seed)

    def lot(count: int) -> int:
        return int(below(rng, count))

    most = 0
    for _ in range(TRIES):
        dots = _dots(wanted.dots, lot)
        if dots is None:
            continue
        lines = _Lines(dots)
        _join(lines, lot)
        most = max(most, _fit(lines, wanted.low + lot(wanted.high - wanted.low + 1)))
        places = tuple((x / TENTH, y / TENTH) for x, y in dots)
        graph = Graph(places, tuple(sorted(lines.chosen)))
        if not faults(graph, wanted):
            return graph
    raise SpecError(
        f"no board with lines={wanted.low} was found for dots={wanted.dots},seed={seed}: "
        f"the most lines found were {most}"
    )


def faults(graph: Graph, wanted: Wanted) -> list[str]:
    """List what is wrong with a generated board; empty if it is right."""
    dots = [(round(x * TENTH), round(y * TENTH)) for x, y in graph.dots]
    end = len(dots) - 1
    found = []
    if end + 1 != wanted.dots + 2:
        found.append(f"{end + 1} dots")
    if not wanted.low <= len(graph.lines) <= wanted.high:
        found.append(f"{len(graph.lines)} lines")
    if sorted(dot[0] for dot in dots) != [dot[0] for dot in dots]:
        found.append("dots out of order")
    found += [f"{a} and {b} too close" for a, b in combinations(dots, 2) if _close(a, b)]
    if len(graph.reached()) != len(dots):
        found.append("not connected")
    if (0, end) in graph.lines:
        found.append("the big dots joined directly")
    for dot in range(len(dots)):
        degree = sum(dot in ends for ends in graph.lines)
        if degree < FEWEST:
            found.append(f"{degree} lines at dot {dot}")
        ahead = sum(low == dot for low, _ in graph.lines)
        if ahead > FORWARD[1]:
            found.append(f"{ahead} lines from dot {dot} to following ones")
    lines = _Lines(dots)
    for ends in sorted(graph.lines, key=lines.length):
        if not lines.may_have(ends):
            found.append(f"{ends} too long, too close to a dot or to a line")
        lines.chosen.append(ends)
    return found


# ---- dots ------------------------------------------------------------------------------------


def _dots(count: int, lot: Callable[[int], int]) -> list[Place] | None:
    """Start, small dots by x, end; None if the pool has too few."""
    height = 1
    while height * height * WIDE[0] < count * ROOM * TENTH * TENTH * WIDE[1]:
        height += 1
    height = max(height, 4 * TENTH)
    width = max(height * WIDE[0] // WIDE[1], 2 * TENTH)
    pool = [(lot(width + 1), lot(height + 1)) for _ in range(-(-count * POOL[0] // POOL[1]))]
    quarters: list[list[Place]] = [[], [], [], []]
    for x, y in pool:
        quarters[2 * (2 * x > width) + (2 * y > height)].append((x, y))
    quota = [count // 4] * 4
    for extra in _some(range(4), count % 4, lot):
        quota[extra] += 1
    taken: list[Place] = []
    for quarter, number in zip(quarters, quota, strict=True):
        before = len(taken)
        for place in quarter:
            if len(taken) - before < number and not any(_close(place, other) for other in taken):
                taken.append(place)
        if len(taken) - before < number:
            return None
    first = min(x for x, _ in taken)
    taken = sorted((x - first + MARGIN, y) for x, y in taken)
    middle = [height // 3 + lot(height // 3 + 1) for _ in range(2)]
    return [(0, middle[0]), *taken, (taken[-1][0] + MARGIN, middle[1])]


def _close(one: Place, other: Place) -> bool:
    """True if two dots are nearer than the spacing in both x and y."""
    return abs(one[0] - other[0]) < SPACING and abs(one[1] - other[1]) < SPACING


def _some(items: Sequence[Any], count: int, lot: Callable[[int], int]) -> list[Any]:
    """Choose so many of the items at random."""
    rest, found = list(items), list[Any]()
    while rest and len(found) < count:
        found.append(rest.pop(lot(len(rest))))
    return found


# ---- lines -----------------------------------------------------------------------------------


class _Lines:
    """The lines chosen so far, and tests for further ones."""

    def __init__(self, dots: Sequence[Place]) -> None:
        self.dots = dots
        self.end = len(dots) - 1
        self.chosen: list[Ends] = []

    def length(self, ends: Ends) -> int:
        """The square of a line's length."""
        (x, y), (end_x, end_y) = (self.dots[dot] for dot in ends)
        return (x - end_x) ** 2 + (y - end_y) ** 2

    def stands(self, ends: Ends) -> bool:
        """True if a line is short enough, clear of other dots, and does not join the big dots."""
        if ends == (0, self.end) or self.length(ends) > LONGEST**2:
            return False
        others = (dot for dot in range(self.end + 1) if dot not in ends)
        return all(self._clear(ends, dot) for dot in others)

    def _clear(self, ends: Ends, dot: int) -> bool:
        """True if a line keeps away from a third dot."""
        (ax, ay), (bx, by), (x, y) = (self.dots[index] for index in (*ends, dot))
        along = (x - ax) * (bx - ax) + (y - ay) * (by - ay)
        if not 0 < along < self.length(ends):
            return True  # it is beyond an end, and dots keep their own spacing
        aside = (x - ax) * (by - ay) - (y - ay) * (bx - ax)
        return aside * aside >= CLEAR**2 * self.length(ends)

    def wide(self, one: Ends, other: Ends) -> bool:
        """True if two lines share no dot, or the angle between them is large enough."""
        shared = set(one) & set(other)
        if len(shared) != 1:
            return True
        (dot,) = shared
        (x, y), (ax, ay), (bx, by) = (
            self.dots[index] for index in (dot, sum(one) - dot, sum(other) - dot)
        )
        scalar = (ax - x) * (bx - x) + (ay - y) * (by - y)
        cross = (ax - x) * (by - y) - (ay - y) * (bx - x)
        sine = SINE[1] ** 2 * cross**2 >= SINE[0] ** 2 * self.length(one) * self.length(other)
        return scalar <= 0 or sine

    def may_have(self, ends: Ends) -> bool:
        """True if this line may be added to the chosen ones."""
        return self.stands(ends) and all(self.wide(ends, other) for other in self.chosen)

    def crossings(self, ends: Ends) -> int:
        """How many chosen lines a line crosses."""
        return sum(self._cross(ends, other) for other in self.chosen if not set(ends) & set(other))

    def _cross(self, one: Ends, other: Ends) -> bool:
        a, b, c, d = (self.dots[dot] for dot in (*one, *other))
        return _left(a, b, c) != _left(a, b, d) and _left(c, d, a) != _left(c, d, b)

    def ahead(self, dot: int) -> int:
        """How many chosen lines lead from a dot to following ones."""
        return sum(low == dot for low, _ in self.chosen)

    def degree(self, dot: int) -> int:
        """How many chosen lines a dot has."""
        return sum(dot in ends for ends in self.chosen)


def _left(a: Place, b: Place, c: Place) -> bool:
    """True if c is to the left of the line from a to b."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0


def _join(lines: _Lines, lot: Callable[[int], int]) -> None:
    """Draw 2 to 4 lines from each dot to near following dots; keep the short ones."""
    picked: list[Ends] = []
    for dot in range(lines.end):
        number = FORWARD[0] + lot(FORWARD[1] - FORWARD[0] + 1)
        ahead = [(dot, other) for other in range(dot + 1, lines.end + 1)]
        ahead = sorted(filter(lines.stands, ahead), key=lines.length)
        picked += _some(ahead[: FORWARD[1] + 2], number, lot)
    for ends in sorted(picked, key=lines.length):
        if lines.may_have(ends):
            lines.chosen.append(ends)


def _fit(lines: _Lines, wanted: int) -> int:
    """Add the next best lines or remove the worst; return how many there are."""
    every = [ends for ends in combinations(range(lines.end + 1), 2) if lines.stands(ends)]
    while True:
        # Step 1: what may still be added; first where a dot has too few.
        rest = [
            ends
            for ends in every
            if ends not in lines.chosen
            and lines.ahead(ends[0]) < FORWARD[1]
            and lines.may_have(ends)
        ]
        poor = [ends for ends in rest if any(lines.degree(dot) < FEWEST for dot in ends)]
        if not rest or (not poor and len(lines.chosen) >= wanted):
            break
        # Step 2: the fewest crossings, then the shortest.
        lines.chosen.append(
            min(poor or rest, key=lambda ends: (lines.crossings(ends), lines.length(ends)))
        )
    while len(lines.chosen) > wanted and (worst := _dispensable(lines)):
        lines.chosen.remove(worst)
    return len(lines.chosen)


def _dispensable(lines: _Lines) -> Ends | None:
    """The worst line that can go: the board stays connected and no dot has too few."""
    ranked = sorted(
        lines.chosen, key=lambda ends: (lines.crossings(ends), lines.length(ends)), reverse=True
    )
    for ends in ranked:
        if all(lines.degree(dot) > FEWEST for dot in ends):
            rest = tuple(other for other in lines.chosen if other != ends)
            places = tuple((float(x), float(y)) for x, y in lines.dots)
            if len(Graph(places, rest).reached()) == len(lines.dots):
                return ends
    return None
