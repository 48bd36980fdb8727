"""Cells, position texts and drawings of rectangular boards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.kit.grid import cell_text, draw_grid, grid_text, read_cell, read_grid
from tests.core.refusals import one_line

SIZE = st.tuples(st.integers(1, 19), st.integers(1, 19))


@given(SIZE, st.data())
def test_cells_round_trip(size: tuple[int, int], data: st.DataObject) -> None:
    rows, cols = size
    cell = data.draw(st.integers(0, rows * cols - 1))
    text = cell_text(cell, cols)
    assert read_cell(text, rows, cols) == cell
    assert read_cell(text.upper(), rows, cols) == cell


@given(SIZE, st.data())
def test_grids_round_trip(size: tuple[int, int], data: st.DataObject) -> None:
    rows, cols = size
    row = st.lists(st.integers(0, 2), min_size=cols, max_size=cols)
    grid = data.draw(st.lists(row, min_size=rows, max_size=rows))
    turn = data.draw(st.integers(0, 1))
    text = grid_text(grid, turn)
    assert read_grid(text, rows, cols) == (grid, turn)
    assert read_grid(f"  {text.upper()}  ", rows, cols) == (grid, turn)


@given(st.text() | st.text("xo.123456789/ ", max_size=30), SIZE)
def test_any_text_is_a_grid_or_refused(text: str, size: tuple[int, int]) -> None:
    rows, cols = size
    try:
        grid, turn = read_grid(text, rows, cols)
    except ValueError as error:
        one_line(error)
        return
    assert len(grid) == rows
    assert {len(row) for row in grid} == {cols}
    assert turn in (0, 1)


@given(st.text(), SIZE)
def test_any_text_is_a_cell_or_refused(text: str, size: tuple[int, int]) -> None:
    rows, cols = size
    try:
        assert 0 <= read_cell(text, rows, cols) < rows * cols
    except ValueError as error:
        one_line(error)


@pytest.mark.parametrize("text", ["", "a", "1", "a0", "d1", "a4", "aa1", "a1 ", "a01", "a-1", "a²"])
def test_cells_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a1 to c3"):
        read_cell(text, 3, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "player to move, x or o"),
        ("3/3/3", "player to move, x or o"),
        ("3/3/3 z", "player to move, x or o"),
        ("3/3/3 x x", "player to move, x or o"),
        ("3/3 x", "this board has 3 rows, not 2"),
        ("3/3/3/3 x", "this board has 3 rows, not 4"),
        ("3/4/3 x", "row 2 has 4 cells, but the board has 3 columns"),
        ("3/3/2 x", "row 1 has 2 cells"),
        ("//x2 x", "row 3 has 0 cells"),
        ("q2/3/3 x", "row 3 is 'q2', but can contain only"),
        ("03/3/3 x", "row 3 is '03'"),
    ],
)
def test_grids_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_grid(text, 3, 3)


def test_a_drawing_of_a_high_board() -> None:
    grid = [[0, 1]] + [[0, 0]] * 9
    lines = draw_grid(grid, "ab").splitlines()
    assert lines[0] == "10  . ."
    assert lines[-2:] == [" 1  . X", "    a b"]
