"""A server that is used for a while, as on a busy evening: what it costs, and what goes wrong.

People play, come back and watch; others have games reviewed and ask for hints; the database is
restarted now and then. While it is away, answers of 503 and broken connections are no faults.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tests.postgres import Cluster
from tests.serving import Server
from tests.web.servers.pages import GONE, Page, Visitor

PLAYERS, WATCHERS, STUDENTS = 10, 4, 2
PACE = 0.1, 1.0  #: seconds that a person thinks about a move
STAY = 1.0, 8.0  #: seconds that a watcher stays
AWAY = 0.5, 3.0  #: seconds that the database is away
GRACE = 20.0  #: seconds after which nobody may notice that it was
QUARTERS = 4


class Footprint(NamedTuple):
    """What the server needs at one moment."""

    megabytes: float
    descriptors: int
    threads: int


def footprint(server: Server) -> Footprint:
    facts = server.facts
    return Footprint(facts["VmRSS"] / 1024, server.descriptors, facts["Threads"])


@dataclass
class Soak:
    """What has happened in one run."""

    seconds: float
    restart_every: float  #: seconds between two restarts of the database
    begun: float = 0.0
    footprints: list[Footprint] = field(default_factory=list)  #: before, and after each quarter
    latencies: list[list[float]] = field(default_factory=lambda: [[] for _ in range(QUARTERS)])
    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)  #: ids of games that can be watched
    excused: float = float("-inf")  #: until when the database explains what goes wrong

    async def run(self, server: Server, database: Cluster) -> None:
        """Use a server for a while, after everything has been loaded."""
        self.begun = time.perf_counter()
        await self._play(server, Visitor(0), random.Random(0))
        await self._study(server, Visitor(0), random.Random(0))
        self.latencies = [[] for _ in range(QUARTERS)]
        self.counts.clear()
        self.footprints.append(footprint(server))
        self.begun = time.perf_counter()
        roles: list[Awaitable[None]] = [self._restart(database), self._measure(server)]
        for count, role in (
            (PLAYERS, self._play),
            (WATCHERS, self._watch),
            (STUDENTS, self._study),
        ):
            for _ in range(count):
                number = len(roles)
                roles.append(self._repeat(role, server, number, random.Random(number)))
        await asyncio.gather(*roles)

    @property
    def _left(self) -> float:
        return self.begun + self.seconds - time.perf_counter()

    async def _repeat(
        self,
        role: Callable[[Server, Visitor, random.Random], Awaitable[None]],
        server: Server,
        number: int,
        rng: random.Random,
    ) -> None:
        """Do something again and again until the time is up."""
        visitor = Visitor(number)
        while self._left > 0:
            try:
                await role(server, visitor, rng)
            except (*GONE, AssertionError) as error:
                self._complain(f"{role.__name__}: {error!r}")
                await asyncio.sleep(1.0)

    def _complain(self, line: str) -> None:
        """Note a fault, unless the database is away or has been until just now."""
        if time.perf_counter() < self.excused:
            self.counts["excused"] += 1
        else:
            self.faults.append(f"after {self.seconds - self._left:.1f} s: {line}"[:300])

    async def _restart(self, database: Cluster) -> None:
        rng = random.Random(7)
        while self._left > self.restart_every:
            await asyncio.sleep(self.restart_every)
            self.excused = float("inf")
            await asyncio.to_thread(database.stop)
            await asyncio.sleep(rng.uniform(*AWAY))
            await asyncio.to_thread(database.start)
            self.excused = time.perf_counter() + GRACE
            self.counts["database restarts"] += 1

    async def _measure(self, server: Server) -> None:
        for quarter in range(1, QUARTERS + 1):
            await asyncio.sleep(self._left - self.seconds * (1 - quarter / QUARTERS))
            self.footprints.append(footprint(server))

    # ---- what people do ------------------------------------------------------------------------

    async def _play(self, server: Server, visitor: Visitor, rng: random.Random) -> None:
        """Play a game against the computer, leaving the page now and then."""
        level = rng.randint(1, 4)
        asked = {"game": "connect4", "first": "human", "second": f"auto:level={level}"}
        id = await visitor.start(server, **asked)
        self.games.append(id)
        confirmed: list[str] = []
        over = False
        while not over and self._left > 0:
            try:
                async with visitor.page(server, id) as page:
                    over = await self._play_on(page, confirmed, rng)
            except (*GONE, AssertionError) as error:
                self._complain(f"game {id}: {error!r}")
                await asyncio.sleep(1.0)
            self.counts["pages opened"] += 1
        self.games.remove(id)
        self.counts["games"] += over

    async def _play_on(self, page: Page, confirmed: list[str], rng: random.Random) -> bool:
        """Play a few moves; True if the game is over."""
        for _ in range(rng.randint(2, 12)):
            going = await page.turn()
            assert page.moves[: len(confirmed)] == confirmed, (page.summary, confirmed)
            if not going:
                return True
            await asyncio.sleep(rng.uniform(*PACE))
            move, count = page.choose(rng), len(page.moves) + 1
            started = time.perf_counter()
            await page.ok("move", move=move)
            took = time.perf_counter() - started
            quarter = int((started - self.begun) / self.seconds * QUARTERS)
            self.latencies[min(QUARTERS - 1, quarter)].append(took)
            self.counts["moves"] += 1
            await page.until(lambda: len(page.moves) >= count, "the move")  # noqa: B023
            confirmed[:] = page.moves[:count]
        return False

    async def _watch(self, server: Server, visitor: Visitor, rng: random.Random) -> None:
        """Watch somebody's game for a while."""
        if not self.games:
            await asyncio.sleep(0.5)
            return
        async with visitor.page(server, rng.choice(self.games)) as page:
            await page.until(lambda: page.game, "the game")
            await asyncio.sleep(rng.uniform(*STAY))
        self.counts["watched"] += 1

    async def _study(self, server: Server, visitor: Visitor, rng: random.Random) -> None:
        """Have a position analysed, ask for a hint, and have a game reviewed."""
        moves = [str(rng.randint(1, 7)) for _ in range(rng.randint(2, 6))]
        board = {"game": "connect4:rows=7,cols=8", "moves": moves}
        async with visitor.page(server) as page:
            await page.ok("analyse", **board)
            await asyncio.sleep(rng.uniform(*PACE))
            await page.ok("quiet")
            await page.ok("hint", **board)
            await page.ok("review", **board)
        self.counts["hints and reviews"] += 1


def share(seconds: list[float], part: float) -> float:
    """The time within which this part of them was done; 0 if there are none."""
    ordered = sorted(seconds)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else 0.0
