"""A stored game that is open: its session, which saves each change before it reports it."""

from __future__ import annotations

import time
from collections.abc import Callable

from plywise.core.engine import Engine
from plywise.core.game import Game
from plywise.core.spec import Spec
from plywise.play.agents.process import OnOutput
from plywise.play.agents.program import MEMORY
from plywise.play.agents.specs import make_agent
from plywise.play.players import HUMAN
from plywise.play.records.game_record import GameRecord
from plywise.play.records.store import Kept, Seats, Store
from plywise.play.session import Event, Session
from plywise.web.analysis.engine_pool import Borrower, Lender
from plywise.web.api.positions import position_json
from plywise.web.errors import NotNow
from plywise.web.live.frames import lines_json, members, too_full, written
from plywise.web.live.seen import Seen
from plywise.web.metrics import MOVES
from plywise.web.settings import Settings


def empty_seat(record: GameRecord, seats: Seats) -> bool:
    """True if a person can still sit down."""
    pairs = zip(record.players, seats, strict=True)
    return any(spec == HUMAN and seat is None for spec, seat in pairs)


class Opened:
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
        heard: Callable[[Opened, Event], None],
        before: Opened | None = None,
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

    def sit(self, seats: Seats) -> Seen:
        """Start the clock if the seats are all taken now; return what there is then."""
        with self.session.held():
            if not empty_seat(self.session.record, seats):
                self.session.all_here()
                self.seen = self._look(self.seen)
            return self.seen

    def again(self, always: bool = False) -> tuple[Kept, Opened]:
        """Load the game; if it has changed in the store, or always, open it once more."""
        with self.session.held():  # so that what this server saves is not missed
            kept = self._store.get(self._id)
            if kept.version == self.seen.version and not always:
                return kept, self
            opened = Opened(kept, self._store, self._lender, self._settings, self._heard, self)
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

    def _look(self, before: Seen | None) -> Seen:
        session, position = self.session, self.session.position
        known = before if before is not None and before.position is position else None
        same = known is not None and known.record.result == session.record.result
        return Seen(
            self._version,
            session.record,
            position,
            written(position_json(position)) if known is None else known.picture,
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
