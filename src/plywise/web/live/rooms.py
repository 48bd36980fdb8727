"""The rooms in memory: fetched from the store when somebody comes, closed when nobody is there."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

from plywise.errors import PlywiseError
from plywise.play.records.game_record import GameRecord, Result
from plywise.play.records.store import Kept, NotKept, Seats, Store, StoreError, Summary
from plywise.play.session import Session
from plywise.web.analysis.searches import Searches
from plywise.web.api.positions import read_position, scene_json
from plywise.web.errors import Forbidden, NotFound, TooMany, log
from plywise.web.live.actions import label
from plywise.web.live.room import Room, broken
from plywise.web.settings import Settings

WRITERS = 8  #: threads that read and write the store
PICTURES = 1024  #: pictures of games in lists that are remembered
SWEEPS = 4  #: how often idle rooms are looked for, in the time that they may be idle

T = TypeVar("T")
#: What a list shows of a game, besides its row: the title, who is to move, the picture.
Shown = tuple[str, int | None, Any]


class Rooms:
    """Made, used and closed on the event loop."""

    def __init__(self, store: Store, searches: Searches, settings: Settings) -> None:
        self.sockets: Counter[str] = Counter()  # open ones, by client
        self._store = store
        self._searches = searches
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(WRITERS, "plywise-store")
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._shown: OrderedDict[tuple[str, int], Shown] = OrderedDict()
        self._sweeper = self._loop.create_task(self._sweep())

    def __len__(self) -> int:
        return len(self._rooms)

    @asynccontextmanager
    async def at(self, id: str) -> AsyncIterator[Room]:
        """Be at a room; it stays in memory at least as long."""
        while (room := self._rooms.get(id)) is None or room.closed:
            if id not in self._loading:
                self._loading[id] = self._loop.create_task(self._load(id))
                self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
            await asyncio.shield(self._loading[id])  # the others want it, even if this one goes
        room.users += 1
        room.wake()
        try:
            yield room
        finally:
            room.users -= 1
            room.touched = time.monotonic()

    async def create(self, record: GameRecord, owner: str, seats: Seats) -> str:
        """Keep a new game and give its id."""
        most = self._settings.games_per_client
        if await self._run(lambda: self._store.count(owner)) >= most:
            raise TooMany(f"you have {most} unfinished games: finish or remove one first")

        def add() -> Kept:
            Session(record).close()  # whatever is wrong with it is said before it is kept
            return self._store.add(record, owner, seats)

        return (await self._run(add)).id

    async def remove(self, id: str, client: str) -> None:
        """Forget a game, if this client began it."""
        async with self.at(id) as room:
            if room.owner != client:
                raise Forbidden("only who began a game can remove it")
            await self._run(lambda: self._store.remove(id))
            self._rooms.pop(id, None)
            room.end()

    async def mine(self, client: str) -> list[dict[str, Any]]:
        """The games of a client for a list, those first that changed last."""
        return await self._run(lambda: self._list(client))

    async def close(self) -> None:
        """Close all rooms; whatever is being written is written."""
        self._sweeper.cancel()
        for task in list(self._loading.values()):
            task.cancel()
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()
        await asyncio.to_thread(self._threads.shutdown)

    async def _run(self, work: Callable[[], T]) -> T:
        """Ask the store, in a thread."""
        try:
            return await self._loop.run_in_executor(self._threads, work)
        except NotKept as error:
            raise NotFound(str(error)) from None
        except StoreError as error:
            raise broken(error) from None

    async def _load(self, id: str) -> None:
        def load() -> Room:
            kept = self._store.get(id)
            return Room(
                kept, self._loop, self._store, self._threads, self._searches, self._settings
            )

        self._rooms.pop(id, None)  # one that was closed under its users
        self._make_room()
        room = await self._run(load)
        self._rooms[id] = room
        room.settle()

    # ---- room ----------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Close what has been idle for long."""
        idle = self._settings.idle_seconds
        while True:
            await asyncio.sleep(idle / SWEEPS)
            late = time.monotonic() - idle
            for room in [*self._rooms.values()]:
                if not (room.users or room.busy) and room.touched < late:
                    self._drop(room)

    def _make_room(self) -> None:
        """Close the room that has been idle the longest, if there are too many."""
        if len(self._rooms) + len(self._loading) <= self._settings.rooms:
            return
        idle = [room for room in self._rooms.values() if not room.users]
        if not idle:
            raise TooMany("too many games are being played here: try again in a while")
        self._drop(min(idle, key=lambda room: (room.busy, room.touched)))

    def _drop(self, room: Room) -> None:
        del self._rooms[room.id]
        room.close()

    # ---- lists; in a thread --------------------------------------------------------------------

    def _list(self, client: str) -> list[dict[str, Any]]:
        games = self._store.mine(client, self._settings.games_listed)
        return [self._listed(summary, client) for summary in games]

    def _listed(self, summary: Summary, client: str) -> dict[str, Any]:
        title, to_move, picture = self._look(summary)
        result = None
        if summary.result is not None:
            found = Result.parse(summary.result)
            result = {"winner": found.winner, "how": found.how, "reason": found.reason}
        return {
            "id": summary.id,
            "game": summary.game,
            "title": title,
            "players": [label(spec) for spec in summary.players],
            "moves": summary.moves,
            "to_move": None if result else to_move,
            "result": result,
            "updated": summary.updated,
            "you": [number for number, seat in enumerate(summary.seats, 1) if seat == client],
            "picture": picture,
        }

    def _look(self, summary: Summary) -> Shown:
        key = summary.id, summary.version
        found = self._shown.get(key)
        if found is None:
            try:
                record = self._store.get(summary.id).record
                moves = [move.text for move in record.moves]
                position = read_position(record.game, record.start, moves, settings=self._settings)
            except PlywiseError as error:  # as a game that is no longer installed
                log.warning("the game %s cannot be shown: %s", summary.id, error)
                return summary.game, None, None
            kind = position.game.type
            found = kind.title or kind.name, position.to_move, scene_json(position)
            self._shown[key] = found
            with suppress(KeyError):
                while len(self._shown) > PICTURES:
                    self._shown.popitem(last=False)
        return found
