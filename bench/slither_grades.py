"""Grades of Slither puzzles, kept in a file: deep ones may take minutes each."""

from __future__ import annotations

import json
import os
import time
from itertools import islice
from pathlib import Path
from typing import Any

from plywise.core.analysis import Cancelled, Stop, cancellable
from plywise.puzzles.slither.grid import Drawing, Puzzle
from plywise.puzzles.slither.logic.cases import blocks, shared, small_spots
from plywise.puzzles.slither.logic.chains import (
    UP_TO_ALL,
    UP_TO_HARD,
    Assumption,
    opposite,
    refuted,
    refuted_by_rules,
)
from plywise.puzzles.slither.logic.grading import Grade, grade, summed_up
from plywise.puzzles.slither.logic.steps import Study
from plywise.puzzles.slither.logic.table import CASES, CHAIN, DEEP, SEARCH, TECHNIQUES

FILE = "PLYWISE_GRADES"  #: names a file in which a run that was stopped goes on
LIMIT = 240.0  #: processor seconds for a deep grade; without one by then, a puzzle needs search
_NAMED = {one.name: one for one in (*TECHNIQUES.values(), CHAIN, DEEP, CASES, SEARCH)}


class Grades:
    """The deep grades made so far, by the puzzle."""

    def __init__(self) -> None:
        name = os.environ.get(FILE)
        self.file = Path(name) if name else None
        self.known: dict[str, Grade] = {}
        if self.file and self.file.exists():
            for line in self.file.read_text(encoding="utf-8").splitlines():
                self._keep(json.loads(line))

    def of(self, puzzle: Puzzle) -> Grade:
        """Return the grade of a puzzle, and keep it."""
        if str(puzzle) not in self.known:
            row = {"puzzle": str(puzzle), **_graded(puzzle)}
            self._keep(row)
            if self.file:
                with self.file.open("a", encoding="utf-8") as out:
                    print(json.dumps(row), file=out)
        return self.known[str(puzzle)]

    def _keep(self, row: dict[str, Any]) -> None:
        uses = tuple((_NAMED[name], count) for name, count in row["uses"].items())
        hardest = max((one for one, _ in uses), key=lambda one: one.grade)
        self.known[row["puzzle"]] = Grade(hardest, uses, row["solved"])


def _graded(puzzle: Puzzle) -> dict[str, Any]:
    """Grade a puzzle deeply, or without that if it takes longer than LIMIT."""
    late, end = Stop(), time.process_time() + LIMIT

    def check() -> None:
        if time.process_time() > end:
            late.set()

    try:
        with cancellable(late, check):
            found = deep_grade(puzzle)
    except Cancelled:
        found = grade(puzzle)
    return {"uses": {one.name: count for one, count in found.uses}, "solved": found.solved}


def deep_grade(puzzle: Puzzle) -> Grade:
    """Grade a puzzle, and try chains with all techniques and cases where nothing else helps.

    It may take a minute.
    """
    study = Study(Drawing.empty(puzzle))
    counts = dict.fromkeys((CHAIN, DEEP, CASES), 0)
    ways = (CHAIN, _from_chains), (DEEP, _from_deep_chains), (CASES, _from_cases)
    while study.run() and not study.drawing.solved:
        tried = ((technique, look(study)) for technique, look in ways)
        technique, new = next(((which, found) for which, found in tried if found), (CHAIN, []))
        if not new:
            break
        counts[technique] += 1
        study.assume(*new)
    return summed_up(study, counts)


def _from_chains(study: Study) -> list[Assumption]:
    return [(what, opposite(state)) for what, state in refuted_by_rules(study)]


def _from_deep_chains(study: Study) -> list[Assumption]:
    failed = list(refuted(study, UP_TO_HARD)) or list(islice(refuted(study, UP_TO_ALL), 1))
    return [(what, opposite(state)) for what, state in failed]


def _from_cases(study: Study) -> list[Assumption]:
    """What follows from cases, the easiest that help."""
    for spots in (small_spots, blocks):
        if new := [fact for _, found in shared(study, spots(study), UP_TO_HARD) for fact in found]:
            return new
    for spots in (small_spots, blocks):
        for _, found in shared(study, spots(study), UP_TO_ALL):
            return found
    return []
