"""Make hard Slither puzzles: `python -m bench.slither_hard make|choose FILE`.

A random loop fills the board, and clues are dropped while there is one solution. That is decided by
SAT with one literal for each group of clues: a proof names the groups that it needs, and all others
go at once. What was learned stays for the next proof. Then it climbs: some clues come back, others
go, and the change stays if the puzzle has become harder for one of the solvers. `make` appends to
FILE and continues where it stopped; `choose` writes the hardest to tests/data/slither/tail.tsv.
"""

from __future__ import annotations

import csv
import hashlib
import math
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.slither_sat import clauses_of_clue, clauses_of_dots, loops_of, search_by_sat
from plywise.puzzles import slither
from plywise.puzzles.slither.formats import write
from plywise.puzzles.slither.grid import NO_CLUE, Puzzle
from plywise.puzzles.slither.loops import Region

SEED = "tail 1"
SIZES = 20, 25, 25, 28, 28, 30, 30, 32, 35, 40
SYMMETRIES = ("none", "180", "none", "mirror")
ORDERS = ("random", "twos", "blobs", "checked")
SWEEPS = 40  #: changes to the loop for each cell
PATIENCE = 10_000  #: conflicts for each proof
EFFORT = 40_000  #: ... and for all proofs of a puzzle
VARIANTS = 24  #: steps of the climb
COME_BACK = 0.01, 0.03, 0.06  #: shares of the dropped clues that come back for a step
TRIED = 0.12  #: the share of the groups that a step tries to drop
MOST_GONE = 0.75  #: at most this share of the clues goes, so loops that break more do not matter
#: Cells (down, right) whose border is forbidden from the start, so that fewer loops must be found.
SHAPES = (
    ((0, 0),),
    ((0, 0), (0, 1)),
    ((0, 0), (1, 0)),
    ((0, 0), (0, 1), (0, 2)),
    ((0, 0), (1, 0), (2, 0)),
    ((0, 0), (0, 1), (1, 0)),
    ((0, 0), (0, 1), (1, 1)),
    ((0, 0), (1, 0), (1, 1)),
    ((0, 1), (1, 0), (1, 1)),
    ((0, 0), (0, 1), (1, 0), (1, 1)),
)
JUDGES = "plywise", "SAT"  #: the solver for which a puzzle should be hard
RATES = {"plywise": 35_000, "SAT": 15_000}  #: conflicts a second of each, measured on these puzzles
CHOSEN = 210
TAIL = Path(__file__).parents[1] / "tests" / "data" / "slither" / "tail.tsv"
LIMIT = 20.0  #: seconds for a judge


@dataclass(frozen=True)
class Kind:
    """What the puzzles of a loop are like; everything follows from its number."""

    number: int
    rows: int
    cols: int
    symmetry: str
    order: str
    winding: float  #: how strongly the loop prefers to be long
    judge: str

    @classmethod
    def of(cls, number: int) -> Kind:
        """Choose a kind at random, the same for each number."""
        lot = random.Random(f"{SEED} kind {number}")
        size = lot.choice(SIZES)
        return cls(
            number,
            size,
            size,
            lot.choice(SYMMETRIES),
            lot.choice(ORDERS),
            lot.choice((0.3, 0.7, 1.5)),
            lot.choice(JUDGES),
        )

    def __str__(self) -> str:
        return f"{self.symmetry} {self.order} {self.winding} {self.judge}"


def random_loop(kind: Kind, lot: random.Random) -> Region:
    """Make a loop by random changes that prefer a long one."""
    region, cells = Region(kind.rows, kind.cols), kind.rows * kind.cols
    region.flip(lot.randrange(cells))
    for _ in range(SWEEPS * cells):
        cell = lot.randrange(cells)
        if region.can_flip(cell):
            longer = 4 - 2 * region.neighbours(cell)
            if region.inside[region.at(cell)]:
                longer = -longer
            if longer >= 0 or lot.random() < math.exp(kind.winding * longer):
                region.flip(cell)
    return region


class Reducer:
    """Drops clues of one loop."""

    def __init__(self, kind: Kind) -> None:
        from pysat.solvers import Glucose4

        self.kind, self.lot = kind, random.Random(f"{SEED} loop {kind.number}")
        region = random_loop(kind, self.lot)
        self.full = region.counts()
        self.puzzle = Puzzle(kind.rows, kind.cols, self.full)
        self.solution = frozenset(region.drawing(self.puzzle).lines)
        self.groups = self._groups()
        self.solver = Glucose4()
        for clause in clauses_of_dots(self.puzzle):
            self.solver.add_clause(clause)
        for number, group in enumerate(self.groups):
            for cell in group:
                for clause in clauses_of_clue(self.puzzle, cell):
                    self.solver.add_clause([-self.literal(number), *clause])
        for loop in self._small_loops():
            self.solver.add_clause([-line - 1 for line in loop])
        self.solver.add_clause([-line - 1 for line in self.solution])
        self.solver.add_clause(list(range(1, self.puzzle.lines + 1)))
        #: Groups that each loop seen breaks: it is another solution once all of them are gone.
        self.broken: list[frozenset[int]] = []
        self.group_of = {cell: n for n, group in enumerate(self.groups) for cell in group}

    def _small_loops(self) -> Iterator[frozenset[int]]:
        """The loops around each of SHAPES; they break almost every clue."""
        around, cols = self.puzzle.layout.cell_lines, self.kind.cols
        for shape in SHAPES:
            for row in range(self.kind.rows - max(down for down, _ in shape)):
                for col in range(cols - max(right for _, right in shape)):
                    loop: frozenset[int] = frozenset()
                    for down, right in shape:
                        loop ^= {int(k) for k in around[(row + down) * cols + col + right]}
                    yield loop

    def literal(self, group: int) -> int:
        """The literal that switches on the clues of a group."""
        return self.puzzle.lines + 1 + group

    def _groups(self) -> list[list[int]]:
        """Cells that keep or lose their clues together."""
        kind, cells = self.kind, len(self.full)
        groups: dict[int, list[int]] = {}
        for cell in range(cells):
            row, col = divmod(cell, kind.cols)
            image = cell
            if kind.symmetry == "180":
                image = cells - 1 - cell
            elif kind.symmetry == "mirror":
                image = row * kind.cols + kind.cols - 1 - col
            groups.setdefault(min(cell, image), []).append(cell)
        return list(groups.values())

    def order(self) -> list[int]:
        """The groups in the order in which they may go."""
        kind, lot = self.kind, self.lot
        spots = [(lot.uniform(0, kind.rows), lot.uniform(0, kind.cols)) for _ in range(4)]

        def key(group: int) -> float:
            cell = self.groups[group][0]
            row, col = divmod(cell, kind.cols)
            if kind.order == "twos":  # so that mostly twos are left
                return (self.full[cell] == 2) + lot.random()
            if kind.order == "blobs":  # so that parts of the board are empty
                return min(math.dist((row, col), spot) for spot in spots) + 3 * lot.random()
            if kind.order == "checked":
                return (row + col) % 2 + 1.3 * lot.random()
            return lot.random()

        return sorted(range(len(self.groups)), key=key)

    def needed(self, groups: set[int]) -> set[int] | None:
        """Groups that leave one solution, or None if there are several or the proof is long."""
        if any(broken.isdisjoint(groups) for broken in self.broken):
            return None
        # The order of the assumptions decides which groups a proof prefers.
        assumed = [self.literal(group) for group in self.last_first if group in groups]
        stop_at = self.conflicts + PATIENCE
        while True:
            self.solver.conf_budget(max(1, stop_at - self.conflicts))
            found = self.solver.solve_limited(assumptions=assumed)
            if found is None:
                return None
            if not found:
                core = self.solver.get_core() or ()
                return self._complete({literal - self.puzzle.lines - 1 for literal in core}, groups)
            model = self.solver.get_model()[: self.puzzle.lines]
            unique = True
            for loop in loops_of(self.puzzle, [literal - 1 for literal in model if literal > 0]):
                self.solver.add_clause([-line - 1 for line in loop])
                broken = self._broken_by(loop)
                if len(broken) <= MOST_GONE * len(self.groups):
                    self.broken.append(broken)
                unique = unique and not broken.isdisjoint(groups)
            if not unique:
                return None

    def _complete(self, core: set[int], groups: set[int]) -> set[int]:
        """Add groups until each loop that is forbidden breaks one of them."""
        for broken in self.broken:
            if broken.isdisjoint(core):
                core.add(min(broken & groups))
        return core

    def _broken_by(self, loop: frozenset[int]) -> frozenset[int]:
        drawn = np.zeros(self.puzzle.lines, bool)
        drawn[list(loop)] = True
        counts = drawn[self.puzzle.layout.cell_lines[: len(self.full)]].sum(axis=1)
        return frozenset(self.group_of[int(cell)] for cell in np.flatnonzero(counts != self.full))

    @property
    def conflicts(self) -> int:
        """Conflicts of all proofs so far."""
        return int(self.solver.accum_stats()["conflicts"])

    def reduce(self, kept: set[int], order: list[int]) -> set[int]:
        """Drop groups one after the other, as long as what is left has one solution."""
        end = self.conflicts + EFFORT
        for group in order:
            enough = len(kept) > (1 - MOST_GONE) * len(self.groups)
            if group in kept and enough and self.conflicts < end:
                kept = self.needed(kept - {group}) or kept
        return kept

    def puzzles(self) -> Iterator[tuple[Puzzle, int]]:
        """Make a puzzle without needless clues, then harder ones; with the judge's conflicts."""
        lot, order = self.lot, self.order()
        self.last_first = order[::-1]
        first = self.needed(set(order))
        if first is None:  # the loop is not the only one even with all its clues
            return
        kept = self.reduce(first, order)
        best = self.judged(kept)
        yield self.with_groups(kept), best
        for _ in range(VARIANTS):
            gone = sorted(set(order) - kept)
            more = kept | set(lot.sample(gone, round(lot.choice(COME_BACK) * len(gone))))
            lot.shuffle(order)
            self.last_first = order[::-1]
            variant = self.reduce(more, order[: round(TRIED * len(order))])
            conflicts = self.judged(variant)
            yield self.with_groups(variant), conflicts
            if conflicts >= best:
                kept, best = variant, conflicts

    def judged(self, groups: set[int]) -> int:
        """Count the conflicts of the judge on a puzzle."""
        puzzle = self.with_groups(groups)
        if self.kind.judge == "SAT":
            return search_by_sat(puzzle, 2, LIMIT)[1]
        return slither.solve(puzzle, time_limit=LIMIT).conflicts

    def with_groups(self, groups: set[int]) -> Puzzle:
        """The puzzle with the clues of these groups."""
        clues = [NO_CLUE] * len(self.full)
        for group in groups:
            for cell in self.groups[group]:
                clues[cell] = self.full[cell]
        return Puzzle(self.kind.rows, self.kind.cols, tuple(clues))


def half_of(loop: int) -> str:
    """The half of the tail that all puzzles of a loop belong to."""
    return "open" if hashlib.sha256(f"{SEED} {loop}".encode()).digest()[0] % 2 else "unseen"


def make(file: Path) -> None:
    """Make puzzles until interrupted."""
    done = 0
    if file.exists():
        done = max((int(line.split("\t")[0]) for line in file.open()), default=-1) + 1
    while True:
        begun = time.process_time()
        kind = Kind.of(done)
        lines, steps = [], []
        for number, (puzzle, conflicts) in enumerate(Reducer(kind).puzzles()):
            link = write(puzzle, "puzzlink").strip()
            lines.append(f"{done}\t{number}\t{kind}\t{conflicts}\t{link}\n")
            steps.append(str(conflicts))
        with file.open("a") as out:
            out.write("".join(lines))
        spent = time.process_time() - begun
        print(f"{done} {kind.rows} {kind}: {' '.join(steps)} in {spent:.0f} s", flush=True)
        done += 1


def choose(file: Path) -> None:
    """Write the puzzles that took their judges longest, each half in the order of its numbers."""
    with file.open(encoding="utf-8") as lines:
        made = {row[4]: row for row in csv.reader(lines, delimiter="\t")}  # each puzzle once

    def seconds(row: list[str]) -> float:
        return int(row[3]) / RATES[row[2].split()[-1]]

    chosen = sorted(made.values(), key=seconds)[-CHOSEN:]
    chosen.sort(key=lambda row: (half_of(int(row[0])), int(row[0]), int(row[1])))
    with TAIL.open("w", encoding="utf-8") as out:
        print(f"# id\thalf\tkind\tconflicts\tpuzzle; random seed {SEED!r}", file=out)
        for loop, number, kind, conflicts, link in chosen:
            half = half_of(int(loop))
            print(f"{loop}.{number}", half, kind, conflicts, link, sep="\t", file=out)
    print(f"{len(chosen)} of {len(made)} puzzles")


if __name__ == "__main__":
    {"make": make, "choose": choose}[sys.argv[1]](Path(sys.argv[2]))
