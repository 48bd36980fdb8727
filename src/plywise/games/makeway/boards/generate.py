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

from dataclasses import dataclass
from itertools import product

from plywise.core.cancel import check_cancelled
from plywise.errors import SpecError
from plywise.games.makeway.boards.graph import LINES, Graph
from plywise.games.makeway.boards.lines import FEWEST, FORWARD, Below, Lines, Place, reached, some
from plywise.jit.rng import numbers

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
        if not _holds(lines):
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


def _holds(lines: Lines) -> bool:
    """True if the dots are connected and each has enough lines."""
    connected = reached(lines.neighbours(), 0) == (1 << lines.count) - 1
    return connected and bool((lines.degrees()[0] >= FEWEST).all())


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
