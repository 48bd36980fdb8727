"""The system's Chromium."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
MISSING = "Chromium is not installed: on Debian, apt-get install chromium"
ARGUMENTS = ("--headless", "--no-sandbox", "--disable-gpu")


def found() -> str | None:
    """The path of the Chromium executable."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def launched() -> Iterator[Browser]:
    """Start a headless browser."""
    path = found()
    assert path is not None, MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()
