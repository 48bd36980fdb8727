"""Slither: the solver against SAT, and what techniques solve."""

from __future__ import annotations

import csv
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from bench.measure import Bench, Quantity, Row
from bench.slither_grades import FILE, LIMIT, Grades
from bench.slither_sat import solve_by_sat
from plywise.puzzles import slither
from plywise.puzzles.slither.grid import Puzzle
from plywise.puzzles.slither.logic.grading import grade
from plywise.puzzles.slither.logic.table import CASES, CHAIN

DATA = Path(__file__).parents[1] / "tests" / "data" / "slither"
SIZES = ((5, 5), (10, 10), (20, 20), (30, 25), (60, 60))
HARDEST = 40


def collection(name: str) -> dict[str, tuple[Puzzle, str, str]]:
    """Read the puzzles of a file by id, each with its label and Loopy's grade."""
    with (DATA / f"{name}.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if not row[0].startswith("#")]
    return {row[0]: (slither.read(row[3]), row[4], row[7]) for row in rows}


def seconds_of(work: Callable[[], object]) -> float:
    """Return the best of three runs, in processor time: others may use the machine."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def speed_rows(quick: bool) -> Iterator[Row]:
    """Measure medians by size, then the puzzles that are hardest for SAT."""
    puzzles = {**collection("generated"), **collection("olson-500")}
    if quick:
        puzzles = dict(list(puzzles.items())[::12])
    slither.solve(slither.read(slither.DEFAULT))  # compiles
    ours: dict[str, float] = {}
    sat: dict[str, float] = {}
    right = True
    for name, (puzzle, _, _) in puzzles.items():
        result = slither.solve(puzzle)
        right = (
            right and result.status == "unique" and bool(result.solution and result.solution.solved)
        )
        ours[name] = seconds_of(lambda puzzle=puzzle: slither.solve(puzzle))  # type: ignore[misc]
        begun = time.process_time()
        found = solve_by_sat(puzzle)
        sat[name] = time.process_time() - begun
        if sat[name] < 0.05:
            sat[name] = seconds_of(lambda puzzle=puzzle: solve_by_sat(puzzle))  # type: ignore[misc]
        right = right and [frozenset(result.solution.lines)] == found if result.solution else False
    groups: dict[tuple[int, int], list[str]] = defaultdict(list)
    for name, (puzzle, _, _) in puzzles.items():
        groups[puzzle.rows, puzzle.cols].append(name)
    for (rows, cols), names in sorted(groups.items(), key=lambda item: item[0]):
        mine = statistics.median(ours[name] for name in names)
        theirs = statistics.median(sat[name] for name in names)
        wanted = 1 / 3 if (rows, cols) in SIZES else None
        yield Row(
            f"{rows} x {cols}, median of {len(names)}",
            Quantity(mine, "s"),
            Quantity(theirs, "s"),
            Quantity(mine / theirs, "x"),
            at_most=wanted,
            right=right,
        )
    hardest = sorted(sat, key=lambda name: -sat[name])[:HARDEST]
    mine, theirs = sum(ours[name] for name in hardest), sum(sat[name] for name in hardest)
    yield Row(
        f"total of the {len(hardest)} that SAT finds hardest",
        Quantity(mine, "s"),
        Quantity(theirs, "s"),
        Quantity(mine / theirs, "x"),
        at_most=1.0,
        right=None if quick else right,
    )
    slowest = max(ours, key=lambda name: ours[name])
    yield Row(f"the slowest of all {len(ours)}: {slowest}", "", "", Quantity(ours[slowest], "s"))


def halves(name: str, quick: bool) -> Iterator[tuple[str, dict[str, Puzzle]]]:
    """Split olson-500 by the position in its file: techniques were tuned on odd positions."""
    every = {key: row[0] for key, row in collection(name).items()}
    step = 12 if quick else 1
    if name == "olson-500":
        yield f"{name}, odd positions", dict(list(every.items())[1::2][::step])
        yield f"{name}, even positions", dict(list(every.items())[::2][::step])
    else:
        yield name, dict(list(every.items())[::step])


def solved_row(what: str, count: int, by_loopy: int | None, of: int, known: bool | None) -> Row:
    """Return the share of puzzles that were solved, beside Loopy's."""
    loopy = "" if by_loopy is None else f"Loopy: {by_loopy}"
    return Row(what, f"{count} of {of}", loopy, Quantity(100 * count / of, "%"), right=known)


def technique_rows(quick: bool) -> Iterator[Row]:
    """Measure the share of puzzles that need no search, and how grades agree with labels."""
    known = None if quick else True
    scores: dict[str, list[tuple[float, str, str]]] = defaultdict(list)
    for name in ("olson-500", "generated"):
        labels = collection(name)
        for part, puzzles in halves(name, quick):
            grades = {key: grade(puzzle) for key, puzzle in puzzles.items()}
            easy = [one for one in grades.values() if one.solved]
            named = sum(one.hardest.grade < CHAIN.grade for one in easy)
            chained = sum(one.hardest.grade <= CHAIN.grade for one in easy)
            loopy = sum(labels[key][2] != "unsolved" for key in puzzles)
            count = len(puzzles)
            what = f"{part}: solved by named deductions alone"
            yield solved_row(what, named, loopy, count, known)
            yield solved_row("... and chains up to tricky", chained, None, count, known)
            scores[name] += [(one.score, *labels[key][1:]) for key, one in grades.items()]
    pairs = [
        (score, float(label.split()[1]))
        for score, label, _ in scores["olson-500"]
        if not label.endswith("null")
    ]
    yield correlation_row("jo-difficulty", pairs)
    order = ("Easy", "Normal", "Tricky", "Hard", "unsolved")
    labelled = [(score, float(order.index(loopy))) for score, _, loopy in scores["generated"]]
    yield correlation_row("Loopy's grades", labelled)


def correlation_row(label: str, pairs: list[tuple[float, float]]) -> Row:
    """Return the rank correlation of grades with labels."""
    rho = Quantity(rank_correlation(pairs), "rho")
    return Row(f"rank correlation with {label}, {len(pairs)} puzzles", "", "", rho)


def case_rows(quick: bool) -> Iterator[Row]:
    """Measure what chains with all techniques and cases solve of what is left."""
    known, kept = None if quick else True, Grades()
    for part, puzzles in halves("olson-500", quick):
        grades = [
            found if found.hardest.grade <= CHAIN.grade else kept.of(puzzle)
            for puzzle, found in ((each, grade(each)) for each in puzzles.values())
        ]
        solved = [one for one in grades if one.solved]
        chained = sum(CASES not in dict(one.uses) for one in solved)
        what = f"{part}: solved by chains with all techniques"
        yield solved_row(what, chained, None, len(puzzles), known)
        yield solved_row("... and cases", len(solved), None, len(puzzles), known)


def rank_correlation(pairs: list[tuple[float, float]]) -> float:
    """Return Spearman's rank correlation, with equal ranks for equal values."""
    ranks = []
    for values in zip(*pairs, strict=True):
        array = np.array(values)
        ranks.append([(array < v).sum() + ((array == v).sum() - 1) / 2 for v in array])
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


SPEED = Bench(
    "slither",
    "Slither: time to find the solution and prove that it is the only one",
    "Every puzzle of tests/data/slither, one after the other on one core: processor time, the "
    "best of three runs, but one run of SAT if it takes 50 ms or more. SAT "
    "is Glucose 4 (PySAT) with loop cuts added as needed; both "
    "times run from the clues to the verdict, and both solutions must be the same.",
    "SAT",
    speed_rows,
    needs="pysat",
)
TECHNIQUES = Bench(
    "slither-techniques",
    "Slither: what named deductions solve, and how grades agree with labels",
    "Every puzzle of tests/data/slither is graded: techniques alone, then assumptions that "
    "lead to a contradiction by techniques up to tricky. Loopy's grades are in the files.",
    "Loopy",
    technique_rows,
)
HARDER = Bench(
    "slither-cases",
    "Slither: what chains with all techniques and cases solve, all of depth one",
    f"Every puzzle of olson-500. One that takes more than {LIMIT:g} s of the processor counts as "
    f"not solved. {FILE}=file continues a run that was stopped.",
    "",
    case_rows,
    only_named=True,
)
