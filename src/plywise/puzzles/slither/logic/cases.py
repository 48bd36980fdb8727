"""Cases of depth one: follow up every way to draw a few lines, and keep what all of them share.

The lines are those at a dot, around a clue, or of a block of two by two cells.

Each way is drawn and continued by techniques alone. A way that leads to a contradiction is left
out. What is the same at the end of all the others must be so.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import Any

import numpy as np

from plywise.core.analysis import check_cancelled
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN
from plywise.puzzles.slither.logic.steps import Case, Step, Study, needed
from plywise.puzzles.slither.logic.table import CASES

States = np.ndarray[Any, np.dtype[np.uint8]]
Way = tuple[tuple[int, int], ...]  #: lines and their states

MOST_WAYS = 60  #: a spot with more is left out


@dataclass(frozen=True)
class Spot:
    """A few lines that are looked at together, and the ways to draw the open ones."""

    name: str
    ways: tuple[Way, ...]
    cells: frozenset[int] = frozenset()
    dots: frozenset[int] = frozenset()


def small_spots(study: Study) -> list[Spot]:
    """The clues and the dots with open lines, those with the fewest ways first."""
    puzzle, layout, ways = study.puzzle, study.puzzle.layout, _Ways(study)
    found = []
    for cell, clue in enumerate(puzzle.clues):
        if clue != NO_CLUE:
            name = f"around the {clue} in {puzzle.cell_name(cell)}"
            found.append(Spot(name, ways.of(layout.cell_lines[cell]), cells=frozenset([cell])))
    for dot in range(layout.dots):
        name = f"at {puzzle.dot_name(dot)}"
        found.append(Spot(name, ways.of(layout.dot_lines[dot]), dots=frozenset([dot])))
    return _fewest_first(found)


def blocks(study: Study) -> list[Spot]:
    """The blocks of two by two cells with open lines, those with the fewest ways first."""
    puzzle, layout, ways = study.puzzle, study.puzzle.layout, _Ways(study)
    found = []
    for row, col in product(range(puzzle.rows - 1), range(puzzle.cols - 1)):
        corner = row * puzzle.cols + col
        cells = [corner, corner + 1, corner + puzzle.cols, corner + puzzle.cols + 1]
        name = f"of the 2 x 2 block at {puzzle.cell_name(corner)}"
        lines = np.unique(layout.cell_lines[cells])
        found.append(Spot(name, ways.of(lines), cells=frozenset(cells)))
    return _fewest_first(found)


def _fewest_first(found: list[Spot]) -> list[Spot]:
    return sorted((spot for spot in found if spot.ways), key=lambda spot: len(spot.ways))


class _Ways:
    """Finds the ways to draw the open lines of a spot that leave every clue and dot possible."""

    def __init__(self, study: Study) -> None:
        puzzle, layout = study.puzzle, study.puzzle.layout
        self.states = list(study.drawing.states)
        # For each line: the groups of lines that it belongs to, and how many of each are drawn.
        self.rules: list[list[tuple[list[int], tuple[int, ...]]]] = [[] for _ in self.states]
        groups: list[tuple[list[int], tuple[int, ...]]]
        groups = [(row, (0, 2)) for row in layout.dot_lines[: layout.dots].tolist()]
        around = zip(layout.cell_lines[: len(puzzle.clues)].tolist(), puzzle.clues, strict=True)
        groups += [(row, (clue,)) for row, clue in around if clue != NO_CLUE]
        for row, allowed in groups:
            lines = [line for line in row if line >= 0]
            for line in lines:
                self.rules[line].append((lines, allowed))

    def of(self, lines: Iterable[Any]) -> tuple[Way, ...]:
        """The ways for some lines, none if fewer than two are open or there are too many ways."""
        free = [int(line) for line in lines if line >= 0 and self.states[line] == UNKNOWN]
        found: list[Way] = []

        def extend(at: int) -> None:
            if at == len(free):
                found.append(tuple((line, self.states[line]) for line in free))
            elif len(found) <= MOST_WAYS:
                for state in (LINE, CROSS):
                    self.states[free[at]] = state
                    if self._possible(free[at]):
                        extend(at + 1)
                self.states[free[at]] = UNKNOWN

        if len(free) > 1:
            extend(0)
        return tuple(found) if len(found) <= MOST_WAYS else ()

    def _possible(self, line: int) -> bool:
        for lines, allowed in self.rules[line]:
            near = [self.states[k] for k in lines]
            drawn, most = near.count(LINE), len(lines) - near.count(CROSS)
            if not any(drawn <= number <= most for number in allowed):
                return False
        return True


def shared(
    study: Study, spots: list[Spot], last: int, deadline: float | None = None
) -> Iterator[Spot]:
    """Spots whose ways share something new, with techniques up to `last`.

    The study must have been run before.
    """
    trial, before = study.copy(), study.values.copy()
    for spot in spots:
        common: States | None = None
        for way in spot.ways:
            check_cancelled()
            if deadline is not None and time.monotonic() > deadline:
                return
            trial.go_back(study)
            trial.assume(*way)
            if trial.run(last):
                value = trial.values
                common = value.copy() if common is None else np.where(common == value, common, 0)
                if not ((common != UNKNOWN) & (before == UNKNOWN)).any():
                    break
        else:
            if common is not None:
                yield spot


def find_cases(study: Study, last: int, deadline: float | None = None) -> Step | None:
    """The next conclusion that all ways at a spot share, with the steps of each."""
    found = chain.from_iterable(
        shared(study, spots(study), last, deadline) for spots in (small_spots, blocks)
    )
    for spot in found:
        cases = [_followed(study, way, last) for way in spot.ways]
        new = _soonest([case for case in cases if not case.failed])
        if new:
            lines = {line for line, _ in new}
            shown = tuple(
                replace(case, steps=needed(case.steps, () if case.failed else lines))
                for case in cases
            )
            count = "both ways" if len(cases) == 2 else f"all {len(cases)} ways"
            failed = sum(case.failed for case in cases)
            words = f"Follow up {count} to draw the lines {spot.name}: they agree here."
            if failed:
                which = "one leads" if failed == 1 else f"{failed} lead"
                rest = "the other agrees" if len(cases) - failed == 1 else "the others agree"
                words = f"Follow up {count} to draw the lines {spot.name}: {which} to a "
                words += f"contradiction, and {rest} with this."
            before = study.drawing
            study.assume(*new)
            return Step(
                CASES, words, new, (), before, cells=spot.cells, dots=spot.dots, cases=shown
            )
    return None


def _followed(study: Study, way: Way, last: int) -> Case:
    """A way with the steps after it."""
    trial = study.copy()
    trial.assume(*way)
    return Case(way, tuple(trial.follow(last)))


def _soonest(cases: list[Case]) -> tuple[tuple[int, int], ...]:
    """The conclusions that all cases reach in the fewest steps."""
    known: list[dict[tuple[int, int], int]] = []  # for each case: what is found, and at which step
    for case in cases:
        found = dict.fromkeys(case.assumed, 0)
        for number, step in enumerate(case.steps, 1):
            found |= dict.fromkeys(step.new, number)
        known.append(found)
    common = [fact for fact in known[0] if all(fact in found for found in known)]
    if not common:
        return ()
    best = min(common, key=lambda fact: sum(found[fact] for found in known))
    return tuple(fact for fact in common if all(found[fact] <= found[best] for found in known))
