"""What the games put into their Scenes."""

from __future__ import annotations

import json

import pytest

import plywise
from plywise import games
from plywise.core.scene import Circle, Label, Line, Motion, Path, Polygon, Scene, scene_of
from plywise.testing import check_scenes, random_games
from tests.awkward.book_tree import book_tree


def scene(spec: str, moves: str = "") -> Scene:
    return scene_of(plywise.game(spec).position(moves))


def with_role(found: Scene, role: str) -> list[str]:
    return [shape.id for shape in found.shapes if role in shape.roles]


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_many_positions(name: str) -> None:
    """Hundreds; fewer where a picture has hundreds of shapes. The laws look at some of them."""
    enough, count = {"makeway": 80, "andantino": 80, "snails": 150}.get(name, 400), 1
    while len(list(sample := random_games(name, games=count, seed=6))) < enough:
        count *= 2
    check_scenes(sample, enough=enough)


def test_connect4_at_the_start() -> None:
    found = scene("connect4")
    assert found.title == "Connect-4, player 1 to move"
    assert len(with_role(found, "cell")) == 42
    assert not with_role(found, "stone")
    assert found.motion is None
    assert [target.move for target in found.targets] == list("1234567")
    assert found.targets[3].shapes == ("column 4",)
    assert [label.text for label in found.coordinates] == list("1234567")


def test_connect4_last_disc_drops() -> None:
    found = scene("connect4", "44")
    assert with_role(found, "last") == ["last d2", "piece d2"]
    disc = next(shape for shape in found.shapes if shape.id == "piece d2")
    assert disc.owner == 1
    x, y = disc.centre
    assert found.motion is not None
    assert found.motion.start[1] < 0.5
    assert found.motion == Motion(
        "drop", ("piece d2", "detail d2"), (x, found.motion.start[1]), (x, y)
    )


def test_connect4_a_full_column_is_no_target() -> None:
    found = scene("connect4", "444444")
    assert [target.move for target in found.targets] == list("123567")
    landing = {target.move: target.at for target in scene("connect4", "4").targets}
    assert landing["4"][1] == landing["3"][1] - 1  # y runs down


def test_connect4_marks_every_four() -> None:
    # X . . . . . .
    # X . . . . . .
    # X . . . . . .
    # X X X X X . .
    found = scene_of(plywise.game("connect4").from_text("7/7/x6/x6/x6/xxxxx2 o"))
    assert with_role(found, "winning")[-2:] == ["strike 1", "strike 2"]
    won = [
        shape for shape in found.shapes if shape.roles[0] == "stone" and "winning" in shape.roles
    ]
    assert len(won) == 8
    assert found.targets == ()


def test_tictactoe_strikes_the_line() -> None:
    found = scene("tictactoe", "b2 a1 c3 b1 c1 a3 c2")
    strike = next(shape for shape in found.shapes if shape.id == "strike 1")
    assert isinstance(strike, Path)
    assert len({x for x, _ in strike.strokes[0]}) == 1
    assert {"piece c1", "piece c2", "piece c3"} < set(with_role(found, "winning"))
    assert found.title == "Tic-Tac-Toe, player 1 wins: 3 in a line"


def test_tictactoe_marks_differ_in_shape() -> None:
    found = scene("tictactoe", "b2 a1")
    marks = {shape.id: type(shape) for shape in found.shapes if "stone" in shape.roles}
    assert marks == {"piece b2": Path, "piece a1": Circle}
    assert found.motion == Motion("place", ("piece a1",), found.motion.start, found.motion.end)


def test_tictactoe_one_mark_wins() -> None:
    found = scene("tictactoe:rows=3,cols=4,k=1", "b2")
    assert with_role(found, "winning") == ["piece b2", "strike 1"]


def test_json_is_plain_and_complete() -> None:
    found = scene("connect4", "4453")
    data = json.loads(json.dumps(found.to_json()))
    assert set(data) == {
        "title",
        "description",
        "text",
        "size",
        "shapes",
        "coordinates",
        "targets",
        "motion",
        "palette",
        "hub",
        "window",
    }
    disc = next(shape for shape in data["shapes"] if shape["id"] == "piece d1")
    assert disc["kind"] == "circle"
    assert (disc["roles"], disc["owner"], disc["layer"]) == (["stone"], 0, 5)
    assert data["motion"]["kind"] == "drop"
    assert data["targets"][0]["shapes"] == ["column 1"]


def test_a_game_without_a_scene_shows_its_text() -> None:
    position = book_tree(2, [3, 12, 8, 2])().start().play("a")
    found = scene_of(position)
    letters = "".join(shape.text for shape in found.shapes if isinstance(shape, Label))
    assert letters == "".join(str(position).split())
    assert found.targets == ()
    assert "<text " in position.svg()


def test_shapes_know_their_boxes() -> None:
    common = {"id": "it", "roles": ("cell",)}
    assert Circle((1.0, 2.0), 0.5, 0.2, **common).box == pytest.approx((0.4, 1.4, 1.6, 2.6))
    assert Line((0.0, 0.0), (2.0, 1.0), 0.2, **common).centre == (1.0, 0.5)
    assert Polygon(((0.0, 0.0), (2.0, 0.0), (1.0, 3.0)), **common).box == (0.0, 0.0, 2.0, 3.0)
    assert Label((1.0, 1.0), "ab", 0.5, **common).box == pytest.approx((0.7, 0.75, 1.3, 1.25))
