"""How hard a puzzle is: the hardest technique it needs, and how often nothing easier helps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plywise.puzzles.slither.grid import Drawing, Puzzle
from plywise.puzzles.slither.logic.chains import opposite, refuted_by_rules
from plywise.puzzles.slither.logic.steps import Study
from plywise.puzzles.slither.logic.table import CHAIN, GRADES, SEARCH, TECHNIQUES, Technique


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


def grade(puzzle: Puzzle) -> Grade:
    """Solve a puzzle by techniques and chains, and count them.

    Chains use techniques up to tricky. A puzzle that needs more is extreme.
    """
    study = Study(Drawing.empty(puzzle))
    chains = 0
    while study.run() and not study.drawing.solved and (failed := refuted_by_rules(study)):
        chains += 1
        study.assume(*((what, opposite(state)) for what, state in failed))
    return summed_up(study, {CHAIN: chains})


def summed_up(study: Study, others: Mapping[Technique, int]) -> Grade:
    """Return the grade of a study that has ended; `others` counts what its kernel does not find."""
    counts = {TECHNIQUES[number]: int(study.record.uses[number]) for number in TECHNIQUES}
    solved = study.drawing.solved
    counts |= {**others, SEARCH: int(not solved)}
    uses = tuple((technique, count) for technique, count in counts.items() if count)
    return Grade(max((technique for technique, _ in uses), key=lambda t: t.grade), uses, solved)
