"""How hard a puzzle is: the hardest technique it needs, and how often nothing cheaper helps."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from plywise.puzzles.slither.grid import CROSS, LINE, Drawing, Puzzle
from plywise.puzzles.slither.steps import (
    CHAIN,
    GRADES,
    SEARCH,
    STRONGEST,
    TECHNIQUES,
    Study,
    Technique,
    probe,
    probe_harder,
)


@dataclass(frozen=True)
class Grade:
    """A puzzle's grade. `uses` counts, for each technique, the times nothing cheaper helped."""

    hardest: Technique
    uses: tuple[tuple[Technique, int], ...]
    solved: bool  #: without search

    @property
    def name(self) -> str:
        """One of GRADES."""
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
        """Plain data, for `--json`."""
        return {
            "grade": self.name,
            "score": round(self.score, 3),
            "hardest": self.hardest.title,
            "bottlenecks": self.bottlenecks,
            "uses": {technique.name: n for technique, n in self.uses},
        }


def grade(puzzle: Puzzle, *, harder: bool = False) -> Grade:
    """Solve by techniques and chains, and count them.

    Within a chain the techniques up to tricky are used; with `harder` those up to hard,
    where nothing else helps, which takes much longer.
    """
    study = Study(Drawing.empty(puzzle))
    chains = 0
    failed = [(0, LINE)]
    while study.run() and not study.drawing.solved:
        failed = _failing(study, failed[-1][0] if harder else None)
        if not failed:
            break
        for line, state in failed:
            study.assume(line, CROSS if state == LINE else LINE)
        chains += 1
    uses = [
        (TECHNIQUES[number], int(study.record.uses[number]))
        for number in range(1, STRONGEST + 1)
        if study.record.uses[number]
    ]
    if chains:
        uses.append((CHAIN, chains))
    solved = study.drawing.solved
    if not solved:
        uses.append((SEARCH, 1))
    return Grade(max((t for t, _ in uses), key=lambda t: t.grade), tuple(uses), solved)


def _failing(study: Study, start: int | None) -> list[tuple[int, int]]:
    """Assumptions that contradict themselves: all easy ones, or a hard one from `start` on."""
    sizes = probe(study.drawing)
    if sizes is None:
        return []
    failed = [(int(k) >> 1, LINE if k % 2 == 0 else CROSS) for k in sizes.nonzero()[0]]
    if not failed and start is not None:
        failed = list(islice(probe_harder(study, start), 1))
    return failed
