"""How soon a win comes: in moves of the winner's own, which only the proved line can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

import plywise
from plywise import Line, Position
from plywise.core.analysis import Outcome, moves_to_win
from plywise.play.hints import explain
from plywise.views.marks import marked
from tests.awkward.coins import coin_row
from tests.examples.test_examples import example


def proved(outcome: Outcome, line: str, plies: int | None = None) -> Line:
    pv = tuple(line.split())
    value = 1.0 if outcome == "win" else -1.0
    return Line(pv[0], value, value, outcome, len(pv) if plies is None else plies, pv)


#: An odd coin gives another move: player 1 takes all three, or only the first of four.
AGAIN, ONCE = coin_row(3, 3).start(), coin_row(4, 43).start()


@pytest.mark.parametrize(
    ("position", "line", "moves"),
    [
        (AGAIN, proved("win", "left right left"), 3),
        (ONCE, proved("loss", "left right left left"), 3),
        (ONCE, proved("win", "left right left left"), 1),  # a game may be lost by moving last
        (AGAIN, proved("loss", "left right left"), None),  # ... by the only one who moved
        (AGAIN, proved("win", "left right", plies=3), None),
        (AGAIN, replace(proved("win", "left right left"), plies_to_end=None), None),
        (AGAIN, replace(proved("win", "left right left"), outcome="draw"), None),
        (plywise.game("connect4").position("4151"), proved("win", "3 2 6"), 2),
        (plywise.game("connect4").position("41513"), proved("loss", "2 6"), 1),
    ],
)
def test_a_win_takes_the_moves_of_the_winner(
    position: Position, line: Line, moves: int | None
) -> None:
    assert moves_to_win(position, line) == moves


def test_a_pass_is_a_move() -> None:
    position = example("othello", ":side=4").position("d2 d3 a4 c1 d1 b1")
    line = "a1 a2 a3 pass c4 pass d4"
    assert moves_to_win(position, proved("win", line)) == 4
    assert moves_to_win(position, proved("loss", line)) == 3


def test_hints_and_boards_say_the_same() -> None:
    line, other = proved("win", "left right left"), Line("right", 0.0, 0.0)
    assert explain(AGAIN, line, [line, other])[0] == "wins by force in 3 moves"
    position = plywise.game("connect4:rows=5,cols=5").position("3141")
    line = proved("win", "2 5 1", plies=9)
    shapes = marked(position, plywise.Analysis("2", 1.0, 1.0, lines=(line,))).shapes
    assert [shape.text for shape in shapes if shape.id == "score 2"] == ["W"]  # not to the end
