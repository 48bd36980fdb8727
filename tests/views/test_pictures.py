"""SVG and PNG: the golden files, and the two showing the same."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PIL import Image

import plywise
from plywise.core.scene import scene_of
from plywise.views import draw_png, draw_svg, marked
from plywise.views.marks import score_text
from plywise.views.png import flattened
from plywise.views.svg import pixels_per_unit
from plywise.views.theme import THEMES
from tests.golden.pictures import FOLDER, analysis_of, pictures, position_of

GOLDEN = pictures()
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_as_recorded(file: Path) -> None:
    assert GOLDEN[file] == file.read_text(encoding="utf-8"), "python -m tests.golden.pictures"


def test_no_picture_is_left_over() -> None:
    assert set(FOLDER.glob("*.svg")) == set(GOLDEN)


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_can_be_read_by_those_who_cannot_see(file: Path) -> None:
    root = ElementTree.fromstring(GOLDEN[file])
    assert root.get("role") == "img"
    title, description = root.findtext(f"{SVG}title"), root.findtext(f"{SVG}desc")
    assert title
    assert description
    names = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(names) == len(set(names))


def test_groups_name_roles_and_owners() -> None:
    root = ElementTree.fromstring(position_of("connect4-won").svg())
    classes = {group.get("class") for group in root.iter(f"{SVG}g")}
    assert {"cell", "board", "coordinate", "winning"} <= classes
    assert {"stone last winning player-1", "stone player-2"} <= classes


def test_markup_in_words_is_escaped() -> None:
    scene = scene_of(plywise.game("tictactoe").start())
    from dataclasses import replace

    risky = replace(scene, title="<b> & 'c'", description="]]>")
    assert ElementTree.fromstring(draw_svg(risky)).findtext(f"{SVG}title") == "<b> & 'c'"


@pytest.mark.parametrize("theme", THEMES)
def test_png_shows_the_discs_where_the_svg_does(theme: str) -> None:
    position = position_of("connect4")
    scene = scene_of(position)
    picture = Image.open(BytesIO(draw_png(scene, theme, zoom=1.0)))
    unit = pixels_per_unit(scene)
    assert picture.size == tuple(round(side * unit) for side in scene.size)
    discs = scene.palette.under(theme)
    colours = {None: discs.cell, 0: discs.players[0].fill, 1: discs.players[1].fill}
    seen = {shape.centre: None for shape in scene.shapes if shape.roles[0] == "cell"}
    seen |= {shape.centre: shape.owner for shape in scene.shapes if shape.roles[0] == "stone"}
    for (x, y), owner in seen.items():
        # between the middle, where the last move is dotted, and the ornament
        pixel = picture.getpixel((round((x + 0.15) * unit), round(y * unit)))
        assert "#{:02x}{:02x}{:02x}".format(*pixel) == colours[owner]


@pytest.mark.parametrize("name", ["connect4-won", "tictactoe-won", "tictactoe-15x15"])
def test_png_of_every_kind(name: str) -> None:
    data = position_of(name).png("dark", legal=True)
    picture = Image.open(BytesIO(data))
    assert picture.format == "PNG"
    assert len(picture.getcolors(1 << 20) or []) > 4
    assert data == position_of(name).png("dark", legal=True)


def test_a_notebook_draws_it() -> None:
    position = position_of("tictactoe")
    assert position._repr_svg_() == position.svg()


def test_scores_lie_over_the_targets() -> None:
    position = position_of("tictactoe")
    scene = scene_of(position)
    found = marked(position, analysis_of(position))
    new = found.shapes[len(scene.shapes) :]
    scores = {shape.id: shape for shape in new if shape.roles[0] == "score"}
    assert set(scores) == {f"score {move}" for move in position.legal}
    for target in scene.targets:
        assert scores[f"score {target.move}"].centre == pytest.approx(target.at)
    assert [shape.id for shape in new if shape.roles[0] == "best"] == [f"best {position.legal[2]}"]


def test_of_several_moves_to_a_place_the_best_shows_its_score() -> None:
    position = plywise.game("./examples/clobber.py").start()
    scene = scene_of(position)
    places = {target.move: target.at for target in scene.targets}
    assert len(set(places.values())) < len(places)
    for first in (position.legal[0], position.legal[-1]):  # the order of the moves does not matter
        values = {move: -0.5 if move == first else 0.2 for move in position.legal}
        lines = tuple(plywise.Line(move, value, value) for move, value in values.items())
        new = marked(position, plywise.Analysis(first, -0.5, -0.5, lines=lines)).shapes
        scores = {shape.centre: shape for shape in new if shape.roles[0] == "score"}
        assert len(scores) == len(set(places.values()))
        assert scores[places[first]].id == f"score {first}"  # the best move of the search
        assert scores[places[first]].roles == ("score", "best")
        others = [shape.text for at, shape in scores.items() if at != places[first]]
        assert set(others) == {"+20"}


def test_only_the_best_where_there_are_no_lines() -> None:
    position = position_of("tictactoe")
    analysis = plywise.Analysis(best="c1", value=0.1, score=4)
    new = marked(position, analysis).shapes[len(scene_of(position).shapes) :]
    assert [shape.id for shape in new] == ["best c1"]


@pytest.mark.parametrize(
    ("line", "kind", "moves", "text"),
    [
        (plywise.Line("1", 0.314, 20), "estimate", None, "+31"),
        (plywise.Line("1", 0.0, 0), "estimate", None, "+0"),
        (plywise.Line("1", 1.0, 1, "win", 7), "estimate", 4, "W4"),
        (plywise.Line("1", -1.0, -1, "loss", 4), "points", 2, "L2"),
        (plywise.Line("1", -1.0, -1, "loss"), "points", None, "L"),
        (plywise.Line("1", 0.0, 0, "draw"), "points", None, "="),
        (plywise.Line("1", 1.0, 18, "win", 7), "connect4", 4, "+18"),
        (plywise.Line("1", -1.0, -6, "loss"), "points", None, "-6"),
    ],
)
def test_scores_in_a_few_letters(
    line: plywise.Line, kind: str, moves: int | None, text: str
) -> None:
    assert score_text(line, kind, moves) == text


def test_corners_are_rounded_inwards() -> None:
    square = ((0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0))
    points = flattened(square, 1.0)
    assert (0.0, 0.0) not in points
    assert min(x for x, _ in points) == 0.0
    assert max(x + y for x, y in points) == pytest.approx(7.5)
    assert flattened(square, 0.0) == list(square)
