"""Deduce: one technique after the other, the cheapest first."""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.jit import kernel, rule
from plywise.puzzles.slither.grid import LINE, UNKNOWN
from plywise.puzzles.slither.propagation import propagate
from plywise.puzzles.slither.search import start
from plywise.puzzles.slither.techniques import (
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
from plywise.puzzles.slither.windows import find_cases
from plywise.puzzles.slither.work import SIZE, SOLVED, assign

#: Techniques by number, the cheapest first; 0 is none.
CLUE, DOT, CORNER, ADJACENT, DIAGONAL, LOOP, PAIR, SIDE, CONNECTION, ONE, FOUR, NINE = range(1, 13)


@kernel
def deducing() -> Any:
    """Steps, one by one or as many as there are."""

    def deduce(t: Record, clues: Record, s: Record, last: int, one: bool) -> int:
        """Find a step by the cheapest technique up to `last`; the number of it, 0 for none.

        Not `one`: go on until nothing is left to find. `uses` counts the techniques.
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
    """Make the second the same as the first. Clauses, and what decisions need, are left out."""
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
    for k in range(one.lines):
        two.joined[k, 0] = -1


@kernel
def probing() -> Any:
    """What leads to a contradiction if it is assumed."""

    def probe(
        t: Record, clues: Record, given: Record, base: Record, trial: Record, sizes: Record
    ) -> int:
        """Assume each state of each open line, and draw conclusions by clues, dots, loops, pairs, sides.

        `sizes` gets, for 2 * line (drawn) and 2 * line + 1 (crossed out), how many conclusions it
        took to a contradiction, 0 if there is none. Returns how many there are, -1 if what is
        given contradicts itself.
        """
        start(t, clues, given, base)
        count = 0
        for k in range(2 * t.lines + 1):
            line = (k - 1) >> 1
            if k > 0:
                sizes[k - 1] = 0
                if base.value[line] != UNKNOWN:
                    continue
                _copy(base, trial)
                assign(trial, line, LINE + (k - 1) % 2, 0, 0)
            else:
                _copy(base, trial)
            consistent = propagate(t, clues, trial)
            if k == 0:
                if not consistent:
                    return 0 if trial.count[SOLVED] else -1
                _copy(trial, base)
            elif not consistent and not trial.count[SOLVED]:
                sizes[k - 1] = trial.count[SIZE] - base.count[SIZE]
                count += 1
        return count

    return probe
