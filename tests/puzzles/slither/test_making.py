"""New puzzles look like published ones, and SAT finds their one solution too."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from bench.slither_sat import solve_by_sat

from plywise.errors import SpecError
from plywise.puzzles import slither
from plywise.puzzles.slither import generator
from plywise.puzzles.slither.generator import GeneratedPuzzle, Wish, generate, making, making_many
from plywise.puzzles.slither.grid import NO_CLUE, Drawing, Puzzle
from plywise.puzzles.slither.logic.table import GRADES, TRICKY, last_of
from plywise.puzzles.slither.loops import random_region
from plywise.puzzles.slither.making.statistics import (
    NAMES,
    Range,
    measure,
    published,
    ranges_by_size,
    read_collection,
)
from plywise.puzzles.slither.making.workbench import PATIENCE, Workbench
from plywise.puzzles.slither.solver.engine import is_unique
from tests.commands import Run
from tests.levels import sampled
from tests.puzzles.slither.test_solver import collection

HARDEST = ("chains", "extreme")
ODDITIES = ("zeros", "sparsest", "densest", "inside", "winding")


def outside(made: GeneratedPuzzle) -> set[str]:
    """What of the look of a puzzle no published one has."""
    known = published(made.puzzle.rows, made.puzzle.cols)
    return set(ODDITIES).intersection(known.outside(made.statistics))


# ---- statistics ----------------------------------------------------------------------------


def test_statistics_of_a_drawn_puzzle() -> None:
    """
    +---+---+   +
    | 2   3 |
    +   +---+   +
    |   |     0
    +---+   +   +
    """
    found = measure(slither.Drawing.of_lines(puzzle := slither.read("23./..0"), [
        *(puzzle.read_move(move) for move in ("1 1 t", "1 2 t", "1 2 r", "1 2 b")),
        *(puzzle.read_move(move) for move in ("1 1 l", "2 1 l", "2 1 b", "2 1 r")),
    ]))  # fmt: skip
    assert (found.zeros, found.ones, found.twos, found.threes) == (1 / 3, 0, 1 / 3, 1 / 3)
    assert found.density == 0.5
    # The left and the right half of each row share the middle column.
    assert (found.sparsest, found.densest) == (0, 1)
    assert found.inside == 0.5
    assert found.winding == 6 / 8


def test_published_puzzles_are_in_their_ranges() -> None:
    for name, puzzle in collection("olson-500")[::50]:
        solution = slither.solve(puzzle).solution
        assert solution is not None
        assert not published(puzzle.rows, puzzle.cols).outside(measure(solution)), name


@pytest.mark.long
def test_the_table_of_published_ranges() -> None:
    found = []
    for _, puzzle in collection("olson-500"):
        solution = slither.solve(puzzle).solution
        assert solution is not None
        found.append((puzzle, measure(solution)))
    for (rows, cols), ranges in ranges_by_size(found).items():
        known = published(rows, cols).ranges
        for name in set(NAMES) - {"sparsest", "densest"}:
            assert known[name].low == math.floor(1000 * ranges[name].low) / 1000
            assert known[name].high == math.ceil(1000 * ranges[name].high) / 1000
            assert math.isclose(known[name].middle, ranges[name].middle, abs_tol=0.0006)
        for name in ("sparsest", "densest"):
            assert known[name].low == math.floor(1000 * ranges["sparsest"].low) / 1000
            assert known[name].high == math.ceil(1000 * ranges["densest"].high) / 1000


def test_quality_falls_with_the_distance_from_the_median() -> None:
    found = Range(0.2, 0.4, 0.5)
    assert [round(found.fit(value), 2) for value in (0.4, 0.5, 0.2, 0.45, 0.7)] == [
        1,
        0.5,
        0.5,
        0.75,
        0,
    ]


def test_the_command_measures_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "puzzles.tsv"
    file.write_text(f"# a note\none\t{slither.DEFAULT.replace(chr(10), '/')}\t1\n", "utf-8")
    found = run("slither", "statistics", str(file), "--json").json
    assert (found["rows"], found["puzzles"], found["zeros"]) == (5, 1, [1 / 13] * 3)
    file.write_text("..2/3..\n..7/...\n", "utf-8")
    assert f"{file}, line 2: " in run("slither", "statistics", str(file)).complaint


def test_a_collection_may_have_other_columns() -> None:
    text = "name\t2\t2\t3./..\ta longer remark\n; a note\n\n5x5t0:b2a0232a221b3a12a3a2c\n"
    sizes = [(puzzle.rows, puzzle.cols) for puzzle in read_collection(Path("file"), text)]
    assert sizes == [(2, 2), (5, 5)]


# ---- loops ---------------------------------------------------------------------------------


def test_large_loops_fill_the_board_and_wind() -> None:
    rng = random.Random(2)
    good = 0
    for _ in range(10):
        region = random_region(30, 30, rng)
        found = measure(region.drawing(Puzzle(30, 30, region.counts())))
        known = published(30, 30).ranges
        good += found.inside in known["inside"] and found.winding in known["winding"]
    assert good >= 7


# ---- puzzles -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "grade", [pytest.param(g, marks=pytest.mark.slow if g in HARDEST else ()) for g in GRADES]
)
def test_every_grade_looks_like_published_puzzles(grade: str) -> None:
    made = generate(Wish(10, 10, grade, "none"), seed=2)
    assert made.grade.name == grade
    assert not outside(made)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("grade", "symmetry"), sampled(product((None, *GRADES), ("none", "180")), every=16)
)
def test_every_grade_on_a_large_board(grade: str | None, symmetry: str) -> None:
    made = generate(Wish(20, 20, grade, symmetry), seed=1)
    assert grade in (None, made.grade.name)
    assert not outside(made)


@pytest.mark.parametrize(
    ("size", "grade", "seed"),
    [
        (7, None, 1),
        (7, "easy", 2),
        (10, "tricky", 3),
        (10, "hard", 4),
        *(
            pytest.param(*case, marks=pytest.mark.long)
            for case in product((7, 10, 15, 20), (None, *GRADES), range(5, 8))
        ),
    ],
)
def test_sat_finds_the_same_solution_and_no_other(size: int, grade: str | None, seed: int) -> None:
    pytest.importorskip("pysat", reason="needs python-sat, which `make bench` installs")
    made = generate(Wish(size, size, grade), seed)
    assert solve_by_sat(made.puzzle) == [frozenset(made.solution.lines)]


def made_of(wish: Wish, seed: int, count: int, workers: int = 1) -> list[GeneratedPuzzle]:
    """Several puzzles, without what is told on the way."""
    made = making_many(wish, seed, count, workers)
    return [one for one in made if isinstance(one, GeneratedPuzzle)]


@pytest.mark.slow
def test_processes_do_not_change_what_is_made() -> None:
    wish = Wish(5, 5)
    alone = [made.puzzle for made in made_of(wish, 1, 4)]
    assert [made.puzzle for made in made_of(wish, 1, 4, workers=2)] == alone


def test_the_worst_of_several_is_left_out() -> None:
    wish = Wish(6, 6, "normal")
    five = [generate(wish, seed) for seed in range(1, 6)]
    kept = made_of(wish, 1, 4)
    assert len(kept) == 4
    assert [one.seed for one in five if one in kept] == [one.seed for one in kept]
    (gone,) = (one for one in five if one not in kept)
    assert gone.quality == min(one.quality for one in five)
    assert [one.seed for one in made_of(wish, 3, 1)] == [3]


def test_making_tells_what_it_does_and_can_be_left() -> None:
    work = making(Wish(12, 12, "hard"), 1)
    told = [next(work) for _ in range(20)]
    assert told[:2] == ["winding a loop", "choosing clues"]
    assert told[-1].endswith(" clues")
    work.close()


def test_a_puzzle_that_cannot_be_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generator, "TRIES", 30)
    with pytest.raises(SpecError, match="no such puzzle found in 30 tries"):
        generate(Wish(2, 2, "extreme"))


@pytest.mark.parametrize("symmetry", ["mirror", "all"])
def test_clues_stay_symmetric_while_they_are_chosen_again(symmetry: str) -> None:
    made = generate(Wish(9, 8, "easy", symmetry), seed=1)
    has = [clue != NO_CLUE for clue in made.puzzle.clues]
    rows = [has[at : at + 8] for at in range(0, 72, 8)]
    assert rows == [row[::-1] for row in rows]
    if symmetry == "all":
        assert rows == rows[::-1]


def test_a_puzzle_unlike_published_ones_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    wish = Wish(6, 6, "easy")
    usual = generate(wish, 1)
    monkeypatch.setattr(generator, "_is_odd", lambda _, made: made.puzzle == usual.puzzle)
    assert generate(wish, 1).tries > usual.tries
    monkeypatch.setattr(generator, "_is_odd", lambda *_: True)
    assert generate(wish, 1).tries == generator.STRICT_TRIES + 1


def test_what_is_unlike_published_puzzles() -> None:
    made = generate(Wish(10, 10, "easy"), 1)
    zeros = Puzzle(10, 10, tuple(0 if clue == 2 else clue for clue in made.puzzle.clues))
    odd = replace(made, solution=Drawing(zeros, made.solution.states), puzzle=zeros)
    assert not generator._is_odd(Wish(10, 10), made)
    assert generator._is_odd(Wish(10, 10), odd)
    assert not generator._is_odd(Wish(10, 10, most=60), odd)  # as wished


def workbench(size: int) -> Workbench:
    """A loop with enough clues for techniques up to tricky."""
    rng = random.Random(1)
    orbits = [(cell,) for cell in range(size * size)]
    region = random_region(size, size, rng)
    bench = Workbench(region, orbits, published(size, size), rng, lambda: None)
    bench.clear()
    assert bench.build(last_of(TRICKY))
    return bench


def test_other_solutions_are_looked_for_nearby_first() -> None:
    bench, seen = workbench(20), set()
    for orbit in filter(bench.has, bench.orbits[:150]):
        bench.drop(orbit)
        nearby = is_unique(bench.puzzle, PATIENCE, bench._all_but_nearby())
        whole = is_unique(bench.puzzle, PATIENCE)
        assert bench.unique() == whole
        seen.add((nearby, whole))
        bench.put(orbit)
    assert seen >= {(False, False), (True, True)}
    assert (False, True) not in seen


def test_clues_come_back_before_others_go() -> None:
    bench = workbench(10)
    before, shown = bench.clues.copy(), bench.shown
    bench.loosen(0.25)
    assert (bench.clues == before)[before != NO_CLUE].all()
    assert bench.shown >= 1.25 * shown
    assert bench.unique()
