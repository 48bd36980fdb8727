"""The open rooms: loaded from the store when needed, closed when idle."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager, suppress
from functools import lru_cache, partial
from typing import Any, TypeVar

from plywise.core.spec import Spec
from plywise.errors import PlywiseError, SpecError
from plywise.play.players import label
from plywise.play.records.changes import Ids
from plywise.play.records.game_record import GameRecord, Result
from plywise.play.records.servers import EVERY, REFRESH, forget, sign_of_life, statuses, stay
from plywise.play.records.store import Damaged, Seats, Store, StoreError, Summary
from plywise.play.session import Session
from plywise.web.analysis.searches import Searches
from plywise.web.api.positions import read_position
from plywise.web.api.schemas import picture_json
from plywise.web.caller import NOBODY, Caller
from plywise.web.errors import Forbidden, Refusal, TooMany, log, refusing
from plywise.web.limits import Slots
from plywise.web.live.room import RETRY, Room
from plywise.web.settings import Settings, share

WRITERS = 8  #: threads that read and write the store
LISTED = 24  #: games of a client that the home page shows
PICTURES = 1024  #: cached pictures of games in lists
IDLE_SIGNS = 30  #: how many times rarer signs of life are when no clock is running
SWEEPS = 4  #: how often to look for idle rooms within the idle time

T = TypeVar("T")
#: What a list shows of a game beyond its summary: title, player to move, picture, names.
Shown = tuple[str, int | None, Any, tuple[str, str]]


class Rooms:
    """All open rooms. Created, used and closed on the event loop."""

    def __init__(self, store: Store, searches: Searches, settings: Settings) -> None:
        full = "too many pages are open: close one first"
        self.pages = Slots(settings.sockets, "open pages", settings.sockets_per_client, full)
        self._in_use: dict[str, Counter[str]] = {}  # ids of rooms, by address
        self._store = store
        self._searches = searches
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._threads = ThreadPoolExecutor(WRITERS, "plywise-store")
        self._rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._shown = lru_cache(PICTURES)(self._show)
        self._behind: set[str] = set()  # ids of rooms that another server may have changed
        self._comparing: asyncio.Task[None] | None = None
        regular = self._sweep(), self._live(), self._visit()
        self._regular = [self._loop.create_task(work) for work in regular]

    def __len__(self) -> int:
        return len(self._rooms)

    @asynccontextmanager
    async def at(self, id: str, caller: Caller = NOBODY) -> AsyncIterator[Room]:
        """Open a room; it stays in memory while the context lasts."""
        with self._using(id, caller.address):
            room = await self._open(id, caller.address)
            room.come_in(caller)
            try:
                await room.refresh()
                yield room
            finally:
                room.let_go(caller)

    @contextmanager
    def _using(self, id: str, address: str) -> Iterator[None]:
        """Count a room for an address; TooMany if it has its share of them."""
        mine = self._in_use.setdefault(address, Counter())
        if address and id not in mine and len(mine) >= share(self._settings.rooms):
            line = "too many games are open from your address: close one first"
            raise TooMany(line, "open games")
        mine[id] += 1
        try:
            yield
        finally:
            mine[id] -= 1
            if not mine[id]:
                del mine[id]
            if not mine:
                del self._in_use[address]

    async def _open(self, id: str, address: str) -> Room:
        while (room := self._rooms.get(id)) is None or room.closed:
            if id not in self._loading:
                self._loading[id] = self._loop.create_task(self._load(id, address))
                self._loading[id].add_done_callback(lambda _: self._loading.pop(id, None))
            await asyncio.shield(
                self._loading[id]
            )  # others may wait for it even if this caller is cancelled
        return room

    async def may_start(self, caller: Caller) -> None:
        """TooMany if a client has enough unfinished games."""
        most = self._settings.games_per_client
        if await self._run(lambda: self._store.count(caller.client)) >= most:
            line = f"you have {most} unfinished games: finish or delete one first"
            raise TooMany(line, "unfinished games")

    async def create(self, record: GameRecord, caller: Caller, seats: Seats) -> str:
        """Save a new game and return its id."""
        await self.may_start(caller)
        # Raises if the record is invalid, before it is saved.
        await self._searches.read(lambda: Session(record).close(), caller.address)
        return (await self._run(lambda: self._store.add(record, caller.client, seats))).id

    async def remove(self, id: str, caller: Caller) -> None:
        """Delete a game, even a damaged one; Forbidden unless this client started it."""
        if await self._run(lambda: self._store.owner(id)) != caller.client:
            raise Forbidden("only the player who started a game can delete it")
        await self._run(lambda: self._store.remove(id))
        if room := self._rooms.pop(id, None):
            room.end()

    def edited(self, name: str) -> None:
        """The rules of a game have changed: its rooms take them over for whoever comes next."""
        self._shown.cache_clear()
        for room in self._rooms.values():
            room.stale |= Spec.parse(room.snapshot.record.game).name == name

    async def mine(self, caller: Caller) -> list[dict[str, Any]]:
        """List the games of a client, most recently changed first."""
        with refusing():
            return await self._searches.read(lambda: self._list(caller.client), caller.address)

    async def close(self) -> None:
        """Close all rooms after pending writes have finished."""
        if self._timed:
            await self._say_alive()
        comparing = [] if self._comparing is None else [self._comparing]
        for task in (*self._regular, *comparing, *self._loading.values()):
            task.cancel()
        for room in self._rooms.values():
            room.close()
        self._rooms.clear()
        await asyncio.to_thread(self._threads.shutdown)

    async def _run(self, work: Callable[[], T]) -> T:
        """Run something that uses the store in a thread, and translate its errors."""
        with refusing():
            return await self._loop.run_in_executor(self._threads, work)

    async def _load(self, id: str, address: str) -> None:
        self._rooms.pop(id, None)  # a closed room that still has users
        self._make_room()
        stored, status = await self._run(
            lambda: (self._store.get(id), statuses(self._store, [id]).get(id))
        )
        more = self._loop, self._store, self._threads, self._searches, self._settings

        def load() -> Room:
            try:
                return Room(stored, *more)
            except SpecError as error:  # such as an agent that is no longer installed
                raise Damaged(f"the game {id}: {error}") from None

        with refusing():  # not in a thread of the store: everybody's moves wait for those
            room = await self._searches.read(load, address)
        self._rooms[id] = room
        if status is not None:
            room.next = status.next
            room.visits.heard(status.visits)
        room.settle()
        if id in self._behind:  # changed while it was loaded
            self._look_again(frozenset((id,)))

    # ---- other servers -------------------------------------------------------------------------

    def heard(self, ids: Ids) -> None:
        """Other servers may have changed these games, or any. Called in a thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody listens
            self._loop.call_soon_threadsafe(self._look_again, ids)

    def _look_again(self, ids: Ids) -> None:
        here = self._rooms.keys() | self._loading.keys()
        self._behind = (self._behind | here if ids is None else self._behind | ids) & here
        if self._comparing is None and self._behind:
            self._comparing = self._loop.create_task(self._compare())

    async def _compare(self) -> None:
        """Compare open rooms with the store, and let them take over what others have changed."""
        try:
            while ids := self._behind & self._rooms.keys():
                try:
                    stored = await self._run(partial(statuses, self._store, ids))
                except Refusal:  # the store is failing: logged, and tried again
                    await asyncio.sleep(RETRY)
                    continue
                self._behind -= ids
                rooms = [room for id in ids if (room := self._rooms.get(id)) is not None]
                await asyncio.gather(*(room.catch_up(stored.get(room.id)) for room in rooms))
        finally:
            self._comparing = None

    # ---- clocks --------------------------------------------------------------------------------

    async def _live(self) -> None:
        """Write every few seconds that the server runs, so that a kill gives back no more time."""
        idle = 0
        while True:
            await asyncio.sleep(EVERY)
            idle = 0 if self._timed else (idle + 1) % IDLE_SIGNS
            if idle == 0:
                await self._say_alive()

    @property
    def _timed(self) -> bool:
        """True if a clock is running in an open room."""
        rooms = self._rooms.values()
        return any(room.busy and room.snapshot.record.time is not None for room in rooms)

    async def _say_alive(self) -> None:
        with suppress(Refusal):  # the store is failing: logged, and tried again
            await self._run(lambda: sign_of_life(self._store))

    # ---- who is there --------------------------------------------------------------------------

    async def _visit(self) -> None:
        """Say every few seconds which players are here, and ask again about those elsewhere."""
        with suppress(Refusal):
            await self._run(lambda: forget(self._store))
        while True:
            await asyncio.sleep(REFRESH)
            rooms = [room for room in self._rooms.values() if room.shared]
            here = [(room.id, number) for room in rooms for number in room.visits.here]
            with suppress(Refusal):  # the store is failing: logged, and tried again
                await self._run(partial(stay, self._store, here))
            if outdated := frozenset(room.id for room in rooms if room.visits.outdated):
                self._look_again(outdated)

    # ---- memory --------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        """Close rooms that have been idle for too long."""
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
            line = "too many games are being played here: try again later"
            raise TooMany(line, "open games")
        self._drop(min(idle, key=lambda room: (room.busy, room.touched)))

    def _drop(self, room: Room) -> None:
        del self._rooms[room.id]
        room.close()

    # ---- lists, made in a thread ---------------------------------------------------------------

    def _list(self, client: str) -> list[dict[str, Any]]:
        games = self._store.mine(client, LISTED)
        return [self._listed(summary, client) for summary in games]

    def _listed(self, summary: Summary, client: str) -> dict[str, Any]:
        try:
            shown = self._shown(summary.id, summary.version)
        except StoreError:  # the store is failing: it may be there the next time
            shown = None
        title, to_move, picture, names = shown or (summary.game, None, None, ("", ""))
        result = None if summary.result is None else vars(Result.parse(summary.result))
        return {
            "id": summary.id,
            "game": summary.game,
            "title": title,
            "players": [
                name or label(spec) for name, spec in zip(names, summary.players, strict=True)
            ],
            "moves": summary.moves,
            "to_move": None if result else to_move,
            "result": result,
            "updated": summary.updated,
            "you": [number for number, seat in enumerate(summary.seats, 1) if seat == client],
            "picture": picture,
        }

    def _show(self, id: str, version: int) -> Shown | None:
        """What a list shows of a game; None if it cannot be opened."""
        try:
            record = self._store.get(id).record
            moves = [move.text for move in record.moves]
            position = read_position(record.game, record.start, moves, settings=self._settings)
        except PlywiseError as error:  # such as a game that is no longer installed
            log.warning("the game %s cannot be shown: %s", id, error)
            if isinstance(error, StoreError) and not isinstance(error, Damaged):
                raise
            return None
        title = position.game.type.title
        return title, position.to_move, picture_json(position), record.names
