"""Boards of strokes as text: strokes of fine dots, which stay on the board."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from plywise.views.net import BROAD, FINE, _broad

ROWS, COLUMNS = 2, 5  #: of characters
LAST = ROWS * FINE[0] - 1, COLUMNS * FINE[1] - 1


@pytest.mark.parametrize(
    ("end", "dot", "beside"),
    [
        ((9.0, 1.0), (3, 4), (4, 4)),  # level: the dot below it
        ((1.0, 9.0), (3, 4), (3, 5)),  # upright: the dot to the right
        ((9.0, 1.0), (LAST[0], 4), (LAST[0], 4)),  # nothing lies below the last row, ...
        ((1.0, 9.0), (3, LAST[1]), (3, LAST[1])),  # ... or beyond the last column
    ],
)
def test_broad_strokes_have_two_dots(
    end: tuple[float, float], dot: tuple[int, int], beside: tuple[int, int]
) -> None:
    canvas = SimpleNamespace(rows=ROWS, columns=COLUMNS, along=lambda *_: [dot])
    assert list(_broad(canvas, (0.0, 0.0), end, BROAD)) == [dot, beside]  # type: ignore[arg-type]
    assert list(_broad(canvas, (0.0, 0.0), end, BROAD / 2)) == [dot]  # type: ignore[arg-type]
