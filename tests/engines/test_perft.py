"""Counting positions: published figures, plain recursion, and the ends of the range."""

from __future__ import annotations

import pytest

import plywise
from plywise import Position, SpecError
from plywise.engines.perft import perft
from tests.awkward.coins import coin_row


def plain_perft(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(plain_perft(position.play_code(move), depth - 1) for move in position.legal_codes)


@pytest.mark.parametrize(
    ("spec", "depth", "nodes"),
    [("tictactoe", 9, 127_872), ("tictactoe", 5, 15_120), ("connect4", 8, 5_673_234)],
)
def test_known_figures(spec: str, depth: int, nodes: int) -> None:
    assert perft(plywise.game(spec).start(), depth) == nodes


@pytest.mark.parametrize("spec", ["tictactoe:rows=3,cols=2,k=2", "connect4:rows=3,cols=3"])
def test_every_depth_agrees_with_plain_recursion(spec: str) -> None:
    position = plywise.game(spec).start()
    for depth in range(8):
        assert perft(position, depth) == plain_perft(position, depth)


def test_a_player_who_moves_twice() -> None:
    position = coin_row(7, 1).start()
    assert [perft(position, depth) for depth in range(9)] == [1, 2, 4, 8, 16, 32, 64, 64, 0]


def test_from_a_later_position() -> None:
    position = plywise.game("connect4").position("4444")
    assert perft(position, 4) == plain_perft(position, 4)
    assert position.moves == ("4", "4", "4", "4")


def test_a_finished_game_has_no_children() -> None:
    position = plywise.game("connect4").position("1213141")
    assert position.over
    assert [perft(position, depth) for depth in range(3)] == [1, 0, 0]


def test_beyond_the_longest_game() -> None:
    assert perft(plywise.game("tictactoe").start(), 10**9) == 0


def test_a_negative_depth() -> None:
    with pytest.raises(SpecError, match="depth=-1 is not valid"):
        perft(plywise.game("tictactoe").start(), -1)
