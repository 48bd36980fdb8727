"""Puzzles whose clues are in given places: the loop is changed until it is the only solution."""

from __future__ import annotations

import random

from plywise.puzzles.slither.grid import NO_CLUE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.logic.steps import Study
from plywise.puzzles.slither.logic.table import TRICKY, last_of
from plywise.puzzles.slither.loops import Region
from plywise.puzzles.slither.making.workbench import OnTime
from plywise.puzzles.slither.solver.engine import solve

REPAIRS = 4000  #: changes to a loop to make it fit a mask


def masked(
    region: Region, mask: tuple[bool, ...], rng: random.Random, on_time: OnTime
) -> Puzzle | None:
    """Put clues in the cells of the mask, and change the loop until it is the only solution."""
    cells = range(region.rows * region.cols)

    def clues(region: Region) -> Puzzle:
        kept = zip(mask, region.counts(), strict=True)
        return Puzzle(region.rows, region.cols, tuple(n if has else NO_CLUE for has, n in kept))

    def open_lines(puzzle: Puzzle) -> tuple[int, list[int]]:
        """How far the puzzle is from unique, and the cells where two solutions differ."""
        result = solve(puzzle)
        if result.status == "unique":
            return 0, []
        one, two = result.solutions
        differing = [k for k in range(puzzle.lines) if one.states[k] != two.states[k]]
        near = {int(c) for k in differing for c in puzzle.layout.line_cells[k] if c < len(cells)}
        free = Study(Drawing.empty(puzzle))
        free.run(last_of(TRICKY))
        return free.drawing.states.count(UNKNOWN) + len(differing), sorted(near)

    puzzle = clues(region)
    cost, near = open_lines(puzzle)
    for _ in range(REPAIRS):
        if cost == 0:
            return puzzle
        on_time()
        cell = rng.choice(near) if rng.random() < 0.7 else rng.choice(cells)
        if not region.can_flip(cell):
            continue
        region.flip(cell)
        changed = clues(region)
        new_cost, new_near = open_lines(changed)
        if new_cost <= cost or rng.random() < 0.02:
            puzzle, cost, near = changed, new_cost, new_near
        else:
            region.flip(cell)
    return None
