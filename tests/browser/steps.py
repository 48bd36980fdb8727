"""What people do on the page, by what they see there."""

from __future__ import annotations

import re
import time
from typing import Any

from playwright.sync_api import Locator, Page, expect

PATIENCE = 120_000  #: milliseconds for what comes next, with compiling on a busy machine

#: A page keeps what it shows for a few seconds only: a test on a busy machine may look too late.
MEMORY = """
window.shown = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    for (const node of addedNodes)
      if (node.matches?.(".notice, .toss"))
        window.shown.push(`${target.role ?? ""}: ${node.className}: ${node.textContent}`);
}).observe(document, { childList: true, subtree: true });
"""


def make_game(page: Page, game: str, **asked: Any) -> str:
    """A game made without the set-up page, and opened; gives its id."""
    answer = page.request.post("/api/games", data={"game": game, **asked})
    assert answer.status == 201, answer.text()
    found: str = answer.json()["id"]
    page.goto(f"/game/{found}")
    expect(board(page)).to_be_visible()
    return found


def set_up(page: Page, title: str, way: str) -> None:
    """From the first page to the set-up of a game, with a way to play chosen."""
    page.goto("/")
    page.get_by_role("link", name=f"Play {title}").click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    choose(page, way)


def choose(page: Page, words: str) -> None:
    """One of a few choices that are all in sight: its words are pressed, not its button."""
    page.get_by_role("radio", name=words, exact=True).locator("xpath=..").click()
    expect(page.get_by_role("radio", name=words, exact=True)).to_be_checked()


def begin(page: Page) -> None:
    """From the set-up page to the game."""
    page.get_by_role("main").get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/game/*")
    expect(board(page)).to_be_visible()


def board(page: Page) -> Locator:
    """The board at a table: the drawing, not the choices beside it."""
    return page.get_by_role("main").locator("svg[role=group]")


def target(page: Page, move: str) -> Locator:
    """Where one presses for a move."""
    return board(page).get_by_role("button", name=f"play {move}", exact=True)


def targets(page: Page) -> Locator:
    """Everything on the board that can be pressed."""
    return board(page).get_by_role("button")


def stones(page: Page) -> Locator:
    """The stones that lie on the board, without the one that shows where a move would go."""
    return board(page).locator(":scope > g:not([aria-hidden]) > .stone")


def moves(page: Page) -> Locator:
    """The moves in the list."""
    return region(page, "Moves").get_by_role("list").locator("button.move")


def expect_moves(page: Page, *texts: str) -> None:
    """The list holds these moves, numbers and times left aside."""
    expect(moves(page).locator(".move-text")).to_have_text(list(texts))


def region(page: Page, name: str) -> Locator:
    """A part of the page by its name."""
    return page.get_by_role("region", name=name, exact=True)


def tab(page: Page, name: str) -> None:
    """Choose one of the panels."""
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.get_by_role("tabpanel", name=name, exact=True)).to_be_visible()


def control(page: Page, name: str) -> Locator:
    """A button of the row under the board."""
    tools = page.get_by_role("toolbar", name="Game", exact=True)
    return tools.get_by_role("button", name=name, exact=True)


def status(page: Page, words: str) -> Locator:
    """The line that says whose turn it is."""
    return page.get_by_role("main").get_by_text(words, exact=True)


def your_turn(page: Page) -> Locator:
    return status(page, "Your turn")


def result(page: Page) -> Locator:
    """The banner at the end of a game."""
    return region(page, "Result")


def was_shown(page: Page, pattern: str, times: int = 1) -> None:
    """Wait until the page has shown something for a while; the pattern has role, class, words."""
    last = time.monotonic() + PATIENCE / 1000
    while True:
        shown: list[str] = page.evaluate("() => window.shown")
        if sum(bool(re.search(pattern, each)) for each in shown) >= times:
            return
        assert time.monotonic() < last, f"{pattern!r} was not shown: {shown}"
        page.wait_for_timeout(100)


def answered(page: Page, before: int) -> bool:
    """Wait until a move and its answer follow those before; False if the game is over instead."""
    answer = moves(page).nth(before + 1)
    expect(result(page).or_(answer).first).to_be_visible()
    expect(result(page).or_(your_turn(page)).first).to_be_visible()
    return not result(page).is_visible()


def press_until(page: Page, key: str, name: str) -> None:
    """Press a key until the thing of this name has the keyboard; the page may still be coming."""
    focused = (
        "() => { const e = document.activeElement; return e.getAttribute('aria-label')"
        " ?? e.labels?.[0]?.textContent ?? e.textContent; }"
    )
    seen = ""
    last = time.monotonic() + PATIENCE / 1000
    while seen != name:
        assert time.monotonic() < last, f"{name!r} was not reached: the last was {seen!r}"
        page.keyboard.press(key)
        seen = page.evaluate(focused).strip()


def number(page: Page, label: str) -> Locator:
    """A field for a number."""
    return page.get_by_role("spinbutton", name=re.compile(label, re.IGNORECASE))
