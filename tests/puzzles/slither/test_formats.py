"""Every format makes the round trip, and a damaged text gets a clear word and no trace."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.errors import InvalidMove, InvalidPosition, SpecError
from plywise.puzzles.slither.formats import DEFAULT, FORMATS, read, read_drawing, write
from plywise.puzzles.slither.grid import NO_CLUE, Drawing, Puzzle

REPORT = "((NIL NIL 2 NIL 0) (2 3 2 NIL 2) (2 1 NIL NIL 3) (NIL 1 2 NIL 3) (NIL 2 NIL NIL NIL))"


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    rows, cols = draw(st.integers(1, 6)), draw(st.integers(1, 6))
    clue = st.sampled_from([NO_CLUE, NO_CLUE, NO_CLUE, 0, 1, 2, 3, 4])
    return Puzzle(rows, cols, tuple(draw(clue) for _ in range(rows * cols)))


@given(puzzles(), st.sampled_from(sorted(FORMATS)))
def test_round_trip(puzzle: Puzzle, format: str) -> None:
    assert read(write(puzzle, format)) == puzzle


@given(puzzles(), st.data())
def test_pzprv3_keeps_what_is_drawn(puzzle: Puzzle, data: st.DataObject) -> None:
    states = data.draw(st.binary(min_size=puzzle.lines, max_size=puzzle.lines))
    drawing = Drawing(puzzle, bytes(state % 3 for state in states))
    assert read_drawing(write(drawing, "pzprv3")) == drawing
    assert read_drawing(write(drawing, "pzprv3").replace("\n", "/")) == drawing


@pytest.mark.parametrize(
    "text",
    [
        DEFAULT,
        DEFAULT.replace("\n", "\r\n"),
        "\ufeff" + DEFAULT,
        DEFAULT.replace(".", "-"),
        DEFAULT.replace(".", "_"),
        DEFAULT.replace(".", "?"),
        DEFAULT.replace(".", " "),
        "\n".join(line.rstrip() for line in DEFAULT.replace(".", " ").splitlines()),
        "\n" + DEFAULT + "\n\n",
        DEFAULT.replace("\n", "/"),
        REPORT,
        REPORT.lower().replace(") (", ")\n  ("),
        "https://puzz.link/p?slither/5/5/h7023722b8178cg",
        "http://pzv.jp/p.html?slither/5/5/h7023722b8178cg",
        "slither/5/5/h7023722b8178cg",
        "5x5t0dh:b2a0232a221b3a12a3a2c",
        "5x5:b2a0232a221b3a12a3a2c",
        "b2a0232a221b3a12a3a2c",
    ],
)
def test_the_same_puzzle_in_every_format(text: str) -> None:
    assert read(text) == read("..2.0/232.2/21..3/.12.3/.2...")


def test_a_question_mark_of_puzz_link_is_no_clue() -> None:
    assert read("slither/2/1/.3") == Puzzle(1, 2, (NO_CLUE, 3))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: the text is empty"),
        ("..5", "line 1, column 3: found '5'; expected a clue 0 to 4"),
        ("123\n12", "line 2, column 3: a row of 2 cells; expected 3"),
        ("123\n\n123", "line 2, column 1: an empty row; expected 3 cells"),
        ("((1 2) (3))", "line 1, column 10: a row of 1 cells; expected 2"),
        ("((1 2) (3 x))", "line 1, column 11: found 'x'; expected NIL or a clue"),
        ("((1 2)", "line 1, column 7: the text ends; expected 1 more ')'"),
        ("slither/5/5/h7", "line 1, column 15: 4 cells; expected 25"),
        ("slither/2/2/12340", "line 1, column 17: found '0'; expected the end"),
        ("slither/2/2/1#", "line 1, column 14: found '#'; expected 0-9"),
        (
            "https://puzz.link/p?nurikabe/5/5/",
            "line 1, column 1: not the address of a Slither puzzle; expected slither/",
        ),
        ("5x5t3:a", "line 1, column 4: grid type t3; expected t0"),
        ("5x5t0:aaa", "line 1, column 10: 3 cells; expected 25"),
        ("a1", "line 1, column 1: 2 cells do not make a square"),
        ("999x999:a", "line 1, column 1: 999 rows of 999 cells; expected"),
        ("pzprv3\nslither\n1\n", "line 3, column 2: the text ends; expected the number of columns"),
        ("pzprv3\nnurikabe", "line 2, column 1: found 'nurikabe'; expected 'slither'"),
        ("pzprv3\nslither\n1\n1\n7", "line 5, column 1: found '7'; expected a clue"),
        ("pzprv3\nslither\n1\n1\n3\n1 2", "line 6, column 3: found '2'; expected 0, 1 (a line)"),
        ("pzprv3\nslither\n1\n1\n3\n1 1", "line 6, column 4: 2 line states; expected 4"),
    ],
)
def test_damaged_texts(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition, match=re.escape(message)):
        read(text)


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(SpecError, match="there is no format 'lopy': did you mean 'loopy'"):
        write(read("3"), "lopy")


ALPHABET = st.characters(codec="utf-8")
PIECES = st.sampled_from([DEFAULT, REPORT, *(write(read(DEFAULT), name) for name in FORMATS)])


@given(PIECES, st.integers(0, 200), st.integers(0, 12), st.text(ALPHABET, max_size=6))
def test_damage_is_answered_or_read(text: str, at: int, length: int, letters: str) -> None:
    _read_or_refuse(text[:at] + letters + text[at + length :])


@given(st.text("0123456789abcdefghijxtd:/.() \nNIL-?_#", max_size=60))
def test_any_text_is_answered_or_read(text: str) -> None:
    _read_or_refuse(text)


@given(st.text(max_size=40))
def test_any_letters_are_answered_or_read(text: str) -> None:
    _read_or_refuse(text)


def _read_or_refuse(text: str) -> None:
    try:
        found = read_drawing(text)
    except InvalidPosition as error:
        refusal = str(error)
    else:
        assert read_drawing(write(found, "pzprv3")) == found
        return
    assert re.match(r"line \d+, column \d+: ", refusal)
    assert "expected" in refusal


def test_moves() -> None:
    puzzle = read(DEFAULT)
    for line in range(puzzle.lines):
        assert puzzle.read_move(puzzle.move_name(line)) == line
    assert puzzle.read_move("1 1 b") == puzzle.read_move("2 1 T")
    assert puzzle.read_move(" 2,1 t ") == puzzle.read_move("2 1 t")
    for text in ("", "2 1", "2 1 x", "0 1 t", "6 1 t", "1 6 l", "t 1 1"):
        with pytest.raises(InvalidMove):
            puzzle.read_move(text)
