"""A real browser at a real server: `page` is somebody's page, `person()` is somebody else's.

Whatever a page complains of in its console, and whatever goes wrong in it, fails the test. The
browser is the system's Chromium; where there is none, the tests say that they were skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, expect

from tests.browser.chromium import MISSING, found, launched
from tests.browser.steps import MEMORY, PATIENCE
from tests.serving import Server, serving

Person = Callable[..., Page]

expect.set_options(timeout=PATIENCE)


# For the package and not for the session: Playwright's event loop must be gone before a test of
# another folder wants one of its own in the same process.
@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    if found() is None:
        pytest.skip(MISSING)
    with launched() as browser:
        yield browser


@pytest.fixture(scope="package")
def server() -> Iterator[Server]:
    with serving("--embed", "*", warm=False) as server:
        yield server


class Complaints:
    """Errors on the pages of a test, except those that the test expects."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.expected: list[str] = ["Service Worker registration blocked by Playwright"]
        self.listening: list[tuple[Page, str, Callable[..., None]]] = []

    def expect(self, pattern: str) -> None:
        """Expect errors that match this pattern."""
        self.expected.append(pattern)

    def listen(self, page: Page) -> None:
        def hear_error(error: Error) -> None:
            self.heard.append(f"{page.url}: {error}")

        def hear_console(said: ConsoleMessage) -> None:
            if said.type in ("error", "warning"):
                self.heard.append(f"{page.url}: {said.text} ({said.location.get('url')})")

        page.on("pageerror", hear_error)
        page.on("console", hear_console)
        self.listening.append((page, "pageerror", hear_error))
        self.listening.append((page, "console", hear_console))

    def stop_listening(self) -> None:
        for page, event, listener in self.listening:
            page.remove_listener(event, listener)
        self.listening.clear()

    def check(self) -> None:
        surprising = [
            each
            for each in self.heard
            if not any(re.search(pattern, each) for pattern in self.expected)
        ]
        assert surprising == []


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    found = Complaints()
    yield found
    found.check()


@pytest.fixture
def person(chromium: Browser, server: Server, complaints: Complaints) -> Iterator[Person]:
    """Makes a user with their own browser; options are those of Playwright's contexts."""
    contexts = []

    def come(**options: Any) -> Page:
        contexts.append(new_context(chromium, **{"base_url": server.url, **options}))
        page = contexts[-1].new_page()
        complaints.listen(page)
        return page

    yield come
    for context in contexts:
        context.close()


def new_context(chromium: Browser, **options: Any) -> BrowserContext:
    # Requests of a worker cannot be intercepted, so only tests that are about it have one.
    context = chromium.new_context(**{"service_workers": "block", **options})
    context.set_default_timeout(PATIENCE)
    context.add_init_script(MEMORY)
    return context


@pytest.fixture(scope="package")
def kept(chromium: Browser, server: Server) -> Iterator[Person]:
    """Pages that tests reuse: a new one costs as much as a test."""
    pages: dict[str, Page] = {}

    def get(**options: Any) -> Page:
        key = repr(options)
        if key not in pages or pages[key].is_closed():
            pages[key] = new_context(chromium, base_url=server.url, **options).new_page()
        return pages[key]

    yield get
    for page in pages.values():
        page.context.close()


@pytest.fixture
def visitor(kept: Person, server: Server, complaints: Complaints) -> Iterator[Person]:
    """Like `person`, but with the scripts and styles already cached."""
    used = []

    def come(**options: Any) -> Page:
        used.append(kept(**options))
        complaints.listen(used[-1])
        return used[-1]

    yield come
    complaints.stop_listening()
    for page in used:
        forget(page, server.url)


def forget(page: Page, url: str) -> None:
    """Remove everything a test left in a page and its browser."""
    context = page.context
    for each in context.pages:
        if each is not page:
            each.close()
    # From a page without scripts: others may save what they show when they are left.
    page.goto(f"{url}/theme.css")
    page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.goto("about:blank")
    everything = {"origin": url, "storageTypes": "cookies,local_storage,indexeddb"}
    session = context.new_cdp_session(page)
    session.send("Storage.clearDataForOrigin", everything)
    session.detach()
    context.clear_cookies()


@pytest.fixture
def page(visitor: Person) -> Page:
    return visitor()
