"""A puzzle that is being solved: moves toggle, are taken back, and make the round trip as text."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywise.errors import InvalidPosition, PlywiseError
from plywise.play.attempt import HEADER, Attempt
from plywise.puzzles import slither
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, Drawing
from tests.puzzles.slither.test_solver import random_puzzle
from tests.puzzles.slither.test_steps import inside

KIND = slither.PUZZLE
PUZZLE = slither.read(slither.DEFAULT)


def drawn(attempt: Attempt, move: str) -> int:
    return attempt.states[attempt.puzzle.read_move(move)]


def test_the_same_move_again_removes_the_line() -> None:
    attempt = Attempt(KIND, PUZZLE).play("2 1 T")
    assert attempt.moves == ("2 1 t",)
    assert drawn(attempt, "2 1 t") == LINE
    assert drawn(attempt, "1 1 b") == LINE  # the same line
    assert drawn(attempt.play("1 1 b"), "2 1 t") == UNKNOWN
    crossed = attempt.play("x 2 1 t")
    assert drawn(crossed, "2 1 t") == CROSS
    assert drawn(crossed.play("x2 1 t"), "2 1 t") == UNKNOWN
    assert drawn(crossed.play("2 1 t"), "2 1 t") == LINE


def test_undo_and_redo() -> None:
    attempt = Attempt(KIND, PUZZLE).play("1 1 t").play("x 1 1 t").play("2 2 l")
    back = attempt.undo().undo()
    assert back.moves == ("1 1 t",)
    assert drawn(back, "1 1 t") == LINE
    assert back.redo().redo() == attempt
    assert back.play("5 5 b").undone == ()
    for empty in (Attempt(KIND, PUZZLE).undo, attempt.redo):
        with pytest.raises(PlywiseError, match="there is nothing to"):
            empty()


def test_the_computers_moves_are_one_line_of_a_file() -> None:
    solution = KIND.solve(PUZZLE, None).solution
    assert solution is not None
    begun = Attempt(KIND, PUZZLE).play("2 1 t")
    solved = begun.solve(solution, 0.25)
    assert solved.by_computer is not None
    assert solved.by_computer.seconds == 0.25
    assert len(solved.moves) == 2
    assert solved.moves[1].startswith("solved in 0.250000 s: 1 1 t, ")
    for attempt in (solved, solved.undo(), solved.play("1 1 t")):
        assert Attempt.from_text(attempt.to_text()) == attempt
    assert solved.play("1 1 t").play("1 1 t").by_computer  # still the computer's work
    with pytest.raises(PlywiseError):
        begun.play(solved.moves[1])  # not a move that a person can make


def test_what_a_file_has_drawn_comes_along() -> None:
    drawing = Drawing.empty(PUZZLE).change([(0, LINE), (7, CROSS)])
    attempt = Attempt.of(KIND, *KIND.read(slither.write(drawing, "pzprv3")))
    assert attempt.states == drawing.states
    assert len(attempt.moves) == 2


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.lists(st.tuples(st.integers(0, 59), st.booleans()), max_size=30))
def test_the_round_trip(number: int, marks: list[tuple[int, bool]]) -> None:
    puzzle = random_puzzle(random.Random(number))
    attempt = Attempt(KIND, puzzle, seconds=number / 10)
    for line, crossed in marks:
        name = puzzle.move_name(line % puzzle.lines)
        attempt = attempt.play(f"x {name}" if crossed else name)
    for _ in range(min(3, len(attempt.moves))):
        attempt = attempt.undo()
    assert Attempt.from_text(attempt.to_text()) == attempt
    assert slither.read(KIND.identify(puzzle)) == puzzle


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 200), st.text(max_size=4))
def test_a_damaged_file_gets_a_clear_line_or_a_right_reading(at: int, text: str) -> None:
    moves = ("1 1 t", "x 2 2 l", "solved in 0.500000 s: 1 2 t, 1 3 t")
    whole = Attempt(KIND, PUZZLE, moves, ("3 3 r",), 7.5).to_text()
    damaged = whole[:at] + text + whole[at + 2 :]
    try:
        found = Attempt.from_text(damaged, "a.puzzle")
    except InvalidPosition as error:
        said = str(error)
    else:
        assert Attempt.from_text(found.to_text()) == found
        return
    assert said.startswith("a.puzzle")
    assert "\n" not in said


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1: expected 'end'"),
        ("nonsense\nend", f"line 1: expected '{HEADER}'"),
        (f"{HEADER}\n1 1 t\nend", "line 2: expected 'puzzle' before the first move"),
        (f"{HEADER}\npuzzle slither/..5\nend", "line 2: "),
        (f"{HEADER}\npuzzle slither/3/1/k\n9 9 t\nend", "line 3: there is no cell 9 9"),
        (f"{HEADER}\npuzzle slither/3/1/k\nseconds soon\nend", "line 3: 'soon' is not a time"),
        (f"{HEADER}\npuzzle slither/3/1/k\n", "line 3: expected 'end'"),
        (f"{HEADER}\npuzzle slither/3/1/k\npuzzle slither/3/1/k\nend", "line 3: there is already"),
        (f"{HEADER}\npuzzle chess/8\nend", "line 2: there is no puzzle 'chess'"),
        (f"{HEADER}\npuzzle slither/3/1/k\nsolved in 1 s: 9 9 t\nend", "line 3: there is no cell"),
        (f"{HEADER}\npuzzle slither/3/1/k\nsolved in x s: 1 1 t\nend", "line 3: 'x' is not a time"),
        (f"{HEADER}\npuzzle slither/3/1/k\nsolved in 1 s:\nend", "line 3: "),
        (f"{HEADER}\nend", "expected a 'puzzle' line"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=f"^the text.*{re.escape(message)}"):
        Attempt.from_text(text)


def test_moves_between_two_states() -> None:
    before = Drawing.empty(PUZZLE).change([(0, LINE), (1, CROSS), (2, LINE)]).states
    changes = [(0, UNKNOWN), (1, UNKNOWN), (2, CROSS), (3, LINE), (4, UNKNOWN)]
    moves = KIND.moves_between(PUZZLE, before, changes)
    assert moves == ["1 1 t", "x 1 2 t", "x 1 3 t", "1 4 t"]


def test_sides_of_a_solution() -> None:
    """Counting lines from the left gives the same."""
    solution = slither.solve(PUZZLE).solution
    assert solution is not None
    cells = inside(solution)
    assert solution.sides == {cell: 0 if cell in cells else 1 for cell in range(25)}
    assert Drawing.of_lines(PUZZLE, solution.lines, UNKNOWN).sides == solution.sides
    assert Drawing.empty(PUZZLE).sides == {}
    assert Drawing.empty(PUZZLE).change([(0, LINE)]).sides == {0: 0}
