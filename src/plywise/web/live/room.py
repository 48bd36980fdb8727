"""An open game: its session, seats, watchers, clocks and engine turns.

A room lives on the event loop. The session runs in threads, one action at a time, and writes to
the store before it reports anything. It reports to the loop with a `Snapshot`, and the loop reads
nothing else, so it never waits for a lock.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from contextlib import suppress
from functools import partial
from typing import Any, Protocol, TypeVar

from plywise.core.analysis import Analysis
from plywise.core.position import Position
from plywise.errors import PlywiseError
from plywise.jit.background import at_work
from plywise.play.records.game_record import GameRecord
from plywise.play.records.servers import GameStatus, come, leave
from plywise.play.records.store import (
    NoSuchGame,
    Seats,
    Store,
    StoreConflict,
    StoredGame,
    StoreError,
)
from plywise.play.session import Event, Session
from plywise.web.analysis.scheduler import Newest
from plywise.web.analysis.searches import Searches
from plywise.web.api.analysis import analysis_json
from plywise.web.caller import Caller
from plywise.web.errors import Changed, NotNow, Refusal, TooMany, brief, broken, log
from plywise.web.live.open_game import OpenGame, Snapshot, Visits
from plywise.web.settings import Settings

PAUSE = 0.4  #: seconds between the moves of two engines, so that people can follow
SOON = 0.05  #: seconds until an engine that was stopped checks again whether it has to move
RETRY = 1.0  #: seconds until an engine that found all threads busy tries again
ELSEWHERE = 2.0  #: seconds, beyond those of a move, that another server has for an engine's move
GLANCE = (
    0.3  #: seconds between two looks at a thinking engine: is it being compiled, is anybody here?
)
LATE = 0.01  #: seconds after a clock has run out at which it is checked

T = TypeVar("T")


class Watcher(Protocol):
    """A listener of a room, called on the event loop; it must not block."""

    def changed(self, event: str) -> None:
        """The game has changed."""
        ...

    def heard(self, frame: dict[str, Any]) -> None:
        """Receive a short-lived message: what an engine is thinking, or how many people watch."""
        ...

    def gone(self) -> None:
        """The game was deleted."""
        ...


class Room:
    """One game. Made in a thread, since a session may compile something; used on the loop."""

    def __init__(
        self,
        stored: StoredGame,
        loop: asyncio.AbstractEventLoop,
        store: Store,
        threads: Executor,
        searches: Searches,
        settings: Settings,
    ) -> None:
        self.id = stored.id
        self.owner = stored.owner
        self.seats = stored.seats
        self.touched = time.monotonic()
        self.address = ""  # who came last: the engine thinks in their threads
        self.closed = False
        self.stale = False  # have the rules of the game been edited?
        self._loop = loop
        self._store = store
        self._threads = threads
        self._searches = searches
        self._settings = settings
        self.next: str | None = None  # the rematch
        self.visits = Visits(loop, lambda: self.seats, self._visited, self._note_visit)
        self._watchers: list[Watcher] = []
        self._present: Counter[str] = Counter()  # requests and sockets that use it, by client
        self._doing = asyncio.Lock()
        self._engine: asyncio.Task[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._in_charge = False  # see "engines" below
        self._patience: asyncio.TimerHandle | None = None  # until it takes charge
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = Newest(loop, self._thinks)
        self._game = OpenGame(stored, store, searches.lender, settings, self._report)
        self.snapshot = self._game.snapshot

    def _report(self, opened: OpenGame, event: Event) -> None:
        """Pass what a session reports on to the loop; called in a thread."""
        if event.kind == "info":
            if event.analysis is not None:
                self._news.put((event.position, event.analysis))
            return
        with suppress(RuntimeError):  # the loop is closed: nobody listens
            self._loop.call_soon_threadsafe(self._heard, opened, event.kind, opened.snapshot)

    @property
    def session(self) -> Session:
        """The game as it is played here."""
        return self._game.session

    def settle(self) -> None:
        """Start the clock, and the engine if it is its turn. Called on the loop."""
        self._set_clock()
        self.wake()

    # ---- players and watchers ------------------------------------------------------------------

    @property
    def people(self) -> list[int]:
        """The numbers of the human players."""
        return self.session.people

    def seats_of(self, client: str) -> list[int]:
        """The numbers of the players that a client plays."""
        return [number for number in self.people if self.seats[number - 1] == client]

    @property
    def shared(self) -> bool:
        """True if the game is between two clients, or waits for the second one."""
        return len({self.seats[number - 1] for number in self.people}) > 1

    @property
    def users(self) -> int:
        """How many requests and sockets use it; it stays open as long as there are any."""
        return self._present.total()

    @property
    def busy(self) -> bool:
        """True if an engine or a clock is running, so that the room should stay in memory."""
        return self._engine is not None or self._clock is not None

    @property
    def thinking(self) -> bool:
        """True while an engine is thinking about its move, here or at another server."""
        return self._engine_on_turn and (self._engine is not None or not self._in_charge)

    def watch(self, watcher: Watcher, client: str = "") -> None:
        """Add a watcher, and the client whose page it is."""
        self._watchers.append(watcher)
        self.visits.come(client)
        self._count()
        self.wake()

    def leave(self, watcher: Watcher, client: str = "") -> None:
        """Remove a watcher."""
        if watcher in self._watchers:
            self._watchers.remove(watcher)
            self._count()
        if not self.closed:
            self.visits.leave(client)

    def _visited(self) -> None:
        if self.shared and not self.closed:
            self._changed("visit")

    def _note_visit(self, number: int, here: bool) -> None:
        """Write down for other servers that a player has come or gone."""

        async def note() -> None:
            with suppress(Refusal):  # the store is failing: logged
                await self._using_store(lambda: work(self._store, (self.id, number)))

        work = come if here else leave
        if self.shared and not self.closed:
            self._start(note())

    def come_in(self, caller: Caller) -> None:
        """Count a user, and start the engine if it waited for them."""
        self._present[caller.client] += 1
        self.address = caller.address
        if self._belongs(caller.client):
            self._take_charge()
        self.wake()

    def _belongs(self, client: str) -> bool:
        return client in ("", self.owner, *self.seats)  # the server itself has no name

    def let_go(self, caller: Caller) -> None:
        """One of its users has gone."""
        self._present -= Counter([caller.client])
        self.touched = time.monotonic()

    def _count(self) -> None:
        self._tell({"type": "watching", "count": len(self._watchers)})

    def _tell(self, frame: dict[str, Any]) -> None:
        for watcher in list(self._watchers):
            watcher.heard(frame)

    def _changed(self, event: str) -> None:
        for watcher in list(self._watchers):
            watcher.changed(event)

    # ---- actions -------------------------------------------------------------------------------

    async def do(self, work: Callable[[Session], T], version: int | None = None) -> T:
        """Run an action of the session; NotNow if the game is not at the expected version."""
        async with self._doing:
            snapshot = self.snapshot
            if version is not None and not snapshot.since <= version <= snapshot.version:
                raise NotNow(
                    f"the game has moved on: it is at version {snapshot.version}, not {version}"
                )
            session = self.session
            return await self._using_store(lambda: work(session))

    async def sit(self, number: int, client: str) -> bool:
        """Give an open seat to a client; False if someone else was faster."""
        async with self._doing:
            taken = await self._using_store(lambda: self._store.seat(self.id, number, client))
            stored = await self._using_store(lambda: self._store.get(self.id))
            await self._take_seats(stored.seats)
            if taken:
                self.visits.sit(number)
            return taken

    async def _take_seats(self, seats: Seats) -> None:
        """Somebody has sat down, here or at another server."""
        if seats != self.seats:
            self.seats = seats
            opened = self._game
            self.snapshot = await self._loop.run_in_executor(self._threads, opened.sit, seats)
            self._set_clock()
            self._changed("seat")

    async def rematch(self, record: GameRecord, owner: str, seats: Seats) -> None:
        """Go on with another game, unless there is one already."""
        async with self._doing:
            work = partial(self._store.rematch, self.id, record, owner, seats)
            self.next = await self._using_store(work)
            self._changed("rematch")

    async def _using_store(self, work: Callable[[], T]) -> T:
        """Run something that uses the store in a thread, and translate its errors."""
        try:
            return await self._loop.run_in_executor(self._threads, work)
        except StoreConflict:
            await self._reload()
            raise Changed("the game was changed elsewhere: reload it") from None
        except StoreError as error:
            if isinstance(error, NoSuchGame):
                self.end()
            raise broken(error) from None

    async def refresh(self) -> None:
        """Open the game again if its rules have been edited; NotNow if it does not fit them."""
        if not self.stale:
            return
        async with self._doing:
            try:
                await self._reload()
            except Refusal:
                raise
            except PlywiseError as error:
                raise NotNow(f"this game does not fit the new rules: {brief(str(error))}") from None
            self.stale = False

    async def catch_up(self, status: GameStatus | None) -> None:
        """Take over what another server has changed; None if the game was deleted."""
        if status is None or self.closed:
            self.end()
            return
        self.visits.heard(status.visits)
        if status.next != self.next:
            self.next = status.next
            self._changed("rematch")
        async with self._doing:  # nobody gives a seat back, so what is taken here stays taken
            one, two = self.seats
            await self._take_seats((one or status.seats[0], two or status.seats[1]))
        if status.version > self.snapshot.version:
            async with self._doing:
                try:
                    await self._reload()
                except PlywiseError as error:
                    log.error("room %s cannot be loaded again: %s", self.id, error)

    async def _reload(self) -> None:
        """Load the game again if another server has changed it, or its rules were edited."""
        old = self._game
        try:
            stored, opened = await self._loop.run_in_executor(self._threads, old.again, self.stale)
        except NoSuchGame:
            self.end()
            return
        except StoreError as error:
            raise broken(error) from None
        if opened is old:
            await self._take_seats(stored.seats)
        else:
            self.seats = stored.seats
            self._game = opened
            if not self.stale:
                self._leave_charge()
            self._show("hello", opened.snapshot)

    def _heard(self, opened: OpenGame, event: str, snapshot: Snapshot) -> None:
        """Take over what the session reports."""
        if opened is self._game and not self.closed:
            self._take_charge()
            self._show(event, snapshot)

    def _show(self, event: str, snapshot: Snapshot) -> None:
        """Show everybody how the game stands now, and go on from there."""
        self.snapshot = snapshot
        self.touched = time.monotonic()
        self._set_clock()
        self.wake()
        self._changed(event)

    # ---- clocks --------------------------------------------------------------------------------

    @property
    def clocks(self) -> tuple[float, float] | None:
        """The seconds that both players have left now."""
        snapshot = self.snapshot
        if snapshot.clocks is None or not snapshot.clock_runs:
            return snapshot.clocks
        left = list(snapshot.clocks)
        left[snapshot.position.turn] -= time.monotonic() - snapshot.at
        return left[0], left[1]

    def _set_clock(self) -> None:
        """Schedule a check for when the clock of a human player runs out."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        clocks, runs = self.clocks, self.snapshot.clock_runs
        if clocks is not None and runs and not (self._engine_on_turn or self.closed):
            left = max(0.0, clocks[self.snapshot.position.turn])
            self._clock = self._loop.call_later(left + LATE, self._run_out)

    def _run_out(self) -> None:
        async def flag() -> None:
            with suppress(Refusal):  # reported and logged already
                await self.do(lambda session: session.flag())
            if self.snapshot.record.result is None:
                self._set_clock()

        self._start(flag())

    def _start(self, work: Coroutine[None, None, None]) -> None:
        """Run something that ends with the room."""
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- engines -------------------------------------------------------------------------------
    #
    # Where several servers use one database, one of them is in charge of the engine: the one where
    # a player is, or which made the last change. The others only watch. If nothing happens for a
    # while, that server may be gone, and they take charge too: should two engines move at once,
    # the store refuses one of the moves.

    def _take_charge(self) -> None:
        """Have the engine think here, because a player is here or has done something here."""
        self._in_charge = True
        self._stop_waiting()

    def _leave_charge(self) -> None:
        """Leave it to the server that has just made a change, unless a player is here too."""
        self._in_charge = any(map(self._belongs, self._present))
        self._stop_waiting()

    def _take_over(self) -> None:
        self._take_charge()
        self.wake()

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def wake(self) -> None:
        """Start the engine if it is its turn, or wait for the server that has it think."""
        if self._engine is not None or not self._wanted:
            return
        if self._in_charge:
            self._engine = self._loop.create_task(self._think())
        elif self._patience is None:
            wait = self._settings.move_seconds + ELSEWHERE
            self._patience = self._loop.call_later(wait, self._take_over)

    @property
    def _wanted(self) -> bool:
        """True if an engine should move now. Two engines play only while someone watches."""
        return self._engine_on_turn and not self.closed and bool(self.people or self._watchers)

    @property
    def _engine_on_turn(self) -> bool:
        snapshot = self.snapshot
        over = snapshot.record.result is not None
        return not over and not self.session.players[snapshot.position.turn].person

    async def _think(self) -> None:
        """Let engines move until it is a human player's turn or nobody is there any more."""
        try:
            while self._wanted and self._in_charge:
                if not self.people and self.snapshot.record.moves:
                    await asyncio.sleep(PAUSE)
                    if not self._wanted:
                        break
                await self._think_once()
        finally:
            self._engine = None
            if not self._in_charge:
                self.wake()

    async def _think_once(self) -> None:
        session, before = self.session, self.snapshot
        watching = self._loop.create_task(self._watch_engine())
        try:
            await self._searches.move(session, self.address)
            if self.snapshot is before:  # stopped, and the reason has not been reported yet
                await asyncio.sleep(SOON)
        except TooMany:
            await asyncio.sleep(RETRY)
        except NoSuchGame:
            self.end()
        except StoreConflict:
            async with self._doing:
                with suppress(Refusal):  # the store is failing: logged, and tried again
                    await self._reload()
            await asyncio.sleep(SOON)
        except StoreError as error:
            self._tell({"type": "error", "error": str(broken(error))})
            await asyncio.sleep(RETRY)
        except Exception as error:
            await self._give_up(error)
        finally:
            watching.cancel()

    async def _watch_engine(self) -> None:
        """Tell the watchers while an engine is being compiled, which may take many seconds.

        If nobody comes back for a while, it moves with what it has.
        """
        told = False
        while True:
            await asyncio.sleep(GLANCE)
            if at_work() != told:
                told = not told
                self._tell({"type": "preparing", "on": told})
            if not self.users and time.monotonic() - self.touched >= self._settings.absent_seconds:
                # In a thread, since it may wait for its lock.
                self._threads.submit(self.session.hurry)

    async def _give_up(self, error: Exception) -> None:
        """Resign for an engine that failed, so that nobody waits for it."""
        log.error("an engine failed at room %s", self.id, exc_info=error)
        words = brief(str(error)) if isinstance(error, PlywiseError) else "the engine failed"
        self._tell({"type": "error", "error": words})
        with suppress(PlywiseError):
            await self.do(lambda session: session.resign(session.position.mover))

    def _thinks(self, news: tuple[Position, Analysis]) -> None:
        """Report what an engine is thinking to the watchers."""
        position, analysis = news
        if not self.thinking or position is not self.snapshot.position or not self._watchers:
            return
        found = analysis_json(position, analysis)
        names = ("depth", "value_1", "text", "pv", "nodes", "seconds")
        self._tell({"type": "thinking", **{name: found[name] for name in names}})

    # ---- closing -------------------------------------------------------------------------------

    def end(self) -> None:
        """Close the room of a deleted game and tell its watchers."""
        watchers, self._watchers = self._watchers, []
        self.close()
        for watcher in watchers:
            watcher.gone()

    def close(self) -> None:
        """Stop everything that is running."""
        self.closed = True
        self._threads.submit(self.session.close)  # in a thread, since it may wait for its lock
        for task in (self._engine, *self._tasks):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
        self._set_clock()
        self._stop_waiting()
        self.visits.close()
