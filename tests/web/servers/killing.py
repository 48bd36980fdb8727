"""People who play while their server is killed again and again; nothing confirmed may be lost."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from pathlib import Path

from tests.serving import Server
from tests.web.servers.pages import GONE, Visitor

LONGEST = 0.4  #: seconds, at most, that people play before the next kill
EARLY = 0.2  #: how often the kill may come before anybody has moved
STATE = "kills.json"  #: in the folder of the server


@dataclass
class Played:
    """A game, and what its server has confirmed."""

    seat: int  #: the number of the person who plays it
    id: str
    cookie: str
    moves: list[str] = field(default_factory=list)
    sent: str | None = None  #: a move that has not been confirmed
    over: bool = False


@dataclass
class Siege:
    """The kills of one server so far, and the games that go on."""

    kills: int = 0
    confirmed: int = 0
    lost: list[str] = field(default_factory=list)
    games: list[Played] = field(default_factory=list)

    @classmethod
    def resume(cls, folder: Path) -> Siege:
        """Go on where an earlier run stopped, with new games."""
        file = folder / STATE
        return cls(**json.loads(file.read_text())) if file.exists() else cls()

    def save(self, folder: Path) -> None:
        """Write down how far it is; all that was confirmed so far has been compared."""
        found = {"kills": self.kills, "confirmed": self.confirmed, "lost": self.lost}
        (folder / STATE).write_text(json.dumps(found))

    async def kill(self, server: Server, people: int, rng: random.Random) -> None:
        """Let people play on a running server, kill it at any moment, start it, and compare."""
        players = [
            asyncio.create_task(self._play(server, seat, random.Random(rng.random())))
            for seat in range(people)
        ]
        before, early = self.confirmed, rng.random() < EARLY
        while not early and self.confirmed == before and not all(each.done() for each in players):
            await asyncio.sleep(0.001)
        await asyncio.sleep(rng.uniform(0.0, LONGEST))
        await asyncio.to_thread(server.kill)
        self.kills += 1
        for failed in await asyncio.gather(*players, return_exceptions=True):
            if isinstance(failed, BaseException):
                self.lost.append(repr(failed))
        await asyncio.to_thread(server.start, "/health")
        await asyncio.gather(*(self._compare(server, game) for game in self.games))
        self.games = [game for game in self.games if not game.over]

    async def _play(self, server: Server, seat: int, rng: random.Random) -> None:
        """Play as fast as the server confirms, one game after the other, until it is gone."""
        try:
            while True:
                going = (game for game in self.games if game.seat == seat and not game.over)
                if (game := next(going, None)) is None:
                    visitor = Visitor(seat)
                    asked = {"game": "tictactoe", "first": "human", "second": "human"}
                    id = await visitor.start(server, **asked)
                    game = Played(seat, id, visitor.cookie)
                    self.games.append(game)
                await self._play_on(server, game, rng)
        except GONE:
            pass

    async def _play_on(self, server: Server, game: Played, rng: random.Random) -> None:
        async with Visitor(game.seat, game.cookie).page(server, game.id) as page:
            while await page.turn():
                game.sent = page.choose(rng)
                await page.ok("move", move=game.sent)
                game.moves.append(game.sent)
                game.sent = None
                self.confirmed += 1
                count = len(game.moves)
                await page.until(lambda: len(page.moves) >= count, "the move")  # noqa: B023
            game.over = True

    async def _compare(self, server: Server, game: Played) -> None:
        """What was confirmed must be there, and nothing else but a move that was on its way."""
        kept = await Visitor(game.seat, game.cookie).look(server, game.id)
        moves = [move["text"] for move in kept["moves"]]
        allowed = [game.moves, *([[*game.moves, game.sent]] if game.sent else [])]
        if moves not in allowed:
            self.lost.append(f"{game.id}: {moves} is stored, {game.moves} was confirmed")
        game.moves, game.sent, game.over = moves, None, kept["result"] is not None
