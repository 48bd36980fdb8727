"""Slither by SAT: Glucose 4 with loop cuts added as needed. Both the rival and the check."""

from __future__ import annotations

from itertools import combinations

from plywise.puzzles.slither.grid import NO_CLUE, Puzzle


def solve_by_sat(puzzle: Puzzle, wanted: int = 2) -> list[frozenset[int]]:
    """Return up to `wanted` solutions as sets of lines, without any code of plywise's solver."""
    from pysat.solvers import Glucose4

    found: list[frozenset[int]] = []
    with Glucose4() as solver:
        for clause in _clauses(puzzle):
            solver.add_clause(clause)
        while len(found) < wanted and solver.solve():
            drawn = [literal - 1 for literal in solver.get_model() if literal > 0]
            loops = _loops(puzzle, drawn)
            # A loop that fits by itself is a solution, even if there are other loops beside it.
            # Any other loop can be excluded, and so can a known solution.
            found += [loop for loop in loops if _fits(puzzle, loop)]
            for loop in loops:
                solver.add_clause([-line - 1 for line in loop])
            if not loops:  # nothing is drawn
                solver.add_clause(list(range(1, puzzle.lines + 1)))
    return found[:wanted]


def _clauses(puzzle: Puzzle) -> list[list[int]]:
    """Encode the clues, and two lines or none at every dot. Line n is the variable n + 1."""
    rows, cols = puzzle.rows, puzzle.cols
    clauses: list[list[int]] = []
    for row in range(rows):
        for col in range(cols):
            clue = puzzle.clues[row * cols + col]
            if clue != NO_CLUE:
                around = [
                    puzzle.across(row, col) + 1,
                    puzzle.across(row + 1, col) + 1,
                    puzzle.down(row, col) + 1,
                    puzzle.down(row, col + 1) + 1,
                ]
                clauses += [[-line for line in some] for some in combinations(around, clue + 1)]
                clauses += [list(some) for some in combinations(around, 5 - clue)]
    for row in range(rows + 1):
        for col in range(cols + 1):
            meeting = []
            if row > 0:
                meeting.append(puzzle.down(row - 1, col) + 1)
            if row < rows:
                meeting.append(puzzle.down(row, col) + 1)
            if col > 0:
                meeting.append(puzzle.across(row, col - 1) + 1)
            if col < cols:
                meeting.append(puzzle.across(row, col) + 1)
            clauses += [[-line for line in some] for some in combinations(meeting, 3)]
            for line in meeting:
                clauses.append([-line, *(other for other in meeting if other != line)])
    return clauses


def _loops(puzzle: Puzzle, drawn: list[int]) -> list[frozenset[int]]:
    """Split lines into closed loops."""
    ends: dict[int, tuple[int, int]] = {}
    at: dict[int, list[int]] = {}
    across, cols = (puzzle.rows + 1) * puzzle.cols, puzzle.cols
    for line in drawn:
        if line < across:
            dot = line // cols * (cols + 1) + line % cols
            ends[line] = dot, dot + 1
        else:
            ends[line] = line - across, line - across + cols + 1
        for dot in ends[line]:
            at.setdefault(dot, []).append(line)
    loops, left = [], set(drawn)
    while left:
        line = left.pop()
        loop, dot = [line], ends[line][1]
        while dot != ends[loop[0]][0]:
            one, two = at[dot]
            line = two if one == line else one
            loop.append(line)
            dot = sum(ends[line]) - dot
        left.difference_update(loop)
        loops.append(frozenset(loop))
    return loops


def _fits(puzzle: Puzzle, loop: frozenset[int]) -> bool:
    """Return True if this loop alone satisfies every clue."""
    for cell, clue in enumerate(puzzle.clues):
        if clue != NO_CLUE:
            row, col = divmod(cell, puzzle.cols)
            around = (
                puzzle.across(row, col),
                puzzle.across(row + 1, col),
                puzzle.down(row, col),
                puzzle.down(row, col + 1),
            )
            if sum(line in loop for line in around) != clue:
                return False
    return True
