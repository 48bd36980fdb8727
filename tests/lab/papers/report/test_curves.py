"""Curves: they rise with their figures, differ by their marks, and keep their notes apart."""

from __future__ import annotations

import pytest

from lab.papers.report.curves import Curve, Plot, curves_panel, page
from plywise.core.scene import Circle, Label, Path, Polygon

CURVES = [Curve("one", [10.0, 100.0, 1000.0]), Curve("two", [10.0, 200.0, 3000.0])]
RATIOS = [Curve("one", [1.0, 1.0, 1.0]), Curve("two", [1.0, 2.0, 3.0], ["1", "2", "3"])]
PLOTS = [Plot("nodes", CURVES, "log", "{:g}".format), Plot("x", RATIOS, "even", "{:g}".format)]
PANEL = curves_panel("What", "one\ntwo", "depth", ["1", "2", "3"], PLOTS)
SHAPES = {shape.id: shape for shape in page("A title", "and more", [PANEL]).shapes}


def test_curves_rise_with_their_figures() -> None:
    path = SHAPES["0 curve 0 1"]
    assert isinstance(path, Path)
    heights = [y for _, y in path.strokes[0]]
    assert heights == sorted(heights, reverse=True)
    even = SHAPES["0 curve 1 1"]
    assert isinstance(even, Path)
    (_, one), (_, two), (_, three) = even.strokes[0]
    assert one - two == pytest.approx(two - three)
    assert SHAPES["0 note 1 1 2"].text == "3"


def test_curves_differ_by_their_marks() -> None:
    kinds = {type(SHAPES[f"0 mark 0 {index} 0"]) for index in (0, 1)}
    assert kinds == {Circle, Polygon}


def notes_of(*values: float) -> list[Label]:
    """The notes of curves that have one step."""
    curves = [Curve(f"{value}", [value], [f"{value:g}"]) for value in (*values, 20.0)]
    plot = Plot("x", curves, "even", "{:g}".format)
    shapes = curves_panel("What", "", "depth", ["1"], [plot]).draw(0.0)
    return [s for s in shapes if isinstance(s, Label) and s.id.startswith("note")]


def test_notes_of_curves_that_lie_close_keep_apart() -> None:
    first, second, high = notes_of(10.0, 10.5)
    assert first.box[3] <= second.box[1] or second.box[3] <= first.box[1]
    assert high.text == "20"


def test_a_note_without_room_is_left_out() -> None:
    assert [note.text for note in notes_of(0.1, 0.2)] == ["0.1", "20"]
