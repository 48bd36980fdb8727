"""Which cells a side cannot do without: against leaving out each cell and looking again."""

from __future__ import annotations

import random

import pytest

from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.logic.connection import common, spread_from, work_out_known
from plywise.puzzles.slither.logic.steps import Study
from plywise.puzzles.slither.logic.study import IN, OUT

ROUNDS = 60


class Board:
    """What is known of a puzzle, and how a side spreads over it."""

    def __init__(self, puzzle: Puzzle, study: Study) -> None:
        self.layout, self.record = puzzle.layout, study.record
        self.known = [int(each) for each in study.record.known[: self.layout.cells]]
        self.next: dict[int, set[int]] = {cell: set() for cell in range(self.layout.cells)}
        for line in range(self.layout.lines):
            one, two = (int(cell) for cell in self.layout.line_cells[line])
            if self.record.value[line] != LINE:
                self.next[one].add(two)
                self.next[two].add(one)

    def reached(self, root: int, kind: int, without: int = -1) -> set[int]:
        found, pending = {root} - {without}, [root] if root != without else []
        while pending:
            for cell in self.next[pending.pop()] - found - {without}:
                if self.known[cell] in (UNKNOWN, kind):
                    found.add(cell)
                    pending.append(cell)
        return found


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_cells_that_every_way_goes_through(seed: int) -> None:
    rng = random.Random(seed)
    rows, cols = rng.choice(((2, 3), (4, 5), (6, 6)))
    puzzle = Puzzle(rows, cols, (NO_CLUE,) * (rows * cols))
    study = Study(Drawing.empty(puzzle))
    for line in range(puzzle.lines):
        study.values[line] = rng.choices((UNKNOWN, LINE, CROSS), (6, 1, 2))[0]
    layout = puzzle.layout
    if not work_out_known(layout, study.record):
        return
    board = Board(puzzle, study)
    for kind in (OUT, IN):  # one after the other: nothing may be left of the first
        count = spread_from(layout, study.record, kind)
        starts = [cell for cell, side in enumerate(board.known) if side == kind]
        if not starts:
            assert count == 0
            continue
        root = layout.cells - 1 if kind == OUT else starts[0]
        everywhere = board.reached(root, kind)
        assert set(study.record.order[:count].tolist()) == everywhere
        assert {cell for cell in board.next if study.record.depth[cell] >= 0} == everywhere
        needed = {cell: {cell} for cell in everywhere}
        for cell in everywhere:
            for cut_off in everywhere - board.reached(root, kind, cell):
                needed[cut_off].add(cell)
        for cell in everywhere:
            above, at = set(), cell
            while at >= 0:
                above.add(at)
                at = int(study.record.dominator[at])
            assert above == needed[cell]
        for _ in range(20):
            one, two = rng.choices(sorted(everywhere), k=2)
            shared = needed[one] & needed[two]
            assert needed[int(common(study.record, one, two))] == shared
