"""How hard a puzzle is: the hardest technique it needs, and how often nothing easier helps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from plywise.puzzles.slither.grid import Drawing, Puzzle
from plywise.puzzles.slither.logic.cases import blocks, shared, small_spots
from plywise.puzzles.slither.logic.chains import ALL, HARD, opposite, quick, refuted
from plywise.puzzles.slither.logic.steps import Study
from plywise.puzzles.slither.logic.table import (
    CASES,
    CHAIN,
    DEEP,
    GRADES,
    SEARCH,
    STRONGEST,
    TECHNIQUES,
    Technique,
)


@dataclass(frozen=True)
class Grade:
    """A puzzle's grade. `uses` counts, for each technique, how often nothing easier helped."""

    hardest: Technique
    uses: tuple[tuple[Technique, int], ...]
    solved: bool  #: without search

    @property
    def name(self) -> str:
        """The grade's name, one of GRADES."""
        return GRADES[self.hardest.grade]

    @property
    def bottlenecks(self) -> int:
        """How often only techniques of the hardest grade helped."""
        return sum(n for technique, n in self.uses if technique.grade == self.hardest.grade)

    @property
    def score(self) -> float:
        """One number to order puzzles by: the grade, and within it the bottlenecks."""
        return self.hardest.grade + 1 - 1 / (1 + self.bottlenecks / 8)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        return {
            "grade": self.name,
            "score": round(self.score, 3),
            "hardest": self.hardest.title,
            "bottlenecks": self.bottlenecks,
            "uses": {technique.name: n for technique, n in self.uses},
        }


def grade(puzzle: Puzzle, *, deep: bool = False) -> Grade:
    """Solve a puzzle by techniques and chains, and count them.

    Chains use techniques up to tricky. A puzzle that needs more is extreme. With `deep`, chains
    with all techniques and cases are tried on it as well, which may take a minute.
    """
    study = Study(Drawing.empty(puzzle))
    chains = deep_chains = cases = 0
    while study.run() and not study.drawing.solved:
        failed = quick(study)
        chains += bool(failed)
        if not failed and deep:
            failed = list(refuted(study, HARD)) or list(islice(refuted(study, ALL), 1))
            deep_chains += bool(failed)
        new = [(what, opposite(state)) for what, state in failed]
        if not new and deep:
            new = _from_cases(study)
            cases += bool(new)
        if not new:
            break
        for what, state in new:
            study.assume(what, state)
    uses: list[tuple[Technique, int]] = [
        (TECHNIQUES[number], int(study.record.uses[number]))
        for number in range(1, STRONGEST + 1)
        if study.record.uses[number]
    ]
    solved = study.drawing.solved
    more = ((CHAIN, chains), (DEEP, deep_chains), (CASES, cases), (SEARCH, int(not solved)))
    uses += [(technique, count) for technique, count in more if count]
    return Grade(max((t for t, _ in uses), key=lambda t: t.grade), tuple(uses), solved)


def _from_cases(study: Study) -> list[tuple[int, int]]:
    """What follows from cases, the easiest that help."""
    for spots in (small_spots, blocks):
        if new := [fact for _, found in shared(study, spots(study), HARD) for fact in found]:
            return new
    for spots in (small_spots, blocks):
        for _, found in shared(study, spots(study), ALL):
            return found
    return []
