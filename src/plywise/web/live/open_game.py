"""A stored game that is open: its session, which saves each change before it reports it, and who
is there.

What a session reports is a snapshot. Its large parts, the position and the moves, variations and
notes, are written once after each change, in the thread of the session, and sent to every watcher,
so there are limits to the notes and variations of a game.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.play.players import make_agent
from plywise.play.records.game_record import HUMAN, GameRecord, Move
from plywise.play.records.store import Seats, Store, StoredGame
from plywise.play.session import Event, Session
from plywise.web.analysis.engine_pool import Borrower, Lender
from plywise.web.api import schemas
from plywise.web.api.schemas import plain_json, position_json
from plywise.web.errors import NotNow
from plywise.web.metrics import MOVES
from plywise.web.settings import KILOBYTE, Settings

NOTE_BYTES = 32 * KILOBYTE  #: all notes of a game together
BRANCH_MOVES = 1000  #: moves in all variations of a game together
LINGER = 4.0  #: seconds until somebody who closed their page is away: they may have reloaded it


@dataclass(frozen=True)
class Snapshot:
    """A snapshot of a game, as reported by its session."""

    version: int
    record: GameRecord
    position: Position
    large: Mapping[str, str]  #: position, moves, branches and notes, each as JSON for all watchers
    clocks: tuple[float, float] | None
    clock_runs: bool
    at: float  #: when the clocks were read
    can_undo: bool
    since: int  #: the version with which this position came up; notes and offers came later


def empty_seat(record: GameRecord, seats: Seats) -> bool:
    """True if a person can still sit down."""
    pairs = zip(record.players, seats, strict=True)
    return any(spec == HUMAN and seat is None for spec, seat in pairs)


class OpenGame:
    """A session of a stored game. Made and used in threads.

    `heard` is called with it after each change, and while an engine thinks. `before` is how the
    game was open until now, if another server has changed it.
    """

    def __init__(
        self,
        stored: StoredGame,
        store: Store,
        lender: Lender,
        settings: Settings,
        heard: Callable[[OpenGame, Event], None],
        before: OpenGame | None = None,
    ) -> None:
        self._id = stored.id
        self._version = stored.version
        self._store = store
        self._lender = lender
        self._settings = settings
        self._heard = heard
        self.session = Session(
            stored.record,
            keep=self._keep,
            listener=self._listen,
            make=self._make,
            elapsed=stored.elapsed,
            waiting=empty_seat(stored.record, stored.seats),
        )
        if before is not None:
            self.session.go_on_from(before.session)
        self.snapshot = self._take_snapshot(None)  #: what there was after the last change

    def sit(self, seats: Seats) -> Snapshot:
        """Start the clock if the seats are all taken now; return what there is then."""
        with self.session.held():
            if not empty_seat(self.session.record, seats):
                self.session.all_here()
                self.snapshot = self._take_snapshot(self.snapshot)
            return self.snapshot

    def again(self, always: bool = False) -> tuple[StoredGame, OpenGame]:
        """Load the game; if it has changed in the store, or always, open it once more."""
        with self.session.held():  # so that what this server saves is not missed
            stored = self._store.get(self._id)
            if stored.version == self.snapshot.version and not always:
                return stored, self
            opened = OpenGame(stored, self._store, self._lender, self._settings, self._heard, self)
        self.session.close()
        return stored, opened

    def _keep(self, record: GameRecord) -> None:
        """Save a change; nothing has happened if that fails."""
        if complaint := too_full(record, self.session.record):
            raise NotNow(complaint)
        self._version = self._store.save(self._id, record, self._version)

    def _listen(self, event: Event) -> None:
        if event.kind != "info":
            self.snapshot = self._take_snapshot(self.snapshot)
        if event.kind == "move":
            MOVES.add()
        self._heard(self, event)

    def _take_snapshot(self, before: Snapshot | None) -> Snapshot:
        session, position = self.session, self.session.position
        known = before if before is not None and before.position is position else None
        same = known is not None and known.record.result == session.record.result
        picture = _picture(position) if known is None else known.large["position"]
        return Snapshot(
            self._version,
            session.record,
            position,
            {"position": picture, **members(lines_json(session.record))},
            session.clocks,
            session.clock_runs,
            time.monotonic(),
            session.can_undo,
            known.since if known is not None and same else self._version,
        )

    def _make(self, spec: str | Spec, game: Game, **options: Any) -> Engine:
        """Make an agent that borrows its engine and respects the time limit."""
        own = make_agent(spec, game, **options)
        return Borrower(own, game, self._lender, self._settings.move_seconds)


# Who is there


class Visits:
    """The visits to one room. Used on the event loop.

    `seats` tells who plays, `changed` is called when somebody comes or goes, and `note` with a
    player who has come to this server, or has left it.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        seats: Callable[[], Seats],
        changed: Callable[[], None],
        note: Callable[[int, bool], None],
    ) -> None:
        self._loop = loop
        self._seats = seats
        self._changed = changed
        self._note = note
        self._here: Counter[str] = Counter()  # open pages, by client; those that linger too
        self._lingering: set[asyncio.TimerHandle] = set()
        self._elsewhere = [0.0, 0.0]  # until when each player is at another server

    @property
    def here(self) -> list[int]:
        """The players that have a page open at this server."""
        return [n for n, client in enumerate(self._seats(), 1) if client and self._here[client]]

    def present(self, number: int) -> bool:
        """True if player 1 or 2 is there, at any server."""
        return number in self.here or self._elsewhere[number - 1] > time.time()

    @property
    def outdated(self) -> bool:
        """True if somebody was at another server, and nobody knows whether they still are."""
        return any(0.0 < until <= time.time() for until in self._elsewhere)

    def come(self, client: str) -> None:
        """Somebody has opened a page."""
        before = self.here
        self._here[client] += 1
        self._compare(before)

    def leave(self, client: str) -> None:
        """Somebody has closed a page; they are away if they do not come back soon."""

        def go() -> None:
            self._lingering.discard(timer)
            before = self.here
            self._here -= Counter([client])
            self._compare(before)

        timer = self._loop.call_later(LINGER, go)
        self._lingering.add(timer)

    def sit(self, number: int) -> None:
        """Somebody has taken a seat: say so if they are here."""
        if number in self.here:
            self._note(number, True)

    def heard(self, until: tuple[float, float]) -> None:
        """Take over who is there, as the store has it."""
        before = [self.present(number) for number in (1, 2)]
        self._elsewhere = [*until]
        if before != [self.present(number) for number in (1, 2)]:
            self._changed()

    def close(self) -> None:
        """The room is closed: whoever lingers has gone."""
        for timer in self._lingering:
            timer.cancel()
        self._lingering.clear()

    def _compare(self, before: list[int]) -> None:
        for number in (1, 2):
            if (number in before) != (number in self.here):
                self._elsewhere[number - 1] = 0.0  # what is stored is out of date now
                self._note(number, number in self.here)
        if before != self.here:
            self._changed()


# What is written, and how much it may be


def too_full(record: GameRecord, before: GameRecord | None = None) -> str | None:
    """Return an error message if a game has too many notes or branches, and more than before.

    Each watcher is sent all of them after every move.
    """
    kinds = (NOTE_BYTES, "bytes of notes"), (BRANCH_MOVES, "moves in variations")
    known = (0, 0) if before is None else _sizes(before)
    for (most, what), now, then in zip(kinds, _sizes(record), known, strict=True):
        if now > max(most, then):
            return f"a game can have at most {most:,} {what} here: shorten or delete some first"
    return None


def _sizes(record: GameRecord) -> tuple[int, int]:
    """How many bytes all notes of a game have together, and how many moves all its variations."""
    branched = [move for branch in record.branches for move in branch.moves]
    notes = (*record.notes, *(move.note for move in (*record.line, *branched)))
    return sum(len(note.encode()) for note in notes), len(branched)


def _picture(position: Position) -> str:
    return schemas.written(schemas.Position, position_json(position)).decode()


def lines_json(record: GameRecord) -> dict[str, Any]:
    """The moves, variations and notes of a game as plain data."""
    return {
        "moves": moves_json(record.moves),
        "undone": moves_json(record.undone),
        "branches": [
            {"at": branch.at, "moves": moves_json(branch.moves)} for branch in record.branches
        ],
        "notes": list(record.notes),
    }


def moves_json(moves: Sequence[Move]) -> list[dict[str, Any]]:
    """Moves as plain data."""
    return [vars(move) for move in moves]


def members(data: Mapping[str, object]) -> dict[str, str]:
    """The members of an object, each as JSON."""
    return {name: plain_json(value) for name, value in data.items()}


def joined(parts: Mapping[str, str]) -> str:
    """The object with these members as JSON: what is large is written once, for all who get it."""
    inside = ",".join(f"{plain_json(name)}:{value}" for name, value in parts.items())
    return f"{{{inside}}}"
