"""Statistics of puzzles, those of published ones for comparison, and of any collection.

The ranges are those of olson-500, the 500 puzzles in `tests/data/slither`, rounded outwards;
`plywise slither statistics FILE` prints them for any collection. Their clues have no symmetry.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median

import numpy as np

from plywise.errors import PlywiseError, SpecError
from plywise.puzzles.slither.formats import read
from plywise.puzzles.slither.grid import LINE, Drawing, Puzzle

Size = tuple[int, int]


@dataclass(frozen=True)
class Statistics:
    """Shares that describe a puzzle and its loop, each between 0 and 1."""

    zeros: float  #: of the clues
    ones: float
    twos: float
    threes: float
    density: float  #: cells with a clue
    sparsest: float  #: the density of the quarter of the board with the fewest clues
    densest: float  #: ... and of the one with the most
    inside: float  #: cells inside the loop
    winding: float  #: turns for each line of the loop

    def to_json(self) -> dict[str, float]:
        """Return plain data for `--json`."""
        return {name: round(value, 3) for name, value in asdict(self).items()}


NAMES = tuple(field.name for field in fields(Statistics))
#: The statistics that a new puzzle must share with published ones; the others count for quality.
CORE = ("zeros", "sparsest", "densest", "inside")


def measure(solution: Drawing) -> Statistics:
    """The statistics of a puzzle and its solution."""
    puzzle, layout = solution.puzzle, solution.puzzle.layout
    rows, cols = puzzle.rows, puzzle.cols
    clues = np.array(puzzle.clues).reshape(rows, cols)
    has = clues >= 0
    count = max(1, int(has.sum()))
    zeros, ones, twos, threes = (float((clues == clue).sum() / count) for clue in range(4))
    # A quarter of a board with an odd side shares its middle row or column with the next one.
    high, wide = (rows + 1) // 2, (cols + 1) // 2
    quarters = [
        float(quarter.mean())
        for half in (has[:high], has[rows - high :])
        for quarter in (half[:, :wide], half[:, cols - wide :])
    ]
    drawn = np.frombuffer(solution.states, np.uint8) == LINE
    downs = drawn[(rows + 1) * cols :].reshape(rows, cols + 1)
    inside = np.logical_xor.accumulate(downs, axis=1)[:, :cols]
    lines = layout.dot_lines[: layout.dots]
    up, down, left, right = (drawn[lines[:, k]] & (lines[:, k] >= 0) for k in range(4))
    turns = int(((up | down) & (left | right)).sum())
    return Statistics(
        zeros,
        ones,
        twos,
        threes,
        float(has.mean()),
        min(quarters),
        max(quarters),
        float(inside.mean()),
        turns / max(1, int(drawn.sum())),
    )


@dataclass(frozen=True)
class Range:
    """The lowest, the median and the highest of a share."""

    low: float
    middle: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return f"{self.low:.3f} {self.middle:.3f} {self.high:.3f}"

    def fit(self, value: float) -> float:
        """1 at the median, falling to 0.5 at both ends of the range and to 0 beyond."""
        room = self.high - self.middle if value > self.middle else self.middle - self.low
        return max(0.0, 1 - abs(value - self.middle) / (2 * max(room, 0.01)))


#: For boards of n x n cells: low, median and high of each of NAMES. A quarter is in range between
#: the sparsest and the densest of all.
_PUBLISHED: dict[int, str] = {
    7: """
        0.000 0.054 0.300   0.052 0.333 0.572   0.066 0.316 0.566   0.045 0.270 0.474
        0.306 0.408 0.572   0.125 0.312 0.688   0.125 0.500 0.688   0.408 0.571 0.715
        0.480 0.640 0.808
    """,
    10: """
        0.000 0.082 0.185   0.166 0.352 0.514   0.135 0.325 0.480   0.050 0.238 0.486
        0.310 0.420 0.510   0.240 0.360 0.640   0.240 0.480 0.640   0.470 0.560 0.630
        0.500 0.660 0.804
    """,
    15: """
        0.009 0.082 0.158   0.202 0.345 0.483   0.208 0.326 0.447   0.147 0.239 0.359
        0.328 0.404 0.480   0.296 0.359 0.610   0.296 0.438 0.610   0.484 0.538 0.583
        0.591 0.660 0.741
    """,
    20: """
        0.017 0.089 0.143   0.265 0.350 0.434   0.240 0.323 0.428   0.157 0.233 0.339
        0.332 0.407 0.448   0.320 0.380 0.520   0.320 0.440 0.520   0.480 0.530 0.583
        0.613 0.674 0.722
    """,
    30: """
        0.056 0.088 0.135   0.284 0.353 0.411   0.283 0.336 0.392   0.183 0.224 0.269
        0.368 0.403 0.438   0.324 0.382 0.485   0.324 0.424 0.485   0.498 0.521 0.546
        0.641 0.676 0.708
    """,
}


@dataclass(frozen=True)
class Published:
    """The ranges of the published puzzles of one size."""

    ranges: Mapping[str, Range]

    def outside(self, found: Statistics) -> tuple[str, ...]:
        """The names of the statistics that no published puzzle has."""
        return tuple(name for name in NAMES if getattr(found, name) not in self.ranges[name])

    def quality(self, found: Statistics) -> int:
        """How well a puzzle fits in with the published ones, from 0 to 100.

        The mean over all statistics, less a tenth for each that is out of range.
        """
        fits = [self.ranges[name].fit(getattr(found, name)) for name in NAMES]
        return max(0, round(100 * sum(fits) / len(fits)) - 10 * len(self.outside(found)))


def published(rows: int, cols: int) -> Published:
    """The ranges for a size, or for the nearest one."""
    side = (rows * cols) ** 0.5
    nearest = min(_PUBLISHED, key=lambda n: abs(n - side))
    values = [float(word) for word in _PUBLISHED[nearest].split()]
    triples = [Range(*values[at : at + 3]) for at in range(0, len(values), 3)]
    return Published(dict(zip(NAMES, triples, strict=True)))


# ---- many puzzles in one file ------------------------------------------------------------------


def read_collection(file: Path, text: str) -> Iterator[Puzzle]:
    """Read a puzzle from each line; '#' and ';' start a note.

    If there are tabs, the puzzle is the longest part of the line that can be read as one.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith(("#", ";")):
            continue
        wrong = []
        for part in sorted(line.split("\t"), key=len, reverse=True):
            try:
                yield read(part)
                break
            except PlywiseError as error:
                wrong.append(error)
        else:
            raise SpecError(f"{file}, line {number}: {wrong[0]}")


def ranges_by_size(found: Iterable[tuple[Puzzle, Statistics]]) -> dict[Size, dict[str, Range]]:
    """The range of each statistic, for each size of board."""
    groups: dict[Size, list[Statistics]] = defaultdict(list)
    for puzzle, each in found:
        groups[puzzle.rows, puzzle.cols].append(each)
    return {
        size: {name: _range([getattr(each, name) for each in group]) for name in NAMES}
        for size, group in sorted(groups.items())
    }


def _range(values: list[float]) -> Range:
    return Range(min(values), median(values), max(values))
