"""Games of files in the browser: clicked, dragged, edited while the server runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Complaints, new_context
from tests.browser.steps import board, make_game
from tests.serving import Server, serving

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
CLOBBER = "clobber.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("games")
    for name in ("hex.py", CLOBBER):
        shutil.copy(EXAMPLES / name, found)
    return found


@pytest.fixture(scope="module")
def own_server(folder: Path) -> Iterator[Server]:
    with serving(*map(str, sorted(folder.glob("*.py"))), warm=False) as server:
        yield server


@pytest.fixture
def page(chromium: Browser, own_server: Server, complaints: Complaints) -> Iterator[Page]:
    context = new_context(chromium, base_url=own_server.url)
    page = context.new_page()
    complaints.listen(page)
    yield page
    context.close()


def piece(page: Page, place: str) -> tuple[float, float]:
    """The middle of a cell on the screen."""
    box = page.locator(f'[data-id="cell {place}"]').bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_game_of_a_file_is_on_the_home_page_with_its_docstring(page: Page) -> None:
    page.goto("/")
    card = page.locator("article", has=page.get_by_role("heading", name="Hex", exact=True))
    expect(card).to_contain_text("Connect your two sides")
    card.get_by_role("link", name="Rules of Hex").click()
    expect(page.get_by_role("main")).to_contain_text("there is no draw")


def test_a_stone_is_placed_with_a_click_and_the_computer_answers(page: Page) -> None:
    make_game(page, "hex:size=4", second="auto:level=1")
    page.mouse.click(*piece(page, "b2"))
    expect(board(page).locator('[data-id="piece b2"]')).to_be_visible()
    expect(board(page).locator('[data-id^="piece"]')).to_have_count(2)


def test_a_piece_is_dragged_to_where_it_goes(page: Page) -> None:
    make_game(page, "clobber", second="human")
    taken = board(page).locator('[data-id="piece b2"]')
    expect(taken).to_be_visible()
    page.mouse.move(*piece(page, "b2"))
    page.mouse.down()
    page.mouse.move(*piece(page, "b3"), steps=6)
    expect(board(page).locator(".lifted").first).to_be_visible()
    page.mouse.up()
    expect(taken).to_have_count(0)
    expect(page.get_by_text("Player 2 to move", exact=True)).to_be_visible()


def test_a_piece_that_is_dropped_elsewhere_goes_back(page: Page) -> None:
    make_game(page, "clobber", second="human")
    page.mouse.move(*piece(page, "b2"))
    page.mouse.down()
    page.mouse.move(*piece(page, "d3"), steps=6)
    page.mouse.up()
    expect(board(page).locator(".lifted")).to_have_count(0)
    expect(board(page).locator(".chosen")).to_have_count(0)
    expect(page.get_by_text("Player 1 to move", exact=True)).to_be_visible()


def test_a_piece_moves_with_two_clicks_and_by_touch(
    chromium: Browser, own_server: Server, complaints: Complaints
) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    context = new_context(chromium, base_url=own_server.url, **phone)
    try:
        page = context.new_page()
        complaints.listen(page)
        make_game(page, "clobber", second="human")
        page.touchscreen.tap(*piece(page, "b2"))
        page.touchscreen.tap(*piece(page, "b3"))
        expect(page.get_by_text("Player 2 to move", exact=True)).to_be_visible()
    finally:
        context.close()


def test_an_edited_file_is_offered_and_a_broken_one_is_named(page: Page, folder: Path) -> None:
    file = folder / CLOBBER
    good = file.read_text()
    make_game(page, "clobber", second="human")
    try:
        file.write_text(good.replace('title="Clobber"', 'title="Better Clobber"'))
        expect(page.get_by_text("clobber.py has changed.")).to_be_visible()
        page.get_by_role("button", name="Reload").click()
        expect(page.get_by_role("heading", name="Better Clobber")).to_be_visible()
        file.write_text(good.replace("GAME =", "GAME ="[:-1]))
        expect(page.get_by_text("clobber.py has changed, but cannot be used")).to_be_visible()
        expect(page.get_by_text("SyntaxError")).to_be_visible()
    finally:
        file.write_text(good)
