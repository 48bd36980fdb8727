"""Boards and their places: names, neighbours, and what cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable
from math import dist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.errors import SpecError
from plywise.kit import (
    Layout,
    dot_board,
    graph_board,
    hex_board,
    hexagon_board,
    line_board,
    square_board,
)
from plywise.kit.texts import draw_places

SIDES = st.integers(2, 9)
BOARDS = st.one_of(
    st.builds(square_board, SIDES, SIDES),
    st.builds(hex_board, SIDES, SIDES),
    st.builds(hexagon_board, st.integers(2, 6)),
    st.builds(dot_board, SIDES, SIDES),
)


@given(BOARDS)
def test_every_place_has_its_own_name_and_its_own_middle(layout: Layout) -> None:
    assert len(layout.numbers) == len(layout)
    assert len({place.at for place in layout.places}) == len(layout)
    assert sorted(number for row in layout.rows for number in row) == list(range(len(layout)))


@pytest.mark.parametrize("make", [square_board, hex_board, hexagon_board, dot_board])
def test_sizes_may_come_from_a_record(make: Callable[..., Layout]) -> None:
    board = np.zeros(1, [("size", "u1")])
    board["size"] = 3
    layout = make(board[0]["size"])
    assert layout == make(3)
    assert all(type(part) is float for place in layout.places for part in place.at)


@given(BOARDS)
def test_neighbours_are_neighbours_of_each_other(layout: Layout) -> None:
    for number, steps in enumerate(layout.steps.tolist()):
        for beside in steps:
            assert beside == -1 or number in layout.steps[beside]


@given(st.builds(hex_board, SIDES, SIDES) | st.builds(hexagon_board, st.integers(2, 6)))
def test_hexagons_touch_their_neighbours_and_no_others(layout: Layout) -> None:
    middles = [place.at for place in layout.places]
    for number, at in enumerate(middles):
        near = {other for other, there in enumerate(middles) if 0 < dist(at, there) < 1.1}
        assert near == {beside for beside in layout.steps[number].tolist() if beside >= 0}


@given(st.builds(square_board, SIDES, SIDES))
def test_the_eight_ways_of_a_square_board_have_a_way_back(layout: Layout) -> None:
    back = [2, 3, 0, 1, 6, 7, 4, 5]
    for number, steps in enumerate(layout.steps.tolist()):
        for way, beside in enumerate(steps):
            assert beside == -1 or layout.steps[beside, back[way]] == number


@given(st.builds(dot_board, SIDES, SIDES))
def test_a_box_has_four_lines_and_an_inner_line_two_boxes(layout: Layout) -> None:
    for number, place in enumerate(layout.places):
        joined = [beside for beside in layout.steps[number].tolist() if beside >= 0]
        assert len(joined) == 4 if place.kind == "cell" else len(joined) in (1, 2)


def test_columns_beyond_z_have_two_letters() -> None:
    assert [place.name for place in square_board(1, 28).places[25:]] == ["z1", "aa1", "ab1"]


def test_rays_end_at_the_edge_and_never_turn_in_circles() -> None:
    board = square_board(8)
    assert board.rays(0, 4) == [9, 18, 27, 36, 45, 54, 63]
    ring = graph_board({"a": (0, 0), "b": (1, 0)}, [("a", "b")])
    assert ring.rays(0, 0) == [1, 0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: square_board(3, 100), "1 to 99 rows and columns"),
        (lambda: square_board(0), "a board of 0 x 0 cannot be drawn"),
        (lambda: hex_board(100, 3), "1 to 99 rows"),
        (lambda: dot_board(1, 5), "no box between them"),
        (lambda: graph_board({"a": (0, 0)}, [("a", "z")]), "'z', which is not a point"),
        (lambda: line_board({"a": (0, 0)}, [("a", "z")]), "'z', which is not a point"),
    ],
)
def test_what_cannot_be_drawn_gets_one_line(make: object, words: str) -> None:
    with pytest.raises(SpecError, match=words) as caught:
        make()  # type: ignore[operator]
    assert "\n" not in str(caught.value)


def test_runs_are_found_at_full_length_and_once() -> None:
    # 2 . . 1
    # . 2 . 1
    # 1 1 1 1
    board = square_board(3, 4)
    standing = [1, 1, 1, 1, 0, 2, 0, 1, 2, 0, 0, 1]
    assert board.runs(standing, 1, 3) == [(3, 7, 11), (0, 1, 2, 3)]
    assert [set(line) for line in board.runs(standing, 2, 2)] == [{5, 8}]
    assert board.runs(standing, 2, 3) == []
    assert board.runs([0, 0, 0, 0, 0, 1, *[0] * 6], 1, 1) == [(5,)]


def test_runs_on_hexagons_have_three_axes() -> None:
    board = hexagon_board(2)
    lines = board.runs([1] * 7, 1, 3)
    assert len(lines) == 3
    assert all(3 in line for line in lines)  # the middle


def test_the_middle_of_a_hexagon_can_keep_its_name() -> None:
    for side in (2, 3, 10):
        board = hexagon_board(side, named=10)
        assert board.places[len(board) // 2].name == "j10"
        assert len({text for text, _ in board.labels}) == 2 * (2 * side - 1)


def test_a_board_that_stands_has_numbered_columns() -> None:
    board = square_board(2, 3, upright=True)
    assert [text for text, _ in board.labels] == ["1", "2", "3"]
    assert board.strokes == ()
    assert len(square_board(3, edge=False).strokes) == 4


def test_wide_numbers_keep_their_columns() -> None:
    board = graph_board({"a": (0, 0), "b": (2, 0), "c": (0, 1), "d": (2, 1)}, labels=())
    assert draw_places(board, ["1", "2", "3", "4"]).splitlines() == ["1 2", "3 4"]
    assert draw_places(board, ["12", "2", "3", "44"]).splitlines() == ["12  2", " 3 44"]
    assert draw_places(board, ["1", "", "3", "4"]).splitlines() == ["1", "3 4"]


def test_lines_that_begin_the_drawing_are_between_their_ends() -> None:
    board = line_board({"a": (0, 0), "b": (1, 0), "c": (2, 0)}, [("a", "b"), ("b", "c")])
    assert draw_places(board, ["-", "|"]) == "o - o | o"
