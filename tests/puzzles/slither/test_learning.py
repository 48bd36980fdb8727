"""What the solver learns and keeps: clauses, paths with undo, hard puzzles."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

from plywise.core.game import Record
from plywise.puzzles import slither
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.solver.learning import (
    LASTING,
    SOLUTION,
    add_clause,
    go_back,
    make_room,
)
from plywise.puzzles.slither.solver.propagation import propagate
from plywise.puzzles.slither.solver.search import find_loop, searching, start
from plywise.puzzles.slither.solver.work import (
    ARENA,
    ARENA_ROOM,
    CLAUSES,
    FOUND,
    GIVEN,
    JOINED,
    LEVEL,
    SIZE,
    assign,
    work_of,
)
from tests.oracle.slither import loops, solutions

TAIL = Path(__file__).parents[2] / "data" / "slither" / "tail.tsv"


def clauses(work: Record) -> list[list[int]]:
    """The literals of each clause."""
    return [
        [int(lit) for lit in work.arena[work.start[k] : work.start[k] + work.extent[k]]]
        for k in range(int(work.count[CLAUSES]))
    ]


@pytest.mark.slow
def test_every_clause_holds_for_every_solution_that_is_left() -> None:
    rng = random.Random(7)
    kernel = searching.build()
    learned = 0
    for _ in range(120):
        rows, cols = rng.choice([(3, 4), (4, 3), (4, 4)])
        counts = rng.choice(list(loops(rows, cols)[0]))
        kept = rng.random()
        clues = tuple(int(n) if rng.random() < kept else NO_CLUE for n in counts)
        puzzle = Puzzle(rows, cols, clues)
        work = work_of(puzzle.layout)
        nothing = Drawing.empty(puzzle).array
        kernel(puzzle.layout, puzzle.clue_array, nothing, work, 2, True, 10**6)
        found = [
            frozenset(map(int, (work.found[k, : puzzle.lines] == LINE).nonzero()[0]))
            for k in range(int(work.count[FOUND]))
        ]
        across = (rows + 1) * cols
        for names in solutions(rows, cols, clues):
            drawn = frozenset(
                row * cols + col if way == "across" else across + row * (cols + 1) + col
                for way, row, col in names
            )
            if drawn not in found:
                for literals in clauses(work):
                    learned += 1
                    assert any((lit >> 1 in drawn) == (lit & 1 == 0) for lit in literals)
    assert learned > 1_000


def ends(puzzle: Puzzle, work: Record) -> dict[int, int]:
    """The two ends of every path, found by walking along it."""
    layout = puzzle.layout
    near: dict[int, list[int]] = {}
    for line in range(puzzle.lines):
        if work.value[line] == LINE:
            one, two = map(int, layout.line_dots[line])
            near.setdefault(one, []).append(two)
            near.setdefault(two, []).append(one)
    found = {}
    for dot, others in near.items():
        if len(others) == 1:
            before, here = dot, others[0]
            while len(near[here]) == 2:
                before, here = here, sum(near[here]) - before
            found[dot] = here
    return found


@pytest.mark.slow
def test_paths_are_known_after_every_decision_and_every_undo() -> None:
    rng = random.Random(8)
    checked = 0
    for _ in range(15):
        counts = rng.choice(list(loops(4, 4)[0]))
        clues = tuple(int(n) if rng.random() < 0.3 else NO_CLUE for n in counts)
        puzzle = Puzzle(4, 4, clues)
        layout, work = puzzle.layout, work_of(puzzle.layout)
        start(layout, puzzle.clue_array, Drawing.empty(puzzle).array, work)
        if not propagate(layout, puzzle.clue_array, work):
            continue
        work.count[JOINED] = work.count[SIZE]
        for _ in range(40):
            still_open = [k for k in range(puzzle.lines) if work.value[k] == UNKNOWN]
            fine = bool(still_open)
            if still_open:
                work.count[LEVEL] += 1
                work.limit[work.count[LEVEL]] = work.count[SIZE]
                assign(work, rng.choice(still_open), rng.choice((LINE, CROSS)), GIVEN, 0)
                fine = propagate(layout, puzzle.clue_array, work) and find_loop(layout, work) < 0
            if not fine:
                go_back(layout, work, rng.randrange(max(1, int(work.count[LEVEL]))))
            expected = ends(puzzle, work)
            assert {dot: int(work.other[dot]) for dot in expected} == expected
            checked += len(expected)
    assert checked > 150


def test_solutions_stay_when_clauses_are_forgotten() -> None:
    puzzle = Puzzle(4, 4, (NO_CLUE,) * 16)
    work = work_of(puzzle.layout)
    start(puzzle.layout, puzzle.clue_array, Drawing.empty(puzzle).array, work)
    rng = random.Random(9)
    before = []
    for number in range(400):
        quality = SOLUTION if number == 3 else rng.choice((LASTING, 2, 9, 20))
        work.learned[0], work.learned[1] = 2 * rng.randrange(20), 2 * rng.randrange(20, 40) + 1
        add_clause(work, 2, quality)
        before.append(quality)
    solution = clauses(work)[3]
    work.count[ARENA] = ARENA_ROOM // 2 + 1  # as if they were long
    make_room(work)
    after = [int(quality) for quality in work.quality[: work.count[CLAUSES]]]
    assert after.count(SOLUTION) == 1
    assert clauses(work)[after.index(SOLUTION)] == solution
    assert len(after) <= len(before) // 2 + 1  # it was crowded: old ones go, whatever they are
    lasting = after.count(LASTING)
    assert 0 < lasting < before.count(LASTING)
    work.used[: work.count[CLAUSES]] = 0
    make_room(work)
    after = [int(quality) for quality in work.quality[: work.count[CLAUSES]]]
    assert after.count(LASTING) == lasting  # there is room again
    assert max(after) < 20 or after.count(20) < before.count(20) // 8


@pytest.mark.slow
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.long)])
def test_hard_puzzles_have_one_solution(every: int) -> None:
    with TAIL.open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if not row[0].startswith("#")]
    assert len(rows) >= 200
    conflicts = 0
    for name, *_, link in rows[::every]:
        result = slither.solve(slither.read(link))
        assert result.status == "unique", name
        assert result.solution is not None
        assert result.solution.fault is None, name
        conflicts += result.conflicts
    assert conflicts < 10_000 * len(rows[::every])  # 4,500 for each when this was written
