"""The solver: the Python side of the compiled search, and the certificates for its verdicts."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from plywise.core.analysis import check_cancelled
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.solver.search import DONE, ENOUGH, PAUSED, searching
from plywise.puzzles.slither.solver.work import CONFLICTS, FOUND, work_of

if TYPE_CHECKING:
    from plywise.puzzles.slither.logic.steps import Step

Status = Literal["unique", "several", "none", "unknown"]

PATIENCE = 2000  #: conflicts between two checks of the clock


@dataclass(frozen=True)
class Result:
    """The verdict on a puzzle, with certificates.

    `unique` and `several` come with solutions that are easy to check. That there is no other
    solution, or none at all, is proved by the search; `steps` explains it in words.
    """

    puzzle: Puzzle
    status: Status  #: "unknown" only when the time ran out
    solutions: tuple[Drawing, ...]  #: one, or two that differ, or none
    conflicts: int  #: the contradictions that the search learned from
    seconds: float

    @property
    def solution(self) -> Drawing | None:
        """The first solution, if there is one."""
        return self.solutions[0] if self.solutions else None

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The steps to the solution, or to a contradiction, by named techniques."""
        from plywise.puzzles.slither.logic.steps import explain

        return tuple(explain(self.puzzle))

    @cached_property
    def forced(self) -> Drawing:
        """The lines and crosses that all solutions have in common; the rest is left open."""
        return common(self.puzzle, self.solutions)

    @cached_property
    def missing_clues(self) -> tuple[tuple[int, int], ...]:
        """Clues (cell, number) that would leave only the first solution: one, if one is enough.

        Empty if another solution has the same number of lines around every cell.
        """
        if self.solution is None or self.status != "several":
            return ()
        return tuple(_completion(self.puzzle, self.solution))

    @cached_property
    def contradiction(self) -> Puzzle | None:
        """For a puzzle without a solution: a minimal set of clues that contradict each other.

        Without any one of them there is a solution. If no clue is to blame, none is left.
        """
        return _irreducible(self.puzzle) if self.status == "none" else None


def solve(
    puzzle: Puzzle,
    *,
    given: Drawing | None = None,
    time_limit: float | None = None,
) -> Result:
    """Find the solution and prove that it is the only one, or find two, or prove there is none.

    `given` is what is already drawn and must stay.
    """
    _kernel()
    started = time.perf_counter()
    status, found, conflicts = _search(puzzle, given, 2, time_limit)
    solutions = tuple(Drawing(puzzle, states) for states in found)
    return Result(puzzle, status, solutions, conflicts, time.perf_counter() - started)


def find_one(puzzle: Puzzle, given: Drawing | None = None) -> Drawing | None:
    """Find any solution that agrees with what is drawn."""
    _, found, _ = _search(puzzle, given, 1, None)
    return Drawing(puzzle, found[0]) if found else None


def is_unique(puzzle: Puzzle, patience: int, given: Drawing | None = None) -> bool:
    """True if exactly one solution agrees with what is drawn, proved in `patience` conflicts."""
    kernel = _kernel()  # must come first: its warm-up uses the same arrays
    layout, work = puzzle.layout, work_of(puzzle.layout)
    states = (given or Drawing.empty(puzzle)).array
    ended = kernel(layout, puzzle.clue_array, states, work, 2, True, patience)
    return bool(ended == DONE and work.count[FOUND] == 1)


@cache
def _kernel() -> Any:
    """Compile the search and warm it up, so that compilation is not counted as search time."""
    kernel, puzzle = searching.build(), Puzzle(1, 1, (4,))
    nothing = Drawing.empty(puzzle).array
    kernel(puzzle.layout, puzzle.clue_array, nothing, work_of(puzzle.layout), 2, True, 1)
    return kernel


def _search(
    puzzle: Puzzle, given: Drawing | None, wanted: int, limit: float | None
) -> tuple[Status, list[bytes], int]:
    check_cancelled()
    kernel = _kernel()
    layout, clues = puzzle.layout, puzzle.clue_array
    work = work_of(layout)
    states = np.zeros(puzzle.lines, np.uint8) if given is None else given.array
    deadline = None if limit is None else time.perf_counter() + limit
    ended = kernel(layout, clues, states, work, wanted, True, PATIENCE)
    while ended == PAUSED:
        check_cancelled()
        if deadline is not None and time.perf_counter() > deadline:
            break
        ended = kernel(layout, clues, states, work, wanted, False, PATIENCE)
    count = int(work.count[FOUND])
    found = [work.found[number, : puzzle.lines].tobytes() for number in range(count)]
    status: Status = "none"
    if ended == PAUSED and count < 2:
        status = "unknown"
    elif count:
        status = "several" if count == 2 else "unique" if ended != ENOUGH else "unknown"
    return status, found, int(work.count[CONFLICTS])


# ---- certificates --------------------------------------------------------------------------


def common(puzzle: Puzzle, solutions: Iterable[Drawing], given: Drawing | None = None) -> Drawing:
    """What all solutions have in common, given all of them or at least two.

    For each line on which the given ones agree, look for a solution with the opposite state. One
    such solution rules out many lines at once.
    """
    known = [np.frombuffer(solution.states, np.uint8) for solution in solutions]
    given = given or Drawing.empty(puzzle)
    if not known:
        return given
    agreed = known[0].copy()
    for other in known[1:]:
        agreed[agreed != other] = UNKNOWN
    if len(known) > 1:
        fixed = given.array
        for line in np.flatnonzero(agreed):
            if agreed[line] == UNKNOWN or fixed[line] != UNKNOWN:
                continue
            opposite = CROSS if agreed[line] == LINE else LINE
            asked = Drawing(puzzle, fixed.tobytes()).change([(int(line), opposite)])
            other_way = find_one(puzzle, asked)
            if other_way is None:
                fixed[line] = agreed[line]
            else:
                agreed[agreed != np.frombuffer(other_way.states, np.uint8)] = UNKNOWN
    return Drawing(puzzle, agreed.tobytes())


def _completion(puzzle: Puzzle, wanted: Drawing) -> list[tuple[int, int]]:
    """Find clues that leave only the wanted solution: a single one if possible."""
    true = wanted.counts
    others: list[list[int]] = []

    def tell_apart() -> list[int]:
        """Cells whose clue rules out the most of the other solutions known so far."""
        scores = {
            cell: sum(true[cell] != other[cell] for other in others)
            for cell, clue in enumerate(puzzle.clues)
            if clue == NO_CLUE
        }
        best = max(scores.values(), default=0)
        return [cell for cell, score in scores.items() if score == best > 0]

    def against(result: Result) -> None:
        others.extend(found.counts for found in result.solutions if found.states != wanted.states)

    # Step 1: try cells whose clue alone rules out every other solution seen so far.
    against(solve(puzzle))
    tried: set[int] = set()
    while single := [cell for cell in tell_apart() if cell not in tried]:
        if any(true[single[0]] == other[single[0]] for other in others):
            break
        tried.add(single[0])
        result = solve(puzzle.with_clues([(single[0], true[single[0]])]))
        if result.status == "unique":
            return [(single[0], true[single[0]])]
        against(result)
    # Step 2: no single clue is enough; add the best one, again and again.
    added: list[tuple[int, int]] = []
    while True:
        result = solve(puzzle)
        if result.status == "unique":
            return added
        others.clear()
        against(result)
        choice = tell_apart()
        if not choice:
            return []
        added.append((choice[0], true[choice[0]]))
        puzzle = puzzle.with_clues(added)


def _irreducible(puzzle: Puzzle) -> Puzzle:
    """Drop clues while there is still no solution, large groups first."""
    kept = [cell for cell, clue in enumerate(puzzle.clues) if clue != NO_CLUE]
    size = len(kept)
    while size >= 1:
        at = 0
        while at < len(kept):
            group = kept[at : at + size]
            fewer = puzzle.with_clues((cell, NO_CLUE) for cell in group)
            if find_one(fewer) is None:
                puzzle = fewer
                del kept[at : at + size]
            else:
                at += size
        size //= 2
    return puzzle
