"""Every example in the browser: a few moves by clicks, or dragged where pieces move."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

import plywise
from plywise.core.scene import Scene, Target, scene_of
from tests.browser.conftest import Complaints, new_context
from tests.browser.steps import board, expect_moves, make_game
from tests.examples.peers import FOLDER
from tests.serving import Server, serving

FILES = sorted(FOLDER.glob("*.py"))
MOVES = 8
LONGER = {"morris": 24}  #: men move when all have been placed


@pytest.fixture(scope="module")
def examples_server() -> Iterator[Server]:
    with serving(*map(str, FILES), warm=False) as server:
        yield server


@pytest.fixture
def page(chromium: Browser, examples_server: Server, complaints: Complaints) -> Iterator[Page]:
    context = new_context(chromium, base_url=examples_server.url)
    page = context.new_page()
    complaints.listen(page)
    yield page
    context.close()


def middle(page: Page, scene: Scene, name: str) -> tuple[float, float]:
    """The middle of a shape on the screen; the page does not draw areas to click on."""
    box = board(page).bounding_box()
    assert box is not None
    shape = next(shape for shape in scene.shapes if shape.id == name)
    x, y = (at / size for at, size in zip(shape.centre, scene.size, strict=True))
    return box["x"] + x * box["width"], box["y"] + y * box["height"]


def make_move(page: Page, scene: Scene, target: Target) -> None:
    """Click on a place, or drag a piece from one to the other."""
    start, *rest = (middle(page, scene, name) for name in target.shapes)
    page.mouse.move(*start)
    page.mouse.down()
    for end in rest:
        page.mouse.move(*end, steps=4)
    page.mouse.up()


@pytest.mark.long
@pytest.mark.parametrize("name", [file.stem for file in FILES])
def test_an_example_is_played_with_the_mouse(page: Page, name: str) -> None:
    rng = random.Random(name)
    position = plywise.game(f"{FOLDER / name}.py").start()
    make_game(page, name, second="human")
    for number in range(1, LONGER.get(name, MOVES) + 1):
        scene = scene_of(position)
        target = rng.choice(scene.targets)
        make_move(page, scene, target)
        position = position.play(target.move)
        expect_moves(page, *position.moves)
        expect(board(page).locator('[data-id^="piece "]')).to_have_count(
            sum(shape.id.startswith("piece ") for shape in scene_of(position).shapes)
        )
        assert len(position.moves) == number
