"""The first answers of the web app on a machine where nothing is compiled; and a warm start.

A new server with an empty cache; a visitor opens a game and moves at once. The time runs from that
move to the computer's. Then the board of a puzzle, from the request to the picture.
"""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Iterator

import httpx
from tests.serving import Server, serving

from bench.cold import GAMES, LEVELS, QUICK
from bench.measure import Bench, Quantity, Row
from bench.web import Heard, Person, sit

STARTS = 5
#: What the home page asks for, beside files.
HOME = ("/", "/style.css", "/api/kinds", "/api/games", "/api/puzzles")
PUZZLE = "/api/puzzles/slither"


def cold_page(quick: bool) -> Iterator[Row]:
    """Measure a warm start, then every game at some levels, each with a server of its own."""
    yield _home(2 if quick else STARTS)
    for game in GAMES:
        for level in QUICK if quick else LEVELS:
            with tempfile.TemporaryDirectory() as cache, serving(PLYWISE_CACHE=cache) as server:
                before = server.used
                seconds = asyncio.run(_answer(server, game, level))
                busy = f"{server.used - before:.1f} s of processor"
            what = f"{game}, level {level}"
            yield Row(what, busy, "", Quantity(seconds, "s"), at_most=LEVELS[level])
    with tempfile.TemporaryDirectory() as cache, serving(PLYWISE_CACHE=cache) as server:
        started = time.perf_counter()
        asked = {"puzzle": "", "counted": False}
        answer = httpx.post(f"{server.url}{PUZZLE}", json=asked, trust_env=False, timeout=60)
        seconds = time.perf_counter() - started
        assert answer.status_code == 200, answer.text
        yield Row("the board of a puzzle", "", "", Quantity(seconds, "s"), at_most=1.0)


def _home(repeats: int) -> Row:
    """The time from the command to a full home page, with compiled code and Python's own."""
    times = []
    with httpx.Client(trust_env=False) as client:
        for _ in range(repeats + 1):  # the first one loads everything from the disk
            started = time.perf_counter()
            with serving() as server:
                for path in HOME:
                    assert client.get(f"{server.url}{path}").status_code == 200
                times.append(time.perf_counter() - started)
    return Row("a warm start to a full home page", "", "", Quantity(min(times[1:]), "s"), at_most=1)


async def _answer(server: Server, game: str, level: int) -> float:
    heard = Heard()
    async with sit(server, game, second=f"auto:level={level}") as line:
        person = Person(line, heard, random.Random(1))
        await person.move(await person.my_turn())
    return heard.answered[0]


COLD_PAGE = Bench(
    "cold-page",
    "The first answer in the browser, nothing compiled",
    "Seconds from the first move of a new game to the computer's, on a new server with an empty "
    "cache; before it a start with everything compiled, the shortest of several.",
    "",
    cold_page,
)
