"""Boards as text: the drawing first, then what it must be."""

from __future__ import annotations

import io
import re

import pytest

import plywise
from plywise.core.scene import Circle, Label, Scene, scene_of
from plywise.testing import random_games
from plywise.views import draw_text, marked, shows_legal, terminal
from plywise.views.text import Terminal
from tests.awkward.book_tree import book_tree
from tests.golden.pictures import analysis_of

UNICODE = Terminal(unicode=True, marks=True, width=80, height=24)
ASCII = Terminal(marks=True, width=80, height=24)
COLOUR = Terminal(unicode=True, colours="truecolor", marks=True, width=80, height=24)

RULED = """
3   O │ · │[X]
   ───┼───┼───
2   · │ X │[X]
   ───┼───┼───
1   O │ O │[X]
    a   b   c
"""

FRAMED = """
╭─────────────────────╮
│ ·  ·  ·  ·  ·  ·  · │
│ ·  ·  ·  ·  ·  ·  · │
│ ·  ·  ·  ·  ·  ·  · │
│ ·  ·  ·  ·  ·  ·  · │
│ ·  ·  ·  ○  ·  ·  · │
│ ·  · [○] ●  ●  ·  · │
╰─────────────────────╯
  1  2  3  4  5  6  7
"""


def shown(spec: str, moves: str, place: Terminal, **marks: object) -> str:
    return draw_text(scene_of(plywise.game(spec).position(moves)), place, **marks)


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize(
    "spec", ["tictactoe", "connect4", "tictactoe:rows=3,cols=12,k=3", "connect4:rows=1,cols=12"]
)
def test_in_a_file_it_is_the_board_of_the_game(spec: str) -> None:
    for position in random_games(spec, games=10):
        assert draw_text(scene_of(position)) == str(position)


def test_ruled_where_there_are_lines() -> None:
    assert shown("tictactoe", "b2 a1 c3 b1 c1 a3 c2", UNICODE) == RULED.strip("\n")


def test_framed_where_there_is_a_board() -> None:
    assert shown("connect4", "4453", UNICODE) == FRAMED.strip("\n")


def test_ascii_on_request() -> None:
    assert shown("tictactoe", "b2 a1 c3", ASCII).splitlines() == [
        "3   .  . [X]",
        "2   .  X  .",
        "1   O  .  .",
        "    a  b  c",
    ]
    assert shown("connect4", "4453", ASCII).isascii()


def test_colours_change_no_letter() -> None:
    lines = plain(shown("connect4", "4453", COLOUR)).splitlines()
    assert [line.rstrip() for line in lines] == shown("connect4", "4453", UNICODE).splitlines()


def test_the_players_have_their_colours() -> None:
    text = shown("tictactoe", "b2 a1 c3", COLOUR)
    assert "38;2;213;94;0m X " in text  # vermilion
    assert "38;2;0;114;178m O" in text  # blue
    assert "m[X]" in text  # the last mark


def test_winning_marks_are_reversed() -> None:
    text = shown("tictactoe", "b2 a1 c3 b1 c1 a3 c2", COLOUR)
    assert len(re.findall(r"\x1b\[1;7;[0-9;]*m[ \[]X", text)) == 3


def test_the_cursor_points_at_a_move() -> None:
    assert "│>·<" in shown("tictactoe", "b2", UNICODE, cursor="c2")
    assert "\x1b[2;7m>·<\x1b[0m" in shown("tictactoe", "b2", COLOUR, cursor="c2")
    assert ";7m" not in shown("tictactoe", "b2", COLOUR)


def test_scores_stand_in_their_cells() -> None:
    position = plywise.game("tictactoe").position("b2 a1 c3 b1")
    text = draw_text(marked(position, analysis_of(position)), ASCII)
    assert [line.split() for line in text.splitlines()] == [
        ["3", "+0", "+10", "X"],
        ["2", "-20", "X", "[W1]"],
        ["1", "O", "[O]", "-30"],
        ["a", "b", "c"],
    ]


#: Legal moves are in round brackets, the best one and the last stone in square ones.
BOTH = """
             .     .     .     .     13
          .     .   (+30)   .     .     12
       .   (+20)   O     X     .     .      11
    .    (+0)   O     X   (+10)   .     .   10
g      .     O     X    [W1]   .     .      9
    h   (-30)  [X]  (-20)   .     .     8
       i     .     .     .     .     7
          j     k     l     m
"""


def test_outlines_and_scores_stand_together() -> None:
    position = plywise.game("andantino:side=4").position("j10 i11 j11 i10 j9 i9 j8")
    scene = marked(position, analysis_of(position), legal=True)
    for place in (Terminal(), ASCII):
        assert draw_text(scene, place) == BOTH.strip("\n")
    coloured = draw_text(scene, COLOUR)
    assert "38;2;194;31;48m +30 " in coloured  # red, as the outline in pictures
    assert "1;38;2;0;122;89m W1" in coloured  # green


def test_a_score_takes_the_place_of_a_dot() -> None:
    position = plywise.game("connect4").position("4453")
    scored = marked(position, analysis_of(position))
    assert marked(position, analysis_of(position), legal=True) == scored


def test_scores_do_not_widen_a_honeycomb() -> None:
    position = plywise.game("andantino").position("j10 i11 j11 i10 j9 i9 j8")
    scene, place = scene_of(position), Terminal(marks=True, width=84, height=24)
    without = draw_text(scene, place).splitlines()
    scored = draw_text(marked(position, analysis_of(position)), place).splitlines()
    assert [len(line) for line in scored] == [len(line) for line in without]
    assert "W1" in "".join(scored)


def test_a_dot_hides_no_stone() -> None:
    position = plywise.game("snails").position("rlrlrl")  # the snail may slide back to a1
    scene = marked(position, legal=True)
    for place in (ASCII, COLOUR):
        assert plain(draw_text(scene, place)).splitlines()[-2].startswith("1  (x)")
    assert "x x x X +" in draw_text(scene)


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("andantino", True),
        ("andantino:side=4", True),
        ("snails", True),
        ("connect4", True),
        ("align:checkerboard=yes", True),
        ("align", False),
        ("tictactoe", False),
        ("makeway", False),
    ],
)
def test_legal_moves_are_shown_where_they_are_few(spec: str, shown: bool) -> None:
    assert shows_legal(plywise.game(spec)) == shown


@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe:rows=19,k=5",
        "connect4:rows=1,cols=32",
        "connect4:rows=3,cols=16",
        "connect4:rows=15,cols=4",
        "tictactoe:rows=1,cols=19,k=4",
    ],
)
@pytest.mark.parametrize("place", [UNICODE, ASCII, COLOUR], ids=["unicode", "ascii", "colour"])
def test_fits_eighty_columns(spec: str, place: Terminal) -> None:
    for position in random_games(spec, games=1).games[0][::20]:
        lines = plain(draw_text(scene_of(position), place)).splitlines()
        assert max(map(len, lines)) <= 80


def test_long_labels_run_down_where_there_is_no_room() -> None:
    assert shown("connect4:rows=1,cols=32", "1", ASCII).splitlines() == [
        "X . . . . . . . . . . . . . . . . . . . . . . . . . . . . . . .",
        "                  1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 3 3 3",
        "1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2",
    ]


def test_cells_in_the_gaps_of_others_make_a_honeycomb() -> None:
    def hexagon(x: float, y: float) -> Circle:
        return Circle((x, y), 0.4, id=f"{x} {y}", roles=("cell",), glyph="·")

    cells = [hexagon(x, 1.0) for x in (1.5, 2.5)] + [hexagon(x, 2.0) for x in (1.0, 2.0, 3.0)]
    label = Label((0.2, 2.0), "1", 0.3, id="row", roles=("coordinate",))
    scene = Scene("", "", "", (4.0, 3.0), tuple(cells), (label,))
    assert draw_text(scene).splitlines() == ["     .   .", "1  .   .   ."]


def test_a_game_without_a_scene_shows_its_text() -> None:
    position = book_tree(2, [3, 12, 8, 2])().start().play("a")
    for place in (UNICODE, ASCII, COLOUR, Terminal()):
        assert draw_text(scene_of(position), place) == str(position)


class Screen(io.StringIO):
    """A terminal, as far as a program can tell."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_what_a_terminal_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "70")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("COLORTERM", raising=False)
    found = terminal(Screen())
    assert (found.unicode, found.colours, found.marks, found.width) == (True, "256", True, 70)
    assert not terminal(Screen(), ascii=True).unicode
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal(Screen()).colours is None
    assert terminal(io.StringIO()) == Terminal()
