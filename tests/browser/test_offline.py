"""Installed and without the server: what still works, what says so, and how it comes back."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import steps
from tests.browser.conftest import Complaints, Person

pytestmark = pytest.mark.slow

AWAY = "ERR_INTERNET_DISCONNECTED|ERR_FAILED|WebSocket|Failed to fetch"
WORDS = "The server cannot be reached."
EXERCISE = "/exercises/connect4"

KEEPS = """async ([name, address]) => {
    const last = Date.now() + 60000;
    while (Date.now() < last) {
        for (const key of await caches.keys())
            // Not caches.open, which would make a cache again that the worker has just deleted.
            if (key.startsWith(name) && await caches.match(address, { cacheName: key }))
                return true;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
}"""

GONE = """async (ending) => {
    for (const last = Date.now() + 60000; Date.now() < last;) {
        if (!(await caches.keys()).some((key) => key.endsWith(ending))) return true;
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return false;
}"""


def keeps(page: Page, name: str, address: str) -> None:
    """Wait until something is kept in a cache whose name begins like this."""
    assert page.evaluate(KEEPS, [name, address]), f"{address} was not kept"


@pytest.fixture
def guest(person: Person, complaints: Complaints) -> Page:
    """Somebody whose browser runs the worker."""
    complaints.expect(AWAY)
    page = person(service_workers="allow")
    page.goto("/")
    keeps(page, "files ", "/")
    keeps(page, "answers ", "/api/exercises/connect4")
    return page


def test_what_works_without_the_server(guest: Page) -> None:
    page = guest
    id = steps.make_game(page, "tictactoe", second="human", moves="a1 b1 a2 c1 a3")
    steps.result(page).get_by_role("button", name="Review").click()
    expect(steps.region(page, "Review").get_by_role("table")).to_be_visible()
    keeps(page, "reviews", f"/saved/{id}")
    page.goto("/puzzle/slither")
    expect(steps.board(page)).to_be_visible()
    page.wait_for_url(re.compile("p="))
    puzzle = page.url
    page.goto(puzzle)  # as the address has it
    expect(steps.board(page)).to_be_visible()
    page.goto(EXERCISE)
    expect(page.get_by_role("toolbar", name="Exercise")).to_be_visible()
    page.wait_for_url(re.compile("e="))
    exercise = page.url

    page.context.set_offline(True)
    page.goto("/")
    expect(page.get_by_text(WORDS)).to_be_visible()
    expect(page.get_by_role("link", name="Play Connect-4")).to_be_visible()
    # The review: its figures, and the board of every move.
    page.get_by_role("link", name="Tic-Tac-Toe", exact=True).click()
    expect(steps.region(page, "Review").get_by_role("table")).to_be_visible()
    expect(steps.stones(page)).to_have_count(5)
    page.keyboard.press("[")
    expect(steps.stones(page)).to_have_count(4)
    # A puzzle: lines can be drawn.
    page.goto(puzzle)
    line = steps.board(page).locator("[data-place]").first
    line.click()
    expect(line).to_have_accessible_name(re.compile("a line"))
    expect(page.locator(".notice")).to_have_count(0)
    # An exercise: its verdict does not need the server.
    page.goto(exercise)
    steps.targets(page).first.click()
    expect(page.locator(".verdict")).to_be_visible()


def test_what_needs_the_server_says_so_and_comes_back(guest: Page) -> None:
    page = guest
    page.context.set_offline(True)
    page.goto("/board?game=tictactoe&moves=b2")
    expect(page.get_by_text(WORDS)).to_be_visible()
    expect(steps.board(page)).to_be_hidden()
    page.context.set_offline(False)
    expect(steps.stones(page)).to_have_count(1)
    expect(page.get_by_text(WORDS)).to_be_hidden()


def test_the_server_comes_first(guest: Page) -> None:
    """Whatever is in the caches: while the server answers, its files are shown."""
    page = guest
    page.evaluate(
        """async () => {
            const [name] = (await caches.keys()).filter((key) => key.startsWith("files "));
            const cache = await caches.open(name);
            const headers = (kind) => ({ headers: { "Content-Type": kind } });
            const old = (kind) => new Response("throw new Error(1)", headers(kind));
            await cache.put("/", old("text/html"));
            await cache.put("/static/js/views/home.js", old("text/javascript"));
        }"""
    )
    page.reload()
    expect(page.get_by_role("link", name="Play Connect-4")).to_be_visible()


def test_an_update_replaces_everything_that_was_kept(
    person: Person, complaints: Complaints
) -> None:
    complaints.expect("favicon")
    page = person(service_workers="allow")
    page.goto("/theme.css")  # a page that does not start the worker
    page.evaluate(
        "async () => { await caches.open('files old'); await caches.open('answers old'); }"
    )
    page.goto("/")
    keeps(page, "files ", "/style.css")
    assert page.evaluate(GONE, " old"), "old caches are left"


def test_it_can_be_installed(page: Page) -> None:
    page.goto("/")
    link = page.locator("link[rel=manifest]").get_attribute("href")
    assert link is not None
    manifest = json.loads(page.request.get(link).text())
    assert {"name", "start_url", "display", "icons"} <= set(manifest)
    for icon in manifest["icons"]:
        answer = page.request.get(icon["src"])
        assert answer.headers["content-type"].startswith(icon["type"])
