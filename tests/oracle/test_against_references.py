"""The rules against slow, independent ones: random games, set-up positions, exact values."""

from __future__ import annotations

import random

import pytest

import plywise
from plywise import InvalidPosition, Position
from plywise.kit.words import number_word
from tests.oracle.references import Board, Connect4, Reference, TicTacToe

#: spec, the reference, how many random games
GAMES = [
    ("tictactoe", TicTacToe(3, 3, 3), 300),
    ("tictactoe:rows=4,k=3", TicTacToe(4, 4, 3), 150),
    ("tictactoe:rows=4,cols=2", TicTacToe(4, 2, 2), 150),
    ("tictactoe:rows=3,cols=5,k=4", TicTacToe(3, 5, 4), 100),
    ("tictactoe:rows=2,cols=6,k=5", TicTacToe(2, 6, 5), 100),
    ("tictactoe:rows=7,k=4", TicTacToe(7, 7, 4), 10),
    ("connect4", Connect4(6, 7), 60),
    ("connect4:rows=4,cols=4", Connect4(4, 4), 150),
    ("connect4:rows=5,cols=5", Connect4(5, 5), 100),
    ("connect4:rows=1,cols=6", Connect4(1, 6), 100),
    ("connect4:rows=6,cols=3", Connect4(6, 3), 100),
    ("connect4:rows=2,cols=9", Connect4(2, 9), 60),
    ("connect4:rows=3,cols=16", Connect4(3, 16), 20),
    ("connect4:rows=7,cols=8", Connect4(7, 8), 20),
    ("connect4:rows=15,cols=4", Connect4(15, 4), 20),
    ("connect4:inarow=3", Connect4(6, 7, 3), 60),
    ("connect4:inarow=5", Connect4(6, 7, 5), 60),
    ("connect4:rows=9,cols=6,inarow=6", Connect4(9, 6, 6), 60),
    ("connect4:rows=3,cols=5,inarow=5", Connect4(3, 5, 5), 100),
    ("connect4:rows=6,cols=2,inarow=3", Connect4(6, 2, 3), 100),
    ("connect4:rows=12,cols=1", Connect4(12, 1), 20),
]
IDS = [spec for spec, _, _ in GAMES]


def agree(position: Position, board: Board, mark: str, reference: Reference) -> None:
    winner = reference.winner(board)
    over = reference.over(board)
    assert position.over == over
    assert list(position.legal) == ([] if over else reference.legal(board))
    assert position.to_move == (None if over else "xo".index(mark) + 1)
    if not over:
        assert position.winner is position.reason is None
    elif winner is None:
        assert position.winner == 0
        assert position.reason == "the board is full"
    else:
        assert position.winner == "xo".index(winner) + 1
        length = reference.length
        assert position.reason in (f"{number_word(length)} in a line", f"{length} in a line")


def play_games(spec: str, reference: Reference, count: int, seed: int) -> None:
    rng = random.Random(seed)
    start = plywise.game(spec).start()
    for _ in range(count):
        position, board, mark = start, reference.empty(), "x"
        agree(position, board, mark, reference)
        while not position.over:
            move = rng.choice(position.legal)
            position, board = position.play(move), reference.play(board, move, mark)
            mark = "o" if mark == "x" else "x"
            agree(position, board, mark, reference)


@pytest.mark.parametrize(("spec", "reference", "count"), GAMES, ids=IDS)
def test_random_games(spec: str, reference: Reference, count: int) -> None:
    play_games(spec, reference, max(2, count // 10), seed=1)


@pytest.mark.long
@pytest.mark.parametrize(("spec", "reference", "count"), GAMES, ids=IDS)
def test_many_random_games(spec: str, reference: Reference, count: int) -> None:
    play_games(spec, reference, 2 * count, seed=2)


@pytest.mark.slow
def test_a_game_on_the_largest_board() -> None:
    play_games("tictactoe:rows=19,k=5", TicTacToe(19, 19, 5), 1, seed=3)


@pytest.mark.parametrize(("spec", "reference", "count"), GAMES, ids=IDS)
def test_positions_set_up_from_text(spec: str, reference: Reference, count: int) -> None:
    """Any marks anywhere: what can be set up is judged as the reference judges it."""
    rng = random.Random(5)
    game = plywise.game(spec)
    for _ in range(30):
        board = reference.empty()
        for _ in range(rng.randrange(reference.rows * reference.cols + 1)):
            moves = reference.legal(board)
            board = reference.play(board, rng.choice(moves), rng.choice("xo")) if moves else board
        mark = rng.choice("xo")
        text = reference.text(board, mark)
        alone = [board_of(board, own) for own in "xo"]
        if all(reference.winner(side) for side in alone):
            with pytest.raises(InvalidPosition, match="both players have"):
                game.from_text(text)
            continue
        position = game.from_text(text)
        agree(position, board, mark, reference)
        assert game.from_text(position.text) == position


def board_of(board: Board, mark: str) -> Board:
    return [[cell if cell == mark else "." for cell in row] for row in board]


def positions_near_the_end(
    spec: str, reference: Reference, left: int, count: int, seed: int
) -> list[tuple[Position, Board, str]]:
    """Random positions that are not over, with at most `left` empty cells."""
    rng = random.Random(seed)
    found = []
    while len(found) < count:
        position, board, mark = plywise.game(spec).start(), reference.empty(), "x"
        while not position.over and sum(row.count(".") for row in board) > left:
            move = rng.choice(position.legal)
            position, board = position.play(move), reference.play(board, move, mark)
            mark = "o" if mark == "x" else "x"
        if not position.over:
            found.append((position, board, mark))
    return found


@pytest.mark.parametrize(
    ("spec", "reference", "left"),
    [
        ("tictactoe", TicTacToe(3, 3, 3), 7),
        ("tictactoe:rows=4,k=3", TicTacToe(4, 4, 3), 7),
        ("tictactoe:rows=3,cols=4", TicTacToe(3, 4, 3), 7),
        pytest.param("tictactoe:rows=4", TicTacToe(4, 4, 4), 7, marks=pytest.mark.slow),
        ("connect4:rows=4,cols=4", Connect4(4, 4), 9),
        pytest.param("connect4:rows=5,cols=4", Connect4(5, 4), 10, marks=pytest.mark.slow),
        pytest.param("connect4:rows=4,cols=5", Connect4(4, 5), 9, marks=pytest.mark.slow),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_exact_values(spec: str, reference: Reference, left: int) -> None:
    engine = plywise.engine(f"minimax:depth={left}", plywise.game(spec))
    for position, board, mark in positions_near_the_end(spec, reference, left, 40, seed=6):
        value, plies = reference.solve(board, mark)
        analysis = engine.search(position)
        assert analysis.outcome == ("draw", "win", "loss")[value], position
        assert analysis.value == value
        if value != 0:
            assert analysis.plies_to_end == plies, position
        assert analysis.best in position.legal
        best = reference.play(board, analysis.best, mark)
        other = "o" if mark == "x" else "x"
        assert -reference.solve(best, other)[0] == value
