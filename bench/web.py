"""The web app: how fast it starts, how fast it confirms moves, and how much load it takes."""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from tests.serving import Server, new_game, serving
from websockets.asyncio.client import ClientConnection, connect

from bench.measure import Bench, Quantity, Row
from bench.page import VISITS, page_rows

MOVES = 100  #: moves over which the time of a move is measured
GAMES, ANALYSES = 50, 20  #: at once
SECONDS = 30.0  #: of load
PACE = 0.5, 1.5  #: seconds that a player thinks about a move
STUDY = 5.0  #: seconds that a player looks at an analysis before the next position
STARTS = 3
PATIENCE = 30.0
START = '{"do":"undo","n":0,"to":0}'


def web(quick: bool) -> Iterator[Row]:
    """Measure everything, with one server for all but the starts."""
    yield from _starts(1 if quick else STARTS)
    with serving() as server:
        server.settle()
        yield from asyncio.run(_one_player(server, MOVES // 4 if quick else MOVES))
        yield from page_rows(server)
        yield from asyncio.run(_load(server, SECONDS / 3 if quick else SECONDS))


def _starts(repeats: int) -> Iterator[Row]:
    """Time from the command to the first answer, with a cache and without."""
    cold: list[float] = []
    warm: list[float] = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache, serving(PLYWISE_CACHE=cache) as server:
            cold.append(server.took)
        with serving() as server:
            warm.append(server.took)
    yield timed("plywise serve to its first answer, empty cache", min(cold))
    yield timed("... warm cache", min(warm))


# ---- people at their pages -----------------------------------------------------------------------


@dataclass
class Heard:
    """What all pages together have received."""

    confirmed: list[float] = field(default_factory=list)  # seconds from a move to its confirmation
    answered: list[float] = field(default_factory=list)  # ... and to the engine's move
    analysed: int = 0  # frames of analyses
    errors: list[str] = field(default_factory=list)


class Person:
    """A page with a game against an engine. Frames are only searched, not parsed."""

    def __init__(self, line: ClientConnection, heard: Heard, rng: random.Random) -> None:
        self.line = line
        self.heard = heard
        self.rng = rng
        self.number = 0
        self.game = ""  # the newest frame of the game, until it has been read

    async def my_turn(self) -> list[str]:
        """Wait for the turn and return the legal moves; a game that is over starts again."""
        over = False
        while True:
            while not self.game:
                await self.hear()
            game, self.game = self.game, ""
            if '"result":null' not in game:
                if not over:
                    await self.line.send(START)
                over = True
            elif '"can":{"move":true' in game:
                _, _, rest = game.partition('"legal":["')
                return rest.partition('"]')[0].split('","')

    async def move(self, legal: list[str]) -> list[str]:
        """Play one of the moves and wait for the answer; return the next legal moves."""
        self.number += 1
        move = self.rng.choice(legal)
        started = time.perf_counter()
        await self.line.send(f'{{"do":"move","n":{self.number},"move":"{move}"}}')
        while not (await self.hear()).startswith(f'{{"re":{self.number},"ok":true'):
            pass
        self.heard.confirmed.append(time.perf_counter() - started)
        found = await self.my_turn()
        self.heard.answered.append(time.perf_counter() - started)
        return found

    async def hear(self) -> str:
        """Return the next frame."""
        text = str(await asyncio.wait_for(self.line.recv(), PATIENCE))
        if text.startswith('{"type":"game"'):
            self.game = text
        elif '"error":' in text[:40]:
            self.heard.errors.append(text)
        return text


def sit(server: Server, game: str = "", **asked: Any) -> connect:
    """Connect a page of a new visitor: to a game of their own, or to a free board."""
    with httpx.Client(trust_env=False) as client:
        if not game:
            client.get(f"{server.url}/")
            where = server.live
        else:
            where = f"{server.live}?game={new_game(server, client, game=game, **asked)['id']}"
        cookie = f"plywise={client.cookies['plywise']}"
    return connect(where, additional_headers={"Cookie": cookie})


async def _one_player(server: Server, moves: int) -> list[Row]:
    heard = Heard()
    async with sit(server, "connect4", second="auto:level=1") as line:
        person = Person(line, heard, random.Random(1))
        legal = await person.my_turn()
        for _ in range(moves):
            legal = await person.move(legal)
    confirmed = statistics.median(heard.confirmed)
    return [
        timed(f"a move confirmed, level 1, median of {moves}", confirmed, 0.05),
        timed("... and answered by the engine", statistics.median(heard.answered)),
    ]


# ---- many at once --------------------------------------------------------------------------------


async def _load(server: Server, seconds: float) -> list[Row]:
    heard = Heard()
    games = [sit(server, "connect4", second="auto:level=3") for _ in range(GAMES)]
    boards = [sit(server) for _ in range(ANALYSES)]
    end = time.perf_counter() + seconds
    people = [_play(each, heard, random.Random(n), end) for n, each in enumerate(games)]
    people += [_study(each, heard, random.Random(n), end) for n, each in enumerate(boards)]
    for gone in await asyncio.gather(*people, return_exceptions=True):
        if gone is not None:
            heard.errors.append(repr(gone))
    for error in heard.errors[:3]:
        print(error, file=sys.stderr)
    confirmed, answered = shares(heard.confirmed), shares(heard.answered)
    rate, reports = len(heard.confirmed) / seconds, heard.analysed / ANALYSES / seconds
    what = f"{GAMES} games at level 3 and {ANALYSES} analyses, {seconds:.0f} s"
    return [
        Row(what, "", "", Quantity(rate, "moves/s")),
        timed("... a move confirmed, half of them within", confirmed[50]),
        timed("... 95 % within", confirmed[95], 0.3),
        timed("... 99 % within", confirmed[99]),
        timed("... answered by the engine, half within", answered[50]),
        timed("... 95 % within", answered[95]),
        Row("... reports of each analysis", "", "", Quantity(reports, "/s")),
        Row("... errors", "", "", Quantity(len(heard.errors), "errors"), at_most=0),
    ]


async def _play(page: connect, heard: Heard, rng: random.Random, end: float) -> None:
    """Play as a person who thinks about each move."""
    async with page as line:
        person = Person(line, heard, rng)
        legal = await person.my_turn()
        while time.perf_counter() < end:
            await asyncio.sleep(rng.uniform(*PACE))
            legal = await person.move(legal)


async def _study(page: connect, heard: Heard, rng: random.Random, end: float) -> None:
    """Act as a person who has one position after another analysed."""
    async with page as line:
        person = Person(line, heard, rng)
        while time.perf_counter() < end:
            moves = '","'.join(rng.choice("1234567") for _ in range(6))
            await line.send(
                f'{{"do":"analyse","n":1,"game":"connect4:rows=7,cols=8","moves":["{moves}"]}}'
            )
            until = min(end, time.perf_counter() + STUDY)
            while (left := until - time.perf_counter()) > 0:
                try:
                    text = await asyncio.wait_for(person.hear(), left)
                except TimeoutError:
                    break
                heard.analysed += text.startswith('{"type":"analysis"')


def shares(seconds: list[float]) -> list[float]:
    """Return the time within which each percentage was done, by percent."""
    ordered = sorted(seconds)
    return [ordered[min(len(ordered) - 1, len(ordered) * part // 100)] for part in range(101)]


def timed(what: str, seconds: float, at_most: float | None = None) -> Row:
    return Row(what, "", "", Quantity(seconds, "s"), at_most=at_most)


WEB = Bench(
    "web",
    "The web app",
    "A separate `plywise serve` and one client for all players, on the same cores: each player "
    f"moves every {PACE[0]}-{PACE[1]} s over a socket, as a page does; times run from sending a "
    "move to its confirmation by the server. Before that, the home page and a game are loaded in "
    f"Chromium, {VISITS} times each by a new visitor: the median until the first paint, and the "
    "bytes.",
    "",
    web,
    "websockets",
)
