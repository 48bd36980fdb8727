"""A game that people are at: its session, who sits where, who watches, and the engine's turns.

A room lives on the event loop. What a session does (it writes to the store before it tells
anybody) runs in threads, one thing at a time. The session tells the loop what happened as a
`Seen`, which is all that anybody here looks at: nothing waits for a lock.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

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
from plywise.play.records.store import Kept, NotKept, Store, StoreConflict, StoreError
from plywise.play.session import Event, Session
from plywise.web.analysis.engine_pool import Borrower
from plywise.web.analysis.results import analysis_json
from plywise.web.analysis.scheduler import Newest
from plywise.web.analysis.searches import Searches
from plywise.web.api.positions import position_json
from plywise.web.errors import NotFound, NotNow, Refusal, TooMany, brief, log
from plywise.web.settings import Settings

SOON = 0.05  #: seconds until an engine that was called off looks again whether it has to move
RETRY = 1.0  #: seconds until an engine that found all threads taken asks again
LATE = 0.01  #: seconds after the end of a clock at which somebody looks at it

T = TypeVar("T")


class Watcher(Protocol):
    """Somebody who wants to be told; called on the event loop, and never waits."""

    def changed(self, event: str) -> None:
        """There is something new to see at the room."""
        ...

    def heard(self, frame: dict[str, Any]) -> None:
        """Something that is of interest for a moment: what an engine thinks, who is there."""
        ...

    def gone(self) -> None:
        """The game is no more."""
        ...


@dataclass(frozen=True)
class Seen:
    """A game at one moment, as its session told it."""

    version: int
    record: GameRecord
    position: Position
    picture: str  #: the position as JSON, written once for all who watch
    clocks: tuple[float, float] | None
    at: float  #: when the clocks were read
    can_undo: bool


class Room:
    """One game. Made in a thread, for a session may compile something; used on the loop."""

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
        self.users = 0  # requests and sockets that are at it; it stays as long as there are any
        self.touched = time.monotonic()
        self.closed = False
        self._loop = loop
        self._store = store
        self._threads = threads
        self._searches = searches
        self._settings = settings
        self._watchers: list[Watcher] = []
        self._doing = asyncio.Lock()
        self._engine: asyncio.Task[None] | None = None
        self._clock: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._news = Newest(loop, self._thinks)
        self.session, self.seen = self._open(kept)

    def _open(self, kept: Kept) -> tuple[Session, Seen]:
        """A session over what is kept. What it tells after another was opened is not heard."""
        version, seen = kept.version, None

        def keep(record: GameRecord) -> None:
            nonlocal version
            version = self._store.save(self.id, record, version)

        def look() -> Seen:
            position = session.position
            known = seen is not None and seen.position is position
            return Seen(
                version,
                session.record,
                position,
                seen.picture if known and seen is not None else _written(position),
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
            """An agent that borrows what it needs and thinks no longer than allowed."""
            own = make_agent(spec, game, memory=memory, on_output=on_output)
            return Borrower(own, game, self._searches.lender, self._settings.move_seconds)

        session = Session(kept.record, keep=keep, listener=listen, make=make)
        seen = look()
        return session, seen

    def settle(self) -> None:
        """Once it is on the loop: start the clock, and the engine if it is its turn."""
        self._set_clock()
        self.wake()

    # ---- who is there --------------------------------------------------------------------------

    @property
    def people(self) -> list[int]:
        """The numbers of the players who are people."""
        return self.session.people

    def seat(self, number: int) -> str | None:
        """The client who is player 1 or 2."""
        return self.seats[number - 1]

    def seats_of(self, client: str) -> list[int]:
        """Which of them a client is."""
        return [number for number in self.people if self.seat(number) == client]

    @property
    def shared(self) -> bool:
        """Do two clients play against each other, or will they?"""
        return len({self.seat(number) for number in self.people}) > 1

    @property
    def busy(self) -> bool:
        """Is there a reason to keep it in memory, apart from those who are at it?"""
        return self._engine is not None or self._clock is not None

    @property
    def thinking(self) -> bool:
        """Is it an engine's turn, and does it think?"""
        return self._engine is not None and self._engine_on_turn

    def watch(self, watcher: Watcher) -> None:
        """Somebody comes."""
        self._watchers.append(watcher)
        self._count()
        self.wake()

    def leave(self, watcher: Watcher) -> None:
        """Somebody goes."""
        if watcher in self._watchers:
            self._watchers.remove(watcher)
            self._count()

    def _count(self) -> None:
        self._tell({"type": "watching", "count": len(self._watchers)})

    def _tell(self, frame: dict[str, Any]) -> None:
        for watcher in list(self._watchers):
            watcher.heard(frame)

    def _changed(self, event: str) -> None:
        for watcher in list(self._watchers):
            watcher.changed(event)

    # ---- what is done --------------------------------------------------------------------------

    async def do(self, work: Callable[[Session], T], version: int | None = None) -> T:
        """Have the session do something, unless the game is at another version than expected."""
        async with self._doing:
            if version is not None and version != self.seen.version:
                raise NotNow(
                    f"the game has moved on: it is at version {self.seen.version}, not {version}"
                )
            session = self.session
            return await self._kept(lambda: work(session))

    async def sit(self, number: int, client: str) -> bool:
        """Give a free seat to a client; False if somebody else was quicker."""
        async with self._doing:
            taken = await self._kept(lambda: self._store.seat(self.id, number, client))
            kept = await self._kept(lambda: self._store.get(self.id))
            self.seats = kept.seats
            if taken:
                self._changed("seat")
            return taken

    async def _kept(self, work: Callable[[], T]) -> T:
        """Run in a thread what writes to the store, or reads from it."""
        try:
            return await self._loop.run_in_executor(self._threads, work)
        except StoreConflict:
            await self._reload()
            raise NotNow("the game was changed elsewhere: look at it again") from None
        except NotKept as error:
            self.end()
            raise NotFound(str(error)) from None
        except StoreError as error:
            raise broken(error) from None

    async def _reload(self) -> None:
        """Somebody else has written: take over what is kept now."""
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
        """The session did something."""
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
        """What both have left at this moment."""
        seen = self.seen
        if seen.clocks is None or seen.record.result is not None:
            return seen.clocks
        left = list(seen.clocks)
        left[seen.position.turn] -= time.monotonic() - seen.at
        return left[0], left[1]

    def _set_clock(self) -> None:
        """Look at the clock of a person when it has run out."""
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None
        clocks, over = self.clocks, self.seen.record.result is not None
        if clocks is not None and not (over or self._engine_on_turn or self.closed):
            left = max(0.0, clocks[self.seen.position.turn])
            self._clock = self._loop.call_later(left + LATE, self._run_out)

    def _run_out(self) -> None:
        async def flag() -> None:
            with suppress(Refusal):  # told and logged already
                await self.do(lambda session: session.flag())
            if self.seen.record.result is None:
                self._set_clock()

        task = self._loop.create_task(flag())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # ---- engines -------------------------------------------------------------------------------

    def wake(self) -> None:
        """Let an engine think if it is its turn."""
        if self._engine is None and self._wanted:
            self._engine = self._loop.create_task(self._think())

    @property
    def _wanted(self) -> bool:
        """Shall an engine move now? Without a person it plays only for those who watch."""
        return self._engine_on_turn and not self.closed and bool(self.people or self._watchers)

    @property
    def _engine_on_turn(self) -> bool:
        seen = self.seen
        over = seen.record.result is not None
        return not over and not self.session.players[seen.position.turn].person

    async def _think(self) -> None:
        """The turns of engines, until it is a person's or nobody is there any more."""
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
            await self._searches.move(session)
            if self.seen is before:  # called off, and what for has not been told yet
                await asyncio.sleep(SOON)
        except TooMany:
            await asyncio.sleep(RETRY)
        except NotKept:
            self.end()
        except StoreConflict:
            async with self._doing:
                with suppress(Refusal):  # the store is broken: logged, and tried again
                    await self._reload()
            await asyncio.sleep(SOON)
        except StoreError as error:
            self._tell({"type": "error", "error": str(broken(error))})
            await asyncio.sleep(RETRY)
        except Exception as error:
            await self._give_up(error)

    async def _give_up(self, error: Exception) -> None:
        """An engine that cannot play must not keep anybody waiting."""
        log.error("an engine failed at room %s", self.id, exc_info=error)
        words = brief(str(error)) if isinstance(error, PlywiseError) else "the engine has failed"
        self._tell({"type": "error", "error": words})
        with suppress(PlywiseError):
            await self.do(lambda session: session.resign(session.position.mover))

    def _thinks(self, news: tuple[Position, Analysis]) -> None:
        """Show what an engine thinks while it does."""
        position, analysis = news
        if not self.thinking or position is not self.seen.position or not self._watchers:
            return
        found = analysis_json(position, analysis)
        names = ("depth", "value_1", "text", "pv", "nodes", "seconds")
        self._tell({"type": "thinking", **{name: found[name] for name in names}})

    # ---- the end -------------------------------------------------------------------------------

    def end(self) -> None:
        """The game was removed."""
        watchers, self._watchers = self._watchers, []
        self.close()
        for watcher in watchers:
            watcher.gone()

    def close(self) -> None:
        """Leave nothing running."""
        self.closed = True
        self._threads.submit(self.session.close)  # it may have to wait for its lock
        for task in (self._engine, *self._tasks):
            if task is not None and task is not asyncio.current_task():
                task.cancel()
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None


def broken(error: StoreError) -> Refusal:
    """The store does not work: nobody's fault who asks, and nothing that he should be told."""
    log.error("the store failed: %s", error)
    return Refusal("games cannot be kept at the moment: try again in a while", 503)


def _written(position: Position) -> str:
    return json.dumps(position_json(position), ensure_ascii=False, separators=(",", ":"))
