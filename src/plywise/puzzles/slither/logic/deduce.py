"""Deduce steps by one technique after another, the easiest first."""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.jit import kernel, rule
from plywise.puzzles.slither.grid import LINE, UNKNOWN
from plywise.puzzles.slither.logic.techniques import (
    find_adjacent_threes,
    find_clues,
    find_connections,
    find_corners,
    find_diagonal_threes,
    find_dots,
    find_early_loops,
    find_pairs,
    find_sides,
)
from plywise.puzzles.slither.logic.windows import find_cases
from plywise.puzzles.slither.solver.propagation import propagate
from plywise.puzzles.slither.solver.search import start
from plywise.puzzles.slither.solver.work import SIZE, SOLVED, assign

#: The numbers of the techniques, the easiest first; 0 is none.
CLUE, DOT, CORNER, ADJACENT, DIAGONAL, LOOP, PAIR, SIDE, CONNECTION, ONE, FOUR, NINE = range(1, 13)


@kernel
def deducing() -> Any:
    """Build the kernel that finds steps, one at a time or all of them."""

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
                if technique == CLUE:
                    find_clues(t, clues, s, one)
                elif technique == DOT:
                    find_dots(t, s, one)
                elif technique == CORNER:
                    find_corners(t, clues, s, one)
                elif technique == ADJACENT:
                    find_adjacent_threes(t, clues, s, one)
                elif technique == DIAGONAL:
                    find_diagonal_threes(t, clues, s, one)
                elif technique == LOOP:
                    find_early_loops(t, clues, s, one)
                elif technique == PAIR:
                    find_pairs(t, clues, s, one)
                elif technique == SIDE:
                    find_sides(t, s, one)
                elif technique == CONNECTION:
                    find_connections(t, s, one)
                else:
                    find_cases(t, clues, s, technique - ONE + 1, one)
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
        t: Record,
        clues: Record,
        given: Record,
        base: Record,
        trial: Record,
        sizes: Record,
        keep: bool,
    ) -> int:
        """Assume each state of each open line, and propagate it with all rules of the solver.

        `sizes` gets, at 2 * line (drawn) and 2 * line + 1 (crossed out), the number of conclusions
        before a contradiction, 0 if there is none. Returns the number of contradictions, -1 if
        what is given contradicts itself. With `keep` the opposite of each failed assumption is
        kept in `base`, and the search continues until no assumption fails.
        """
        start(t, clues, given, base)
        count = 0
        at = 0
        pending = -2  # what to keep next: -2 what is given, -1 nothing, or a literal that failed
        changed = False
        while at < 2 * t.lines or pending != -1:
            if pending == -1 and base.value[at >> 1] != UNKNOWN:
                sizes[at] = 0
                at += 1
            else:
                _copy(base, trial)
                if pending >= 0:
                    assign(trial, pending >> 1, LINE + 1 - (pending & 1), 0, 0)
                elif pending == -1:
                    assign(trial, at >> 1, LINE + (at & 1), 0, 0)
                consistent = propagate(t, clues, trial)
                solved = trial.count[SOLVED] != 0
                if pending != -1:
                    if consistent or solved:
                        _copy(trial, base)
                    if not consistent:
                        return count if solved else -1
                    pending = -1
                else:
                    sizes[at] = 0
                    if not consistent and not solved:
                        sizes[at] = trial.count[SIZE] - base.count[SIZE]
                        count += 1
                        if keep:
                            pending = at
                            changed = True
                    at += 1
            if at == 2 * t.lines and pending == -1 and changed:
                at = 0
                changed = False
        return count

    return probe
