"""Deduce steps by one technique after another, the easiest first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plywise.core.game import Record
from plywise.jit import kernel, rule
from plywise.puzzles.slither.grid import LINE, UNKNOWN
from plywise.puzzles.slither.solver.propagation import propagate
from plywise.puzzles.slither.solver.search import start
from plywise.puzzles.slither.solver.work import SIZE, SOLVED, assign

#: Finds the places where a technique helps: (layout, clues, study, whether one place is enough).
Finder = Callable[[Record, Record, Record, bool], int]


@kernel
def deducing(
    find_1: Finder,
    find_2: Finder,
    find_3: Finder,
    find_4: Finder,
    find_5: Finder,
    find_6: Finder,
    find_7: Finder,
    find_8: Finder,
    find_9: Finder,
    find_10: Finder,
    find_11: Finder,
    find_12: Finder,
    find_13: Finder,
    find_14: Finder,
) -> Any:
    """Build the kernel that finds steps, one at a time or all of them: see `table.py`."""

    def deduce(t: Record, clues: Record, s: Record, last: int, one: bool) -> int:
        """Find a step by the easiest technique up to `last`; returns its number, 0 for none.

        Without `one`, continue until nothing is left to find. `uses` counts the techniques.
        """
        while True:
            s.found = 0
            s.failed = 0
            technique = 0
            while technique < last and s.found == 0 and s.failed == 0:
                technique += 1
                if technique == 1:
                    find_1(t, clues, s, one)
                elif technique == 2:
                    find_2(t, clues, s, one)
                elif technique == 3:
                    find_3(t, clues, s, one)
                elif technique == 4:
                    find_4(t, clues, s, one)
                elif technique == 5:
                    find_5(t, clues, s, one)
                elif technique == 6:
                    find_6(t, clues, s, one)
                elif technique == 7:
                    find_7(t, clues, s, one)
                elif technique == 8:
                    find_8(t, clues, s, one)
                elif technique == 9:
                    find_9(t, clues, s, one)
                elif technique == 10:
                    find_10(t, clues, s, one)
                elif technique == 11:
                    find_11(t, clues, s, one)
                elif technique == 12:
                    find_12(t, clues, s, one)
                elif technique == 13:
                    find_13(t, clues, s, one)
                else:
                    find_14(t, clues, s, one)
            if s.failed != 0:
                return technique
            if s.found == 0:
                return 0
            s.uses[technique] += 1
            if one:
                return technique

    return deduce


@rule
def _copy(one: Record, two: Record) -> None:
    """Copy the first record to the second, without clauses and what only decisions need."""
    two.count[:] = one.count[:]
    for k in range(one.facts):
        two.value[k] = one.value[k]
        two.trail[k] = one.trail[k]
        two.head[2 * k] = -1
        two.head[2 * k + 1] = -1
    for k in range(one.dots):
        two.other[k] = one.other[k]
        two.length[k] = one.length[k]
    for k in range(one.cells):
        two.colour[k] = one.colour[k]
        two.parity[k] = one.parity[k]
        two.ring[k] = one.ring[k]
        two.weight[k] = one.weight[k]


@kernel
def probing() -> Any:
    """Build the kernel that finds assumptions that lead to a contradiction."""

    def probe(
        t: Record, clues: Record, given: Record, base: Record, trial: Record, sizes: Record
    ) -> int:
        """Assume each state of each open line, and propagate it with all rules of the solver.

        `sizes` gets, at 2 * line (drawn) and 2 * line + 1 (crossed out), the number of conclusions
        before a contradiction, 0 if there is none. Returns the number of contradictions, -1 if
        what is given contradicts itself.
        """
        start(t, clues, given, base)
        count = 0
        at = -1  # what is given comes first
        while at < 2 * t.lines:
            if at >= 0:
                sizes[at] = 0
                if base.value[at >> 1] != UNKNOWN:
                    at += 1
                    continue
            _copy(base, trial)
            if at >= 0:
                assign(trial, at >> 1, LINE + (at & 1), 0, 0)
            consistent = propagate(t, clues, trial)
            solved = trial.count[SOLVED] != 0
            if at >= 0:
                if not consistent and not solved:
                    sizes[at] = trial.count[SIZE] - base.count[SIZE]
                    count += 1
            else:
                if not consistent:
                    return 0 if solved else -1
                _copy(trial, base)
            at += 1
        return count

    return probe
