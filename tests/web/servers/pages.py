"""Pages of simulated visitors: each shows a game at one server, and records what it is told."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.serving import Server
from tests.web.steps import PATIENCE, Json

#: What a server that goes away does to whoever is using it.
GONE = (ConnectionClosed, InvalidHandshake, ConnectionError, EOFError, httpx.TransportError)


class Visitor:
    """A browser with an address of its own, so that nobody is in anybody's way."""

    def __init__(self, number: int, cookie: str = "") -> None:
        self.address = f"127.0.{number // 250 % 250}.{number % 250 + 2}"
        self.cookie = cookie

    @asynccontextmanager
    async def client(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client for plain requests; its cookie is kept."""
        transport = httpx.AsyncHTTPTransport(local_address=self.address)
        cookies = {"plywise": self.cookie} if self.cookie else {}
        async with httpx.AsyncClient(
            transport=transport, timeout=PATIENCE, cookies=cookies, trust_env=False
        ) as client:
            yield client
            self.cookie = client.cookies.get("plywise") or self.cookie

    async def start(self, server: Server, **asked: Any) -> str:
        """Start a game and return its id."""
        async with self.client() as client:
            answer = await client.post(f"{server.url}/api/games", json=asked)
            assert answer.status_code == 201, answer.text
            return str(answer.json()["id"])

    async def look(self, server: Server, id: str) -> Json:
        """Ask for a game."""
        async with self.client() as client:
            answer = await client.get(f"{server.url}/api/games/{id}")
            assert answer.status_code == 200, answer.text
            found: Json = answer.json()
            return found

    @asynccontextmanager
    async def page(self, server: Server, id: str = "") -> AsyncIterator[Page]:
        """Open a page: on a game, or a free board."""
        where = f"{server.live}?game={id}" if id else server.live
        async with connect(
            where,
            additional_headers={"Cookie": f"plywise={self.cookie}"} if self.cookie else {},
            local_addr=(self.address, 0),
            open_timeout=PATIENCE,
            ping_timeout=PATIENCE,
        ) as line:
            page = Page(line)
            reading = asyncio.create_task(page.read())
            try:
                yield page
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)


class Page:
    """An open page. `game` is what it shows; `shown` says when it showed how many moves."""

    def __init__(self, line: ClientConnection) -> None:
        self.game: Json = {}
        self.errors: list[str] = []
        self.frames = 0
        self.shown: dict[int, float] = {}
        self._line = line
        self._number = 0
        self._answers: dict[int, Json] = {}
        self._news = asyncio.Condition()
        self._gone: BaseException | None = None

    async def read(self) -> None:
        """Take in frames until the server is gone."""
        try:
            async for text in self._line:
                await self._take(json.loads(text))
            raise ConnectionResetError("the server closed the page")
        except GONE as error:
            self._gone = error
        async with self._news:
            self._news.notify_all()

    async def _take(self, frame: Json) -> None:
        self.frames += 1
        if "re" in frame:
            self._answers[frame["re"]] = frame
        elif frame["type"] == "game":
            self.game = frame["game"]
            self.shown.setdefault(len(self.game["moves"]), time.perf_counter())
        elif frame["type"] == "error":
            self.errors.append(frame["error"])
        async with self._news:
            self._news.notify_all()

    async def until(self, holds: Callable[[], Any], what: str) -> None:
        """Wait until something holds; an error if the server goes before that."""

        def ready() -> bool:
            return bool(self._gone is not None or holds())

        try:
            async with asyncio.timeout(PATIENCE), self._news:
                await self._news.wait_for(ready)
        except TimeoutError:
            raise AssertionError(f"{what} never came: {self.summary}") from None
        if not holds():
            assert self._gone is not None
            raise self._gone

    async def ask(self, do: str, **asked: Any) -> Json:
        """Send a frame and return its answer."""
        self._number += 1
        number = self._number
        await self._line.send(json.dumps({"do": do, "n": number, **asked}))
        await self.until(lambda: number in self._answers, f"the answer to {do}")
        return self._answers.pop(number)

    async def ok(self, do: str, **asked: Any) -> Json:
        """Send a frame whose answer must be good."""
        answer = await self.ask(do, **asked)
        assert answer.get("ok") is True, (do, asked, answer, self.summary)
        return answer

    async def turn(self) -> bool:
        """Wait for the turn; False if the game is over."""
        await self.until(lambda: self.game and (self.over or self.game["can"]["move"]), "the turn")
        return not self.over

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.game["result"] is not None

    @property
    def moves(self) -> list[str]:
        """The moves that it shows."""
        return [move["text"] for move in self.game.get("moves", ())]

    @property
    def summary(self) -> str:
        """What it shows, in short."""
        if not self.game:
            return "no game"
        return f"{self.game['id']} version {self.game['version']}: {' '.join(self.moves)}"

    def choose(self, rng: random.Random) -> str:
        """Any legal move."""
        return str(rng.choice(self.game["position"]["legal"]))
