"""What a net looks at: the contents of every place, patterns of places, and measures.

A pattern is a list of places. Together their contents are a number, the row of a table; patterns of
the same family share a table. A pattern with fewer places than the longest ends with `void`.
Measures are numbers that the rules give. A net without patterns has measures alone, and does not
depend on the board.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from plywise.core.rules import MEASURES, Verb

Array = np.ndarray[Any, np.dtype[Any]]

LONGEST = 16  #: places of a pattern
MOST_ROWS = 1 << 22
TABLE = 1 << 16  #: the most rows of one table


@dataclass(frozen=True, eq=False)
class Inputs:
    """The places, patterns and measures that a net for one board looks at.

    Attributes:
        cells: the number of places.
        codes: how many kinds of contents a place can have, from 0 up.
        patterns: the places of each pattern, a row for each.
        families: the family of each pattern.
        below: the place below each one where pieces fall, -1 on the ground.
        playable: the number of an empty place on which a piece would come to rest; 0 if pieces do
            not fall.
        measures: how many measures there are.
    """

    cells: int
    codes: int
    patterns: Array
    families: Array
    below: Array
    playable: int = 0
    measures: int = 0

    @classmethod
    def blind(cls, measures: int) -> Inputs:
        """Return the inputs of a net without patterns."""
        none = np.zeros(0, np.int32)
        return cls(0, 1, np.zeros((0, 1), np.int16), none, none.astype(np.int16), 0, measures)

    @property
    def void(self) -> int:
        """The number of a place that is left out."""
        return self.cells

    @cached_property
    def powers(self) -> Array:
        """What a place counts in the number of a row, by its place in the pattern."""
        return np.asarray(self.codes ** np.arange(self.patterns.shape[1]), np.int32)

    @cached_property
    def lengths(self) -> Array:
        """The number of places of each pattern."""
        return np.asarray((self.patterns != self.void).sum(1))

    @cached_property
    def first(self) -> Array:
        """The first row of each pattern's table."""
        sizes = np.zeros(int(self.families.max(initial=-1)) + 1, np.int64)
        np.maximum.at(sizes, self.families, self.codes ** self.lengths.astype(np.int64))
        starts = np.concatenate([[0], np.cumsum(sizes)])
        return np.asarray(starts[self.families], np.int32)

    @cached_property
    def rows(self) -> int:
        """All rows of all tables."""
        if not len(self.patterns):
            return 0
        last = int(self.first.argmax())
        return int(self.first[last] + self.codes ** int(self.lengths[last]))

    def check(self) -> None:
        """Raise a ValueError if a search over them would read outside of an array."""
        count = len(self.patterns)
        if not 0 <= self.measures <= MEASURES or not (count or self.measures):
            raise ValueError("these are not the inputs of a net")
        if self.cells == 0 and self.patterns.shape == (0, 1):
            return
        fits = (
            self.patterns.ndim == 2
            and 0 < count < 1 << 15
            and self.patterns.shape[1] <= LONGEST
            and self.patterns.min() >= 0
            and self.patterns.max() <= self.void
            and self.families.shape == (count,)
            and self.families.min() >= 0
            and self.families.max() < count
            and self.below.shape == (self.cells,)
            and self.below.min() >= -1
            and self.below.max() < self.cells
            and (np.sort(self.patterns == self.void, 1) == (self.patterns == self.void)).all()
        )
        if not fits or self.rows > MOST_ROWS or self.codes ** int(self.lengths.max()) > TABLE:
            raise ValueError("these are not the inputs of a net")

    @cached_property
    def uses(self) -> tuple[Array, Array, Array]:
        """For each place: how many patterns hold it, which, and what it counts in each."""
        numbers, at = np.nonzero(self.patterns < self.cells)
        cells = self.patterns[numbers, at]
        order = np.argsort(cells, kind="stable")
        count = np.bincount(cells, minlength=self.cells)
        slots = np.arange(len(cells)) - np.repeat(np.cumsum(count) - count, count)
        which = np.zeros((self.cells, count.max(initial=0)), np.int16)
        power = np.zeros(which.shape, np.int32)
        which[cells[order], slots] = numbers[order]
        power[cells[order], slots] = self.powers[at[order]]
        return count.astype(np.int16), which, power


@dataclass(frozen=True, eq=False)
class Sight:
    """What a net sees of a game, and how it sees it.

    Attributes:
        read: the rule that writes the contents of the places.
        find: returns the patterns and their families, which takes a while on a large board.

    The others are those of its Inputs.
    """

    read: Verb
    cells: int
    codes: int
    below: Array
    playable: int
    find: Callable[[], tuple[Array, Array]]

    @cached_property
    def inputs(self) -> Inputs:
        """The inputs of a new net; one that is read from a file has its own."""
        return Inputs(self.cells, self.codes, *self.find(), self.below, self.playable)
