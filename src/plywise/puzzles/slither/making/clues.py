"""Choose the clues of a loop: step by step towards a grade, or in given places."""

from __future__ import annotations

import random
from collections.abc import Iterator

from plywise.puzzles.slither.grid import NO_CLUE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.logic.steps import Study
from plywise.puzzles.slither.logic.table import CHAINS, EXTREME, GRADES, TRICKY, last_of
from plywise.puzzles.slither.loops import Region
from plywise.puzzles.slither.making.workbench import OnTime, Test, Workbench
from plywise.puzzles.slither.solver.engine import solve

CELLS_PER_STEP = 60  #: a puzzle needs its hardest techniques once for so many cells
MOST_STEPS = 8  #: ... but this is enough for a large one
SPARE = 0.04  #: for any grade: the share of clues that go last, while the solution stays unique
HARD_TRIES = 8  #: tries with slow techniques, for each time that they should be needed
ROUNDS = 6  #: choices of clues for one loop, if the puzzle is too easy for its grade
LOOSENED = 0.25  #: the share of clues that come back before the next choice
FEWER = 3  #: clues that go before chains are tried again, or a hundredth of the cells
SYMMETRY_COST = 0.05  #: the share of clues that symmetry adds; published puzzles have none
CELLS_PER_REWORK = 3  #: one area is reworked for so many cells, if there are too many clues
REPAIRS = 4000  #: changes to a loop to make it fit a mask


class Choice:
    """The choice of clues for one loop, to get a grade and the look of published puzzles.

    `steps` does the work; then `good` tells if it worked.
    """

    def __init__(self, bench: Workbench, level: int | None, fewest: int, most: int | None) -> None:
        self.bench, self.level, self.most = bench, level, most
        # Techniques up to tricky are quick to try.
        self.base = last_of(TRICKY if level is None else min(level, TRICKY))
        density = bench.wanted.ranges["density"]
        self.fewest = max(fewest, int(density.low * bench.cells)) if most is None else fewest
        # A harder puzzle loses more clues later.
        share = density.middle if level is None or level <= TRICKY else density.high
        self.aim = max(self.fewest, int((share + density.middle) / 2 * bench.cells))
        if most is not None:
            self.aim = min(self.aim, most)
        self.good = False

    def steps(self) -> Iterator[str]:
        """Choose the clues; yields what it is doing, many times."""
        bench = self.bench
        # Step 1: clues that are enough for its techniques, or for those up to tricky.
        yield "choosing clues"
        bench.clear()
        if not bench.build(self.base):
            return
        # Step 2: fewer clues, as many as published puzzles have.
        spare = int(SPARE * bench.cells) if self.level is None else 0
        yield from self._thin(self._by_base, self.aim + spare)
        if self.level is not None:
            yield from self._rework()
        # Step 3: not too easy.
        if self.level is None:
            yield from self._thin(bench.unique, self.aim)
            self.good = True
        else:
            yield from self._hardened(self.level)
        self.good = self.good and (self.most is None or bench.shown <= self.most)

    def _thin(self, good: Test, aim: int) -> Iterator[str]:
        """Remove clues while the puzzle is good, until there are as few as wanted."""
        bench = self.bench
        for _ in bench.thin(good, lambda: bench.shown <= aim, bench.orbits, self.fewest):
            yield f"{bench.shown} clues"

    def _by_base(self) -> bool:
        return self.bench.solved_by(self.base)

    def _solved(self, level: int) -> bool:
        """True if the techniques of a grade are enough."""
        if level == CHAINS:
            return self.bench.solved_by_chains()
        return self.bench.solved_by(last_of(level))

    def _rework(self) -> Iterator[str]:
        """Choose again in areas with many clues, while no published puzzle has so many."""
        bench, ranges = self.bench, self.bench.wanted.ranges
        high = ranges["density"].high * (1 + SYMMETRY_COST * (len(bench.orbits) < bench.cells))
        most = min(self.most or bench.cells, int(high * bench.cells))
        for _ in range(bench.cells // CELLS_PER_REWORK):
            found = bench.statistics
            if bench.shown <= most and found.densest <= ranges["densest"].high:
                break
            bench.rework(self.base, *bench.dense_spot())
            yield f"{bench.shown} clues"

    def _hardened(self, level: int) -> Iterator[str]:
        """Remove clues until the puzzle has its grade; try others of the same loop if it fails."""
        for number in range(ROUNDS if level > TRICKY else 1):
            if number:
                self.bench.loosen(LOOSENED)
            yield from self._beyond_chains() if level == EXTREME else self._harden(level)
            if self.good:
                break

    def _harden(self, level: int) -> Iterator[str]:
        """Remove clues until easier techniques are not enough, in several places."""
        bench = self.bench
        wanted = min(MOST_STEPS, max(1, bench.cells // CELLS_PER_STEP))
        needed = int(level == 0 or not self._solved(level - 1))
        wanted = min(wanted, 1) if level <= TRICKY else wanted
        tries = 0

        def good() -> bool:
            """Count the clues without which only the grade's own techniques help."""
            nonlocal needed, tries
            if level > TRICKY and not bench.unique():  # sooner known than by slow techniques
                return False
            if needed == 0 and self._solved(level - 1):
                return True
            tries += 1
            solved = self._solved(level)
            needed += solved
            return solved

        def enough() -> bool:
            return needed >= wanted or (needed > 0 and tries >= wanted * HARD_TRIES)

        for _ in bench.thin(good, enough, bench.orbits, self.fewest):
            yield f"{bench.shown} clues, making it {GRADES[level]}"
        self.good = needed > 0

    def _beyond_chains(self) -> Iterator[str]:
        """Remove clues while the solution is unique, until chains do not find it."""
        bench = self.bench
        # The number of clues at which to look next: it takes long.
        look_at = min(bench.shown, self.aim)

        def enough() -> bool:
            nonlocal look_at
            if bench.shown > look_at:
                return False
            look_at = bench.shown - max(FEWER, bench.cells // 100)
            self.good = not bench.solved_by_chains()
            return self.good

        for _ in bench.thin(bench.unique, enough, bench.orbits, self.fewest):
            yield f"{bench.shown} clues, making it extreme"
        self.good = self.good or not bench.solved_by_chains()


def masked(
    region: Region, mask: tuple[bool, ...], rng: random.Random, on_time: OnTime
) -> Puzzle | None:
    """Put clues in the cells of the mask, and change the loop until it is the only solution."""
    cells = range(region.rows * region.cols)

    def clues(region: Region) -> Puzzle:
        kept = zip(mask, region.counts(), strict=True)
        return Puzzle(region.rows, region.cols, tuple(n if has else NO_CLUE for has, n in kept))

    def open_lines(puzzle: Puzzle) -> tuple[int, list[int]]:
        """How far the puzzle is from unique, and the cells where two solutions differ."""
        result = solve(puzzle)
        if result.status == "unique":
            return 0, []
        one, two = result.solutions
        differing = [k for k in range(puzzle.lines) if one.states[k] != two.states[k]]
        near = {int(c) for k in differing for c in puzzle.layout.line_cells[k] if c < len(cells)}
        free = Study(Drawing.empty(puzzle))
        free.run(last_of(TRICKY))
        return free.drawing.states.count(UNKNOWN) + len(differing), sorted(near)

    puzzle = clues(region)
    cost, near = open_lines(puzzle)
    for _ in range(REPAIRS):
        if cost == 0:
            return puzzle
        on_time()
        cell = rng.choice(near) if rng.random() < 0.7 else rng.choice(cells)
        if not region.can_flip(cell):
            continue
        region.flip(cell)
        changed = clues(region)
        new_cost, new_near = open_lines(changed)
        if new_cost <= cost or rng.random() < 0.02:
            puzzle, cost, near = changed, new_cost, new_near
        else:
            region.flip(cell)
    return None
