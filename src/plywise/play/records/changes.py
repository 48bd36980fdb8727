"""Hears which games other stores have changed in the same database.

PostgreSQL tells of every change as soon as it is committed (LISTEN and NOTIFY). A SQLite file only
says whether somebody has written to it, so it is asked a few times a second. After a connection
was lost, and once in a while, anything may have changed.

Whoever listens is up, which others can ask: each server holds a lock that ends with it, however
it ends. PostgreSQL has advisory locks, which last as long as a connection. Beside a SQLite file
there is an empty second one, in which a server begins to read and never ends: so nobody else can
write to it.
"""

from __future__ import annotations

import logging
import selectors
import socket
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from plywise.play.records.files import make_private
from plywise.play.records.store import ANY, CHANNEL, Store

POLL = 0.2  #: seconds between two looks at a SQLite file
QUIET = 10.0  #: seconds without news after which PostgreSQL is asked whether it is still there
SOONEST, LATEST = 0.1, 5.0  #: seconds until a lost connection is made again; they double
LEAVE = 2.0  #: seconds that the thread has to end
BESIDE = "-up"  #: what the name of the second file ends with
_UP = 7050  # the number of the PostgreSQL lock
_ASKING = 7051  # the number of the lock of whoever asks

#: The ids of games that somebody else has changed; None if that may be any of them.
Ids = frozenset[str] | None

log = logging.getLogger("plywise.store")


class Changes:
    """A thread with a connection of its own. `heard` is called in it, and must be quick."""

    def __init__(self, store: Store, heard: Callable[[Ids], None]) -> None:
        self._store = store
        self._heard = heard
        self._closed = threading.Event()
        self._alarm, self._bell = socket.socketpair()  # rung to end the waiting
        self._thread = threading.Thread(target=self._run, name="plywise-changes", daemon=True)

    def start(self) -> None:
        """Start to listen."""
        self._thread.start()

    def close(self) -> None:
        """End the thread."""
        self._closed.set()
        self._bell.send(b"!")
        self._thread.join(LEAVE)
        if not self._thread.is_alive():
            self._alarm.close()
            self._bell.close()

    def _run(self) -> None:
        engine = self._store._engine
        kind = Notices if engine.dialect.name == "postgresql" else Writes
        failures = (SQLAlchemyError, OSError, engine.dialect.loaded_dbapi.Error)
        pause = SOONEST
        while not self._closed.is_set():
            try:
                source = kind(self._store, self._alarm)
                try:
                    self._heard(None)  # anything may have happened before
                    pause = SOONEST
                    while not self._closed.is_set():
                        ids = source.wait()
                        if ids is None or ids:
                            self._heard(ids)
                finally:
                    source.close()
            except failures as error:
                if pause == SOONEST:
                    reason = self._store._failed(error)  # without any password
                    log.warning("changes of other servers are not heard: %s", reason)
                self._closed.wait(pause)
                pause = min(2 * pause, LATEST)


class _Source:
    """A connection that belongs to nobody else. All it needs is opened once."""

    def __init__(self, store: Store, alarm: socket.socket) -> None:
        pooled = store._engine.raw_connection()
        self._connection: Any = pooled.driver_connection
        pooled.detach()  # it does not go back to the pool
        self._selector = selectors.DefaultSelector()  # unlike `select`, for any descriptor
        self._selector.register(alarm, selectors.EVENT_READ)

    def close(self) -> None:
        """Close the connection."""
        self._selector.close()
        self._connection.close()


class Notices(_Source):
    """What PostgreSQL passes on."""

    def __init__(self, store: Store, alarm: socket.socket) -> None:
        super().__init__(store, alarm)
        self._origin = store.origin
        self._connection.autocommit = True
        self._connection.execute(f"LISTEN {CHANNEL}")
        self._connection.execute(f"SELECT pg_advisory_lock_shared({_UP})")
        self._selector.register(self._connection, selectors.EVENT_READ)

    def close(self) -> None:
        """Close the connection."""
        # Without this, PostgreSQL notices a closed connection a moment later.
        with suppress(Exception):  # if the connection was lost, so was the lock
            self._connection.execute(f"SELECT pg_advisory_unlock_shared({_UP})")
        super().close()

    def wait(self) -> Ids:
        """Wait for changes that others have made; the alarm ends the waiting."""
        if not self._selector.select(QUIET):
            self._connection.execute("SELECT 1")  # an error if it is gone
            return None  # and a pooler in between may pass nothing on
        ids = set()
        self._connection.pgconn.consume_input()
        while (notice := self._connection.pgconn.notifies()) is not None:
            id, _, origin = notice.extra.decode().partition(" ")
            if origin != self._origin:
                ids.add(id)
        return None if ANY in ids else frozenset(ids)


class Writes(_Source):
    """What happens to a SQLite file."""

    def __init__(self, store: Store, alarm: socket.socket) -> None:
        super().__init__(store, alarm)
        self._last = self._version()
        self._up = _beside(store.name)
        self._up.execute("BEGIN")
        self._up.execute("SELECT * FROM sqlite_master").fetchall()

    def close(self) -> None:
        """Close the connections."""
        self._up.close()
        super().close()

    def wait(self) -> Ids:
        """Wait until some connection has written; the alarm ends the waiting."""
        while not self._selector.select(POLL):
            last, self._last = self._last, self._version()
            if last != self._last:
                return None
        return frozenset()

    def _version(self) -> int:
        """A number that changes when another connection, of any process, has committed."""
        found: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return found


# ---- who is up -------------------------------------------------------------------------------


def ask_alone(database: Connection) -> None:
    """Wait for others who start at the same moment, until their transactions have ended.

    In SQLite there is only ever one transaction that writes.
    """
    if database.dialect.name == "postgresql":
        database.execute(sql.select(sql.func.pg_advisory_xact_lock(_ASKING)))


def anybody_up(database: Connection) -> bool:
    """True if a server is up."""
    if database.dialect.name == "postgresql":
        free = database.execute(sql.select(sql.func.pg_try_advisory_xact_lock(_UP))).scalar()
        return not free
    with closing(_beside(str(database.engine.url.database), patience=0)) as beside:
        try:
            beside.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            return "locked" in str(error)  # otherwise nobody can have locked it
    return False


def _beside(file: str, patience: float = 10.0) -> sqlite3.Connection:
    """Open the file beside a database. Like that, it belongs to one user alone."""
    make_private(file + BESIDE)
    return sqlite3.connect(file + BESIDE, timeout=patience, isolation_level=None)
