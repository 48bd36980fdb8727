"""Connect-4: notation, texts, sizes, exact scores, and what the rules know about a position."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plywise
from plywise import AmbiguousMove, IllegalMove, InvalidMove, InvalidPosition, Position, SpecError
from plywise.core.analysis import Outcome
from plywise.games.connect4.reasons import reasons
from tests.oracle.references import Connect4, has_line


@pytest.mark.parametrize(
    ("spec", "rows", "cols"),
    [
        ("connect4", 6, 7),
        ("connect4:rows=7,cols=8", 7, 8),
        ("connect4:rows=3,cols=16", 3, 16),
        ("connect4:rows=1,cols=32", 1, 32),
        ("connect4:rows=63,cols=1", 63, 1),
    ],
)
def test_sizes(spec: str, rows: int, cols: int) -> None:
    board = plywise.game(spec).board
    assert (board.rows, board.cols) == (rows, cols)
    assert int(board.cells).bit_count() == rows * cols


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("connect4:rows=0", "rows must be a whole number from 1 to 63"),
        ("connect4:cols=-1", "cols must be a whole number from 1 to 32"),
        ("connect4:rows=8,cols=8", r"cols x \(rows \+ 1\) is 72, and the limit is 64"),
        ("connect4:rows=64,cols=1", "from 1 to 63"),
        ("connect4:cols=33,rows=1", "from 1 to 32"),
        ("connect4:k=5", "connect4 has no parameter 'k'"),
        ("conect4", "did you mean 'connect4'"),
    ],
)
def test_impossible_sizes(spec: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        plywise.game(spec)


def test_notation() -> None:
    game = plywise.game("connect4")
    position = game.position("4453")
    assert position == game.position("4 4 5 3") == game.position(["4", "4", "5", "3"])
    assert position.moves == ("4", "4", "5", "3")
    assert position.text == "7/7/7/7/3o3/2oxx2 x"
    assert str(position).splitlines()[-3:] == [". . . O . . .", ". . O X X . .", "1 2 3 4 5 6 7"]


def test_notation_beyond_nine_columns() -> None:
    game = plywise.game("connect4:rows=3,cols=16")
    position = game.position("10 4 16 1")
    assert position.moves == ("10", "4", "16", "1")
    assert game.join_moves(position.moves) == "10 4 16 1"
    with pytest.raises(AmbiguousMove, match="put spaces between the moves"):
        game.position("10416")
    assert str(position).splitlines()[-1].split()[-1] == "16"


@pytest.mark.parametrize("text", ["", "0", "8", "-1", "a", "1.0", "+1", "²", "9" * 5000])
def test_unreadable_moves(text: str) -> None:
    with pytest.raises(InvalidMove):
        plywise.game("connect4").start().play(text)


def test_a_full_column() -> None:
    game = plywise.game("connect4")
    with pytest.raises(IllegalMove, match=r"'4' is not legal here: .* are 1 2 3 5 6 7") as caught:
        game.position("4444444")
    assert caught.value.text == "4"
    assert caught.value.position == game.position("444444")


def test_a_column_that_does_not_exist_in_a_game() -> None:
    with pytest.raises(InvalidMove, match="write the number of a column, 1 to 7"):
        plywise.game("connect4").position("4458")


@pytest.mark.parametrize(
    ("text", "winner"),
    [
        ("7/7/7/7/ooo4/xxxx3 o", 1),
        ("7/7/x6/xo5/xo5/xo5 o", 1),
        ("7/7/3x3/2xo3/1xoo3/xooo3 o", 1),
        ("7/7/3o3/3xo2/3xxo1/3xxxo x", 2),
        ("7/7/7/7/7/7 o", None),
    ],
)
def test_set_up_positions(text: str, winner: int | None) -> None:
    position = plywise.game("connect4").from_text(text)
    assert position.winner == winner
    assert position.text == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7/7/7/7/x6/7 o", "column 1 has a disc above an empty cell"),
        ("7/7/x5o/x5o/x5o/x5o x", "both players have four in a line"),
        ("7/7/7/7/7 x", "this board has 6 rows, not 5"),
    ],
)
def test_positions_that_make_no_sense(text: str, words: str) -> None:
    with pytest.raises(InvalidPosition, match=words) as caught:
        plywise.game("connect4").from_text(text)
    assert repr(text) in str(caught.value)


def test_a_full_board_is_a_draw() -> None:
    game = plywise.game("connect4:rows=2,cols=3")
    position = game.position("112233")
    assert (position.winner, position.reason) == (0, "the board is full")


@pytest.mark.parametrize(
    ("spec", "text", "outcome", "plies", "score"),
    [
        ("connect4", "7/7/7/7/7/7 x", "win", 41, 1),  # X wins with his last disc
        ("connect4", "7/7/7/7/7/7 x", "loss", 42, -1),  # O with his
        ("connect4", "7/7/7/7/7/7 x", "win", 7, 18),
        ("connect4", "7/7/7/7/7/7 x", "draw", None, 0),
        ("connect4", "7/7/7/7/ooo4/xxx4 x", "win", 1, 18),
        ("connect4:rows=4,cols=4", "4/4/4/4 x", "loss", 16, -1),
    ],
)
def test_exact_scores(
    spec: str, text: str, outcome: Outcome, plies: int | None, score: int
) -> None:
    position = plywise.game(spec).from_text(text)
    margin = {"win": 1, "draw": 0, "loss": -1}[outcome]
    found = position.game.type.exact(position.game.board, position.state, margin, plies)
    assert found == (score, "connect4")


def forced(position: Position) -> tuple[str, ...]:
    rule = position.game.rules.forced
    assert rule is not None
    out = np.zeros(position.game.max_moves, np.int32)
    count = rule(position.game.board, position.state, out)
    return tuple(position.text_of(int(move)) for move in out[:count])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7/7/7/7/7/7 x", ()),
        ("7/7/7/7/ooo4/xxx4 x", ("4",)),  # wins
        ("7/7/7/7/oo5/xxx3o o", ("4",)),  # stops a win
        # X completes a four in column 4, but only on a disc that O need not put there.
        ("7/7/7/7/xxx4/oox4 o", ("1", "2", "3", "5", "6", "7")),
    ],
)
def test_forced_moves(text: str, expected: tuple[str, ...]) -> None:
    assert forced(plywise.game("connect4").from_text(text)) == expected


def test_a_line_that_would_run_off_the_board_forces_nothing() -> None:
    """X's column could go on below the floor, in the spare bit above column 3.

    . . . O
    . . X X
    . . O X
    . . O X
    """
    position = plywise.game("connect4:rows=4,cols=4").position("4343443")
    assert position.text == "3o/2xx/2ox/2ox o"
    assert forced(position) == ()


@pytest.mark.slow
def test_forced_moves_are_sound_one_by_one() -> None:
    """A move left out loses at once, or there was something better to do at once."""
    rng = random.Random(2)
    for rows, cols in ((4, 4), (4, 5), (6, 7)):
        reference = Connect4(rows, cols)
        game = plywise.game(f"connect4:rows={rows},cols={cols}")
        for _ in range(20):
            position, board, mark = game.start(), reference.empty(), "x"
            while not position.over:
                only = forced(position)
                other = "o" if mark == "x" else "x"
                after = {move: reference.play(board, move, mark) for move in position.legal}
                wins = {move for move in after if reference.winner(after[move]) == mark}
                hands = {
                    move
                    for move, then in after.items()
                    for answer in reference.legal(then)
                    if move not in wins
                    and reference.winner(reference.play(then, answer, other)) == other
                }
                if only:
                    left_out = set(position.legal) - set(only)
                    assert only[0] in wins if wins else left_out <= hands, position
                move = rng.choice(position.legal)
                position, board, mark = position.play(move), after[move], other


def test_two_words_hold_a_board() -> None:
    """The discs of the side to move, and all discs: column by column, seven bits each."""
    state = plywise.game("connect4").position("44535").state
    assert (state.own.dtype, state.mask.dtype) == (np.uint64, np.uint64)
    bits = {column: 7 * (column - 1) for column in (3, 4, 5)}
    crosses = {bits[4], bits[5], bits[5] + 1}
    noughts = {bits[4] + 1, bits[3]}  # O is to move
    assert int(state.own) == sum(1 << bit for bit in noughts)
    assert int(state.mask) == sum(1 << bit for bit in noughts | crosses)


def test_what_is_kept_up_to_date_is_what_a_set_up_gives() -> None:
    rng = random.Random(3)
    for spec in ("connect4", "connect4:rows=3,cols=16", "connect4:rows=7,cols=8"):
        game = plywise.game(spec)
        for _ in range(10):
            position = game.start()
            while not position.over:
                position = position.play(rng.choice(position.legal))
                assert game.from_text(position.text) == position


def test_bounds_are_what_all_empty_cells_would_give() -> None:
    rng = random.Random(4)
    reference = Connect4(4, 5)
    game = plywise.game("connect4:rows=4,cols=5")
    bounds = game.rules.bounds
    assert bounds is not None
    for _ in range(40):
        position, board, mark = game.start(), reference.empty(), "x"
        while not position.over:
            filled = {
                own: [[own if cell == "." else cell for cell in row] for row in board]
                for own in "xo"
            }
            first, second = (has_line(filled[own], own, 4) for own in "xo")
            assert tuple(bounds(game.board, position.state)) == (-int(second), int(first))
            move = rng.choice(position.legal)
            position, board = position.play(move), reference.play(board, move, mark)
            mark = "o" if mark == "x" else "x"


def test_small_boards_where_nobody_can_win() -> None:
    for spec in ("connect4:rows=3,cols=3", "connect4:rows=1,cols=3"):
        position = plywise.game(spec).start()
        rule = position.game.rules.bounds
        assert rule is not None
        assert tuple(rule(position.game.board, position.state)) == (0, 0)


def test_other_lengths_say_how_many_win() -> None:
    won = plywise.game("connect4:inarow=3").position("12131")
    assert (won.winner, won.reason) == (1, "three in a line")
    five = plywise.game("connect4:inarow=5").position("12131412")
    assert not five.over
    assert reasons(five.game.board, five.state, 0)[0] == "wins at once, with five on column 1"
    won = five.play("1")
    assert (won.winner, won.reason) == (1, "five in a line")
    with pytest.raises(SpecError, match="inarow must be a whole number from 3 to 6"):
        plywise.game("connect4:inarow=2")
