"""A real JupyterLab page: a game played by clicks to its end, studied and reviewed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import MISSING, found, launched
from tests.notebook.lab import TOKEN, lab, notebook

PATIENCE = 120_000  #: milliseconds; a busy machine starts a kernel slowly
CELLS = [
    "import plywise\nboard = plywise.board('tictactoe', second='minimax')\nboard",
    "print(board.position.winner, board.record.result)",
    "plywise.review(board.position)",
    "import time; time.sleep(6)",
]

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(find_spec("jupyterlab") is None, reason="JupyterLab is not installed"),
    pytest.mark.skipif(found() is None, reason=MISSING),
]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("lab")
    notebook(folder / "game.ipynb", CELLS)
    with lab(folder) as started:
        yield started


@pytest.fixture
def page(chromium: Browser, address: str) -> Iterator[Page]:
    expect.set_options(timeout=PATIENCE)
    page = chromium.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(f"{address}/lab/tree/game.ipynb?token={TOKEN}&reset")
    page.locator(".jp-Notebook .jp-Cell").first.wait_for()
    page.get_by_text("Python 3 (ipykernel) | Idle").wait_for()
    yield page
    page.close()
    assert wrong == []


def run(page: Page, cell: int) -> None:
    """Run a cell, as Shift with Enter does."""
    page.locator(".jp-CodeCell .cm-content").nth(cell).click()
    page.keyboard.press("Shift+Enter")


def play_to_the_end(page: Page) -> None:
    """Click the first empty cell until the game is over."""
    status, banner = page.locator(".status-text"), page.locator(".banner")
    for _ in range(9):
        expect(status.filter(has_text="Your turn").or_(banner).first).to_be_visible()
        if banner.count():
            return
        before = page.locator(".move").count()
        page.locator(".place").first.click()
        expect(page.locator(".move").nth(before)).to_be_visible()
    expect(banner).to_be_visible()


def test_a_game_is_played_by_clicks_and_studied(page: Page, tmp_path: Path) -> None:
    run(page, 0)
    expect(page.locator(".board .scene")).to_be_visible()
    play_to_the_end(page)
    expect(page.locator(".banner h2")).to_have_text("You lose")
    page.screenshot(path=tmp_path / "played.png")

    # The kernel knows how it ended.
    run(page, 1)
    expect(page.locator(".jp-OutputArea-output", has_text="2 player 2 wins, rules")).to_be_visible()

    # A review, with its graph, in the board and drawn below a cell.
    page.locator(".banner").get_by_role("button", name="Review").click()
    expect(page.locator(".review-figures")).to_be_visible()
    expect(page.locator(".review .graph")).to_be_visible()
    run(page, 2)
    expect(page.locator(".jp-RenderedHTML svg")).to_be_visible()

    # Back to the position before the last moves: scores on the board.
    page.get_by_role("tab", name="Moves").click()
    for _ in range(2):
        page.get_by_role("button", name="Previous move").click()
    page.locator(".control", has_text="Analysis").click()
    expect(page.locator(".marks .score").first).to_be_visible()

    # Keys belong to the board while it has the focus: A would insert a cell.
    cells = page.locator(".jp-Cell").count()
    page.locator(".place").first.focus()
    for key in ("a", "ArrowRight", "b"):
        page.keyboard.press(key)
    assert page.locator(".jp-Cell").count() == cells

    # Another game, in which the other side begins.
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator(".move")).to_have_count(1)
    expect(page.locator(".player").nth(0)).to_contain_text("minimax")


def test_keys_play_and_a_cell_that_runs_is_no_obstacle(page: Page) -> None:
    run(page, 0)
    place = page.locator(".place").first
    place.focus()
    for key in ("ArrowRight", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    expect(page.locator(".move").first).to_have_text(re.compile("b2"))
    expect(page.locator(".status-text")).to_contain_text("Your turn")
    run(page, 3)
    place.click()
    expect(page.locator(".move")).to_have_count(4)


def test_the_board_follows_the_theme_of_the_page(page: Page) -> None:
    run(page, 0)
    expect(page.locator("[data-theme]")).to_have_attribute("data-theme", "light")
    for name in ("Settings", "Theme", "JupyterLab Dark"):
        page.get_by_text(name, exact=True).click()
    expect(page.locator("[data-theme]")).to_have_attribute("data-theme", "dark")
