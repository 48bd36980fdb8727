"""Tic-Tac-Toe: notation, texts, sizes, and what the rules know about a position."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest

import plywise
from plywise import IllegalMove, InvalidMove, InvalidPosition, Position, SpecError
from plywise.core.scene import scene_of


@pytest.mark.parametrize(
    ("spec", "rows", "cols", "k"),
    [
        ("tictactoe", 3, 3, 3),
        ("tictactoe:rows=5", 5, 5, 5),
        ("tictactoe:rows=3,cols=5", 3, 5, 3),
        ("tictactoe:rows=3,cols=5,k=5", 3, 5, 5),
        ("tictactoe:rows=1", 1, 1, 1),
        ("tictactoe:rows=19,k=5", 19, 19, 5),
    ],
)
def test_sizes(spec: str, rows: int, cols: int, k: int) -> None:
    board = plywise.game(spec).board
    assert (board.rows, board.cols, board.k) == (rows, cols, k)


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("tictactoe:rows=0", "rows must be a whole number from 1 to 19"),
        ("tictactoe:rows=-3", "rows must be a whole number from 1 to 19"),
        ("tictactoe:rows=20", "rows must be a whole number from 1 to 19"),
        ("tictactoe:cols=20", "cols must be a whole number from 1 to 19"),
        ("tictactoe:k=0", "k must be a whole number, at least 1"),
        ("tictactoe:k=4", "k=4 is too long: a line on a 3 x 3 board has at most 3"),
        (f"tictactoe:k={10**30}", "is too long: a line on a 3 x 3 board has at most 3"),
        ("tictactoe:rows=3,cols=5,k=6", "has at most 5"),
        ("tictactoe:rows=three", "rows must be a whole number"),
        ("tictactoe:size=3", "tictactoe has no parameter 'size'"),
        ("tictactoo", "did you mean 'tictactoe'"),
    ],
)
def test_impossible_sizes(spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        plywise.game(spec)


def test_notation() -> None:
    game = plywise.game("tictactoe")
    assert game.start().legal == ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
    assert game.position("b2 a1 c3") == game.position(["b2", "a1", "c3"])
    assert game.position("B2, a1,c3").moves == ("b2", "a1", "c3")
    position = game.position("b2 a1 c3")
    assert position.text == "2x/1x1/o2 o"
    assert str(position) == "3  . . X\n2  . X .\n1  O . .\n   a b c"


@pytest.mark.parametrize("text", ["", "d1", "a4", "1a", "a1b1", "b", "a10", "A 1"])
def test_unreadable_moves(text: str) -> None:
    with pytest.raises(InvalidMove):
        plywise.game("tictactoe").start().play(text)


def test_a_taken_cell() -> None:
    with pytest.raises(IllegalMove, match="'b2' is not legal here: the legal moves are a1 b1 c1"):
        plywise.game("tictactoe").position("b2 b2")


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("xxx/oo1/3 o", 1),
        ("x2/xoo/x2 o", 1),
        ("x1o/1ox/ox1 x", 2),
        ("x1o/1xo/o1x o", 1),
        ("xox/xoo/oxx x", 0),
        ("3/3/3 o", None),  # O may begin in a set-up position
        ("xxx/xxx/xxx o", 1),  # so may a board that play could not reach
    ],
)
def test_set_up_positions(text: str, winner: int | None) -> None:
    position = plywise.game("tictactoe").from_text(text)
    assert position.winner == winner
    assert position.text == text
    assert position.origin == text


def test_two_winners_make_no_sense() -> None:
    with pytest.raises(InvalidPosition, match=r"'xxx/3/ooo x' is not a position .* 3 in a line"):
        plywise.game("tictactoe").from_text("xxx/3/ooo x")


@pytest.mark.parametrize(
    ("moves", "k", "over"),
    [
        ("a1 a2 b1 b2 d1", 4, False),
        ("a1 a2 b1 b2 d1 d2 c1", 4, True),  # the gap is filled last
        ("a1 a2 b1 b2 d1 d2 e1 e2 c1", 4, True),  # five in a line are four and more
    ],
)
def test_lines_with_gaps(moves: str, k: int, over: bool) -> None:
    position = plywise.game(f"tictactoe:rows=5,k={k}").position(moves)
    assert position.over is over


def windows(position: Position) -> Iterator[list[int]]:
    """Every group of k cells in a line, as the marks in it, found the slow way."""
    board = position.game.board
    rows, cols, k = int(board.rows), int(board.cols), int(board.k)
    marks = position.state.marks[: rows * cols].reshape(rows, cols)
    for row in range(rows):
        for col in range(cols):
            for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_col = row + (k - 1) * up, col + (k - 1) * right
                if 0 <= last_row < rows and 0 <= last_col < cols:
                    yield [int(marks[row + i * up, col + i * right]) for i in range(k)]


@pytest.mark.parametrize(
    "spec",
    ["tictactoe", "tictactoe:rows=4,k=3", "tictactoe:rows=3,cols=6,k=4", "tictactoe:rows=2,k=1"],
)
def test_what_is_kept_up_to_date_is_what_a_recount_gives(spec: str) -> None:
    rng = random.Random(1)
    for _ in range(10):
        position = plywise.game(spec).start()
        while not position.over:
            position = position.play(rng.choice(position.legal))
            state, board = position.state, position.game.board
            counts = np.zeros_like(state.count)
            score = 0
            for marks in windows(position):
                for player in (0, 1):
                    if 2 - player not in marks:
                        own = marks.count(player + 1)
                        counts[player, own] += 1
                        score += int(board.weight[own]) * (1 if player == 0 else -1)
            assert (state.count == counts).all(), position
            assert state.score == score
            assert state.filled == len(position.moves)


@pytest.mark.parametrize(
    ("text", "forced"),
    [
        ("3/3/3 x", ()),
        ("3/oo1/xx1 x", ("c1",)),  # his own line first
        ("3/oo1/x1x o", ("c2",)),
        ("3/1o1/xx1 o", ("c1",)),  # the other's
        ("x1x/oo1/1ox o", ("c2",)),
    ],
)
def test_forced_moves(text: str, forced: tuple[str, ...]) -> None:
    position = plywise.game("tictactoe").from_text(text)
    out = np.zeros(9, np.int32)
    rule = position.game.rules.forced
    assert rule is not None
    count = rule(position.game.board, position.state, out)
    assert tuple(position.text_of(int(move)) for move in out[:count]) == forced


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("3/3/3 x", (-1, 1)),
        ("xox/xoo/ox1 x", (0, 0)),  # no line is open to anybody
        ("1xo/xox/oxo x", (0, 0)),
        ("xo1/ox1/3 x", (0, 1)),  # the bottom row is open to O, but he has only two marks left
    ],
)
def test_bounds(text: str, bounds: tuple[int, int]) -> None:
    position = plywise.game("tictactoe").from_text(text)
    rule = position.game.rules.bounds
    assert rule is not None
    assert tuple(rule(position.game.board, position.state)) == bounds


def test_mirror_images_share_their_key() -> None:
    game = plywise.game("tictactoe")
    corners = {game.position(move).key for move in ("a1", "c1", "a3", "c3")}
    assert len(corners) == 1
    assert len({game.position(move).key for move in ("a1", "b1", "b2")}) == 3
    oblong = plywise.game("tictactoe:rows=3,cols=4,k=3")
    assert len({oblong.position(move).key for move in ("b1", "c1", "b3", "c3")}) == 1
    assert oblong.position("a2").key != oblong.position("b1").key


# ---- the look ---------------------------------------------------------------------------------


def test_digits_in_place_of_crosses_and_noughts() -> None:
    usual, digits = plywise.game("tictactoe"), plywise.game("tictactoe:marks=digits")
    one, other = (game.position("b2 a1 c3 b1") for game in (usual, digits))
    assert str(one) == "3  . . X\n2  . X .\n1  O O .\n   a b c"
    assert str(other) == "3  . . 1\n2  . 1 .\n1  0 0 .\n   a b c"
    assert (one.text, one.key, one.legal) == (other.text, other.key, other.legal)
    assert one.states.tobytes() == other.states.tobytes()
    assert plywise.game("tictactoe:marks=crosses").spec == "tictactoe"
    assert digits.spec == "tictactoe:marks=digits"


def test_digits_are_drawn_where_the_marks_are() -> None:
    """On all boards, in the middle of the cell, and as large as the usual marks."""
    for more in ("", ",rows=5,k=4"):
        moves = "b2 a1 c3 b1"
        usual = scene_of(plywise.game(f"tictactoe:marks=crosses{more}").position(moves))
        digits = scene_of(plywise.game(f"tictactoe:marks=digits{more}").position(moves))
        marks = {shape.id: shape for shape in usual.shapes if shape.roles[0] == "stone"}
        assert len(marks) == 4
        for shape in digits.shapes:
            if shape.roles[0] == "stone":
                mark = marks.pop(shape.id)
                assert (shape.owner, shape.roles, shape.layer) == (
                    mark.owner,
                    mark.roles,
                    mark.layer,
                )
                assert shape.glyph == {"X": "1", "O": "0"}[mark.glyph]
                assert shape.centre == pytest.approx(mark.centre)
                left, top, right, bottom = shape.box
                assert bottom - top == pytest.approx(0.66)
                assert right - left < bottom - top
        assert marks == {}


def test_a_look_is_refused_with_the_choices() -> None:
    with pytest.raises(SpecError, match="marks must be one of crosses, digits"):
        plywise.game("tictactoe:marks=hearts")
