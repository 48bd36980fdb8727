"""Make hard Slither puzzles: `python -m bench.slither_hard make|choose FILE`.

A random loop fills the board, and clues are dropped while there is one solution, or else our own
generator makes the first puzzle. Uniqueness is decided by
SAT with one literal for each group of clues: a proof names the groups that it needs, and all others
go at once. What was learned stays for the next proof. Then it climbs: in a small area some clues
come back and others go, and the change stays if the puzzle has become harder for one of the
solvers. Loops that stay easy are given up soon. `make` appends to FILE, with the processor time of
both solvers, and continues where it stopped; `choose` writes the slowest to
tests/data/slither/tail-2.tsv.

tests/data/slither/tail.tsv was made in the same way, but with larger steps and fewer of them.
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
from plywise.puzzles.slither.generator import Wish, generate
from plywise.puzzles.slither.grid import NO_CLUE, Puzzle
from plywise.puzzles.slither.loops import Region

SEED = "second tail"
SIZES = 20, 20, 25, 25, 25, 30, 30, 40
SYMMETRIES = ("none", "180", "none", "mirror")
#: The order in which clues go; the last starts with a puzzle of our own generator. "Bare" puzzles
#: lose zeros first, then threes, so that hardly anything follows from single clues.
ORDERS = ("random", "twos", "blobs", "checked", "bare", "bare twos", "bare ones", "generated")
#: When a clue of each number goes in bare puzzles, plus a random number from 0 to 1.
BARE = {"bare": (0, 2, 2, 1, 0), "bare twos": (0, 1, 2, 0.5, 0), "bare ones": (0, 2, 1.5, 1, 0)}
WISHES = ("tricky", "hard")  #: the grades of the first puzzles of our generator
SWEEPS = 40  #: changes to the loop for each cell
PATIENCE = 6_000  #: conflicts for each proof, or twice those of the hardest puzzle so far
EFFORT = 20_000  #: conflicts for all proofs of the first puzzle
VARIANTS = 8  #: steps of the climb after each that makes the puzzle harder
MOST_VARIANTS = 200
RADIUS = 5.0  #: a step changes clues at most so far from a cell
COME_BACK = 1, 2, 4  #: the groups that come back for a step
TRIED = 6  #: ... and those that it tries to drop
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
JUDGES = "plywise", "SAT", "both"  #: the solver for which a puzzle should be hard
CHOSEN = 110  #: the slowest of each half that are kept, for either solver
TAIL = Path(__file__).parents[1] / "tests" / "data" / "slither" / "tail-2.tsv"
LIMIT = 40.0  #: seconds for a judge
MOST_SECONDS = 30.0  #: the climb from one loop ends then


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
        rng = random.Random(f"{SEED} kind {number}")
        size = rng.choice(SIZES)
        return cls(
            number,
            size,
            size,
            rng.choice(SYMMETRIES),
            rng.choice(ORDERS),
            rng.choice((0.3, 0.7, 1.5)),
            rng.choice(JUDGES),
        )

    def __str__(self) -> str:
        return f"{self.symmetry} {self.order} {self.winding} {self.judge}"


def random_loop(kind: Kind, rng: random.Random) -> Region:
    """Make a loop by random changes that prefer a long one."""
    region, cells = Region(kind.rows, kind.cols), kind.rows * kind.cols
    region.flip(rng.randrange(cells))
    for _ in range(SWEEPS * cells):
        cell = rng.randrange(cells)
        if region.can_flip(cell):
            longer = 4 - 2 * lines_around(region, cell)
            if longer >= 0 or rng.random() < math.exp(kind.winding * longer):
                region.flip(cell)
    return region


def lines_around(region: Region, cell: int) -> int:
    """The number of lines around a cell."""
    row, col = divmod(cell, region.cols)
    near = region.inside[row : row + 3, col : col + 3]
    return sum(near[1, 1] != near[at] for at in ((0, 1), (1, 0), (1, 2), (2, 1)))


@dataclass(frozen=True)
class Candidate:
    """A puzzle, and how long both solvers take."""

    puzzle: Puzzle
    plywise_seconds: float
    plywise_conflicts: int
    sat_seconds: float
    sat_conflicts: int

    def conflicts(self, judge: str) -> float:
        """The conflicts of a solver, or the geometric mean of both."""
        if judge == "both":
            return math.sqrt(self.plywise_conflicts * self.sat_conflicts)
        return self.sat_conflicts if judge == "SAT" else self.plywise_conflicts

    @property
    def figures(self) -> tuple[str, ...]:
        """Seconds and conflicts of both solvers."""
        return (
            f"{self.plywise_seconds:.3f}",
            str(self.plywise_conflicts),
            f"{self.sat_seconds:.3f}",
            str(self.sat_conflicts),
        )


class Reducer:
    """Drops clues of one loop."""

    def __init__(self, kind: Kind) -> None:
        from pysat.solvers import Glucose4

        self.kind, self.rng = kind, random.Random(f"{SEED} loop {kind.number}")
        self.patience = PATIENCE
        self.first: Puzzle | None = None  # of our generator
        if kind.order == "generated":
            wish = Wish(kind.rows, kind.cols, self.rng.choice(WISHES), kind.symmetry)
            made = generate(wish, self.rng.getrandbits(30))
            self.first, solution = made.puzzle, made.solution
            self.full = tuple(solution.counts)
            self.puzzle = Puzzle(kind.rows, kind.cols, self.full)
        else:
            region = random_loop(kind, self.rng)
            self.full = region.counts()
            self.puzzle = Puzzle(kind.rows, kind.cols, self.full)
            solution = region.drawing(self.puzzle)
        self.solution = frozenset(solution.lines)
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
        kind, rng = self.kind, self.rng
        spots = [(rng.uniform(0, kind.rows), rng.uniform(0, kind.cols)) for _ in range(4)]

        def key(group: int) -> float:
            cell = self.groups[group][0]
            row, col = divmod(cell, kind.cols)
            if kind.order in BARE:
                return BARE[kind.order][self.full[cell]] + rng.random()
            if kind.order == "twos":  # so that mostly twos are left
                return (self.full[cell] == 2) + rng.random()
            if kind.order == "blobs":  # so that parts of the board are empty
                return min(math.dist((row, col), spot) for spot in spots) + 3 * rng.random()
            if kind.order == "checked":
                return (row + col) % 2 + 1.3 * rng.random()
            return rng.random()

        return sorted(range(len(self.groups)), key=key)

    def needed(self, groups: set[int]) -> set[int] | None:
        """Groups that leave one solution, or None if there are several or the proof is long."""
        if any(broken.isdisjoint(groups) for broken in self.broken):
            return None
        # The order of the assumptions decides which groups a proof prefers.
        assumed = [self.literal(group) for group in self.last_first if group in groups]
        stop_at = self.conflicts + self.patience
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

    def reduce(self, kept: set[int], order: list[int], effort: int) -> set[int]:
        """Drop groups one after the other, as long as what is left has one solution."""
        end = self.conflicts + effort
        for group in order:
            enough = len(kept) > (1 - MOST_GONE) * len(self.groups)
            if group in kept and enough and self.conflicts < end:
                kept = self.needed(kept - {group}) or kept
        return kept

    def candidates(self) -> Iterator[Candidate]:
        """Make a puzzle without needless clues, then harder ones."""
        order = self.order()
        self.last_first = order[::-1]
        begun = time.process_time()
        if self.first is None:
            first = self.needed(set(order))
            if first is None:  # the loop is not the only one even with all its clues
                return
            kept = self.reduce(first, order, EFFORT)
        else:
            kept = {self.group_of[k] for k, clue in enumerate(self.first.clues) if clue != NO_CLUE}
        best = self.judged(kept)
        yield best
        left, number = VARIANTS, 0
        while left and number < MOST_VARIANTS and time.process_time() - begun < MOST_SECONDS:
            left, number = left - 1, number + 1
            self.patience = max(PATIENCE, 2 * best.sat_conflicts)
            variant = self.varied(kept)
            if variant == kept:
                continue
            found = self.judged(variant)
            yield found
            judge = self.kind.judge
            if found.conflicts(judge) >= best.conflicts(judge):
                left += VARIANTS if found.conflicts(judge) > 1.1 * best.conflicts(judge) else 0
                kept, best = variant, found

    def varied(self, kept: set[int]) -> set[int]:
        """Change the clues of a small area."""
        rng, cols = self.rng, self.kind.cols
        middle = divmod(rng.randrange(len(self.full)), cols)
        near = [
            group
            for group, cells in enumerate(self.groups)
            if math.dist(divmod(cells[0], cols), middle) <= RADIUS
        ]
        rng.shuffle(near)
        back = [group for group in near if group not in kept][: rng.choice(COME_BACK)]
        here = [group for group in near if group in kept][:TRIED]
        return self.reduce(kept | set(back), here, 4 * self.patience)

    def judged(self, groups: set[int]) -> Candidate:
        """Time both solvers on a puzzle."""
        puzzle = self.with_groups(groups)
        begun = time.process_time()
        ours = slither.solve(puzzle, time_limit=LIMIT).conflicts
        middle = time.process_time()
        _, theirs = search_by_sat(puzzle, 2, LIMIT)
        return Candidate(puzzle, middle - begun, ours, time.process_time() - middle, theirs)

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
    slither.solve(slither.read(slither.DEFAULT))  # compiles
    done = 0
    if file.exists():
        done = max((int(line.split("\t")[0]) for line in file.open()), default=-1) + 1
    while True:
        begun, slowest, number = time.process_time(), 0.0, 0
        kind = Kind.of(done)
        for number, found in enumerate(Reducer(kind).candidates()):
            link = write(found.puzzle, "puzzlink").strip()
            with file.open("a") as out:
                print(done, number, kind, *found.figures, link, sep="\t", file=out)
            slowest = max(slowest, found.plywise_seconds, found.sat_seconds)
        spent = time.process_time() - begun
        print(
            f"{done} {kind.rows} {kind}: {number + 1} in {spent:.0f} s, {slowest:.2f}", flush=True
        )
        done += 1


def choose(file: Path) -> None:
    """Write the slowest puzzles for each solver, each half in the order of its numbers."""
    with file.open(encoding="utf-8") as lines:
        made = {row[-1]: row for row in csv.reader(lines, delimiter="\t")}  # each puzzle once
    chosen: dict[str, list[str]] = {}
    for half in ("open", "unseen"):
        rows = [row for row in made.values() if half_of(int(row[0])) == half]
        ranks = [sorted(rows, key=lambda row: -float(row[at])) for at in (3, 5)]
        slowest: dict[str, list[str]] = {}
        for pair in zip(*ranks, strict=True):
            for row in pair:
                if len(slowest) < CHOSEN:
                    slowest[row[-1]] = row
        chosen |= slowest
    order = sorted(
        chosen.values(), key=lambda row: (half_of(int(row[0])), int(row[0]), int(row[1]))
    )
    with TAIL.open("w", encoding="utf-8") as out:
        print(f"# id\thalf\tkind\tconflicts\tpuzzle; random seed {SEED!r}", file=out)
        for loop, number, kind, _, ours, _, theirs, link in order:
            half = half_of(int(loop))
            print(f"{loop}.{number}", half, kind, f"{ours} {theirs}", link, sep="\t", file=out)
    print(f"{len(order)} of {len(made)} puzzles")


if __name__ == "__main__":
    {"make": make, "choose": choose}[sys.argv[1]](Path(sys.argv[2]))
