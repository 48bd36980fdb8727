"""Patterns and symmetries that are found from the layout of a board."""

from __future__ import annotations

import numpy as np
import pytest

import plywise
from plywise.kit import Look, square_board
from plywise.kit.layouts import graph_board
from plywise.kit.sight import axes, blocks, found_patterns, lines, located, symmetries


def look_of(spec: str) -> tuple[Look, plywise.Game]:
    game = plywise.game(spec)
    assert isinstance(game.type.look, Look)
    return game.type.look, game


@pytest.mark.parametrize(
    ("spec", "count"),
    [
        ("tictactoe", 8),
        ("tictactoe:rows=3,cols=4", 4),
        ("connect4", 2),  # pieces fall down
        ("andantino:side=4", 12),
        ("examples/hex.py", 2),  # half a turn
        ("examples/breakthrough.py", 2),  # left and right
        ("examples/othello.py", 4),  # the stones in the middle are crossed
    ],
)
def test_symmetries_are_those_of_the_game(spec: str, count: int) -> None:
    found = symmetries(*look_of(spec))
    assert len(found) == count
    assert (found[0] == np.arange(len(found[0]))).all()
    for image in found:
        assert sorted(image.tolist()) == list(range(len(image)))


def test_symmetries_are_a_group() -> None:
    found = {tuple(image.tolist()) for image in symmetries(*look_of("examples/othello.py"))}
    for one in found:
        for two in found:
            assert tuple(one[place] for place in two) in found


def test_lines_and_blocks() -> None:
    board = square_board(3, 4)
    whole = [line for line in lines(board, 3) if min(line) >= 0]
    assert len(whole) == 4 + 6 + 2 + 2
    assert (0, 5, 10) in whole
    assert len([block for block in blocks(board, 2, 3) if min(block) >= 0]) == 4 + 3
    assert axes(graph_board({"a": (0, 0), "b": (1, 0)}, [("a", "b")])) == []


def test_families_are_orbits_and_their_places_correspond() -> None:
    look, game = look_of("connect4")
    layout = look.layout_of(game.board)
    images = symmetries(look, game)
    places, families = located({"line": lines(layout, 4)}, images)
    assert len(places) == 69
    mirror = images[1]
    by_family: dict[int, list[tuple[int, ...]]] = {}
    for pattern, family in zip(places, families, strict=True):
        by_family.setdefault(family, []).append(pattern)
    assert all(len(each) <= 2 for each in by_family.values())
    for each in by_family.values():
        if len(each) == 2:  # place by place, also where it lies the other way round
            assert tuple(mirror[list(each[0])]) == each[1]


@pytest.mark.slow
def test_large_boards_share_their_patterns() -> None:
    look, game = look_of("andantino")
    patterns, families = found_patterns(look.layout_of(game.board), 3, symmetries(look, game))
    whole = patterns[:, 5] < 271  # single cells have tables of their own
    assert len(set(families[whole].tolist())) == 3  # lines, cells with their neighbours, strips
    assert patterns.max() <= 271
    assert len(patterns) > 600


@pytest.mark.parametrize("spec", ["makeway", "examples/kalah.py", "examples/morris.py", "align"])
def test_every_board_has_patterns(spec: str) -> None:
    look, game = look_of(spec)
    inputs = look.sight(game).inputs
    inputs.check()
    assert set(range(inputs.cells)) <= set(inputs.patterns.ravel().tolist())


def test_a_rule_may_say_what_stands_on_the_board() -> None:
    look, game = look_of("connect4")
    assert look.sight(game).read is look.contents
