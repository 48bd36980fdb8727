"""User actions on the page, by what users see there."""

from __future__ import annotations

import json
import re
import time
from typing import Any

from playwright.sync_api import Locator, Page, expect

PATIENCE = 120_000  #: milliseconds to wait, with compiling on a busy machine

#: Notices disappear after a few seconds: a test on a busy machine may look too late.
MEMORY = """
window.shown = [];
new MutationObserver((changes) => {
  for (const { target, addedNodes } of changes)
    for (const node of addedNodes)
      if (node.matches?.(".notice, .toss"))
        window.shown.push(`${target.role ?? ""}: ${node.className}: ${node.textContent}`);
}).observe(document, { childList: true, subtree: true });
"""

#: Sends a frame over a new socket, and returns the answer.
COMMAND = """
([game, frame]) => new Promise((resolve) => {
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/live?game=${game}`);
  socket.onopen = () => socket.send(frame);
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(data);
    if (answer.re === 1) { socket.close(); resolve(answer); }
  };
})
"""


def make_game(page: Page, game: str, **asked: Any) -> str:
    """Start a game without the set-up page, open it, and return its id."""
    answer = page.request.post("/api/games", data={"game": game, **asked})
    assert answer.status == 201, answer.text()
    found: str = answer.json()["id"]
    page.goto(f"/game/{found}")
    expect(board(page)).to_be_visible()
    return found


def command(page: Page, game: str, do: str, **asked: Any) -> dict[str, Any]:
    """Send one command of a game over a socket of its own, in the name of this page's browser."""
    page.request.get("/api/games")  # for its cookie
    frame = json.dumps({"do": do, "n": 1, **asked})
    found: dict[str, Any] = page.evaluate(COMMAND, [game, frame])
    return found


def set_up(page: Page, title: str, way: str) -> None:
    """Go from the home page to the set-up of a game, and choose a way to play."""
    page.goto("/")
    page.get_by_role("link", name=f"Play {title}").click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    choose(page, way)


def choose(page: Page, words: str) -> None:
    """Choose a radio button by clicking its label."""
    page.get_by_role("radio", name=words, exact=True).locator("xpath=..").click()
    expect(page.get_by_role("radio", name=words, exact=True)).to_be_checked()


def begin(page: Page) -> None:
    """Start the game from the set-up page."""
    page.get_by_role("main").get_by_role("button", name="Play", exact=True).click()
    page.wait_for_url("**/game/*")
    expect(board(page)).to_be_visible()


def board(page: Page) -> Locator:
    """The board: the drawing, not the buttons beside it."""
    return page.get_by_role("main").locator("svg[role=group]")


def target(page: Page, move: str) -> Locator:
    """Where to click for a move."""
    return board(page).get_by_role("button", name=f"play {move}", exact=True)


def targets(page: Page) -> Locator:
    """Everything on the board that can be clicked."""
    return board(page).get_by_role("button")


def stones(page: Page) -> Locator:
    """The stones on the board, without the preview of a move."""
    return board(page).locator(":scope > g:not([aria-hidden]) > .stone")


def stones_of(page: Page, player: int) -> Locator:
    """The stones of player 1 or 2."""
    return stones(page).and_(page.locator(f".player-{player}"))


def moves(page: Page) -> Locator:
    """The moves in the list."""
    return region(page, "Moves").get_by_role("list").locator("button.move")


def expect_moves(page: Page, *texts: str) -> None:
    """Expect these moves in the list, ignoring numbers and times."""
    expect(moves(page).locator(".move-text")).to_have_text(list(texts))


def region(page: Page, name: str) -> Locator:
    """A region of the page by its name."""
    return page.get_by_role("region", name=name, exact=True)


def tab(page: Page, name: str) -> None:
    """Open a panel by its tab."""
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
    """Wait until the page has shown a notice; the pattern matches role, class and text."""
    last = time.monotonic() + PATIENCE / 1000
    while True:
        shown: list[str] = page.evaluate("() => window.shown")
        if sum(bool(re.search(pattern, each)) for each in shown) >= times:
            return
        assert time.monotonic() < last, f"{pattern!r} was not shown: {shown}"
        page.wait_for_timeout(100)


def answered(page: Page, before: int) -> bool:
    """Wait for a move and its reply; False if the game is over instead."""
    answer = moves(page).nth(before + 1)
    expect(result(page).or_(answer).first).to_be_visible()
    expect(result(page).or_(your_turn(page)).first).to_be_visible()
    return not result(page).is_visible()


def press_until(page: Page, key: str, name: str) -> None:
    """Press a key until the element of this name has the focus; the page may still be loading."""
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
    """A number field."""
    return page.get_by_role("spinbutton", name=re.compile(label, re.IGNORECASE))
