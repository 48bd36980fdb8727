"""Make new puzzles: grow a random loop, then drop clues while there is still one solution."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context

from plywise.core.cancel import check_cancelled
from plywise.errors import SpecError, suggest
from plywise.puzzles.slither.grid import NO_CLUE, Drawing, Puzzle
from plywise.puzzles.slither.logic.grading import Grade, grade
from plywise.puzzles.slither.logic.steps import CHAIN, GRADES, TECHNIQUES, Study
from plywise.puzzles.slither.loops import Region, random_region
from plywise.puzzles.slither.solver.engine import is_unique, solve
from plywise.puzzles.slither.warming import tasks

SYMMETRIES = ("none", "180", "mirror", "all")
PATIENCE = 600  #: conflicts per uniqueness proof: a puzzle that needs more is too hard for people
TRIES = 60  #: loops to try before giving up on a wish
REPAIRS = 4000  #: changes to a loop to make it fit a mask

OnTime = Callable[[], None]  #: raises a SpecError once the time is over


@dataclass(frozen=True)
class Wish:
    """What a puzzle should be like."""

    rows: int
    cols: int
    grade: str | None = None  #: one of GRADES; any by default
    symmetry: str = "180"
    fewest: int = 0  #: clues, at least
    most: int | None = None  #: ... and at most
    mask: tuple[bool, ...] | None = None  #: the cells that have a clue; overrides symmetry

    def __post_init__(self) -> None:
        Puzzle(self.rows, self.cols, (NO_CLUE,) * (self.rows * self.cols))  # checks the size
        if self.grade is not None and self.grade not in GRADES:
            raise SpecError(f"there is no grade {self.grade!r}: {suggest(self.grade, GRADES)}")
        if self.symmetry not in SYMMETRIES:
            hint = suggest(self.symmetry, SYMMETRIES)
            raise SpecError(f"there is no symmetry {self.symmetry!r}: {hint}")
        cells = self.rows * self.cols
        most = cells if self.most is None else self.most
        if not 0 <= self.fewest <= most <= cells:
            raise SpecError(
                f"{self.fewest} to {most} clues is not possible: {self.rows} x {self.cols} cells "
                f"can have 0 to {cells}"
            )
        if self.mask is not None and len(self.mask) != cells:
            raise SpecError(f"the mask has {len(self.mask)} cells; the puzzle has {cells}")


@dataclass(frozen=True)
class Made:
    """A new puzzle with its solution and its grade."""

    puzzle: Puzzle
    solution: Drawing
    grade: Grade
    tries: int


def generate(wish: Wish, seed: int = 1, *, time_limit: float | None = None) -> Made:
    """Make one puzzle. The same wish and seed give the same puzzle.

    SpecError after the time limit, in seconds of the processor: a busy machine is not at fault.
    """
    _compile()
    lot = random.Random(f"{wish.rows}x{wish.cols} {seed}")
    deadline = None if time_limit is None else time.thread_time() + time_limit

    def on_time() -> None:
        if deadline is not None and time.thread_time() > deadline:
            raise SpecError(
                f"no {wish.rows} x {wish.cols} puzzle of this kind was found in {time_limit:g} s: "
                "ask for a smaller one, another grade or another seed"
            )

    for number in range(1, TRIES + 1):
        puzzle = (_reduced if wish.mask is None else _masked)(wish, lot, on_time)
        if puzzle is None:
            continue
        found = grade(puzzle)
        if wish.grade is not None and found.name != wish.grade:
            on_time()
            continue
        result = solve(puzzle)
        assert result.status == "unique"
        assert result.solution is not None
        return Made(puzzle, result.solution, found, number)
    raise SpecError(
        f"no such puzzle found in {number} tries: try more clues, another grade or another seed"
    )


@cache
def _compile() -> None:
    """Compile what every puzzle needs before the clock starts."""
    for name, work in tasks():
        if name in ("solve", "steps", "chains"):
            work()


def generate_many(wish: Wish, seed: int, count: int, processes: int) -> Iterator[Made]:
    """Make several puzzles in parallel processes, in the order of their seeds."""
    seeds = range(seed, seed + count)
    if processes == 1 or count == 1:
        for one in seeds:
            yield generate(wish, one)
        return
    with ProcessPoolExecutor(min(processes, count), get_context("spawn")) as pool:
        yield from pool.map(generate, [wish] * count, seeds)


def _orbits(wish: Wish) -> list[tuple[int, ...]]:
    """Groups of cells that the symmetry maps onto each other: all have a clue, or none."""
    rows, cols = wish.rows, wish.cols

    def images(cell: int) -> set[int]:
        row, col = divmod(cell, cols)
        turned = (rows - 1 - row) * cols + cols - 1 - col
        across, down = row * cols + cols - 1 - col, (rows - 1 - row) * cols + col
        return {
            "none": {cell},
            "180": {cell, turned},
            "mirror": {cell, across},
            "all": {cell, turned, across, down},
        }[wish.symmetry]

    return sorted({tuple(sorted(images(cell))) for cell in range(rows * cols)})


def _enough(wish: Wish) -> Callable[[Puzzle], bool]:
    """A test whether a puzzle still has one solution and is not too hard."""
    level = None if wish.grade is None else GRADES.index(wish.grade)
    if level is None or level >= CHAIN.grade:
        return lambda puzzle: is_unique(puzzle, PATIENCE)
    last = max(number for number, technique in TECHNIQUES.items() if technique.grade <= level)

    def deduced(puzzle: Puzzle) -> bool:
        study = Study(Drawing.empty(puzzle))
        return study.run(last) and study.drawing.solved

    return deduced


def _reduced(wish: Wish, lot: random.Random, on_time: OnTime) -> Puzzle | None:
    """Start with all clues of a random loop, and drop as many as possible."""
    region = random_region(wish.rows, wish.cols, lot)
    puzzle = Puzzle(wish.rows, wish.cols, region.counts())
    good = _enough(wish)
    if not good(puzzle):
        return None
    orbits = _orbits(wish)
    lot.shuffle(orbits)
    # Drop large groups first; if a group cannot go as a whole, try its halves.
    size = max(1, len(orbits) // 12)
    waiting = [orbits[at : at + size] for at in range(0, len(orbits), size)][::-1]
    left = wish.rows * wish.cols
    while waiting:
        check_cancelled()
        on_time()
        group = waiting.pop()
        cells = [cell for orbit in group for cell in orbit]
        if left - len(cells) >= wish.fewest:
            fewer = puzzle.with_clues((cell, NO_CLUE) for cell in cells)
            if good(fewer):
                puzzle, left = fewer, left - len(cells)
                continue
        if len(group) > 1:
            middle = len(group) // 2
            waiting += [group[middle:], group[:middle]]
    return puzzle if wish.most is None or left <= wish.most else None


def _masked(wish: Wish, lot: random.Random, on_time: OnTime) -> Puzzle | None:
    """Put clues in the cells of the mask, and change the loop until it is the only solution."""
    assert wish.mask is not None
    mask = wish.mask
    region = random_region(wish.rows, wish.cols, lot)
    cells = range(wish.rows * wish.cols)

    def clues(region: Region) -> Puzzle:
        kept = zip(mask, region.counts(), strict=True)
        return Puzzle(wish.rows, wish.cols, tuple(n if has else NO_CLUE for has, n in kept))

    def open_lines(puzzle: Puzzle) -> tuple[int, list[int]]:
        """How far the puzzle is from unique, and the cells where two solutions differ."""
        result = solve(puzzle)
        if result.status == "unique":
            return 0, []
        one, two = result.solutions
        differing = [k for k in range(puzzle.lines) if one.states[k] != two.states[k]]
        near = {int(c) for k in differing for c in puzzle.layout.line_cells[k] if c < len(cells)}
        free = Study(Drawing.empty(puzzle))
        free.run(_STRONG)
        return free.drawing.states.count(0) + len(differing), sorted(near)

    puzzle = clues(region)
    cost, near = open_lines(puzzle)
    for _ in range(REPAIRS):
        if cost == 0:
            return puzzle
        on_time()
        cell = lot.choice(near) if lot.random() < 0.7 else lot.choice(cells)
        if not region.can_flip(cell):
            continue
        region.flip(cell)
        changed = clues(region)
        new_cost, new_near = open_lines(changed)
        if new_cost <= cost or lot.random() < 0.02:
            puzzle, cost, near = changed, new_cost, new_near
        else:
            region.flip(cell)
    return None


_STRONG = max(number for number, technique in TECHNIQUES.items() if technique.grade <= 2)
