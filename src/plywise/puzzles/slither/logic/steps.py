"""Steps of a solution: what follows from what, by which technique, in words and as a picture."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core.puzzle import Marks
from plywise.puzzles.slither.grid import UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.logic.study import IN, OUT, STUDY
from plywise.puzzles.slither.logic.table import SEARCH, STRONGEST, TECHNIQUES, Technique, deducing
from plywise.puzzles.slither.places import conclusion_words


@dataclass(frozen=True)
class Step:
    """A conclusion: what is new, why, and where to look."""

    technique: Technique
    words: str
    new: tuple[tuple[int, int], ...]  #: lines and their new states
    sides: tuple[tuple[int, int], ...]  #: cells and their sides, IN or OUT
    before: Drawing
    because: frozenset[int] = frozenset()  #: the lines it follows from
    cells: frozenset[int] = frozenset()
    dots: frozenset[int] = frozenset()
    chain: tuple[Step, ...] = ()  #: what an assumption leads to; the last step is a contradiction
    failed: bool = False  #: True if this step is a contradiction
    cases: tuple[Case, ...] = ()  #: ways that all lead to what is new, or to a contradiction

    @property
    def trials(self) -> tuple[Case, ...]:
        """What is tried out: the cases, or the assumption that a chain refutes."""
        if not self.chain:
            return self.cases
        lines, sides = (
            tuple((what, 3 - state) for what, state in found) for found in (self.new, self.sides)
        )
        return (Case(lines, self.chain, sides),)

    @property
    def after(self) -> Drawing:
        """The drawing after this step."""
        return self.before.change(self.new)

    @property
    def marks(self) -> Marks:
        """The marks for a picture of `after`."""
        return Marks(
            new=frozenset(line for line, _ in self.new),
            because=self.because,
            cells=self.cells,
            dots=self.dots,
            sides={cell: 0 if side == IN else 1 for cell, side in self.sides},
        )

    @property
    def conclusion(self) -> str:
        """What is new, in words."""
        inside = ((cell, side == IN) for cell, side in self.sides)
        return conclusion_words(self.before.puzzle, self.new, inside, self.cells)


@dataclass(frozen=True)
class Case:
    """Something that is assumed for a while, and the steps that follow from it."""

    assumed: tuple[tuple[int, int], ...]  #: lines and their states
    steps: tuple[Step, ...]
    sides: tuple[tuple[int, int], ...] = ()  #: cells and their sides, if these are assumed

    @property
    def failed(self) -> bool:
        """True if it leads to a contradiction."""
        return bool(self.steps) and self.steps[-1].failed


class Study:
    """A puzzle being solved by techniques; it changes with every step."""

    def __init__(self, drawing: Drawing) -> None:
        self.puzzle = drawing.puzzle
        self.record = np.zeros(1, STUDY).view(np.recarray)[0]
        self.record.rows, self.record.cols = self.puzzle.rows, self.puzzle.cols
        self.values = self.record.value[: self.puzzle.lines]
        self.values[:] = drawing.array
        self.kernel = deducing.build()
        self.cursor = 0  # the line where the last chain was found

    @property
    def drawing(self) -> Drawing:
        """The lines and crosses known so far."""
        return Drawing(self.puzzle, self.values.tobytes())

    @property
    def sides(self) -> dict[int, int]:
        """Cells whose side was the conclusion of a step."""
        return {int(cell): int(self.record.side[cell]) for cell in np.flatnonzero(self.record.side)}

    def run(self, last: int = STRONGEST) -> bool:
        """Take every possible step; False for a contradiction."""
        self.kernel(self.puzzle.layout, self.puzzle.clue_array, self.record, last, False)
        return not self.record.failed

    def step(self, last: int = STRONGEST) -> Step | None:
        """Take and return the next step, which may be a contradiction; None if there is none."""
        before, sides = self.drawing, self.sides
        layout, clues = self.puzzle.layout, self.puzzle.clue_array
        number = int(self.kernel(layout, clues, self.record, last, True))
        if number == 0:
            return None
        found = [
            (int(self.record.what[k]), int(self.record.state[k])) for k in range(self.record.found)
        ]
        technique = TECHNIQUES[number]
        step = Step(
            technique,
            "",
            tuple((what, state) for what, state in found if what >= 0),
            tuple((-1 - what, state) for what, state in found if what < 0),
            before,
            failed=bool(self.record.failed),
        )
        assert technique.write is not None
        written: Step = technique.write(step, int(self.record.place), self.record, sides)
        return written

    def follow(self, last: int) -> list[Step]:
        """Take steps until nothing is left to find, or one is a contradiction."""
        steps: list[Step] = []
        while step := self.step(last):
            steps.append(step)
            if step.failed:
                break
        return steps

    def assume(self, *assumed: tuple[int, int]) -> None:
        """Set the states of lines, or the sides of cells, given as -1 - cell."""
        for what, state in assumed:
            if what >= 0:
                self.record.value[what] = state
            else:
                self.record.side[-1 - what] = state

    def copy(self) -> Study:
        """Return a study to try something out."""
        study = Study(self.drawing)
        study.go_back(self)
        return study

    def go_back(self, other: Study) -> None:
        """Know only what another study of the same puzzle knows."""
        self.values[:] = other.values
        self.record.side[:] = other.record.side

    @property
    def known_sides(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """The side of each cell after a run, UNKNOWN where it is not known."""
        count = int(self.puzzle.layout.cells)
        label = self.record.label[:count].copy()
        parity = np.where(label == np.arange(count), 0, self.record.parity[:count])
        while (label[label] != label).any():
            parity, label = parity ^ parity[label], label[label]
        sides = np.where(parity != parity[-1], IN, OUT)
        return np.where(label == label[-1], sides, UNKNOWN)[:-1].astype(np.uint8)


def needed(steps: Iterable[Step], wanted: Collection[int] = ()) -> tuple[Step, ...]:
    """Return only the steps that lead to the wanted lines, or to the contradiction at the end."""
    wanted, kept = set(wanted), []
    for step in reversed(tuple(steps)):
        if step.failed or step.sides or any(line in wanted for line, _ in step.new):
            wanted |= step.because
            kept.append(step)
    return tuple(reversed(kept))


def explain(
    puzzle: Puzzle, given: Drawing | None = None, *, time_limit: float | None = None
) -> Iterator[Step]:
    """Yield the steps to the solution, or to a contradiction.

    The search for chains and cases ends at the time limit, in seconds.
    """
    from plywise.puzzles.slither.logic.cases import find_cases
    from plywise.puzzles.slither.logic.chains import UP_TO_ALL, UP_TO_HARD, find_chain

    deadline = None if time_limit is None else time.monotonic() + time_limit
    study = Study(given or Drawing.empty(puzzle))
    while not study.drawing.solved:
        step = (
            study.step()
            or find_chain(study, deadline)
            or find_cases(study, UP_TO_HARD, deadline)
            or find_cases(study, UP_TO_ALL, deadline)
            or _searched(study)
        )
        if step is None:
            return
        yield step
        if step.failed:
            return


def _searched(study: Study) -> Step | None:
    """A step by plain search, where no technique helps: what all solutions have in common."""
    from plywise.puzzles.slither.solver.engine import common, solve

    before = study.drawing
    result = solve(study.puzzle, given=before)
    if result.status == "none":
        words = f"The search found no solution after {result.conflicts} contradictions."
        return Step(SEARCH, words, (), (), before, failed=True)
    final = common(study.puzzle, result.solutions, before)
    new = tuple(
        (line, state)
        for line, state in enumerate(final.states)
        if state != UNKNOWN and before.states[line] == UNKNOWN
    )
    if not new:
        return None
    study.assume(*new)
    words = f"No technique helps; the search found this after {result.conflicts} contradictions."
    return Step(SEARCH, words, new, (), before)
