"""The pictures of the web app in the docs: `python -m tests.browser.pictures` takes them again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import launched
from tests.serving import serving

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 740}
#: Two people on one screen; the second misses a diagonal.
GAME = "4445324453335"
PUZZLE = "...2..3/222.321/12...2./2..3221/22....2/2....../32.3.3."
LOST = "4334334447266346622775565"


def main() -> None:
    with serving() as server, launched() as browser:
        with page_of(browser, server.url, DESK) as page:
            page.goto("/")
            page.wait_for_timeout(2500)
            keep(page, "home")
            a_game(page)
            keep(page, "game")
            analysed(page)
            keep(page, "analysis")
            reviewed(page)
            keep(page, "review")
            a_puzzle(page)
            keep(page, "puzzle")
        with page_of(browser, server.url, DESK, "dark") as page:
            analysed(page)
            keep(page, "dark")
        with page_of(browser, server.url, PHONE) as page:
            a_game(page)
            page.evaluate("scrollTo(0, 0)")
            keep(page, "phone")


@contextmanager
def page_of(browser: Browser, url: str, size: Any, scheme: Any = "light") -> Iterator[Page]:
    context = browser.new_context(base_url=url, viewport=size, color_scheme=scheme)
    yield context.new_page()
    context.close()


def keep(page: Page, name: str) -> None:
    page.mouse.move(0, 0)
    page.screenshot(path=FOLDER / f"web-{name}.png")


def begin(page: Page, second: str, moves: str) -> None:
    """Open a game after some moves."""
    asked = {"game": "connect4", "first": "human", "second": second, "seats": "mine", "seed": 5}
    page.goto("/")
    answer = page.request.post("/api/games", data={**asked, "moves": moves})
    page.goto(f"/game/{answer.json()['id']}")


def a_game(page: Page) -> None:
    begin(page, "auto:level=3", GAME[:12])
    hint = page.get_by_role("button", name="Hint", exact=True)
    for _ in range(3):
        hint.click()
        page.wait_for_timeout(1500)


def analysed(page: Page) -> None:
    page.goto(f"/board?game=connect4&moves={GAME[:11]}")
    page.get_by_role("button", name="Analysis", exact=True).click()
    page.wait_for_timeout(6000)


def reviewed(page: Page) -> None:
    begin(page, "human", LOST)
    page.get_by_role("tab", name="Review").click()
    page.get_by_role("button", name="Review this game").click()
    expect(page.get_by_role("table")).to_be_visible(timeout=60_000)
    page.wait_for_timeout(500)


def a_puzzle(page: Page) -> None:
    """Take fourteen steps with hints, and show the next hint."""
    page.goto(f"/puzzle/slither?p={PUZZLE}")
    control = page.get_by_role("button", name="Hint", exact=True)
    hint = page.get_by_role("group", name="Hint")
    for step in range(15):
        control.click()
        hint.get_by_role("button", name="Which technique?").click()
        hint.get_by_role("button", name="Which move?").click()
        if step < 14:
            hint.get_by_role("button", name="Do it").click()
    page.get_by_role("button", name="Colour", exact=True).click()
    page.wait_for_timeout(500)


if __name__ == "__main__":
    main()
