"""A puzzle in the making: a loop, the clues shown so far, and what they let a person deduce.

All changes keep to groups of cells that the symmetry maps onto each other. `build` adds clues
where the techniques get stuck, `thin` removes clues that are not needed, and `rework` does both in
a small area, which brings the number of clues down further.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.logic.chains import probe
from plywise.puzzles.slither.logic.study import STUDY
from plywise.puzzles.slither.logic.table import NORMAL, STRONGEST, deducing, last_of
from plywise.puzzles.slither.loops import Region
from plywise.puzzles.slither.making.statistics import Published, Statistics, measure
from plywise.puzzles.slither.solver.engine import is_unique

Orbit = tuple[int, ...]  #: cells that all have a clue, or none
OnTime = Callable[[], None]  #: raises once the time is over, or if nobody waits any more
Test = Callable[[], bool]  #: is the puzzle on the bench still good?

PATIENCE = 600  #: conflicts per uniqueness proof: a puzzle that needs more is too hard for people
CANDIDATES = 8  #: clues to compare for each one that is added; 20 need hardly fewer clues
SAMPLE = 6  #: clues to compare when one is to go
QUICK = last_of(NORMAL)  #: the hardest technique that measures what a new clue brings
RADIUS = 2  #: the area to rework is five by five cells
NEARBY = 5  #: how far other solutions are looked for first
LARGE = 400  #: cells of the smallest board on which that pays
SPARED = 0.3  #: the share of its clues that rework leaves alone


class Workbench:
    """The clues of one loop, with a single record for all deductions: they are many."""

    def __init__(
        self,
        region: Region,
        orbits: Sequence[Orbit],
        wanted: Published,
        rng: random.Random,
        tick: OnTime,
    ) -> None:
        self.rows, self.cols = region.rows, region.cols
        self.cells = self.rows * self.cols
        self.true = np.array((*region.counts(), NO_CLUE), np.int8)
        self.orbits, self.wanted, self.rng = orbits, wanted, rng
        self.tick = tick
        self.orbit_of = {cell: orbit for orbit in orbits for cell in orbit}
        whole = Puzzle(self.rows, self.cols, region.counts())
        self.layout = whole.layout
        self.solution = region.drawing(whole)
        self.length = len(self.solution.lines)
        self.clues = np.full(self.cells + 1, NO_CLUE, np.int8)
        self.dropped: Orbit = (0,)  # the clues that went last
        self.record = np.zeros(1, STUDY).view(np.recarray)[0]
        self.record.rows, self.record.cols = self.rows, self.cols
        self.value = self.record.value[: whole.lines]
        self.side = self.record.side[: self.cells]
        self.kernel = deducing.build()

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle as it is now."""
        return Puzzle(self.rows, self.cols, tuple(int(clue) for clue in self.clues[:-1]))

    @property
    def drawing(self) -> Drawing:
        """The solution of the puzzle as it is now."""
        return Drawing(self.puzzle, self.solution.states)

    @property
    def statistics(self) -> Statistics:
        """The statistics of the puzzle as it is now."""
        return measure(self.drawing)

    @property
    def counts(self) -> list[int]:
        """The clues shown, by their number."""
        counts: list[int] = np.bincount(self.clues[self.clues >= 0], minlength=5).tolist()
        return counts

    @property
    def shown(self) -> int:
        """The number of clues."""
        return int((self.clues >= 0).sum())

    def has(self, orbit: Orbit) -> bool:
        """True if the cells of a group have a clue."""
        return bool(self.clues[orbit[0]] != NO_CLUE)

    def put(self, orbit: Orbit) -> None:
        """Show the clues of a group of cells."""
        self.clues[list(orbit)] = self.true[list(orbit)]
        self.record.looked[:, : self.cells] = 0  # a clue may be all that a window was waiting for

    def drop(self, orbit: Orbit) -> None:
        """Hide the clues of a group of cells."""
        self.dropped = orbit
        self.clues[list(orbit)] = NO_CLUE

    def clear(self) -> None:
        """Forget all deductions."""
        self.value[:] = UNKNOWN
        self.side[:] = UNKNOWN
        self.record.looked[:, : self.cells] = 0

    def deduce(self, last: int) -> bool:
        """Continue with techniques up to `last`; True if the whole loop is found."""
        self.kernel(self.layout, self.clues, self.record, last, False)
        return int((self.value == LINE).sum()) == self.length

    def solved_by(self, last: int) -> bool:
        """True if techniques up to `last` find the whole loop."""
        self.clear()
        return self.deduce(last)

    def solved_by_chains(self) -> bool:
        """True if all techniques and chains find the whole loop, as in `grade`."""
        self.clear()
        puzzle = self.puzzle
        while not self.deduce(STRONGEST):
            self.tick()
            sizes = probe(Drawing(puzzle, self.value.tobytes()))
            if sizes is None or not sizes.any():
                return False
            for assumed in np.flatnonzero(sizes):
                self.value[assumed >> 1] = CROSS if assumed % 2 == 0 else LINE
        return True

    def unique(self) -> bool:
        """True if there is only one solution, and it is not too hard to prove."""
        puzzle = self.puzzle
        if self.cells >= LARGE and not is_unique(puzzle, PATIENCE, self._all_but_nearby()):
            return False
        return is_unique(puzzle, PATIENCE)

    def _all_but_nearby(self) -> Drawing:
        """The solution but for lines near the clues that went last, where others differ first."""
        states = self.solution.array
        for orbit in self._near(*divmod(self.dropped[0], self.cols), NEARBY):
            states[self.layout.cell_lines[list(orbit)]] = UNKNOWN
        return Drawing(self.solution.puzzle, states.tobytes())

    # ---- which clue ------------------------------------------------------------------------

    def excess(self, orbit: Orbit) -> float:
        """How much more common the clues of a group are here than in published puzzles."""
        counts, shown, ranges = self.counts, max(1, self.shown), self.wanted.ranges
        medians = [ranges[name].middle for name in ("zeros", "ones", "twos", "threes")]
        found = [counts[k] / shown - median for k, median in enumerate((*medians, 0.0))]
        return sum(found[self.true[cell]] for cell in orbit) / len(orbit)

    def fits(self, orbit: Orbit) -> bool:
        """True if the clues of a group would not make zeros too common."""
        zeros = sum(self.true[cell] == 0 for cell in orbit)
        share = self.wanted.ranges["zeros"]
        most = (share.middle + share.high) / 2  # some room below the highest published share
        return not zeros or self.counts[0] + zeros <= most * (self.shown + len(orbit))

    # ---- building and thinning -------------------------------------------------------------

    def build(self, last: int) -> bool:
        """Add clues where techniques up to `last` get stuck; False if all clues are not enough.

        Call `clear` before, if clues have gone.
        """
        around = self.layout.cell_lines[: self.cells]
        while not self.deduce(last):
            self.tick()
            known = (self.value != UNKNOWN)[around].sum(axis=1)
            free = np.flatnonzero((self.clues[:-1] == NO_CLUE) & (known < 4))
            if not len(free):
                return False
            near = [int(cell) for cell in free if known[cell]] or [int(cell) for cell in free]
            picked = self.rng.sample(near, min(CANDIDATES, len(near)))
            orbits = list(dict.fromkeys(self.orbit_of[cell] for cell in picked))
            fitting = [orbit for orbit in orbits if self.fits(orbit)] or orbits[:1]
            self.put(max(fitting, key=lambda orbit: self._gain(orbit, last)))
        return True

    def _gain(self, orbit: Orbit, last: int) -> float:
        """How many lines and crosses follow from a new clue."""
        value, side = self.value.copy(), self.side.copy()
        self.put(orbit)
        self.deduce(min(last, QUICK))
        gain = np.count_nonzero(self.value) / len(orbit)
        self.drop(orbit)
        self.value[:], self.side[:] = value, side
        return gain

    def thin(
        self, good: Test, enough: Test, orbits: Sequence[Orbit], fewest: int = 0
    ) -> Iterator[bool]:
        """Remove clues while the puzzle is good, until there are few enough.

        The most common numbers go first. Yields after each try whether the clues could go.
        """
        waiting = [orbit for orbit in orbits if self.has(orbit)]
        self.rng.shuffle(waiting)
        while waiting and not enough():
            self.tick()
            some = range(max(0, len(waiting) - SAMPLE), len(waiting))
            orbit = waiting.pop(max(some, key=lambda at: self.excess(waiting[at])))
            if self.shown - len(orbit) < fewest:
                continue
            self.drop(orbit)
            gone = good()
            if not gone:
                self.put(orbit)
            yield gone

    def loosen(self, share: float) -> None:
        """Add clues at random, so that others can go."""
        hidden = [orbit for orbit in self.orbits if not self.has(orbit)]
        self.rng.shuffle(hidden)
        enough = self.shown + max(2, share * self.shown)
        while hidden and self.shown < enough:
            orbit = hidden.pop()
            if self.fits(orbit):
                self.put(orbit)

    def rework(self, last: int, row: int, col: int) -> bool:
        """Choose other clues near a cell; keep them if they are not more. True if fewer."""
        before, shown = self.clues.copy(), self.shown
        near = self._near(row, col, RADIUS)
        for orbit in near:
            if self.has(orbit) and self.rng.random() > SPARED:
                self.drop(orbit)
        self.clear()
        if not self.build(last):  # cannot be: the clues before were enough
            self.clues[:] = before
            return False
        changed = {self.orbit_of[int(cell)] for cell in np.flatnonzero(self.clues != before)}
        again = sorted(changed.union(self._near(row, col, RADIUS + 1)))
        for _ in self.thin(lambda: self.solved_by(last), lambda: False, again):
            pass
        if self.shown > shown:
            self.clues[:] = before
        return self.shown < shown

    def dense_spot(self) -> tuple[int, int]:
        """A random cell in the quarter of the board with the most clues."""
        has = (self.clues[:-1] != NO_CLUE).reshape(self.rows, self.cols)
        high, wide = (self.rows + 1) // 2, (self.cols + 1) // 2
        corners = [(r, c) for r in (0, self.rows - high) for c in (0, self.cols - wide)]
        row, col = max(
            corners, key=lambda at: has[at[0] : at[0] + high, at[1] : at[1] + wide].sum()
        )
        return row + self.rng.randrange(high), col + self.rng.randrange(wide)

    def _near(self, row: int, col: int, radius: int) -> list[Orbit]:
        """The groups of cells near a cell, each once."""
        return sorted(
            {
                self.orbit_of[r * self.cols + c]
                for r in range(max(0, row - radius), min(self.rows, row + radius + 1))
                for c in range(max(0, col - radius), min(self.cols, col + radius + 1))
            }
        )
