"""Every step of every puzzle is right; hints name mistakes; grades are what they say."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import product

import pytest

from plywise.puzzles import slither
from plywise.puzzles.slither import PUZZLE, hints
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, Drawing, Puzzle
from plywise.puzzles.slither.hints import hint
from plywise.puzzles.slither.logic.cases import Spot, blocks, find_cases, small_spots
from plywise.puzzles.slither.logic.connection import find_connections, find_either_way
from plywise.puzzles.slither.logic.grading import grade
from plywise.puzzles.slither.logic.steps import Case, Step, Study, explain
from plywise.puzzles.slither.logic.study import IN
from plywise.puzzles.slither.logic.table import (
    EASY,
    GRADES,
    NORMAL,
    TECHNIQUES,
    TRICKY,
    last_of,
)
from plywise.puzzles.slither.loops import random_region
from plywise.puzzles.slither.places import place_words
from tests.oracle.slither import solutions
from tests.puzzles.slither.test_solver import collection, random_puzzle


def inside(solution: Drawing) -> set[int]:
    """The cells inside of a loop, by counting lines from the left."""
    puzzle = solution.puzzle
    found = set()
    for row in range(puzzle.rows):
        now = False
        for col in range(puzzle.cols):
            now ^= solution.states[puzzle.down(row, col)] == LINE
            if now:
                found.add(row * puzzle.cols + col)
    return found


def check(step: Step, solution: Drawing, cells: set[int]) -> None:
    """Is a step right, with its premises known before it?"""
    assert not step.failed, step.words
    assert step.words
    assert step.conclusion
    for line, state in step.new:
        assert solution.states[line] == state, step.words
        assert step.before.states[line] == UNKNOWN
    for cell, side in step.sides:
        assert (cell in cells) == (side == IN), step.words
    for line in step.because:
        assert step.before.states[line] != UNKNOWN
    if step.chain:
        check_chain(step)
    if step.cases:
        check_cases(step)


def check_chain(step: Step) -> None:
    """Replay a chain: it ends in a contradiction, and each step hangs on what was known by then."""
    assumed = [(line, CROSS if state == LINE else LINE) for line, state in step.new]
    assert len(assumed) + len(step.sides) == 1
    known = step.before.change(assumed)
    assert step.chain[-1].failed
    assert not any(inner.failed for inner in step.chain[:-1])
    for inner in step.chain:
        for premise in inner.because:
            assert known.states[premise] != UNKNOWN, inner.words
        known = known.change(inner.new)


def check_cases(step: Step) -> None:
    """Replay the cases: they are all there are, and each leads to what is new or fails."""
    free = [line for line, _ in step.cases[0].assumed]
    assert len({case.assumed for case in step.cases}) == len(step.cases)
    for states in product((LINE, CROSS), repeat=len(free)):
        way = tuple(zip(free, states, strict=True))
        assert way in {case.assumed for case in step.cases} or broken(step.before.change(way))
    assert not all(case.failed for case in step.cases)
    for case in step.cases:
        known = step.before.change(case.assumed)
        for inner in case.steps:
            for premise in inner.because:
                assert known.states[premise] != UNKNOWN, inner.words
            known = known.change(inner.new)
        assert case.failed or all(known.states[line] == state for line, state in step.new)


def broken(drawing: Drawing) -> bool:
    """Is a clue or a dot beyond repair?"""
    puzzle, states = drawing.puzzle, drawing.states
    layout = puzzle.layout
    rules = [(lines, {0, 2}) for lines in layout.dot_lines[: layout.dots].tolist()]
    around = layout.cell_lines[: len(puzzle.clues)].tolist()
    rules += [
        (lines, {clue}) for lines, clue in zip(around, puzzle.clues, strict=True) if clue >= 0
    ]
    for lines, allowed in rules:
        near = [states[line] for line in lines if line >= 0]
        possible = set(range(near.count(LINE), len(near) - near.count(CROSS) + 1))
        if not possible & allowed:
            return True
    return False


def follow(puzzle: Puzzle) -> list[Step]:
    """All steps, checked against the solution."""
    solution = slither.solve(puzzle).solution
    assert solution is not None
    cells = inside(solution)
    steps = list(explain(puzzle))
    for step in steps:
        check(step, solution, cells)
    assert steps[-1].after.solved
    return steps


def test_the_report_s_puzzle_is_explained() -> None:
    steps = follow(slither.read(slither.DEFAULT))
    assert {step.technique.name for step in steps} == {"clue", "dot", "pair"}


@pytest.mark.parametrize("number", range(0, 100, 10))
def test_steps_of_generated_puzzles(number: int) -> None:
    _, puzzle = collection("generated")[number]
    if puzzle.rows * puzzle.cols <= 225:
        follow(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("every", [20, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["generated", "olson-500"])
def test_every_step_of_small_puzzles(name: str, every: int) -> None:
    for _, puzzle in collection(name)[::every]:
        if puzzle.rows * puzzle.cols <= 100:
            follow(puzzle)


@pytest.mark.slow
@pytest.mark.parametrize("every", [20, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", ["generated", "olson-500"])
def test_what_techniques_find_is_right(name: str, every: int) -> None:
    for puzzle_id, puzzle in collection(name)[::every]:
        solution = slither.solve(puzzle).solution
        assert solution is not None
        study = Study(Drawing.empty(puzzle))
        assert study.run(), puzzle_id
        for line, state in enumerate(study.drawing.states):
            assert state in (UNKNOWN, solution.states[line]), puzzle_id


def test_techniques_keep_every_solution_of_small_grids() -> None:
    """Also where there are several: what is found is true of all of them."""
    rng = random.Random(7)
    for _ in range(300):
        puzzle = random_puzzle(rng)
        found = solutions(puzzle.rows, puzzle.cols, puzzle.clues)
        study = Study(Drawing.empty(puzzle))
        consistent = study.run()
        assert consistent or not found
        if not found or not consistent:
            continue
        for line, state in enumerate(study.drawing.states):
            across = (puzzle.rows + 1) * puzzle.cols
            name = (
                ("across", *divmod(line, puzzle.cols))
                if line < across
                else ("down", *divmod(line - across, puzzle.cols + 1))
            )
            if state != UNKNOWN:
                assert all((name in loop) == (state == LINE) for loop in found), (puzzle, line)


@pytest.mark.slow
@pytest.mark.parametrize("find", [find_connections, find_either_way])
def test_what_must_be_connected_is(find: Callable[..., None]) -> None:
    """With some lines of a random loop known, each conclusion is true of that loop."""
    rng, found = random.Random(5), 0
    for _ in range(80):
        region = random_region(5, 5, rng)
        whole = Puzzle(5, 5, region.counts())
        solution, cells = region.drawing(whole), inside(region.drawing(whole))
        hidden = [(cell, -1) for cell in range(25) if rng.random() < 0.6]
        share = rng.uniform(0.2, 0.6)
        known = [(k, state) for k, state in enumerate(solution.states) if rng.random() < share]
        puzzle = whole.with_clues(hidden)
        record = Study(Drawing.empty(puzzle).change(known)).record
        find(puzzle.layout, puzzle.clue_array, record, False)
        assert not record.failed
        found += record.found
        for k in range(record.found):
            cell = -1 - int(record.what[k])
            assert (cell in cells) == (record.state[k] == IN), (puzzle, known, cell)
    assert found > 10


def first_cases(puzzle: Puzzle) -> Step | None:
    """The first step by cases after easy techniques alone, with easy techniques in them."""
    study = Study(Drawing.empty(puzzle))
    study.run(last_of(EASY))
    return find_cases(study, last_of(EASY))


def test_cases_are_complete_and_right() -> None:
    found = 0
    for _, puzzle in collection("generated")[::4]:
        if puzzle.rows * puzzle.cols <= 100 and (step := first_cases(puzzle)):
            solution = slither.solve(puzzle).solution
            assert solution is not None
            check(step, solution, inside(solution))
            found += 1
    assert found > 3


def test_the_film_shows_every_case_and_takes_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def lines(case: Case) -> set[int]:
        return {line for inner in case.steps for line, _ in inner.new}

    found = (first_cases(puzzle) for _, puzzle in collection("generated")[73:])
    # The last way that is shown must not hide what is left of the first one.
    step = next(
        s for s in found if s and lines(s.cases[0]) - lines(s.cases[-1]) and s.cases[-1].steps
    )
    monkeypatch.setattr(hints, "explain", lambda *_, **__: iter([step]))
    states = bytearray(step.before.states)
    frames = hints.film(step.before.puzzle, None)

    def show(title: str) -> Drawing:
        frame = next(frames)
        assert frame.title == title
        for place, state in frame.changes:
            states[place] = state
        return Drawing(step.before.puzzle, bytes(states))

    for number, case in enumerate(step.cases, 1):
        known = step.before.change(case.assumed)
        for inner in case.steps:
            known = known.change(inner.new)
            assert show(f"Way {number}: {inner.technique.title}") == known
    assert show(step.technique.title) == step.after
    assert next(frames, None) is None


def test_a_puzzle_without_a_solution_ends_in_a_contradiction() -> None:
    rng = random.Random(8)
    seen = 0
    while seen < 20:
        puzzle = random_puzzle(rng)
        if slither.solve(puzzle).status == "none":
            seen += 1
            assert list(explain(puzzle))[-1].failed


def test_a_wrong_line_is_named() -> None:
    rng = random.Random(9)
    for _, puzzle in collection("generated")[20:60]:
        if puzzle.rows * puzzle.cols > 100:
            continue
        solution = slither.solve(puzzle).solution
        assert solution is not None
        known = [line for line in range(puzzle.lines) if rng.random() < 0.5]
        wrong = rng.choice(known)
        drawing = Drawing.empty(puzzle).change((line, solution.states[line]) for line in known)
        opposite = CROSS if solution.states[wrong] == LINE else LINE
        found = hint(puzzle, drawing.change([(wrong, opposite)]).states, None)
        assert found.kind == "mistake"
        assert found.steps[-1][3:].startswith(place_words(puzzle, wrong, opposite)[3:])
        right = hint(puzzle, drawing.states, None)
        assert right.kind in ("step", "solved")
        for line, state in right.changes:
            assert solution.states[line] == state


def test_a_wrong_line_of_a_board_with_several_solutions_is_named() -> None:
    puzzle = slither.read("3../.../..0")
    wrong = puzzle.read_move("3 3 r")
    states = Drawing.empty(puzzle).change([(0, LINE), (wrong, LINE)]).states
    found = hint(puzzle, states, None)
    assert found.kind == "mistake"
    assert found.steps[-1].startswith("The line right of the 0 in row 3 ")


def test_hints_of_three_levels() -> None:
    puzzle = slither.read(slither.DEFAULT)
    found = hint(puzzle, bytes(puzzle.lines), None)
    where, technique, move = found.steps
    assert where == "Look at row 1, column 5."
    assert technique == "Counting lines around a clue."
    assert move.endswith("So cross out all lines around the 0 in row 1.")
    told = PUZZLE.moves_between(puzzle, bytes(puzzle.lines), found.changes)
    assert told == ["x 1 5 t", "x 2 5 t", "x 1 5 l", "x 1 5 r"]


@pytest.mark.slow
def test_grades() -> None:
    assert grade(slither.read("..2.0/232.2/21..3/.12.3/.2...")).name == "tricky"
    found = grade(slither.read("4"))
    assert found.name == "easy"
    assert found.solved
    names = {grade(puzzle).name for _, puzzle in collection("generated")[30:60]}
    assert names <= set(GRADES)
    assert len(names) > 1


def test_a_step_by_itself_is_as_good_as_many() -> None:
    """One by one or all at once, the same is found in the end."""
    for _, puzzle in collection("generated")[40:60]:
        if puzzle.rows * puzzle.cols > 100:
            continue
        one, many = (Study(Drawing.empty(puzzle)) for _ in range(2))
        while one.step(last_of(TRICKY)):
            pass
        many.run(last_of(TRICKY))
        assert one.drawing == many.drawing


def test_the_table_goes_from_easy_to_hard() -> None:
    grades = [technique.grade for technique in TECHNIQUES.values()]
    assert grades == sorted(grades)
    assert len({technique.name for technique in TECHNIQUES.values()}) == len(TECHNIQUES)


@pytest.mark.parametrize(
    ("clue", "crossed", "draw", "cross"),
    [
        (3, (), {"2 2 b", "2 3 l"}, {"1 2 l"}),
        (1, ("1 2 l",), set(), {"2 3 l", "3 2 t"}),
        (1, (), None, None),
        (2, ("1 2 l",), None, None),
    ],
)
def test_a_line_to_the_corner_of_a_clue(
    clue: int, crossed: tuple[str, ...], draw: set[str] | None, cross: set[str] | None
) -> None:
    """The line 2 1 t comes to the upper left corner of the clue in the middle.

    +   +   +   +
        x
    +---+   +   +
          3
    +   +   +   +
    """
    puzzle = slither.read(f".../.{clue}./...")
    drawing = Drawing.empty(puzzle).change(
        [(puzzle.read_move("2 1 t"), LINE), *((puzzle.read_move(m), CROSS) for m in crossed)]
    )
    step = Study(drawing).step(last_of(NORMAL))
    if draw is None or cross is None:
        assert step is None
        return
    assert step is not None
    assert step.technique.name == "entry"
    names = {puzzle.read_move(move): LINE for move in draw}
    names |= {puzzle.read_move(move): CROSS for move in cross}
    assert dict(step.new) == names
    assert f"goes on along the {clue} in row 2, column 2" in step.words


def test_what_was_looked_at_before_is_looked_at_again_when_it_changes() -> None:
    """A study remembers which parts it has seen: one that remembers nothing finds no more."""
    for _, puzzle in collection("olson-500")[::20]:
        study = Study(Drawing.empty(puzzle))
        assert study.run()
        again = Study(study.drawing)
        assert again.run()
        assert again.drawing == study.drawing


@pytest.mark.parametrize(("spots", "what"), [(small_spots, "around|at"), (blocks, "of the 2 x 2")])
def test_spots_have_the_fewest_ways_first(spots: Callable[[Study], list[Spot]], what: str) -> None:
    study = Study(Drawing.empty(slither.read("..2.0/232.2/21..3/.12.3/.2...")))
    assert study.run(last_of(EASY))
    found = spots(study)
    counts = [len(spot.ways) for spot in found]
    assert counts == sorted(counts)
    for spot in found:
        assert re.match(f"({what}) ", spot.name)
        assert spot.cells or spot.dots
        lines = {line for way in spot.ways for line, _ in way}
        for way in spot.ways:
            assert {line for line, _ in way} == lines
            assert all(study.values[line] == UNKNOWN for line in lines)
        assert len(set(spot.ways)) == len(spot.ways)


def test_a_score_lies_within_its_grade_and_grows_with_the_bottlenecks() -> None:
    for _, puzzle in collection("generated")[:40:4]:
        found = grade(puzzle)
        hard = sum(n for technique, n in found.uses if technique.grade == found.hardest.grade)
        assert found.bottlenecks == hard > 0
        assert found.score == pytest.approx(found.hardest.grade + hard / (8 + hard))
