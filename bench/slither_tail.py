"""The hard puzzles of tests/data/slither, tail.tsv and tail-2.tsv: plywise's solver against SAT.

A random seed turns the board: it picks one of the eight ways to rotate and mirror it, the same for
both solvers. That changes the order of everything in either search, and nothing else.
"""

from __future__ import annotations

import csv
import statistics
import sys
import time
from collections.abc import Iterator

import numpy as np

from bench.measure import Bench, Quantity, Row
from bench.slither import DATA
from bench.slither_sat import search_by_sat
from plywise.puzzles import slither
from plywise.puzzles.slither.grid import Puzzle

TAILS = ("tail", "tail-2")
HALF = "unseen"  #: the open half of the first was tuned on
LIMIT = 120.0  #: seconds for each search
SEEDS = 3
SOLVERS = "plywise", "SAT"

Times = dict[tuple[str, int, str], float]


def tail(name: str) -> dict[str, Puzzle]:
    """Read the puzzles of the unseen half, by their id."""
    with (DATA / f"{name}.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if not row[0].startswith("#")]
    return {row[0]: slither.read(row[4]) for row in rows if row[1] == HALF}


def turned(puzzle: Puzzle, seed: int) -> Puzzle:
    """Rotate and mirror a puzzle; seed 0 leaves it as it is, and no two below 8 do the same."""
    clues = np.array(puzzle.clues).reshape(puzzle.rows, puzzle.cols)
    way = 5 * seed % 8
    clues = np.rot90(clues.T if way >= 4 else clues, way)
    rows, cols = clues.shape
    return Puzzle(rows, cols, tuple(int(clue) for clue in clues.ravel()))


def seconds_of(puzzle: Puzzle, solver: str) -> float:
    """Return the processor time of one search, LIMIT if it was not done by then."""
    begun = time.process_time()
    if solver == "SAT":
        found, _ = search_by_sat(puzzle, 2, LIMIT)
        unique = found is not None and len(found) == 1
    else:
        unique = slither.solve(puzzle, time_limit=LIMIT).status == "unique"
    spent = time.process_time() - begun
    return spent if unique else max(spent, LIMIT)


def measure(puzzles: dict[str, Puzzle]) -> Times:
    """Time every puzzle with every seed and solver."""
    times: Times = {}
    slither.solve(slither.read(slither.DEFAULT))  # compiles
    for number, (name, puzzle) in enumerate(puzzles.items(), 1):
        for seed in range(SEEDS):
            board = turned(puzzle, seed)
            for solver in SOLVERS:
                times[name, seed, solver] = seconds_of(board, solver)
        if number % 20 == 0:
            print(f"{number} of {len(puzzles)}", file=sys.stderr, flush=True)
    return times


def tail_rows(quick: bool) -> Iterator[Row]:
    """Compare the medians over the seeds, in every set."""
    for name in TAILS:
        puzzles = tail(name)
        if quick:
            puzzles = dict(list(puzzles.items())[::10])
        yield from set_rows(f"{name}, {HALF} half", puzzles, None if quick else True)


def set_rows(what: str, puzzles: dict[str, Puzzle], known: bool | None) -> Iterator[Row]:
    """Compare the medians over the seeds."""
    times = measure(puzzles)
    ours, theirs = (
        {
            name: statistics.median(times[name, seed, solver] for seed in range(SEEDS))
            for name in puzzles
        }
        for solver in SOLVERS
    )
    ratios = {name: ours[name] / theirs[name] for name in puzzles}
    for most, share in ((1.0, None), (1.5, 95.0)):
        within = [name for name, ratio in ratios.items() if ratio <= most]
        yield Row(
            f"{what}: at most {most:g} times as long as SAT",
            f"{len(within)} of {len(puzzles)}",
            "",
            Quantity(100 * len(within) / len(puzzles), "%"),
            at_least=share,
            right=known,
        )
    worst = max(ratios, key=lambda name: ratios[name])
    for part, mine, sat, most in (
        (f"... the worst ratio, {worst}", ours[worst], theirs[worst], 3.0),
        ("... the slowest", max(ours.values()), max(theirs.values()), None),
        ("... the median", *map(statistics.median, (ours.values(), theirs.values())), None),
        ("... in total", sum(ours.values()), sum(theirs.values()), 0.5),
    ):
        figures = Quantity(mine, "s"), Quantity(sat, "s"), Quantity(mine / sat, "x")
        yield Row(part, *figures, at_most=most, right=known)


TAIL = Bench(
    "slither-tail",
    "Slither: hard puzzles that nobody tuned on",
    f"The unseen halves of tests/data/slither/tail.tsv, which was chosen before the solver was "
    f"changed, and of tail-2.tsv, chosen after its last change: processor time, the median of "
    f"{SEEDS} random seeds (ways to turn the board), at most {LIMIT:g} s each.",
    "SAT",
    tail_rows,
    needs="pysat",
    only_named=True,
)
