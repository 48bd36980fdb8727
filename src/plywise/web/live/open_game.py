"""A stored game that is open: its session, which saves each change before it reports it.

What a session reports is a snapshot. Its large parts, the position and the moves, variations and
notes, are written once after each change, in the thread of the session, and sent to every watcher,
so there are limits to the notes and variations of a game.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Spec
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import MEMORY
from plywise.play.players import make_agent
from plywise.play.records.game_record import HUMAN, GameRecord, Move
from plywise.play.records.store import Kept, Seats, Store
from plywise.play.session import Event, Session
from plywise.web.analysis.engine_pool import Borrower, Lender
from plywise.web.api import schemas
from plywise.web.api.schemas import position_json
from plywise.web.errors import NotNow
from plywise.web.metrics import MOVES
from plywise.web.settings import KILOBYTE, Settings

NOTE_BYTES = 32 * KILOBYTE  #: all notes of a game together
BRANCH_MOVES = 1000  #: moves in all variations of a game together


@dataclass(frozen=True)
class Snapshot:
    """A snapshot of a game, as reported by its session."""

    version: int
    record: GameRecord
    position: Position
    picture: str  #: the position as JSON, shared by all watchers
    lines: Mapping[str, str]  #: the moves, branches and notes, each as JSON, shared as well
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
        kept: Kept,
        store: Store,
        lender: Lender,
        settings: Settings,
        heard: Callable[[OpenGame, Event], None],
        before: OpenGame | None = None,
    ) -> None:
        self._id = kept.id
        self._version = kept.version
        self._store = store
        self._lender = lender
        self._settings = settings
        self._heard = heard
        self.session = Session(
            kept.record,
            keep=self._keep,
            listener=self._listen,
            make=self._make,
            elapsed=kept.elapsed,
            waiting=empty_seat(kept.record, kept.seats),
        )
        if before is not None:
            self.session.go_on_from(before.session)
        self.seen = self._look(None)  #: what there was after the last change

    def sit(self, seats: Seats) -> Snapshot:
        """Start the clock if the seats are all taken now; return what there is then."""
        with self.session.held():
            if not empty_seat(self.session.record, seats):
                self.session.all_here()
                self.seen = self._look(self.seen)
            return self.seen

    def again(self, always: bool = False) -> tuple[Kept, OpenGame]:
        """Load the game; if it has changed in the store, or always, open it once more."""
        with self.session.held():  # so that what this server saves is not missed
            kept = self._store.get(self._id)
            if kept.version == self.seen.version and not always:
                return kept, self
            opened = OpenGame(kept, self._store, self._lender, self._settings, self._heard, self)
        self.session.close()
        return kept, opened

    def _keep(self, record: GameRecord) -> None:
        """Save a change; nothing has happened if that fails."""
        if complaint := too_full(record, self.session.record):
            raise NotNow(complaint)
        self._version = self._store.save(self._id, record, self._version)

    def _listen(self, event: Event) -> None:
        if event.kind != "info":
            self.seen = self._look(self.seen)
        if event.kind == "move":
            MOVES.add()
        self._heard(self, event)

    def _look(self, before: Snapshot | None) -> Snapshot:
        session, position = self.session, self.session.position
        known = before if before is not None and before.position is position else None
        same = known is not None and known.record.result == session.record.result
        return Snapshot(
            self._version,
            session.record,
            position,
            _picture(position) if known is None else known.picture,
            members(lines_json(session.record)),
            session.clocks,
            session.clock_runs,
            time.monotonic(),
            session.can_undo,
            known.since if known is not None and same else self._version,
        )

    def _make(
        self,
        spec: str | Spec,
        game: Game,
        *,
        memory: int = MEMORY,
        on_output: OnOutput | None = None,
    ) -> Engine:
        """Make an agent that borrows its engine and respects the time limit."""
        own = make_agent(spec, game, memory=memory, on_output=on_output)
        return Borrower(own, game, self._lender, self._settings.move_seconds)


# What is written, and how much it may be


def too_full(record: GameRecord, before: GameRecord | None = None) -> str | None:
    """Return an error message if a game has too many notes or branches, and more than before.

    Each watcher is sent all of them after every move.
    """
    for size, most, what in (
        (note_bytes, NOTE_BYTES, "bytes of notes"),
        (branch_moves, BRANCH_MOVES, "moves in variations"),
    ):
        now = size(record)
        if now > most and (before is None or now > size(before)):
            return f"a game can have at most {most:,} {what} here: shorten or delete some first"
    return None


def note_bytes(record: GameRecord) -> int:
    """How many bytes all notes of a game have together."""
    lines = (record.line, *(branch.moves for branch in record.branches))
    noted = (move.note for line in lines for move in line if move.note)
    return sum(len(note.encode()) for note in (*record.notes, *noted))


def branch_moves(record: GameRecord) -> int:
    """How many moves all variations of a game have together."""
    return sum(len(branch.moves) for branch in record.branches)


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


def written(data: object) -> str:
    """JSON as the server sends it."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def members(data: Mapping[str, object]) -> dict[str, str]:
    """The members of an object, each as JSON."""
    return {name: written(value) for name, value in data.items()}


def joined(parts: Mapping[str, str]) -> str:
    """The object with these members as JSON: what is large is written once, for all who get it."""
    inside = ",".join(f"{written(name)}:{value}" for name, value in parts.items())
    return f"{{{inside}}}"
