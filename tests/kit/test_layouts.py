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
    square_board,
)

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


def test_rays_end_at_the_edge_and_never_turn_in_circles() -> None:
    board = square_board(8)
    assert board.rays(0, 4) == [9, 18, 27, 36, 45, 54, 63]
    ring = graph_board({"a": (0, 0), "b": (1, 0)}, [("a", "b")])
    assert ring.rays(0, 0) == [1, 0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: square_board(3, 27), "1 to 26 columns"),
        (lambda: square_board(0), "a board of 0 x 0 cannot be drawn"),
        (lambda: hex_board(100, 3), "1 to 99 rows"),
        (lambda: dot_board(1, 5), "no box between them"),
        (lambda: graph_board({"a": (0, 0)}, [("a", "z")]), "'z', which is not a point"),
    ],
)
def test_what_cannot_be_drawn_gets_one_line(make: object, words: str) -> None:
    with pytest.raises(SpecError, match=words) as caught:
        make()  # type: ignore[operator]
    assert "\n" not in str(caught.value)
