"""Slither by SAT: Glucose 4 with loop cuts added as needed. Both the rival and the check."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from threading import TIMEOUT_MAX, Timer

from plywise.puzzles.slither.grid import NO_CLUE, Puzzle


def solve_by_sat(puzzle: Puzzle, wanted: int = 2) -> list[frozenset[int]]:
    """Return up to `wanted` solutions as sets of lines, without any code of plywise's solver."""
    found, _ = search_by_sat(puzzle, wanted, None)
    assert found is not None
    return found


def search_by_sat(
    puzzle: Puzzle, wanted: int, time_limit: float | None
) -> tuple[list[frozenset[int]] | None, int]:
    """Return the solutions, None when the time is over, and the number of conflicts."""
    from pysat.solvers import Glucose4

    found: list[frozenset[int]] = []
    with Glucose4() as solver:
        for clause in _clauses(puzzle):
            solver.add_clause(clause)
        clock = Timer(time_limit or TIMEOUT_MAX, solver.interrupt)
        clock.daemon = True
        clock.start()
        while len(found) < wanted:
            fits = solver.solve_limited(expect_interrupt=True)
            if not fits:
                break
            drawn = [literal - 1 for literal in solver.get_model() if literal > 0]
            loops = loops_of(puzzle, drawn)
            # A loop that fits by itself is a solution, even if there are other loops beside it.
            # Any other loop can be excluded, and so can a known solution.
            found += [loop for loop in loops if _fits(puzzle, loop)]
            for loop in loops:
                solver.add_clause([-line - 1 for line in loop])
            if not loops:  # nothing is drawn
                solver.add_clause(list(range(1, puzzle.lines + 1)))
        clock.cancel()
        conflicts = int(solver.accum_stats()["conflicts"])
    return (None if fits is None else found[:wanted]), conflicts


def _clauses(puzzle: Puzzle) -> list[list[int]]:
    """Encode a puzzle. Line n is the variable n + 1."""
    clauses = clauses_of_dots(puzzle)
    for cell in range(len(puzzle.clues)):
        clauses += clauses_of_clue(puzzle, cell)
    return clauses


def clauses_of_clue(puzzle: Puzzle, cell: int) -> list[list[int]]:
    """Encode the clue of a cell, if there is one."""
    clue = puzzle.clues[cell]
    if clue == NO_CLUE:
        return []
    around = [line + 1 for line in _around(puzzle, cell)]
    few = [[-line for line in some] for some in combinations(around, clue + 1)]
    return few + [list(some) for some in combinations(around, 5 - clue)]


def clauses_of_dots(puzzle: Puzzle) -> list[list[int]]:
    """Encode that two lines or none meet at every dot."""
    rows, cols = puzzle.rows, puzzle.cols
    clauses: list[list[int]] = []
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


def _around(puzzle: Puzzle, cell: int) -> tuple[int, int, int, int]:
    """Return the lines around a cell."""
    row, col = divmod(cell, puzzle.cols)
    return (
        puzzle.across(row, col),
        puzzle.across(row + 1, col),
        puzzle.down(row, col),
        puzzle.down(row, col + 1),
    )


def loops_of(puzzle: Puzzle, drawn: list[int]) -> list[frozenset[int]]:
    """Split lines into closed loops."""
    ends = _ends(puzzle.rows, puzzle.cols)
    at: dict[int, int] = {}  # the sum of the two lines at a dot
    for line in drawn:
        one, two = ends[line]
        at[one] = at.get(one, 0) + line
        at[two] = at.get(two, 0) + line
    loops, left = [], set(drawn)
    while left:
        line = first = left.pop()
        goal, dot = ends[first]
        loop = [first]
        while dot != goal:
            line = at[dot] - line
            loop.append(line)
            one, two = ends[line]
            dot = two if one == dot else one
        left.difference_update(loop)
        loops.append(frozenset(loop))
    return loops


@cache
def _ends(rows: int, cols: int) -> list[tuple[int, int]]:
    """The two dots of each line."""
    across = [(row, col, 1) for row in range(rows + 1) for col in range(cols)]
    down = [(row, col, cols + 1) for row in range(rows) for col in range(cols + 1)]
    dots = [(row * (cols + 1) + col, step) for row, col, step in across + down]
    return [(dot, dot + step) for dot, step in dots]


def _fits(puzzle: Puzzle, loop: frozenset[int]) -> bool:
    """Return True if this loop alone satisfies every clue."""
    return all(
        clue in (NO_CLUE, sum(line in loop for line in _around(puzzle, cell)))
        for cell, clue in enumerate(puzzle.clues)
    )
