"""Grades of Slither puzzles, kept in a file: deep ones may take minutes each."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from plywise.core.analysis import Cancelled, Stop, cancellable
from plywise.puzzles.slither.grid import Puzzle
from plywise.puzzles.slither.logic.grading import Grade, grade
from plywise.puzzles.slither.logic.table import CASES, CHAIN, DEEP, SEARCH, TECHNIQUES

FILE = "PLYWISE_GRADES"  #: names a file in which a run that was stopped goes on
LIMIT = 240.0  #: processor seconds for a deep grade; without one by then, a puzzle needs search
_NAMED = {one.name: one for one in (*TECHNIQUES.values(), CHAIN, DEEP, CASES, SEARCH)}


class Grades:
    """The grades made so far, by the puzzle and whether they are deep."""

    def __init__(self) -> None:
        name = os.environ.get(FILE)
        self.file = Path(name) if name else None
        self.known: dict[tuple[str, bool], Grade] = {}
        self.late: set[str] = set()  #: puzzles whose deep grade was given up
        if self.file and self.file.exists():
            for line in self.file.read_text(encoding="utf-8").splitlines():
                row = json.loads(line)
                self._keep(row)

    def of(self, puzzle: Puzzle, deep: bool = False) -> Grade:
        """Return the grade of a puzzle, and keep it."""
        key = str(puzzle), deep
        if key not in self.known:
            row = {"puzzle": str(puzzle), "deep": deep, **_graded(puzzle, deep)}
            self._keep(row)
            if self.file:
                with self.file.open("a", encoding="utf-8") as out:
                    print(json.dumps(row), file=out)
        return self.known[key]

    def _keep(self, row: dict[str, object]) -> None:
        uses = tuple((_NAMED[name], count) for name, count in dict(row["uses"]).items())  # type: ignore[call-overload]
        hardest = max((one for one, _ in uses), key=lambda one: one.grade)
        self.known[str(row["puzzle"]), bool(row["deep"])] = Grade(
            hardest, uses, bool(row["solved"])
        )
        if row["late"]:
            self.late.add(str(row["puzzle"]))


def _graded(puzzle: Puzzle, deep: bool) -> dict[str, object]:
    """Grade a puzzle; a deep grade is given up after LIMIT."""
    late, end = Stop(), time.process_time() + LIMIT

    def check() -> None:
        if deep and time.process_time() > end:
            late.set()

    try:
        with cancellable(late, check):
            found = grade(puzzle, deep=deep)
    except Cancelled:
        found = grade(puzzle)
    uses = {technique.name: count for technique, count in found.uses}
    return {"uses": uses, "solved": found.solved, "late": late.is_set()}
