"""The solver against every loop there is, on small grids; its verdicts and certificates."""

from __future__ import annotations

import csv
import random
from pathlib import Path

import pytest

from plywise.puzzles import slither
from plywise.puzzles.slither.grid import LINE, NO_CLUE, Drawing, Puzzle
from plywise.puzzles.slither.solver.engine import common
from plywise.puzzles.slither.solver.search import searching
from plywise.puzzles.slither.solver.work import FOUND, work_of
from tests.oracle.slither import loops, solutions

DATA = Path(__file__).parents[2] / "data" / "slither"
SIZES = [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (3, 4), (4, 3), (4, 4)]


def collection(name: str) -> list[tuple[str, Puzzle]]:
    """The puzzles of a file, by their id."""
    with (DATA / f"{name}.tsv").open(encoding="utf-8") as file:
        rows = [row for row in csv.reader(file, delimiter="\t") if not row[0].startswith("#")]
    return [(row[0], slither.read(row[3])) for row in rows]


def random_puzzle(rng: random.Random) -> Puzzle:
    """Clues from a loop, some of them left out and now and then one changed: all verdicts come."""
    rows, cols = rng.choice(SIZES)
    kept = rng.random()
    around, _ = loops(rows, cols)
    clues = [int(clue) if rng.random() < kept else NO_CLUE for clue in rng.choice(list(around))]
    if rng.random() < 0.3:
        clues[rng.randrange(len(clues))] = rng.randrange(4)
    return Puzzle(rows, cols, tuple(clues))


def names(drawing: Drawing) -> frozenset[tuple[str, int, int]]:
    """The lines of a solution as the oracle names them."""
    puzzle = drawing.puzzle
    across = (puzzle.rows + 1) * puzzle.cols
    return frozenset(
        ("across", *divmod(line, puzzle.cols))
        if line < across
        else ("down", *divmod(line - across, puzzle.cols + 1))
        for line in drawing.lines
    )


def check(puzzle: Puzzle) -> str:
    """Compare a verdict with the oracle's; returns it."""
    expected = solutions(puzzle.rows, puzzle.cols, puzzle.clues)
    result = slither.solve(puzzle)
    assert result.status == ("none", "unique", "several")[min(len(expected), 2)]
    assert len(result.solutions) == min(len(expected), 2)
    for solution in result.solutions:
        assert solution.fault is None
        assert names(solution) in expected
    assert len({solution.states for solution in result.solutions}) == len(result.solutions)
    return result.status


@pytest.mark.long
def test_ten_thousand_random_grids() -> None:
    rng = random.Random(1)
    seen = [check(random_puzzle(rng)) for _ in range(10_000)]
    assert all(seen.count(status) > 1_000 for status in ("none", "unique", "several"))


def test_random_grids() -> None:
    rng = random.Random(2)
    seen = [check(random_puzzle(rng)) for _ in range(600)]
    assert all(seen.count(status) > 60 for status in ("none", "unique", "several"))


def test_interpreted_as_compiled() -> None:
    rng = random.Random(3)
    plain = searching.plain()
    for _ in range(20):
        puzzle = random_puzzle(rng)
        layout = puzzle.layout
        work = work_of(layout)
        plain(layout, puzzle.clue_array, Drawing.empty(puzzle).array, work, 2, True, 10**6)
        found = [work.found[k, : puzzle.lines].tobytes() for k in range(int(work.count[FOUND]))]
        assert found == [solution.states for solution in slither.solve(puzzle).solutions]


@pytest.mark.slow
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["generated", "olson-500"])
def test_every_puzzle_of_the_collections_is_unique(name: str, every: int) -> None:
    for puzzle_id, puzzle in collection(name)[::every]:
        result = slither.solve(puzzle)
        assert result.status == "unique", puzzle_id
        assert result.solution is not None
        assert result.solution.fault is None, puzzle_id


def test_a_loop_that_fits_beside_another_is_not_lost() -> None:
    # A 3 and nothing else: many loops fit, and so would two loops at once.
    assert check(slither.read("3.../..../..../....")) == "several"


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("4", "unique"),
        ("0", "none"),
        (".", "unique"),
        ("..", "several"),
        ("4.", "unique"),
        ("44", "none"),
        ("33", "unique"),
        ("3333/3333", "none"),
    ],
)
def test_small_boards(text: str, status: str) -> None:
    assert slither.solve(slither.read(text)).status == status


def test_given_lines_stay() -> None:
    puzzle = slither.read("../..")
    line = puzzle.read_move("1 1 r")
    given = Drawing.empty(puzzle).change([(line, LINE)])
    for solution in slither.solve(puzzle, given=given).solutions:
        assert solution.states[line] == LINE


def test_an_empty_board_of_full_size_has_several_solutions() -> None:
    result = slither.solve(Puzzle(100, 100, (NO_CLUE,) * 10_000))
    assert result.status == "several"
    assert all(solution.solved for solution in result.solutions)


def test_forced_lines_are_what_all_solutions_share() -> None:
    rng = random.Random(4)
    for _ in range(60):
        puzzle = random_puzzle(rng)
        everything = solutions(puzzle.rows, puzzle.cols, puzzle.clues)
        result = slither.solve(puzzle)
        if result.status != "several":
            continue
        shared = frozenset.intersection(*everything)
        drawn_anywhere = frozenset.union(*everything)
        assert names(result.forced) == shared
        crossed = [line for line, state in enumerate(result.forced.states) if state == 2]
        assert len(crossed) == puzzle.lines - len(drawn_anywhere)


def test_missing_clues_leave_one_solution() -> None:
    rng = random.Random(5)
    for _ in range(40):
        puzzle = random_puzzle(rng)
        result = slither.solve(puzzle)
        if result.status == "several" and result.missing_clues:
            assert result.solution is not None
            complete = puzzle.with_clues(result.missing_clues)
            left = solutions(puzzle.rows, puzzle.cols, complete.clues)
            assert left == [names(result.solution)]
            single = [
                cell
                for cell, clue in enumerate(puzzle.clues)
                if clue == NO_CLUE
                and slither.solve(puzzle.with_clues([(cell, result.solution.counts[cell])])).status
                == "unique"
            ]
            assert (len(result.missing_clues) == 1) == bool(single)


def test_a_contradiction_needs_every_clue_it_names() -> None:
    rng = random.Random(6)
    for _ in range(60):
        puzzle = random_puzzle(rng)
        contradiction = slither.solve(puzzle).contradiction
        if contradiction is None:
            continue
        assert not solutions(puzzle.rows, puzzle.cols, contradiction.clues)
        for cell, clue in enumerate(contradiction.clues):
            if clue != NO_CLUE:
                fewer = contradiction.with_clues([(cell, NO_CLUE)])
                assert solutions(puzzle.rows, puzzle.cols, fewer.clues)


def test_common_of_a_unique_puzzle_is_its_solution() -> None:
    result = slither.solve(slither.read(slither.DEFAULT))
    assert common(result.puzzle, result.solutions) == result.solution
