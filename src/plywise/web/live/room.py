"""An open game: its session, seats, watchers, clocks and engine turns.

A room lives on the event loop. The session runs in threads, one action at a time, and writes to the
store before it reports anything. It reports to the loop with a `Seen`, and the loop reads nothing
else, so it never waits for a lock.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from typing import Any, TypeVar

from plywise.core.analysis import Analysis
from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.errors import PlywiseError
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import MEMORY
from plywise.play.agents.specs import make_agent
from plywise.play.records.game_record import GameRecord
from plywise.play.records.store import Damaged, Kept, NotKept, Store, StoreConflict, StoreError
from plywise.play.session import Event, Session
from plywise.web.analysis.engine_pool import Borrower
from plywise.web.analysis.results import analysis_json
from plywise.web.analysis.scheduler import Newest
from plywise.web.analysis.searches import Searches
from plywise.web.api.positions import position_json
from plywise.web.errors import NotFound, NotNow, Refusal, TooMany, brief, log
from plywise.web.live.frames import lines_json, too_full, written
from plywise.web.live.seen import Seen, Watcher
from plywise.web.settings import Settings

SOON = 0.05  #: seconds until an engine that was stopped checks again whether it has to move
RETRY = 1.0  #: seconds until an engine that found all threads busy tries again
LATE = 0.01  #: seconds after a clock has run out at which it is checked
DAMAGED = "its record is damaged, or needs a game or an agent that is not installed here"

T = TypeVar("T")


class Room:
    """One game. Created in a thread, since a session may compile something; used on the loop."""

    def __init__(
        self,
        kept: Kept,
        loop: asyncio.AbstractEventLoop,
        store: Store,
        threads: Executor,
        searches: Searches,
        settings: Settings,
    ) -> None:
        self.id = kept.id
        self.owner = kept.owner
        self.seats = kept.seats
        self.users = 0  # requests and sockets that use it; it stays open as long as there are any
        self.touched = time.monotonic()
        self.address = ""  # who came last: the engine thinks in their threads
        self.closed = False
        self.stale = False  # have the rules of the game been edited?
        self._loop = loop
        self._store = store
        self._threads = threads
        self._searches = searches
        self._settings = settings
        self._watchers: list[Watcher] = []
        self._doing = asyncio.Lock()
        self._engine: asyncio.Task[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._waiting: asyncio.TimerHandle | None = None  # for somebody to come back
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = Newest(loop, self._thinks)
        self.session, self.seen = self._open(kept)

    def _open(self, kept: Kept) -> tuple[Session, Seen]:
        """Open a session for a saved game. Reports of an earlier session are then ignored."""
        version, seen = kept.version, None

        def keep(record: GameRecord) -> None:
            nonlocal version
            if complaint := too_full(record, self._settings, session.record):
                raise NotNow(complaint)
            version = self._store.save(self.id, record, version)

        def look() -> Seen:
            position = session.position
            known = seen is not None and seen.position is position
            return Seen(
                version,
                session.record,
                position,
                seen.picture if known and seen is not None else written(position_json(position)),
                written(lines_json(session.record)),
                session.clocks,
                time.monotonic(),
                session.can_undo,
            )

        def listen(event: Event) -> None:
            nonlocal seen
            if event.kind == "info":
                if event.analysis is not None:
                    self._news.put((event.position, event.analysis))
                return
            seen = look()
            with suppress(RuntimeError):  # the loop is closed: nobody listens
                self._loop.call_soon_threadsafe(self._heard, session, event.kind, seen)

        def make(
            spec: str | Spec,
            game: Game,
            *,
            memory: int = MEMORY,
            on_output: OnOutput | None = None,
        ) -> Engine:
            """Make an agent that borrows its engine and respects the time limit."""
            own = make_agent(spec, game, memory=memory, on_output=on_output)
            return Borrower(own, game, self._searches.lender, self._settings.move_seconds)

        session = Session(kept.record, keep=keep, listener=listen, make=make, elapsed=kept.elapsed)
        seen = look()
        return session, seen

    def settle(self) -> None:
        """Start the clock, and the engine if it is its turn. Called on the loop."""
        self._set_clock()
        self.wake()

    # ---- players and watchers ------------------------------------------------------------------

    @property
    def people(self) -> list[int]:
        """The numbers of the human players."""
        return self.session.people

    def seat(self, number: int) -> str | None:
        """The client who plays as player 1 or 2."""
        return self.seats[number - 1]

    def seats_of(self, client: str) -> list[int]:
        """The numbers of the players that a client plays."""
        return [number for number in self.people if self.seat(number) == client]

    @property
    def shared(self) -> bool:
        """True if the game is between two clients, or waits for the second one."""
        return len({self.seat(number) for number in self.people}) > 1

    @property
    def busy(self) -> bool:
        """True if an engine or a clock is running, so that the room should stay in memory."""
        return self._engine is not None or self._clock is not None

    @property
    def thinking(self) -> bool:
        """True while an engine is thinking about its move."""
        return self._engine is not None and self._engine_on_turn

    def watch(self, watcher: Watcher) -> None:
        """Add a watcher."""
        self._watchers.append(watcher)
        self._count()
        self.wake()

    def leave(self, watcher: Watcher) -> None:
        """Remove a watcher."""
        if watcher in self._watchers:
            self._watchers.remove(watcher)
            self._count()

    def let_go(self) -> None:
        """One of its users has gone. If nobody comes back, the engine moves with what it has."""
        self.touched = time.monotonic()
        if self._waiting is None and not self.users:
            wait = self._settings.absent_seconds
            self._waiting = self._loop.call_later(wait, self._hurry)

    def _hurry(self) -> None:
        self._waiting = None
        if self.users or self._engine is None or self.closed:
            return
        absent = time.monotonic() - self.touched
        if absent >= self._settings.absent_seconds:
            self._threads.submit(self.session.hurry)  # in a thread, since it may wait for its lock
        wait = max(SOON, self._settings.absent_seconds - absent)
        self._waiting = self._loop.call_later(wait, self._hurry)

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
            if version is not None and version != self.seen.version:
                raise NotNow(
                    f"the game has moved on: it is at version {self.seen.version}, not {version}"
                )
            session = self.session
            return await self._kept(lambda: work(session))

    async def sit(self, number: int, client: str) -> bool:
        """Give an open seat to a client; False if someone else was faster."""
        async with self._doing:
            taken = await self._kept(lambda: self._store.seat(self.id, number, client))
            kept = await self._kept(lambda: self._store.get(self.id))
            self.seats = kept.seats
            if taken:
                self._changed("seat")
            return taken

    async def _kept(self, work: Callable[[], T]) -> T:
        """Run something that uses the store in a thread, and translate its errors."""
        try:
            return await self._loop.run_in_executor(self._threads, work)
        except StoreConflict:
            await self._reload()
            raise NotNow("the game was changed elsewhere: reload it") from None
        except NotKept as error:
            self.end()
            raise NotFound(str(error)) from None
        except StoreError as error:
            raise broken(error) from None

    async def refresh(self) -> None:
        """Open the game again if its rules have been edited; NotNow if it does not fit them."""
        if not self.stale:
            return
        async with self._doing:
            try:
                await self._reload()
            except PlywiseError as error:
                if isinstance(error, Refusal):
                    raise
                raise NotNow(f"this game does not fit the new rules: {brief(str(error))}") from None
            self.stale = False

    async def _reload(self) -> None:
        """Load the game again after another server has changed it."""
        old = self.session

        def open_again() -> tuple[Kept, Session, Seen]:
            kept = self._store.get(self.id)
            session, seen = self._open(kept)
            old.close()
            return kept, session, seen

        try:
            kept, session, seen = await self._loop.run_in_executor(self._threads, open_again)
        except NotKept:
            self.end()
            return
        except StoreError as error:
            raise broken(error) from None
        self.seats = kept.seats
        self.session = session
        self._heard(session, "hello", seen)

    def _heard(self, session: Session, event: str, seen: Seen) -> None:
        """Take over what the session reports."""
        if session is not self.session or self.closed:
            return
        self.seen = seen
        self.touched = time.monotonic()
        self._set_clock()
        self.wake()
        self._changed(event)

    # ---- clocks --------------------------------------------------------------------------------

    @property
    def clocks(self) -> tuple[float, float] | None:
        """The seconds that both players have left now."""
        seen = self.seen
        if seen.clocks is None or seen.record.result is not None:
            return seen.clocks
        left = list(seen.clocks)
        left[seen.position.turn] -= time.monotonic() - seen.at
        return left[0], left[1]

    def _set_clock(self) -> None:
        """Schedule a check for when the clock of a human player runs out."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        clocks, over = self.clocks, self.seen.record.result is not None
        if clocks is not None and not (over or self._engine_on_turn or self.closed):
            left = max(0.0, clocks[self.seen.position.turn])
            self._clock = self._loop.call_later(left + LATE, self._run_out)

    def _run_out(self) -> None:
        async def flag() -> None:
            with suppress(Refusal):  # reported and logged already
                await self.do(lambda session: session.flag())
            if self.seen.record.result is None:
                self._set_clock()

        task = self._loop.create_task(flag())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- engines -------------------------------------------------------------------------------

    def wake(self) -> None:
        """Start the engine if it is its turn."""
        if self._engine is None and self._wanted:
            self._engine = self._loop.create_task(self._think())

    @property
    def _wanted(self) -> bool:
        """True if an engine should move now. Two engines play only while someone watches."""
        return self._engine_on_turn and not self.closed and bool(self.people or self._watchers)

    @property
    def _engine_on_turn(self) -> bool:
        seen = self.seen
        over = seen.record.result is not None
        return not over and not self.session.players[seen.position.turn].person

    async def _think(self) -> None:
        """Let engines move until it is a human player's turn or nobody is there any more."""
        try:
            while self._wanted:
                if not self.people and self.seen.record.moves:
                    await asyncio.sleep(self._settings.pause)
                    if not self._wanted:
                        break
                await self._think_once()
        finally:
            self._engine = None

    async def _think_once(self) -> None:
        session, before = self.session, self.seen
        try:
            await self._searches.move(session, self.address)
            if self.seen is before:  # stopped, and the reason has not been reported yet
                await asyncio.sleep(SOON)
        except TooMany:
            await asyncio.sleep(RETRY)
        except NotKept:
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
        if not self.thinking or position is not self.seen.position or not self._watchers:
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
        for timer in (self._clock, self._waiting):
            if timer is not None:
                timer.cancel()
        self._clock = self._waiting = None


def broken(error: StoreError) -> Refusal:
    """Return the error for a failing store or a damaged game; the details are only logged."""
    if isinstance(error, Damaged):
        log.warning("%s", error)
        return Refusal(f"this game cannot be opened: {DAMAGED}", 422)
    log.error("the store failed: %s", error)
    return Refusal("games cannot be saved at the moment: try again later", 503)
