"""Chains of depth one: an assumption that contradicts itself, by techniques alone.

Three kinds, the cheapest first: with techniques up to tricky in them, up to hard, and all.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from plywise.puzzles.slither import deduce as numbers
from plywise.puzzles.slither.deduce import probing
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, Drawing
from plywise.puzzles.slither.steps import CHAIN, DEEP, Step, Study
from plywise.puzzles.slither.work import work_of

TRICKY, HARD, ALL = numbers.SIDE, numbers.FOUR, numbers.NINE  #: the last technique in a chain

Assumption = tuple[int, int]  #: a line, and what is assumed of it


def probe(drawing: Drawing) -> np.ndarray[Any, np.dtype[np.int32]] | None:
    """For each line, drawn and crossed out, how soon that assumption contradicts itself; 0: not.

    It is the solver that draws the conclusions. None if the drawing itself is a contradiction.
    """
    puzzle = drawing.puzzle
    sizes = np.zeros(2 * puzzle.lines, np.int32)
    base, trial = (work_of(puzzle.layout, number) for number in range(2))
    kernel = probing.build()
    count = kernel(puzzle.layout, puzzle.clue_array, drawing.array, base, trial, sizes, False)
    return None if count < 0 else sizes


def quick(study: Study) -> list[Assumption]:
    """Assumptions that the solver refutes at once, those with the fewest conclusions first."""
    sizes = probe(study.drawing)
    if sizes is None:
        return []
    failed = sorted((int(size), k) for k, size in enumerate(sizes) if size)
    return [(k >> 1, LINE if k % 2 == 0 else CROSS) for _, k in failed]


def refuted(study: Study, last: int, deadline: float | None = None) -> Iterator[Assumption]:
    """Assumptions that contradict themselves by techniques up to `last`.

    What followed from one that does not is not tried: less follows from it alone. Who looks again
    begins where the last one was found.
    """
    puzzle, trial = study.puzzle, Study(study.drawing, study.sides)
    value, side = trial.record.value[: puzzle.lines], trial.record.side
    before, sides = value.copy(), side.copy()
    fine = np.zeros((puzzle.lines, 3), bool)
    every = np.arange(puzzle.lines)
    for line in (*range(study.cursor, puzzle.lines), *range(study.cursor)):
        for state in (LINE, CROSS):
            if before[line] != UNKNOWN or fine[line, state]:
                continue
            if deadline is not None and time.monotonic() > deadline:
                return
            value[:], side[:] = before, sides
            trial.assume(line, state)
            if trial.run(last):
                fine[every, value] = True
            else:
                study.cursor = line
                yield line, state


def find_chain(study: Study, deadline: float | None = None) -> Step | None:
    """The next conclusion from an assumption that contradicts itself, with all that leads there."""
    for line, state in quick(study):
        if step := _shown(study, line, state, TRICKY):
            return step
    for last in (HARD, ALL):
        for line, state in refuted(study, last, deadline):
            if step := _shown(study, line, state, last):
                return step
    return None


def _shown(study: Study, line: int, state: int, last: int) -> Step | None:
    """A chain step by step; None if techniques up to `last` do not get to its end."""
    trial = Study(study.drawing, study.sides)
    trial.assume(line, state)
    chain: list[Step] = []
    while step := trial.step(last):
        chain.append(step)
        if step.failed:
            break
    if not chain or not chain[-1].failed:
        return None
    before, opposite = study.drawing, CROSS if state == LINE else LINE
    chain = _needed(chain)
    study.assume(line, opposite)
    what = "drawn" if state == LINE else "crossed out"
    words = (
        f"If {study.puzzle.move_name(line)} were {what}, {len(chain) - 1} more steps would "
        f"lead to a contradiction: {chain[-1].words}"
    )
    technique = CHAIN if last == TRICKY else DEEP
    return Step(technique, words, ((line, opposite),), (), before, chain=tuple(chain))


def _needed(chain: list[Step]) -> list[Step]:
    """The steps of a chain that the contradiction at its end hangs on."""
    wanted = set(chain[-1].because)
    kept = [chain[-1]]
    for step in reversed(chain[:-1]):
        if step.sides or any(line in wanted for line, _ in step.new):
            wanted |= step.because
            kept.append(step)
    return kept[::-1]
