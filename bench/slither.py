"""Slither: the solver against SAT, techniques, and generating puzzles."""

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
from plywise.puzzles.slither.generator import Wish, generate
from plywise.puzzles.slither.grid import Puzzle
from plywise.puzzles.slither.logic.grading import Grade
from plywise.puzzles.slither.logic.table import CASES, CHAIN, Technique

DATA = Path(__file__).parents[1] / "tests" / "data" / "slither"
SIZES = ((5, 5), (10, 10), (20, 20), (30, 25), (60, 60))
HARDEST = 40
LOOPY = {(5, 5): 0.03e-3, (10, 10): 0.18e-3, (20, 20): 1.0e-3, (30, 25): 2.5e-3, (60, 60): 51e-3}


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
        loopy = LOOPY.get((rows, cols))
        yield Row(
            f"{rows} x {cols}, median of {len(names)}"
            + (f" (Loopy {Quantity(loopy, 's')})" if loopy else ""),
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


def _most(found: dict[str, Grade], highest: int) -> int:
    """Count the grades up to the given one."""
    return sum(one.hardest.grade <= highest for one in found.values())


def _without(found: dict[str, Grade], technique: Technique) -> int:
    """Count the grades that do without a technique."""
    return sum(technique not in dict(one.uses) for one in found.values())


def technique_rows(quick: bool) -> Iterator[Row]:
    """Measure the share of puzzles that need no search, and how grades agree with labels."""
    step = 12 if quick else 1
    known = None if quick else True
    kept = Grades()
    graded = {
        name: {key: kept.of(row[0]) for key, row in list(collection(name).items())[::step]}
        for name in ("olson-500", "generated")
    }
    for name in ("olson-500", "generated"):
        puzzles, grades = collection(name), graded[name]
        # What the techniques were chosen on, and the rest: by the position in the file.
        odd = set(list(puzzles)[1::2])
        for half, keys in (
            ("all", list(grades)),
            ("odd positions, which techniques were tuned on", [k for k in grades if k in odd]),
            ("even positions", [k for k in grades if k not in odd]),
        ):
            if name == "generated" and half != "all":
                continue
            found = {key: grades[key] for key in keys}
            for key in keys:
                if grades[key].hardest.grade > CHAIN.grade:
                    found[key] = kept.of(puzzles[key][0], deep=True)
            solved = {key: one for key, one in found.items() if one.solved}
            for what, count, wanted in (
                ("named deductions alone", _most(solved, CHAIN.grade - 1), 60.0),
                ("... and chains with techniques up to tricky", _most(solved, CHAIN.grade), None),
                ("... and chains with all techniques", _without(solved, CASES), None),
                ("... and cases, all of depth one", len(solved), 99.0),
            ):
                yield Row(
                    f"{name}, {half}: solved by {what}",
                    f"{count} of {len(keys)}",
                    "Loopy: 12 %" if (name, half) == ("olson-500", "all") and wanted == 60 else "",
                    Quantity(100 * count / len(keys), "%"),
                    at_least=wanted if name == "olson-500" else None,
                    right=known,
                )
    olson = collection("olson-500")
    pairs = [
        (found.score, float(olson[key][1].split()[1]))
        for key, found in graded["olson-500"].items()
        if not olson[key][1].endswith("null")
    ]
    yield Row(
        f"rank correlation with jo-difficulty, {len(pairs)} puzzles",
        "",
        "",
        Quantity(rank_correlation(pairs), "rho"),
    )
    generated = collection("generated")
    order = ("Easy", "Normal", "Tricky", "Hard", "unsolved")
    labelled = [
        (found.score, float(order.index(generated[key][2])))
        for key, found in graded["generated"].items()
    ]
    yield Row(
        f"rank correlation with Loopy's grades, {len(labelled)} puzzles",
        "",
        "",
        Quantity(rank_correlation(labelled), "rho"),
    )


def rank_correlation(pairs: list[tuple[float, float]]) -> float:
    """Return Spearman's rank correlation, with equal ranks for equal values."""
    ranks = []
    for values in zip(*pairs, strict=True):
        array = np.array(values)
        ranks.append([(array < v).sum() + ((array == v).sum() - 1) / 2 for v in array])
    return float(np.corrcoef(ranks[0], ranks[1])[0, 1])


def making_rows(quick: bool) -> Iterator[Row]:
    """Measure the median time to make a puzzle; each is checked by SAT."""
    for wish, count, most in (
        (Wish(10, 10), 20, 0.3),
        (Wish(25, 30, "extreme"), 5, 5.0),
        (Wish(25, 30), 5, 5.0),
    ):
        times, right = [], True
        number = 2 if quick else count
        generate(Wish(5, 5), 1)  # compiles
        for seed in range(1, number + 1):
            begun = time.process_time()
            made = generate(wish, seed)
            times.append(time.process_time() - begun)
            right = right and solve_by_sat(made.puzzle) == [frozenset(made.solution.lines)]
        hard = f", grade {wish.grade}" if wish.grade else ""
        yield Row(
            f"{wish.rows} x {wish.cols}, half-turn symmetry{hard}, median of {number}",
            f"slowest {Quantity(max(times), 's')}",
            "",
            Quantity(statistics.median(times), "s"),
            at_most=most,
            right=right,
        )


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
    "lead to a contradiction, then search. Loopy solves 12 % of olson-500. A puzzle on which deep "
    f"chains and cases take more than {LIMIT:g} s counts as not solved. {FILE}=file continues a "
    "run that was stopped.",
    "",
    technique_rows,
)
MAKING = Bench(
    "slither-generate",
    "Slither: time to make a puzzle",
    "Seeds 1, 2, ... one after the other on one core; each puzzle is checked by SAT, which shares "
    "no code with the solver.",
    "",
    making_rows,
    needs="pysat",
)
