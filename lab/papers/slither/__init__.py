"""What `plywise report slither` measures: the paper's path search and our solver."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from functools import partial

from lab.papers.report.puzzles import (
    PuzzleComparison,
    PuzzleReport,
    Results,
    Timed,
    Way,
    finished_by_both,
)
from plywise.core.puzzle import Puzzle
from plywise.play.statistics import Share

SIZES = (2, 3, 4, 5, 6, 7)
SMALL = (2, 3, 4)  #: what an interpreted search can solve in seconds
PLAIN, CERTAIN, ORDER, PLUS = "dfs", "dfs-certain", "dfs-order", "dfs-plus"
NESTED, FLAT = "nested lists", "flat lists"
ARRAYS, COMPILED = "flat arrays", "flat arrays, compiled"
MARKED, EVERY_LINE = "marked dots", "a test at every line"
LIMIT = 50_000_000  #: steps: about a second, compiled
SLOW = 20_000  #: steps over arrays, interpreted: about as long
OURS = "plywise, with proof"
HALF = 0.5  #: the share of puzzles with fewer steps if an idea changes nothing
ALIKE = 1.25  #: less than a quarter more or less time is hardly a difference


def ways() -> Mapping[str, Way]:
    """The paper's search on several boards, with what it proposed, and our solver."""
    from lab.papers.slither import lists
    from plywise.puzzles.slither import path_search
    from plywise.puzzles.slither.solver.engine import solve

    def path(run: Callable[..., path_search.PathResult], method: str = PLAIN) -> Way:
        def timed(puzzle: Puzzle, limit: int) -> Timed:
            begun = time.process_time()
            found = run(puzzle, method, most=limit)
            return Timed(time.process_time() - begun, found.finished, found.steps)

        return timed

    def slow(puzzle: Puzzle, limit: int) -> Timed:
        return path(partial(path_search.search, compiled=False))(puzzle, min(limit, SLOW))

    def ours(puzzle: Puzzle, limit: int) -> Timed:
        begun = time.process_time()
        solve(puzzle)
        return Timed(time.process_time() - begun, True)

    return {
        **{method: path(path_search.search, method) for method in path_search.METHODS},
        NESTED: path(lists.search),
        FLAT: path(partial(lists.search, kind=lists.Flat)),
        ARRAYS: slow,
        COMPILED: path(path_search.search),
        MARKED: path(partial(lists.search, visited=lists.marked)),
        EVERY_LINE: path(partial(lists.search, finished=lists.at_every_line)),
        OURS: ours,
    }


def make(size: int, seed: int) -> Puzzle:
    """Make a square puzzle."""
    from plywise.puzzles.slither.generator import Wish, generate

    return generate(Wish(size, size, symmetry="none"), seed).puzzle


# ---- verdicts ------------------------------------------------------------------------------


def ideas(results: Results) -> str:
    """Compare the steps of the paper's search with those of its ideas."""
    told, kinds = [], {}
    for way in (CERTAIN, ORDER, PLUS):
        both = finished_by_both(results, PLAIN, way, SIZES)
        fewer = sum(after.steps < before.steps for before, after in both)
        more = sum(after.steps > before.steps for before, after in both)
        times = sum(before.steps for before, _ in both) / sum(after.steps for _, after in both)
        share = Share(fewer + (len(both) - fewer - more) / 2, len(both))
        low, high = share.interval
        kinds[way] = "confirmed" if low > HALF else "refuted" if high < HALF else "undecided"
        told.append(
            f"{way} needs fewer steps on {fewer} of {len(both)} puzzles and more on {more}, "
            f"{times:.1f} times fewer in all"
        )
    solved = (
        sum(each.finished for found in results[way].values() for each in found)
        for way in (PLAIN, PLUS)
    )
    plain, plus = solved
    return (
        f"{kinds[PLUS]}: {'; '.join(told)}. Within the limit {PLUS} solved {plus} puzzles, "
        f"{PLAIN} {plain}"
    )


def ratio(results: Results, one: str, other: str) -> float:
    """Return how many times as long the second way takes for a step of the same search."""

    def pace(way: str) -> float:
        found = results[way][SMALL[-1]]
        return sum(each.seconds for each in found) / sum(each.steps for each in found)

    return pace(other) / pace(one) if pace(one) else math.nan


def boards(results: Results) -> str:
    """Say what the board alone does, and what compiling does."""
    flat, arrays = ratio(results, FLAT, NESTED), ratio(results, ARRAYS, FLAT)
    compiled = ratio(results, COMPILED, ARRAYS)
    effect = "yes" if max(flat, 1 / flat) > ALIKE else "hardly"
    return (
        f"{effect}: for a step, nested lists take {flat:.2g} times as long as flat ones. Flat "
        f"arrays take {1 / arrays:.2g} times as long as flat lists while interpreted; compiled, "
        f"the same loop over them is {compiled:,.0f} times as fast"
    )


def tests(results: Results) -> str:
    """Say what it saves to test the loop only when it is closed."""
    times = ratio(results, NESTED, EVERY_LINE)
    return (
        f"{_holds(times)}: a test at every line takes {times:.2g} times as long, for the same steps"
    )


def paths(results: Results) -> str:
    """Say what it saves to look for dots in the path instead of marking them."""
    times = ratio(results, NESTED, MARKED)
    return f"{_holds(times)}: with marked dots the search takes {times:.2g} times as long"


def _holds(times: float) -> str:
    """Say whether a saving is real, given how many times as long the other way takes."""
    if times > ALIKE:
        return "confirmed"
    return "refuted" if times < 1 / ALIKE else "hardly a difference"


REPORT = PuzzleReport(
    title="Slither: the paper's path search and our solver",
    make=make,
    ways=ways,
    comparisons=(
        PuzzleComparison(
            title="the two ideas that the paper left open, compiled",
            claim="I am certain that logic I that I thought for improving efficiency would have "
            "significantly improved efficiency of my code",
            sizes=SIZES,
            ways=(PLAIN, CERTAIN, ORDER, PLUS, OURS),
            verdict=ideas,
        ),
        PuzzleComparison(
            title="boards",
            claim="Compare whether representations would affect the efficiency of depth first "
            "search and check with my existing solution",
            sizes=SMALL,
            ways=(NESTED, FLAT, ARRAYS, COMPILED),
            verdict=boards,
        ),
        PuzzleComparison(
            title="when the loop is tested",
            claim="If there is a closed loop formed, then only check for valid closed loop is "
            "carried out. This increases the efficiency.",
            sizes=SMALL,
            ways=(NESTED, EVERY_LINE),
            verdict=tests,
        ),
        PuzzleComparison(
            title="how a dot of the path is recognised",
            claim="A single list to keep track provides efficiency with any complexity of adding "
            "colors for nodes visited etc.",
            sizes=SMALL,
            ways=(NESTED, MARKED),
            verdict=paths,
        ),
    ),
    limit=LIMIT,
    unit="steps",
)
