"""A real browser at a real server: `page` is somebody's page, `person()` is somebody else's.

Whatever a page complains of in its console, and whatever goes wrong in it, fails the test. The
browser is the system's Chromium; where there is none, the tests say that they were skipped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.chromium import MISSING, found, launched
from tests.browser.steps import PATIENCE
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
    with serving() as server:
        yield server


class Complaints:
    """What the pages of a test complained of, apart from what the test expects."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.expected: list[str] = []

    def expect(self, pattern: str) -> None:
        """This will be said, and that is as it should be."""
        self.expected.append(pattern)

    def listen(self, page: Page) -> None:
        page.on("pageerror", lambda error: self.heard.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda said: (
                self.heard.append(f"{page.url}: {said.text} ({said.location.get('url')})")
                if said.type in ("error", "warning")
                else None
            ),
        )

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
    """Makes somebody with a browser of his own; options are those of Playwright's contexts."""
    contexts = []

    def come(**options: Any) -> Page:
        context = chromium.new_context(**{"base_url": server.url, **options})
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        complaints.listen(page)
        return page

    yield come
    for context in contexts:
        context.close()


@pytest.fixture
def page(person: Person) -> Page:
    return person()
