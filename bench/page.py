"""The web app in a browser: the time to the first paint, and how much is loaded."""

from __future__ import annotations

import importlib.util
import statistics
from collections.abc import Iterator

from tests.serving import Server

from bench.measure import Quantity, Row

VISITS = 5
PAINT = """() => new Promise((resolve) => new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries())
        if (name === "first-contentful-paint") resolve(startTime / 1000);
}).observe({ type: "paint", buffered: true }))"""


def page_rows(server: Server) -> Iterator[Row]:
    """Load the first page and a game's page, each as a first-time visitor."""
    if importlib.util.find_spec("playwright") is None:
        yield _missing("playwright is not installed")
        return
    from tests.browser import chromium

    if chromium.found() is None:
        yield _missing("no browser here")
        return
    with chromium.launched() as browser:
        for what in ("the first page", "a game"):
            paints = []
            for _ in range(VISITS):
                context = browser.new_context(base_url=server.url)
                page = context.new_page()
                address = "/"
                if what == "a game":
                    asked = {"game": "connect4", "second": "auto:level=1"}
                    address = f"/game/{page.request.post('/api/games', data=asked).json()['id']}"
                answers = []
                page.on("response", lambda answer, answers=answers: answers.append(answer))
                page.goto(address, wait_until="networkidle")
                paints.append(page.evaluate(PAINT))
                sent = sum(answer.request.sizes()["responseBodySize"] for answer in answers)
                unpacked = sum(len(answer.body()) for answer in answers)
                context.close()
            yield Row(f"{what}: first contentful paint", "", "", _seconds(paints), at_most=1.0)
            yield Row("... bytes loaded", "", "", Quantity(sent / 1000, "kB"), at_most=300)
            yield Row("... unpacked", "", "", Quantity(unpacked / 1000, "kB"))


def _missing(why: str) -> Row:
    return Row("first paint and weight of a page", why, "", Quantity(0, "s"), right=None)


def _seconds(times: list[float]) -> Quantity:
    return Quantity(statistics.median(times), "s")
