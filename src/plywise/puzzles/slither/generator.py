"""Make new puzzles: a random loop, and clues that let a person find it."""

from __future__ import annotations

import random
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np

from plywise.core.analysis import check_cancelled
from plywise.core.progress import progress
from plywise.core.workers import start_workers
from plywise.errors import SpecError, suggest
from plywise.puzzles.slither.grid import NO_CLUE, Drawing, Puzzle
from plywise.puzzles.slither.logic.grading import Grade, grade
from plywise.puzzles.slither.logic.table import GRADES
from plywise.puzzles.slither.loops import Region, random_region
from plywise.puzzles.slither.making.clues import Choice, masked
from plywise.puzzles.slither.making.statistics import (
    CORE,
    Published,
    Statistics,
    measure,
    published,
)
from plywise.puzzles.slither.making.workbench import OnTime, Workbench
from plywise.puzzles.slither.solver.engine import solve
from plywise.puzzles.slither.warmup import tasks

SYMMETRIES = ("none", "180", "mirror", "all")
TRIES = 600  #: loops to try before giving up on a wish: on a small board few lead to a hard puzzle
STRICT_TRIES = 20  #: loops for which a puzzle unlike published ones is made again
MASK_TRIES = 60  #: ... with a mask, where each takes longer
SMALL = 25  #: cells; on a smaller board any loop will do
LOOPS = 20  #: loops to measure before taking one that winds or fills the board less than published


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
class GeneratedPuzzle:
    """A new puzzle with its solution and its grade."""

    puzzle: Puzzle
    solution: Drawing
    grade: Grade
    tries: int
    seed: int

    @cached_property
    def statistics(self) -> Statistics:
        """What can be compared with published puzzles."""
        return measure(self.solution)

    @property
    def quality(self) -> int:
        """How well it fits in with published puzzles of its size, from 0 to 100."""
        return published(self.puzzle.rows, self.puzzle.cols).quality(self.statistics)


def generate(wish: Wish, seed: int = 1, *, time_limit: float | None = None) -> GeneratedPuzzle:
    """Make one puzzle. The same wish and seed give the same puzzle.

    SpecError after the time limit, in seconds of the processor: a busy machine is not at fault.
    """
    work = making(wish, seed, time_limit=time_limit)
    with progress(f"making a {wish.rows} x {wish.cols} puzzle") as advance:
        while True:
            try:
                advance(next(work), 0)
            except StopIteration as end:
                made: GeneratedPuzzle = end.value
                return made


def making(
    wish: Wish, seed: int = 1, *, time_limit: float | None = None
) -> Generator[str, None, GeneratedPuzzle]:
    """Make one puzzle as `generate` does; yields what it is doing, many times."""
    _compile()
    rng = random.Random(f"{wish.rows}x{wish.cols} {seed}")
    deadline = None if time_limit is None else time.thread_time() + time_limit

    def on_time() -> None:
        check_cancelled()
        if deadline is not None and time.thread_time() > deadline:
            raise SpecError(
                f"no {wish.rows} x {wish.cols} puzzle of this kind was found in {time_limit:g} s: "
                "ask for a smaller one, another grade or another seed"
            )

    for number in range(1, (TRIES if wish.mask is None else MASK_TRIES) + 1):
        yield "winding a loop"
        puzzle = yield from _drafted(wish, rng, on_time)
        on_time()
        if puzzle is None:
            continue
        found = grade(puzzle)
        if wish.grade is not None and found.name != wish.grade:
            continue
        result = solve(puzzle)
        assert result.status == "unique"
        assert result.solution is not None
        made = GeneratedPuzzle(puzzle, result.solution, found, number, seed)
        if number > STRICT_TRIES or not _is_odd(wish, made):
            return made
    raise SpecError(
        f"no such puzzle found in {number} tries: try more clues, another grade or another seed"
    )


def _is_odd(wish: Wish, made: GeneratedPuzzle) -> bool:
    """True if the puzzle differs from all published ones where it should not."""
    if wish.mask is not None or wish.most is not None or wish.fewest:
        return False  # as wished
    outside = published(wish.rows, wish.cols).outside(made.statistics)
    return any(name in CORE for name in outside)


@cache
def _compile() -> None:
    """Compile what every puzzle needs before the clock starts."""
    for name, work in tasks():
        if name != "dfs":
            work()


def making_many(
    wish: Wish, seed: int, count: int, workers: int, ray: str | None = None
) -> Iterator[str | GeneratedPuzzle]:
    """Make several puzzles, in the order of their seeds; also yields what it is doing.

    The worst of several is made again: one more is made, and the worst of all is left out.
    """
    seeds = range(seed, seed + count + (count > 1))
    made: list[GeneratedPuzzle] = []
    if len(seeds) == 1 or (workers == 1 and ray is None):
        for each in seeds:
            made.append((yield from making(wish, each)))
            if len(seeds) > 1:
                yield f"{len(made)} of {len(seeds)} made"
    else:
        with start_workers(partial(generate, wish), workers, ray) as working:
            for one in working.in_order(seeds):
                made.append(one)
                yield f"{len(made)} of {len(seeds)} made"
    if len(made) > 1:
        made.remove(min(reversed(made), key=lambda one: one.quality))
    yield from made


def _orbits(wish: Wish) -> list[tuple[int, ...]]:
    """Groups of cells that the symmetry maps onto each other: all have a clue, or none."""
    cells = np.arange(wish.rows * wish.cols).reshape(wish.rows, wish.cols)
    turned, across, down = cells[::-1, ::-1], cells[:, ::-1], cells[::-1]
    images = {
        "none": [cells],
        "180": [cells, turned],
        "mirror": [cells, across],
        "all": [cells, turned, across, down],
    }[wish.symmetry]
    groups = np.stack(images, axis=-1).reshape(cells.size, -1).tolist()
    return sorted({tuple(sorted(set(group))) for group in groups})


def _drafted(
    wish: Wish, rng: random.Random, on_time: OnTime
) -> Generator[str, None, Puzzle | None]:
    """Choose the clues of a new loop; None if that fails."""
    wanted = published(wish.rows, wish.cols)
    region = _good_region(wish, wanted, rng)
    if wish.mask is not None:
        return masked(region, wish.mask, rng, on_time)
    bench = Workbench(region, _orbits(wish), wanted, rng, on_time)
    level = None if wish.grade is None else GRADES.index(wish.grade)
    choice = Choice(bench, level, wish.fewest, wish.most)
    yield from choice.steps()
    return bench.puzzle if choice.good else None


def _good_region(wish: Wish, wanted: Published, rng: random.Random) -> Region:
    """A random loop that winds and fills the board as published ones do, if one is found soon."""
    for _ in range(LOOPS if wish.rows * wish.cols >= SMALL else 1):
        region = random_region(wish.rows, wish.cols, rng)
        drawing = region.drawing(Puzzle(wish.rows, wish.cols, region.counts()))
        found = measure(drawing)
        if found.inside in wanted.ranges["inside"] and found.winding in wanted.ranges["winding"]:
            break
    return region
