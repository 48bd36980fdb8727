"""Chains of depth one: assume something, and reach a contradiction by techniques alone.

There are three kinds, the easiest first: with techniques up to tricky, up to hard, and all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from plywise.core.analysis import check_cancelled
from plywise.core.game import Record
from plywise.jit import kernel, rule
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, Drawing
from plywise.puzzles.slither.logic.steps import Step, Study, needed
from plywise.puzzles.slither.logic.study import IN
from plywise.puzzles.slither.logic.table import CHAIN, DEEP, EXPERT, HARD, TRICKY, last_of
from plywise.puzzles.slither.places import place_words
from plywise.puzzles.slither.solver.propagation import propagate
from plywise.puzzles.slither.solver.search import start
from plywise.puzzles.slither.solver.work import SIZE, SOLVED, assign, work_of

#: The hardest technique allowed in a chain.
UP_TO_TRICKY, UP_TO_HARD, UP_TO_ALL = map(last_of, (TRICKY, HARD, EXPERT))

Assumption = tuple[int, int]  #: a line, or a cell as -1 - cell, and its assumed state


@rule
def _copy(one: Record, two: Record) -> None:
    """Copy the first record to the second, without clauses and what only decisions need."""
    two.count[:] = one.count[:]
    facts, dots, cells = one.facts, one.dots, one.cells
    two.value[:facts] = one.value[:facts]
    two.trail[:facts] = one.trail[:facts]
    two.head[: 2 * facts] = -1
    two.other[:dots] = one.other[:dots]
    two.length[:dots] = one.length[:dots]
    two.colour[:cells] = one.colour[:cells]
    two.parity[:cells] = one.parity[:cells]
    two.ring[:cells] = one.ring[:cells]
    two.weight[:cells] = one.weight[:cells]


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


def probe(drawing: Drawing) -> np.ndarray[Any, np.dtype[np.int32]] | None:
    """How soon each line leads to a contradiction if drawn or crossed out; 0 if it does not.

    Uses the solver's own rules. None if the drawing itself is a contradiction.
    """
    puzzle = drawing.puzzle
    sizes = np.zeros(2 * puzzle.lines, np.int32)
    base, trial = (work_of(puzzle.layout, number) for number in range(2))
    kernel = probing.build()
    count = kernel(puzzle.layout, puzzle.clue_array, drawing.array, base, trial, sizes)
    return None if count < 0 else sizes


def refuted_by_rules(study: Study) -> list[Assumption]:
    """Assumptions that the solver's rules refute, those with the fewest conclusions first."""
    sizes = probe(study.drawing)
    if sizes is None:
        return []
    failed = sorted((int(size), k) for k, size in enumerate(sizes) if size)
    return [(k >> 1, LINE if k % 2 == 0 else CROSS) for _, k in failed]


def refuted(study: Study, last: int, deadline: float | None = None) -> Iterator[Assumption]:
    """Assumptions about lines, then about cells, that techniques up to `last` refute.

    If an assumption holds, its consequences are not tried on their own: they lead to less. The next
    call starts at the line found last. The study must have been run before.
    """
    puzzle, trial, inside = study.puzzle, study.copy(), study.known_sides
    lines = (*range(study.cursor, puzzle.lines), *range(study.cursor))
    cells = (-1 - cell for cell in range(len(inside)) if inside[cell] == UNKNOWN)
    fine = np.zeros((puzzle.lines, 3), bool)
    fine_sides = np.zeros((len(inside), 3), bool)
    fine[study.values != UNKNOWN] = True
    for what in (*lines, *cells):
        for state in (1, 2):  # drawn and crossed out, or inside and outside
            if fine[what, state] if what >= 0 else fine_sides[-1 - what, state]:
                continue
            check_cancelled()
            if deadline is not None and time.monotonic() > deadline:
                return
            trial.go_back(study)
            trial.assume((what, state))
            if trial.run(last):
                fine[np.arange(puzzle.lines), trial.values] = True
                fine_sides[np.arange(len(inside)), trial.known_sides] = True
            else:
                study.cursor = max(what, 0)
                yield what, state


def opposite(state: int) -> int:
    """The opposite of an assumption: CROSS for LINE, OUT for IN, and back."""
    return 3 - state


def find_chain(study: Study, deadline: float | None = None) -> Step | None:
    """The next conclusion from an assumption that fails, with the steps that refute it."""
    for line, state in refuted_by_rules(study):
        if step := _chain(study, line, state, UP_TO_TRICKY):
            return step
    for last in (UP_TO_HARD, UP_TO_ALL):
        for what, state in refuted(study, last, deadline):
            if step := _chain(study, what, state, last):
                return step
    return None


def _chain(study: Study, what: int, state: int, last: int) -> Step | None:
    """The chain step by step; None if techniques up to `last` do not reach a contradiction."""
    trial = study.copy()
    trial.assume((what, state))
    chain = trial.follow(last)
    if not chain or not chain[-1].failed:
        return None
    before, puzzle = study.drawing, study.puzzle
    study.assume((what, opposite(state)))
    if what >= 0:
        assumed = (
            f"{place_words(puzzle, what, LINE)} were {'drawn' if state == LINE else 'crossed out'}"
        )
    else:
        assumed = f"{puzzle.cell_name(-1 - what)} were {'inside' if state == IN else 'outside'}"
    shown = needed(chain)
    more = len(shown) - 1
    when = "at once" if more == 0 else f"in {more} step{'s' if more > 1 else ''}"
    words = f"If {assumed}, a contradiction would follow {when}: {chain[-1].words}"
    return Step(
        CHAIN if last == UP_TO_TRICKY else DEEP,
        words,
        ((what, opposite(state)),) if what >= 0 else (),
        ((-1 - what, opposite(state)),) if what < 0 else (),
        before,
        cells=frozenset([-1 - what] if what < 0 else []),
        chain=shown,
    )
