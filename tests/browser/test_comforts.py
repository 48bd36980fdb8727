"""Comforts of the board: arrows, sounds, premoves, a pace for watching, the history of games."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import steps
from tests.browser.conftest import Person
from tests.browser.hands import Fingers

pytestmark = pytest.mark.slow

#: Counts the tones that a page plays.
EARS = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...values) {
    window.tones += 1;
    return start.apply(this, values);
};
"""


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drawn(page: Page, what: str) -> Locator:
    return steps.board(page).locator(f".drawn {what}")


def ready(page: Page) -> None:
    """Wait until the comforts are loaded."""
    expect(page.get_by_role("button", name="Sounds")).to_be_visible()


def test_arrows_and_circles_with_the_right_button(page: Page) -> None:
    page.goto("/board?game=tictactoe")
    ready(page)
    page.mouse.move(*middle(steps.target(page, "a1")))
    page.mouse.down(button="right")
    page.mouse.move(*middle(steps.target(page, "c3")), steps=3)
    page.mouse.up(button="right")
    expect(drawn(page, "path")).to_have_count(1)
    steps.target(page, "b2").click(button="right")
    expect(drawn(page, "circle")).to_have_count(1)
    steps.target(page, "b2").click(button="right")  # again: gone
    expect(drawn(page, "circle")).to_have_count(0)
    expect(steps.stones(page)).to_have_count(0)
    steps.target(page, "b2").click()
    expect(steps.stones(page)).to_have_count(1)
    expect(drawn(page, "*")).to_have_count(0)


@pytest.mark.parametrize("game", ["andantino", "connect4"])
def test_a_circle_is_around_its_place(page: Page, game: str) -> None:
    page.goto(f"/board?game={game}")
    ready(page)
    spot = middle(steps.board(page).locator(".cell").nth(25))
    page.mouse.click(spot[0] + 3, spot[1] + 3, button="right")
    assert middle(drawn(page, "circle")) == pytest.approx(spot, abs=1.5)


@pytest.mark.parametrize("size", [(360, 740), pytest.param((390, 844), marks=pytest.mark.long)])
def test_a_long_press_draws(person: Person, size: tuple[int, int]) -> None:
    viewport = {"width": size[0], "height": size[1]}
    page = person(viewport=viewport, has_touch=True, is_mobile=True)
    page.goto("/board?game=tictactoe")
    ready(page)
    start, end = middle(steps.target(page, "a1")), middle(steps.target(page, "c3"))
    fingers = Fingers(page)
    fingers.send("touchStart", start)
    expect(drawn(page, "circle")).to_have_count(1)  # as soon as the press is long
    fingers.send("touchMove", end)
    fingers.send("touchEnd")
    expect(drawn(page, "path")).to_have_count(1)
    expect(steps.stones(page)).to_have_count(0)
    fingers.tap(middle(steps.target(page, "b2")))
    expect(steps.stones(page)).to_have_count(1)
    expect(drawn(page, "*")).to_have_count(0)


def test_sounds_are_off_until_they_are_switched_on(person: Person) -> None:
    page = person()
    page.add_init_script(EARS)
    steps.make_game(page, "tictactoe", second="human")
    ready(page)
    steps.target(page, "b2").click()
    expect(steps.stones(page)).to_have_count(1)
    assert page.evaluate("window.tones") == 0
    page.get_by_role("button", name="Sounds").click()
    assert page.evaluate("window.tones") == 1
    steps.target(page, "a1").click()
    expect(steps.stones(page)).to_have_count(2)
    assert page.evaluate("window.tones") == 2


@pytest.mark.parametrize("size", [(1280, 850), (1024, 768)])
def test_switches_are_in_view_beside_the_board(visitor: Person, size: tuple[int, int]) -> None:
    page = visitor(viewport={"width": size[0], "height": size[1]})
    steps.make_game(page, "connect4", second="auto:level=1")
    for name in ("Sounds", "Premoves"):
        expect(page.get_by_role("button", name=name)).to_be_in_viewport(ratio=1)


def friends(person: Person, moves: str) -> tuple[Page, Page]:
    """Two people at one game; the first one has switched premoves on."""
    one, two = person(), person()
    id = steps.make_game(one, "tictactoe", second="human", seats="invite", side=1, moves=moves)
    two.goto(f"/game/{id}")
    assert steps.command(two, id, "seat")["ok"]
    one.get_by_role("button", name="Premoves").click()
    return one, two


def chosen(page: Page) -> Locator:
    """The mark of a premove."""
    return steps.board(page).locator(".marks .hint-ring")


def test_a_premove_is_played_when_it_is_legal(person: Person) -> None:
    one, two = friends(person, "b2 a1 c3")
    steps.target(one, "a3").click()
    expect(chosen(one)).to_have_count(1)
    expect(steps.stones(one)).to_have_count(3)
    steps.target(two, "c1").click()
    expect(steps.stones(one)).to_have_count(5)
    steps.expect_moves(one, "b2", "a1", "c3", "c1", "a3")


def test_a_premove_can_be_cancelled_or_lost(person: Person) -> None:
    one, two = friends(person, "b2 a1 c3")
    for cancel in ("Escape", "right"):
        steps.target(one, "a3").click()
        expect(chosen(one)).to_have_count(1)
        if cancel == "Escape":
            one.keyboard.press("Escape")
        else:
            steps.target(one, "b1").click(button="right")
        expect(chosen(one)).to_have_count(0)
    steps.target(one, "a3").click()
    steps.target(two, "a3").click()
    steps.was_shown(one, "a3 is not legal now")
    expect(steps.stones(one)).to_have_count(4)


def test_watching_at_ones_own_pace(page: Page) -> None:
    steps.make_game(page, "tictactoe", first="auto:level=1", second="auto:level=1")
    expect(page.get_by_role("button", name="Pause")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Pause").click()
    shown = steps.stones(page).count()
    expect(steps.result(page)).to_be_visible()  # they play on
    assert steps.stones(page).count() <= shown + 1  # one may have been on its way
    last = steps.moves(page).count()
    page.get_by_role("button", name="Go on").click()
    expect(steps.stones(page)).to_have_count(last)


def played(page: Page, **asked: Any) -> None:
    assert page.request.post("/api/games", data=asked).status == 201


def test_the_history_with_filters_and_figures(page: Page) -> None:
    won = {"game": "tictactoe", "moves": "a1 b1 a2 c1 a3"}
    played(page, **won, second="auto:level=1")
    played(page, **won, second="auto:level=1")
    played(page, **won, first="auto:level=3", second="human")
    played(page, game="connect4", second="auto:level=1")
    page.goto("/")
    page.get_by_role("link", name="History and statistics").click()
    rows = page.get_by_role("table").locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.nth(0)).to_have_text(re.compile("level 1.*200100 %"))
    expect(rows.nth(1)).to_have_text(re.compile("level 3.*0010 %"))
    expect(page.get_by_role("heading", name="4 games")).to_be_visible()
    page.get_by_label("Result").select_option("lost")
    expect(page.get_by_role("heading", name="1 game")).to_be_visible()
    expect(rows).to_have_count(1)
    page.get_by_label("Result").select_option("")
    page.get_by_label("Game", exact=True).select_option("connect4")
    expect(page.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("listitem")).to_contain_text("Running")
