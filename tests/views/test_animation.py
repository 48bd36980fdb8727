"""Animated PNG: what each frame shows, compared with the pictures drawn one by one."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageSequence

import plywise
from plywise.cli import main
from plywise.core.palette import INK
from plywise.core.scene import Polygon, Scene, scene_of
from plywise.errors import SpecError
from plywise.games import find, names
from plywise.play.records.game_record import GameRecord, Move
from plywise.play.records.saves import save
from plywise.views import draw_apng
from plywise.views.animation import Pixels, _frame, _parts, drawn
from plywise.views.theme import LIGHT

LARGEST = 500_000  #: bytes of the animation of an ordinary game


def frames(data: bytes) -> list[Pixels]:
    with Image.open(BytesIO(data)) as picture:
        return [np.asarray(frame.convert("RGB"), int) for frame in ImageSequence.Iterator(picture)]


def whole(scene: Scene, last: Scene) -> Pixels:
    """One picture alone, drawn from nothing."""
    return _parts(drawn(scene, _frame(last), LIGHT))


@pytest.mark.slow
@pytest.mark.parametrize("name", names())
def test_every_frame_is_the_whole_picture(name: str) -> None:
    kind = find(name)
    scenes = [scene_of(each) for each in kind().position(kind.words.sample).history]
    data = draw_apng(scenes)
    assert len(data) < LARGEST
    still, *found = frames(data)
    assert len(found) == len(scenes)
    assert np.array_equal(still, found[-1])
    for at in (0, 1, len(scenes) // 2, -2, -1):
        apart = np.abs(found[at] - whole(scenes[at], scenes[-1]))
        # A few colours of smooth edges are shared with others that are nearly the same.
        assert apart.max() < 48
        assert apart.mean() < 0.5


def test_only_what_changed_is_stored() -> None:
    position = plywise.game("connect4").position("4453")
    scenes = [scene_of(each) for each in position.history]
    once, often = draw_apng(scenes), draw_apng([*scenes, *10 * scenes[-1:]])
    assert len(often) - len(once) < 1000


def test_black_appears_where_the_frame_before_is_clear() -> None:
    """Black, and what a frame leaves clear, are the same colour in the palette of the file."""
    palette = replace(INK, light=replace(INK.light, cell="#000000"))
    empty = replace(scene_of(plywise.game("tictactoe").start()), shapes=(), palette=palette)
    corners = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
    square = replace(empty, shapes=(Polygon(corners, id="a1", roles=("cell",)),))
    *_, last = frames(draw_apng([empty, empty, square]))
    assert last[5, 5].tolist() == [0, 0, 0]
    assert np.abs(last - whole(square, square)).max() < 48


def test_a_board_that_grows() -> None:
    small = scene_of(plywise.game("tictactoe").start())
    large = scene_of(plywise.game("tictactoe:rows=5,cols=4,k=3").position("b2"))
    _, first, last = frames(draw_apng([small, large]))
    assert first.shape == last.shape
    assert np.abs(last - whole(large, large)).max() < 48


def test_paces() -> None:
    position = plywise.game("tictactoe").position("b2")
    with Image.open(BytesIO(position.apng(pace=0.25))) as picture:
        assert picture.default_image
        times = []
        for number in range(1, picture.n_frames):
            picture.seek(number)
            times.append(picture.info["duration"])
    assert times == [250, 3000]
    for pace in (0, -1, 61, float("nan")):
        with pytest.raises(SpecError, match="pace"):
            position.apng(pace=pace)


def test_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, file = tmp_path / "game.txt", tmp_path / "game.apng"
    save(GameRecord("tictactoe", ("human", "human"), moves=(Move("b2"),)), saved)
    assert main(["show", str(saved), "--apng", str(file), "--theme", "dark"]) == 0
    assert capsys.readouterr().out.startswith("3  . . .\n2  . X .\n")
    assert len(frames(file.read_bytes())) == 3
    assert main(["show", "tictactoe", "--apng", str(tmp_path / "game.gif")]) == 2
    assert "the name must end in .apng or .png" in capsys.readouterr().err
