"""What can be seen on a drawing without solving it, and how a line is named."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from plywise.puzzles import slither
from plywise.puzzles.slither import CROSS, LINE, PUZZLE, Drawing
from plywise.puzzles.slither.hints import check, film, progress
from plywise.puzzles.slither.places import lines_words, place_words

SIDES = "slither/7/7/gc17172222077ci728cgb2chc8d"  #: needs a chain about the side of a cell


def drawn(text: str, *moves: str) -> Drawing:
    """A puzzle after some moves; `x 1 1 t` is a cross."""
    puzzle = slither.read(text)
    states = bytearray(puzzle.lines)
    for move in moves:
        place, state = PUZZLE.read_move(puzzle, move)
        states[place] = state
    return Drawing(puzzle, bytes(states))


def names(drawing: Drawing) -> list[str]:
    """The lines that break a rule."""
    found = progress(drawing.puzzle, drawing.states)
    return sorted(drawing.puzzle.move_name(line) for line in found.wrong)


@pytest.mark.parametrize(
    ("moves", "done", "broken"),
    [
        ((), set(), set()),
        (("1 1 t",), set(), set()),
        (("1 1 t", "1 1 l"), {"clue 1 1"}, set()),
        (("1 1 t", "1 1 l", "1 1 b"), set(), {"clue 1 1"}),
        (("x 1 1 t", "x 1 1 l", "x 1 1 b"), set(), {"clue 1 1"}),
        (("x 1 3 t", "x 1 3 l", "x 1 3 b"), set(), set()),
        (("x 1 3 t", "x 1 3 l", "x 1 3 b", "x 1 3 r"), {"clue 1 3"}, set()),
        (("1 3 t",), set(), {"clue 1 3"}),
    ],
)
def test_complete_and_broken_clues(
    moves: tuple[str, ...], done: set[str], broken: set[str]
) -> None:
    drawing = drawn("2.0/...", *moves)
    found = progress(drawing.puzzle, drawing.states)
    assert (set(found.done), set(found.broken)) == (done, broken)


def test_lines_that_break_a_rule() -> None:
    free = "..../..../..../...."
    assert names(drawn(free, "2 2 t", "2 2 l", "2 2 b")) == []
    # +---+---+      three lines at a dot
    #     |
    three = ("2 2 t", "2 3 t", "2 3 l")
    assert names(drawn(free, *three)) == sorted(three)
    # A line that ends: in the corner of the board, and where the rest is crossed out.
    assert names(drawn(free, "1 1 t", "x 1 1 l")) == ["1 1 t"]
    assert names(drawn(free, "2 2 t", "x 2 3 t", "x 2 3 l", "x 1 3 l")) == ["2 2 t"]
    # A loop that closes while there is something else, or while a clue is not met.
    loop = ("2 2 t", "2 2 l", "3 2 t", "2 3 l")
    assert names(drawn(free, *loop)) == []  # without clues it is a solution
    assert names(drawn(free, *loop, "4 4 t")) == sorted(loop)
    assert names(drawn("3.../..../..../....", *loop)) == sorted(loop)


def test_a_line_is_named_by_its_clue() -> None:
    puzzle = slither.read("..2.0/232.2/21..3/.12.3/.2...")

    def words(move: str, state: int = LINE) -> str:
        return place_words(puzzle, puzzle.read_move(move), state)

    assert words("2 2 t") == "the line above the 3 in row 2"
    assert words("2 2 t", CROSS) == "the cross above the 3 in row 2"
    assert words("2 1 t") == "the line above the 2 in row 2, column 1"
    assert words("1 5 t") == "the line above the 0 in row 1"
    assert words("1 1 t") == "the line above the cell in row 1, column 1"
    assert words("4 5 r") == "the line right of the 3 in row 4"


def test_lines_of_one_cell_are_named_together() -> None:
    puzzle = slither.read("..2.0/232.2/21..3/.12.3/.2...")

    def words(*moves: str) -> str:
        return lines_words(puzzle, [puzzle.read_move(move) for move in moves])

    assert words("2 2 t") == "the line above the 3 in row 2"
    assert words("2 2 t", "2 2 r", "5 1 b") == (
        "the lines above and right of the 3 in row 2 and the line below the cell in row 5, column 1"
    )
    assert words("1 5 t", "1 5 r", "1 5 l", "1 5 b") == "all lines around the 0 in row 1"
    corners = ("1 1 t", "1 5 t", "3 3 l", "5 1 l", "5 5 r", "5 5 b", "3 1 l")
    assert words(*corners).endswith(" and 2 more")


@pytest.mark.parametrize("text", [slither.DEFAULT, SIDES])
def test_explanations_name_lines_by_their_place(text: str) -> None:
    """Moves such as `2 1 t` are only for what must be typed."""
    for frame in film(slither.read(text), None):
        assert not re.search(r"\d \d+ [tblr]\b", " ".join(frame.words)), frame.words


def test_many_mistakes_are_not_all_named() -> None:
    puzzle = slither.read(slither.DEFAULT)
    found = check(puzzle, bytes([LINE]) * puzzle.lines)
    assert len(found.wrong) == 28
    assert found.words.startswith("There are 28 mistakes: the line ")
    assert found.words.endswith(" and 23 more.")


@pytest.mark.parametrize("text", [slither.DEFAULT, SIDES])
def test_the_film_ends_with_the_solution(text: str) -> None:
    puzzle = slither.read(text)
    states = bytearray(puzzle.lines)
    frames = list(film(puzzle, None))
    for frame in frames:
        for place, state in frame.changes:
            states[place] = state
        assert {place for place, _ in frame.changes} >= frame.found
        assert frame.title
        assert frame.words
        assert frame.found or frame.shapes or frame.because
    assert Drawing(puzzle, bytes(states)).solved
    # Each conclusion shows what it follows from: clues, dots, lines, or a chain just before it.
    chained = [frame for frame in frames if frame.title.startswith("If so: ")]
    for before, frame in pairwise(frames):
        assert frame.because or frame.shapes or before in chained
    assert bool(chained) == (text == SIDES)
