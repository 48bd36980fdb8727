"""Charts: figures stand where they should, nothing overlaps the edge, letters can be read."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lab.papers.report.charts import Bar, Cell, Field, bars_panel, matrix_panel
from lab.papers.report.curves import WIDTH, Curve, Plot, curves_panel, page
from plywise.core.scene import Circle, Label, Path, Polygon, Scene
from plywise.views import draw_png, draw_svg
from plywise.views.theme import THEMES
from tests.views.test_theme import LETTERS, contrast

LABELS = ["auto:level=10", "seed", "random"]
CELLS = [
    [None, Cell(0.75, "3 - 0 - 1"), Cell(1.0)],
    [Cell(0.25), None, Cell(0.5)],
    [Cell(0.0), Cell(0.5), None],
]
BARS = [Bar(0.875, 0.6, 0.97, "88%"), Bar(0.375, 0.1, 0.7, "38%"), None]
TIMES = [Bar(0.1, 0.1, 0.2, "100 ms"), Bar(0.001, 0.001, 0.01, "1 ms"), Bar(0.0, 0.0, 0.0, "0")]


def sheet() -> Scene:
    fields = [
        Field("share", BARS, "share", "{:.0%}".format),
        Field("time", TIMES, "log", "{:g}".format),
    ]
    curves = [Curve("one", [10.0, 100.0, 1000.0]), Curve("two", [10.0, 200.0, 3000.0])]
    ratios = [Curve("one", [1.0, 1.0, 1.0]), Curve("two", [1.0, 2.0, 3.0], ["1", "2", "3"])]
    plots = [Plot("nodes", curves, "log", "{:g}".format), Plot("x", ratios, "even", "{:g}".format)]
    panels = [
        matrix_panel("Who", "a caption", LABELS, CELLS),
        bars_panel("How", "a caption " * 30, LABELS, fields),
        curves_panel("What", "one\ntwo", "depth", ["1", "2", "3"], plots),
    ]
    return page("A title", "and more", panels, text="in words")


SHEET = sheet()
SHAPES = {shape.id: shape for shape in SHEET.shapes}


def test_names_are_unique() -> None:
    assert len(SHAPES) == len(SHEET.shapes)
    assert (SHEET.title, SHEET.text) == ("A title", "in words")


def test_everything_is_on_the_page() -> None:
    width, height = SHEET.size
    assert width == WIDTH
    for shape in SHEET.shapes:
        left, top, right, bottom = shape.box
        assert min(left, top) >= 0, shape.id
        assert right <= width + 0.01, shape.id
        assert bottom <= height + 0.01, shape.id


def test_panels_lie_one_below_the_other() -> None:
    for number in (0, 1):
        ends = [s.box[3] for name, s in SHAPES.items() if name.startswith(f"{number} ")]
        starts = [s.box[1] for name, s in SHAPES.items() if name.startswith(f"{number + 1} ")]
        assert max(ends) < min(starts)


def test_the_matrix_shows_shares_by_figure_and_shade() -> None:
    figures = {name: SHAPES[f"0 share {name}"].text for name in ("0 1", "0 2", "1 0", "1 2")}
    assert figures == {"0 1": "75", "0 2": "100", "1 0": "25", "1 2": "50"}
    shades = {name: SHAPES[f"0 shade {name}"].shade for name in figures}
    assert shades["0 2"] > shades["0 1"] == shades["1 0"] > shades["1 2"] > 0
    assert SHAPES["0 shade 0 1"].owner != SHAPES["0 shade 1 0"].owner
    assert "0 share 0 0" not in SHAPES
    assert SHAPES["0 words 0 1"].text == "3 - 0 - 1"


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_letters_can_be_read_on_every_shade(theme) -> None:
    for shape in SHEET.shapes:
        if isinstance(shape, Polygon) and shape.id.startswith("0 shade"):
            assert contrast(theme.text, theme.paint(SHEET, shape).colour) >= LETTERS


def test_bars_go_as_far_as_their_figures() -> None:
    low, high = (SHAPES[f"1 tick 0 {index}"].start[0] for index in (0, 4))
    for row, share in ((0, 0.875), (1, 0.375)):
        bar = SHAPES[f"1 bar 0 {row}"].box
        assert bar[0] == pytest.approx(low)
        assert bar[2] == pytest.approx(low + share * (high - low))
    whisker = SHAPES["1 whisker 0 0"]
    assert isinstance(whisker, Path)
    assert whisker.strokes[0][0][0] == pytest.approx(low + 0.6 * (high - low))
    assert whisker.strokes[0][1][0] == pytest.approx(low + 0.97 * (high - low))
    assert "1 bar 0 2" not in SHAPES


def test_a_decade_is_as_wide_as_any_other() -> None:
    """From 1 ms to 1 s there are three; nothing stands at no time at all, but its figure does."""
    ticks = [SHAPES[f"1 tick 1 {index}"].start[0] for index in range(4)]
    steps = [right - left for left, right in pairwise(ticks)]
    assert steps == pytest.approx([steps[0]] * 3)
    dots = [SHAPES[f"1 bar 1 {row}"] for row in (0, 1)]
    assert all(isinstance(dot, Circle) for dot in dots)
    assert [dot.at[0] for dot in dots] == pytest.approx([ticks[2], ticks[0]])
    assert "1 bar 1 2" not in SHAPES
    assert SHAPES["1 figure 1 2"].text == "0"


def test_long_captions_are_broken() -> None:
    lines = [s for name, s in SHAPES.items() if name.startswith("1 caption")]
    assert len(lines) > 2
    assert all(isinstance(line, Label) for line in lines)


@pytest.mark.parametrize("theme", THEMES)
def test_pictures(theme: str) -> None:
    svg = draw_svg(SHEET, theme)
    assert 'text-anchor="end"' in svg
    assert ">3 - 0 - 1<" in svg
    assert draw_png(SHEET, theme, zoom=0.5).startswith(b"\x89PNG")


@pytest.mark.parametrize(("anchor", "left"), [("start", 5.0), ("middle", 4.4), ("end", 3.8)])
def test_where_letters_stand(anchor, left) -> None:
    label = Label((5.0, 1.0), "abcd", 0.5, anchor, id="it", roles=("text",))
    assert label.box[0] == pytest.approx(left)


def test_long_labels_and_many_of_them_stay_on_the_page() -> None:
    labels = [f"/some/where/far/away/in/a/folder/agent{number}.py" for number in range(16)]
    cells = [[Cell(0.5, "100 - 100 - 100")] * 16 for _ in labels]
    sheet = page("", "", [matrix_panel("", "", labels, cells)])
    texts = [shape.text for shape in sheet.shapes if isinstance(shape, Label)]
    assert any(text.startswith("...") and "agent15.py" in text for text in texts)
    for shape in sheet.shapes:
        assert shape.box[0] >= 0
        assert shape.box[2] <= WIDTH
