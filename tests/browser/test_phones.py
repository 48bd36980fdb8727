"""On a phone, with fingers: what is in view, what a tap does, how large a board is."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import steps
from tests.browser.conftest import Person

pytestmark = pytest.mark.slow

SIZES = [(360, 740), (390, 844)]
#: A position of every game; the seed makes the same net of lines every time.
GAMES = {
    "tictactoe": "b2 a1",
    "connect4": "4453",
    "align": "c3 d4",
    "andantino": "j10 i10 j9 k9",
    "snails": "udud",
    "makeway:seed=955": "0-3 3-10",
}

both_sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def phone(visitor: Person, size: tuple[int, int], **more: Any) -> Page:
    width, height = size
    options = {"has_touch": True, "is_mobile": True, "reduced_motion": "reduce", **more}
    return visitor(viewport={"width": width, "height": height}, **options)


def in_view(element: Locator) -> bool:
    """True if all of an element is on the screen, below the header."""
    found: bool = element.evaluate(
        """(e) => {
            const { top, bottom } = e.getBoundingClientRect();
            const header = document.querySelector("header.top").getBoundingClientRect().bottom;
            return top >= header && bottom <= innerHeight;
        }"""
    )
    return found


def top(element: Locator) -> float:
    box = element.bounding_box()
    assert box is not None
    return box["y"]


def ask_all(page: Page) -> None:
    """Ask for all steps of a hint, each of which must be seen, between the board and the tools."""
    steps.control(page, "Hint").tap()
    hint = page.get_by_role("group", name="Hint")
    for asked in ("Which move?", "Why?"):
        hint.get_by_role("button", name=asked).tap()
        assert in_view(hint), page.url
    above = page.locator(".game-board").bounding_box()
    assert above is not None
    assert above["y"] + above["height"] - 1 <= top(hint) < top(steps.control(page, "Hint"))


@both_sizes
def test_hint_result_and_review_come_into_view(visitor: Person, size: tuple[int, int]) -> None:
    page = phone(visitor, size)
    steps.make_game(page, "tictactoe:rows=4,cols=3,k=3", second="human", moves="b2 a1 b1 a2")
    ask_all(page)
    page.evaluate("() => scrollTo(0, 0)")
    steps.target(page, "b3").tap()
    expect(steps.result(page)).to_be_visible()
    assert in_view(steps.result(page))
    assert top(steps.result(page)) < top(steps.control(page, "Hint"))
    steps.result(page).get_by_role("button", name="Review").tap()
    table = steps.region(page, "Review").get_by_role("table")
    expect(table).to_be_visible()
    assert in_view(table)


@both_sizes
def test_home_is_two_screens_at_most(visitor: Person, size: tuple[int, int]) -> None:
    page = phone(visitor, size)
    page.goto("/")
    expect(page.get_by_role("link", name="Play Slither")).to_be_visible()
    assert page.evaluate("() => document.documentElement.scrollHeight") <= 2 * size[1]
    for link in page.get_by_role("link", name="Play ").all():
        box = link.bounding_box()
        assert box is not None
        assert box["height"] >= 32


@pytest.mark.long
@both_sizes
@pytest.mark.parametrize("game", GAMES)
def test_hints_come_into_view_in_every_game(
    visitor: Person, size: tuple[int, int], game: str
) -> None:
    page = phone(visitor, size)
    page.goto(f"/board?game={game}&moves={GAMES[game]}")
    ask_all(page)
