"""Generated puzzles keep their promises; the paper's path search finds what the solver finds."""

from __future__ import annotations

import random
from functools import partial

import pytest

from plywise.errors import SpecError
from plywise.puzzles import slither
from plywise.puzzles.slither.generator import Wish, generate
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, Puzzle
from plywise.puzzles.slither.logic.grading import grade
from plywise.puzzles.slither.loops import random_region
from plywise.puzzles.slither.path_search import METHODS, certain, known, search, starts
from plywise.puzzles.slither.solver import engine as solver
from tests.cost import cost, slowness
from tests.oracle.slither import solutions
from tests.puzzles.slither.test_solver import names, random_puzzle


def test_random_regions_are_loops() -> None:
    rng = random.Random(1)
    for rows, cols in ((1, 1), (1, 5), (3, 3), (8, 6), (20, 25)):
        for _ in range(10):
            region = random_region(rows, cols, rng)
            puzzle = Puzzle(rows, cols, region.counts())
            assert region.drawing(puzzle).fault is None


@pytest.mark.parametrize("symmetry", ["none", "180", "mirror", "all"])
def test_symmetry_and_uniqueness(symmetry: str) -> None:
    made = generate(Wish(6, 7, symmetry=symmetry), seed=3)
    assert slither.solve(made.puzzle).status == "unique"
    assert made.solution.solved
    rows = [made.puzzle.clues[at : at + 7] for at in range(0, 42, 7)]
    has = [[clue != NO_CLUE for clue in row] for row in rows]
    if symmetry in ("180", "all"):
        assert has == [row[::-1] for row in has[::-1]]
    if symmetry in ("mirror", "all"):
        assert has == [row[::-1] for row in has]


@pytest.mark.parametrize("name", ["easy", "normal", "tricky", "hard"])
def test_grades_are_met(name: str) -> None:
    made = generate(Wish(7, 7, name), seed=2)
    assert grade(made.puzzle).name == name


def test_small_grids_against_every_loop() -> None:
    for seed in range(1, 15):
        made = generate(Wish(4, 4, symmetry="none"), seed)
        assert solutions(4, 4, made.puzzle.clues) == [names(made.solution)]


def test_clue_counts() -> None:
    made = generate(Wish(6, 6, fewest=20, most=24), seed=1)
    assert 20 <= made.puzzle.clue_count <= 24


def test_a_mask_is_kept() -> None:
    rng = random.Random(5)
    mask = tuple(rng.random() < 0.6 for _ in range(36))
    made = generate(Wish(6, 6, mask=mask), seed=1)
    assert tuple(clue != NO_CLUE for clue in made.puzzle.clues) == mask
    assert slither.solve(made.puzzle).status == "unique"


def test_the_same_seed_gives_the_same_puzzle() -> None:
    wish = Wish(5, 5)
    assert generate(wish, 4).puzzle == generate(wish, 4).puzzle
    assert generate(wish, 4).puzzle != generate(wish, 5).puzzle


def test_the_first_question_of_a_process_is_answered_like_any_other() -> None:
    solver._kernel.cache_clear()
    made = generate(Wish(5, 5), 1).puzzle
    assert solver.is_unique(made, 600)
    solver._kernel.cache_clear()
    assert solver.is_unique(made, 600)
    assert generate(Wish(5, 5), 1).puzzle == made


@pytest.mark.slow
def test_no_puzzle_takes_longer_than_it_may() -> None:
    """One loop of this size takes ten seconds and more: the limit holds within it, too."""
    generate(Wish(3, 3))

    def refuse() -> None:
        with pytest.raises(SpecError, match="no 30 x 30 puzzle of this kind was found"):
            generate(Wish(30, 30, grade="expert"), seed=3, time_limit=0.1)

    assert cost(refuse) < slowness()


@pytest.mark.parametrize(
    ("wish", "message"),
    [
        ({"rows": 0, "cols": 5}, "at least one row"),
        ({"rows": 500, "cols": 500}, "a puzzle has at most 16,384 dots"),
        ({"rows": 5, "cols": 5, "grade": "eazy"}, "did you mean 'easy'"),
        ({"rows": 5, "cols": 5, "symmetry": "90"}, "there is no symmetry '90'"),
        ({"rows": 5, "cols": 5, "fewest": 30}, "30 to 25 clues is not possible"),
        ({"rows": 5, "cols": 5, "mask": (True,)}, "the mask has 1 cells"),
    ],
)
def test_wishes_that_cannot_be(wish: dict[str, object], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        Wish(**wish)  # type: ignore[arg-type]


# ---- the paper's search -------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_path_search_finds_a_solution_where_there_is_one(method: str) -> None:
    rng = random.Random(6)
    for _ in range(40):
        puzzle = random_puzzle(rng)
        expected = solutions(puzzle.rows, puzzle.cols, puzzle.clues)
        found = search(puzzle, method)
        assert found.finished
        assert (found.solution is not None) == bool(expected), (puzzle, method)
        if found.solution is not None:
            assert found.solution.solved


def test_a_search_ends_after_its_steps() -> None:
    puzzle = slither.read("2.3/.../3.2")
    whole = search(puzzle, "dfs")
    assert whole.finished
    for run in (search, partial(search, compiled=False)):
        assert run(puzzle, "dfs", most=whole.steps + 1).finished
        cut = run(puzzle, "dfs", most=whole.steps - 1)
        assert (cut.finished, cut.steps, cut.solution) == (False, whole.steps - 1, None)


def test_what_each_method_knows() -> None:
    puzzle = slither.read(slither.DEFAULT)
    states = certain(puzzle).states
    assert known(puzzle, "dfs").states == bytes(len(states))
    assert known(puzzle, "dfs-plus").states == states
    crosses, lines = (known(puzzle, method).states for method in ("dfs-certain", "dfs-order"))
    assert (set(crosses), set(lines)) == ({0, CROSS}, {0, LINE})
    assert bytes(map(max, crosses, lines)) == states


def test_where_it_starts() -> None:
    assert starts(slither.read("3.3/...")) == [2]  # the top left corner of the last 3
    assert len(starts(slither.read("2.1/..."))) == 2
    assert len(starts(slither.read("..1/..."))) == 3
    assert len(starts(slither.read("../.."))) == 9


def test_certain_lines_are_in_the_solution() -> None:
    puzzle = slither.read(slither.DEFAULT)
    solution = slither.solve(puzzle).solution
    assert solution is not None
    for line, state in enumerate(certain(puzzle).states):
        assert state in (0, solution.states[line])


def test_a_search_that_runs_out_of_time_says_so() -> None:
    made = generate(Wish(9, 9), seed=1)
    found = search(made.puzzle, "dfs", seconds=0.05)
    assert not found.finished
    assert found.solution is None
