"""Hints: three steps, each true, the first one not giving the move away."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

import plywise
from plywise import Analysis, Limits, Line, Position, SpecError
from plywise.core.analysis import Outcome
from plywise.play.hints import best_line, explain, hint, where_to_look
from tests.awkward.coins import COINS
from tests.oracle.references import Board, TicTacToe

WHOLE = Limits(depth=9)  #: a game of Tic-Tac-Toe has no more plies


def line(move: str, value: float, outcome: Outcome | None = None, plies: int | None = None) -> Line:
    pv = (move, *["left"] * ((plies or 1) - 1))  # coins: the players move 2, 2, 2 and 2 times
    return Line(move, value, value, outcome, plies, pv)


def why(*lines: Line, points: bool = False, legal: int = 0) -> tuple[str, ...]:
    """What is said of the first line where the game itself has nothing to say.

    The lines are all legal moves, unless there are to be more.
    """
    game = COINS() if points else replace(COINS, points=0)()
    position = game.start()
    vars(position)["legal"] = tuple("abcdefgh"[: legal or len(lines)])  # a cached property
    return explain(position, lines[0], lines)


def test_generic_reasons() -> None:
    a, b, c = "abc"
    win, draw, loss = (line(a, 1, "win", 7), line(a, 0, "draw"), line(a, -1, "loss", 8))
    lost = [line(b, -1, "loss", 4), line(c, -1, "loss", 6)]
    assert why(line(a, 1, "win", 1), *lost) == ("wins at once",)
    assert why(win, line(b, 0.3), line(c, 0.1)) == ("wins by force in 4 moves",)
    assert why(line(a, 1, "win"), line(b, 0.3)) == ("wins by force",)
    assert why(win, *lost) == ("wins by force in 4 moves", "the only move that does not lose")
    only = ("wins by force in 4 moves", "the only move that wins")
    assert why(win, line(b, 0, "draw"), lost[1]) == only
    assert why(draw, *lost) == ("draws against best play", "the only move that does not lose")
    assert why(draw, line(b, 0, "draw"), lost[1]) == ("draws against best play", f"as good as {b}")
    assert why(loss, *lost) == ("every move loses, this one takes longest (4 moves)",)
    assert why(line(a, -1, "loss"), *lost) == ("every move loses",)
    assert why(loss, line(b, 0.1)) == ("loses against best play in 4 moves",)
    assert why(line(a, 0.5), *lost) == ("every other move loses",)
    clear = (f"clearly better than {c}, the next best",)
    assert why(line(a, 0.5), line(b, 0.1), line(c, 0.2)) == clear
    assert why(line(a, 0.5), line(b, 0.4)) == ()
    assert why(line(a, 0.5), line(b, 0.495), line(c, 0.493)) == (f"as good as {b} and {c}",)
    assert why(line(a, 0.5)) == ("the only legal move",)


def test_a_move_is_not_compared_with_those_that_were_not_scored() -> None:
    a, b = "ab"
    assert why(line(a, 0.5), legal=27) == ()
    for first in (line(a, 0.5), line(a, 0.0, "draw"), line(a, 1.0, "win", 3)):
        said = why(first, line(b, -1, "loss", 4), legal=3)
        assert said == why(first, legal=3)
        assert "only" not in " ".join(said)
    assert why(line(a, 0.5), line(b, 0.1), legal=3) == ()
    assert why(line(a, -1, "loss", 2), line(b, -1, "loss", 2), legal=3) == ()


def test_reasons_in_a_game_of_points() -> None:
    won, less = in_points("a", 5), in_points("b", 3)
    assert why(won, less, points=True) == ("wins by 5 points against best play",)
    lost, more = in_points("a", -2), in_points("b", -4)
    least = ("every move loses, this one by only 2 points",)
    assert why(lost, more, points=True) == least
    assert why(more, lost, points=True) == ("every move loses",)


def in_points(move: str, margin: int) -> Line:
    """A move that is proved to win or lose by so much."""
    outcome: Outcome = "win" if margin > 0 else "loss"
    return Line(move, margin / abs(margin), margin, outcome, score_kind="points")


def test_an_estimate_is_not_a_margin() -> None:
    won = Line("a", 1, 0.5625, "win")  # as mcts knows it: who wins, but not by how much
    assert why(won, line("b", 0.3), points=True) == ("wins by force",)
    lost = Line("a", -1, -0.25, "loss")
    assert why(lost, in_points("b", -4), points=True) == ("every move loses",)
    assert why(in_points("b", -4), lost, points=True) == ("every move loses",)


@pytest.mark.parametrize("time", [0.0, 0.001, 0.02])
def test_a_hint_in_no_time_has_looked_at_every_move(time: float) -> None:
    position = plywise.game("align").position("c4 d2 d5 d1 f1 b6 d4 e1 d3")
    found = hint(position, Limits(time=time))
    assert {line.move for line in found.analysis.lines} == set(position.legal)
    assert (found.move, found.why[0]) == ("d6", "scores 6 for all of column d")
    assert "the only legal move" not in found.why


def test_a_hint_is_short_to_print() -> None:
    found = hint(plywise.game("connect4").position("414141"))
    assert repr(found) == (
        "Hint(where='look at the middle columns', move='4',"
        " why=('wins at once, with four on column 4',), words='')"
    )


def test_many_equals_are_counted() -> None:
    start = plywise.game("tictactoe").start()
    found = hint(start, WHOLE)
    assert found.move == "b2"  # all draw; the middle looks best to the game
    assert found.why[-1] == "as good as a1, b1, c1 and 5 more"
    assert "takes the middle" in found.why


def test_a_search_cut_short_still_gives_a_hint() -> None:
    position = plywise.game("connect4").position("44")
    bare = Analysis("4", 0.25, 12, pv=("4",))
    assert best_line(position, bare) == Line("4", 0.25, 12, None, None, ("4",))


def test_steps_and_json() -> None:
    found = hint(plywise.game("connect4").position("414141"))
    assert found.steps == (
        "Look at the middle columns.",
        "Play 4.",
        "4: wins at once, with four on column 4.",
    )
    data = found.to_json()
    assert data["where"] == "look at the middle columns"
    assert data["move"] == "4"
    assert data["why"] == ["wins at once, with four on column 4"]
    assert (data["outcome"], data["plies_to_end"]) == ("win", 1)


def test_a_finished_game_has_no_hint() -> None:
    with pytest.raises(SpecError, match="the game is over"):
        hint(plywise.game("tictactoe").position("a1 b1 a2 b2 a3"))


@pytest.mark.parametrize("spec", ["tictactoe", "tictactoe:rows=7,k=4", "connect4"])
def test_where_holds_the_move_and_does_not_give_it_away(spec: str) -> None:
    rng = random.Random(1)
    position = plywise.game(spec).start()
    while not position.over:
        move = rng.choice(position.legal)
        told = where_to_look(position, move)
        few = re.fullmatch("choose between (.+)", told)
        if len(position.legal) == 1:
            assert told == "there is only one move"
        elif few is not None:
            assert move in re.split(", | and ", few[1])
        else:
            inside = [
                other
                for other in position.legal
                if lies_in(told.removeprefix("look at "), *place_of(position, other))
            ]
            assert move in inside
            assert len(inside) >= 2
        position = position.play(move)


def place_of(position: Position, move: str) -> tuple[float, float]:
    """A move's place from its text, 0 to 1, to the right and upwards."""
    board = position.game.board
    column, row = (ord(move[0]) - 96, int(move[1:])) if move[0].isalpha() else (int(move), None)
    up = 0.5 if row is None else (row - 0.5) / int(board.rows)
    return (column - 0.5) / int(board.cols), up


def lies_in(part: str, across: float, up: float) -> bool:
    """Is a place in a part of the board, by the words of its name?"""
    words = set(part.split())
    return (
        ("left" not in words or across < (0.5 if "half" in words else 1 / 3))
        and ("right" not in words or across > (0.5 if "half" in words else 2 / 3))
        and ("top" not in words or up > 2 / 3)
        and ("bottom" not in words or up < 1 / 3)
        and (part != "the middle columns" or 1 / 3 < across < 2 / 3)
        and (part != "the middle rows" or 1 / 3 < up < 2 / 3)
        and (part != "the middle" or max(abs(across - 0.5), abs(up - 0.5)) < 1 / 6)
    )


def test_where_without_a_picture_of_the_game() -> None:
    start = COINS().start()
    assert where_to_look(start, start.legal[0]) == f"choose between {' and '.join(start.legal)}"


def test_moves_are_said_in_words() -> None:
    start = plywise.game("snails").start()
    told = hint(start, Limits(nodes=2000))
    assert told.where == "choose between up and right"
    assert told.steps[1] == f"Play {told.words} ({told.move})."
    assert told.steps[2].startswith(f"{told.words.capitalize()}: ")
    assert start.words_of("u") == "up"


def test_what_is_said_of_a_whole_board_is_exact() -> None:
    """On 3 x 3 the search sees to the end: its words are held against plain minimax."""
    reference, rng = TicTacToe(3, 3, 3), random.Random(2)
    for _ in range(12):
        position = plywise.game("tictactoe").start()
        while not position.over:
            check(position, reference)
            position = position.play(rng.choice(position.legal))


def check(position: Position, reference: TicTacToe) -> None:
    found = hint(position, WHOLE)
    mark, other = "xo" if position.turn == 0 else "ox"
    values = {}
    for move in position.legal:
        value, plies = reference.solve(reference.play(board_of(position), move, mark), other)
        values[move] = -value, plies + 1
    value, plies = values.pop(found.move)
    others = [other for other, _ in values.values()]
    assert value == max([value, *others])
    for text in found.why:
        if text.startswith("wins by force in "):
            assert (value, 2 * int(text.split()[4]) - 1) == (1, plies)
        if text == "draws against best play":
            assert value == 0
        if text == "the only move that does not lose":
            assert value >= 0
            assert set(others) == {-1}
        if text == "the only move that wins":
            assert value == 1
            assert max(others) < 1
        if text.startswith("every move loses"):
            assert {value, *others} == {-1}
        if text.startswith("as good as ") and "more" not in text:
            for move in re.split(", | and ", text.removeprefix("as good as ")):
                assert values[move][0] == value


def board_of(position: Position) -> Board:
    rows = str(position).lower().splitlines()[:-1]  # the letters of the columns left out
    return [row.split()[1:] for row in reversed(rows)]
