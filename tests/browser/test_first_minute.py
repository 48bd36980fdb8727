"""The first minute: cards at once, a game in one click, and an engine that is not ready yet."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser import steps

pytestmark = pytest.mark.slow


def test_the_cards_are_there_before_the_server_has_answered(page: Page) -> None:
    page.goto("/")
    cards = page.get_by_role("article")
    expect(page.get_by_role("link", name="Rules of Connect-4")).to_be_visible()
    count = cards.count()

    def hold(route: Route) -> None:
        """Let the server seem to think for ever."""

    page.route("**/api/kinds", hold)
    page.route("**/api/puzzles", hold)
    page.goto("/")
    expect(cards).to_have_count(count)
    expect(page.locator(".still svg")).to_have_count(count)
    known = json.loads(page.evaluate("localStorage.cards"))
    known["games"].pop()  # as if the server had got another game since
    page.evaluate("text => localStorage.setItem('cards', text)", json.dumps(known))
    page.unroute_all(behavior="ignoreErrors")
    page.goto("/")
    expect(cards).to_have_count(count)


def test_a_game_in_one_click(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now: Tic-Tac-Toe").click()
    page.wait_for_url("**/game/*")
    expect(steps.region(page, "Players")).to_contain_text("Computer, level 4")
    steps.target(page, "b2").click()
    assert steps.answered(page, 0)


def test_an_engine_that_is_being_compiled_is_not_said_to_think(page: Page) -> None:
    """The server says that it compiles; here the frame is put in, since all is compiled already."""
    lines: list[WebSocketRoute] = []

    def join(line: WebSocketRoute) -> None:
        lines.append(line)
        line.connect_to_server()

    page.route_web_socket("**/api/live*", join)
    steps.make_game(page, "connect4:rows=7,cols=8", second="auto:time=10", moves="44")
    steps.target(page, "3").click()
    expect(steps.status(page, "The engine is thinking")).to_be_visible()
    lines[0].send(json.dumps({"type": "preparing", "on": True}))
    words = "The engine is being prepared for its first game"
    expect(steps.status(page, words)).to_be_visible()
    expect(steps.region(page, "Players")).to_contain_text("is being prepared…")
    lines[0].send(json.dumps({"type": "preparing", "on": False}))
    expect(steps.status(page, words)).to_have_count(0)
    page.get_by_role("button", name="Move now").click()
    assert steps.answered(page, 2)
