"""The names of cells on rectangular boards."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywise.kit.cells import cell_text, read_cell
from tests.core.refusals import one_line

SIZE = st.tuples(st.integers(1, 19), st.integers(1, 19))


@given(SIZE, st.data())
def test_cells_round_trip(size: tuple[int, int], data: st.DataObject) -> None:
    rows, cols = size
    cell = data.draw(st.integers(0, rows * cols - 1))
    text = cell_text(cell, cols)
    assert read_cell(text, rows, cols) == cell
    assert read_cell(text.upper(), rows, cols) == cell


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
