"""Stores games in a database: a SQLite file in the user's data folder, or PostgreSQL by its URL.

A game is stored as its save text, the one format; the other columns only serve to find it. What a
method wrote is committed when it returns, so that a kill at any moment loses nothing confirmed.
Any number of threads may use a store, and several stores may use one database.
"""

from __future__ import annotations

import logging
import os
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Lock
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import URL, Connection, Engine, Row, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from plywise.core.files import data_folder
from plywise.errors import to_install
from plywise.play.records.files import make_private
from plywise.play.records.game_record import HUMAN, GameRecord, one_line
from plywise.play.records.saves import from_text, to_text
from plywise.play.records.tables import (
    SUMMARY,
    Damaged,
    NoSuchGame,
    Seats,
    StoreConflict,
    StoredGame,
    StoreError,
    Summary,
    check_id,
    columns_of,
    games,
    prepare,
    rematches,
    stored_game,
    summary_of,
    visits,
    with_record,
)

__all__ = [
    "Damaged",
    "NoSuchGame",
    "Seats",
    "Store",
    "StoreConflict",
    "StoreError",
    "StoredGame",
    "Summary",
]

CHANNEL = "plywise_games"  #: the name under which PostgreSQL passes on changes
ANY = "*"  #: stands for all games; no game has this id
PATIENCE = 10  #: seconds to wait for a server to answer, or for others to finish writing
_RIGHT = "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
_OPENING = 7049  # the PostgreSQL lock that is held while the tables are made
_WITH_CLOCK = "%\nclock %"  # what the text of a game with a clock is like
_FOLLOW = sql.text(
    "INSERT INTO plywise_rematches (game, next) VALUES (:game, :next) ON CONFLICT (game) DO NOTHING"
)
_WARNINGS = 1000  # about damaged games, each of which is logged once

log = logging.getLogger(__name__)


class Store:
    """An open store. Without a URL it is `games.db` in the user's data folder.

    Without `new`, a database that has no tables of plywise is refused and not created.
    """

    def __init__(self, url: str | None = None, *, new: bool = True) -> None:
        self._url = _default() if url is None else _parse(url)
        self.name = _name(self._url)  #: what to call it, without any secrets
        self.origin = secrets.token_hex(8)  #: tells its changes from those of other stores
        self._warned: set[str] = set()
        self._engine = self._connect(new)
        # SQLite has one writer at a time, and the others only poll: the threads of this store
        # take turns instead.
        single = self._engine.dialect.name == "sqlite"
        self._turn: AbstractContextManager[Any] = Lock() if single else nullcontext()
        try:
            with self.writing() as database:
                # If several stores open a database at once, one sets it up.
                if database.dialect.name == "postgresql":
                    database.execute(sql.select(sql.func.pg_advisory_xact_lock(_OPENING)))
                prepare(database, self.name, new=new)
        except BaseException:
            self.close()
            raise

    # ---- games ---------------------------------------------------------------------------------

    def add(self, record: GameRecord, owner: str, seats: Seats = (None, None)) -> StoredGame:
        """Store a new game. It must be readable again without running any file."""
        record = from_text(to_text(record), files=False)
        with self.writing() as database:
            return _insert(database, _new_id(), record, owner, seats)

    def rematch(self, id: str, record: GameRecord, owner: str, seats: Seats) -> str:
        """Store the game that follows another one and return its id, or the id of an earlier one.

        Two servers that do this at once return the same game.
        """
        _check(id)
        record, new = from_text(to_text(record), files=False), _new_id()
        with self.writing() as database:
            database.execute(_FOLLOW, {"game": id, "next": new})
            query = sql.select(rematches.c.next).where(rematches.c.game == id)
            found = str(database.execute(query).scalar_one())
            if found == new:
                _insert(database, new, record, owner, seats)
                self.announce(database, id)
        return found

    def get(self, id: str) -> StoredGame:
        """Return a game by its id; NoSuchGame if there is none, Damaged if it cannot be read."""
        _check(id)
        with self.reading() as database:
            row = database.execute(sql.select(games).where(games.c.id == id)).one_or_none()
        if row is None:
            raise _unknown(id)
        return stored_game(row)

    def save(self, id: str, record: GameRecord, version: int) -> int:
        """Replace the record with this version; return the new version.

        StoreConflict if the stored version is a different one.
        """
        _check(id)
        this, now = games.c.id == id, time.time()
        columns = columns_of(record)
        # Every change of the position or the result starts a turn; notes and branches do not.
        same_turn = (games.c.moves == columns["moves"]) & games.c.result.is_not_distinct_from(
            columns["result"]
        )
        began = sql.case((same_turn, sql.func.coalesce(games.c.turn_began, now)), else_=now)
        with self.writing() as database:
            changed = database.execute(
                games.update()
                .where(this, games.c.version == version)
                .values(
                    version=version + 1,
                    updated=now,
                    turn_began=sql.case((_full(), began)) if record.clock_runs else None,
                    text=to_text(record),
                    **columns,
                )
            )
            if changed.rowcount == 1:
                self.announce(database, id)
                return version + 1
            found = database.execute(sql.select(games.c.version).where(this)).scalar()
        if found is None:
            raise _unknown(id)
        raise StoreConflict(
            f"the game {id} has changed: it is at version {found}, not {version}; load it again"
        )

    def seat(self, id: str, number: int, client: str) -> bool:
        """Give a human seat to a client if it is free; True if it is this client's now."""
        if number not in (1, 2):
            raise StoreError(f"there is no seat {number}: seats are 1 and 2")
        _check(id)
        player, seat = (
            (games.c.first, games.c.seat1) if number == 1 else (games.c.second, games.c.seat2)
        )
        this = games.c.id == id
        with self.writing() as database:
            database.execute(
                games.update()
                .where(this, player == HUMAN, seat.is_(None))
                .values({seat: client, games.c.updated: time.time()})
            )
            database.execute(  # who has moved already has waited for this player
                games.update()
                .where(this, _full(), games.c.turn_began.is_(None))
                .where(games.c.result.is_(None), games.c.moves > 0, games.c.text.like(_WITH_CLOCK))
                .values(turn_began=time.time())
            )
            found = database.execute(sql.select(seat).where(this)).one_or_none()
            self.announce(database, id)
        if found is None:
            raise _unknown(id)
        return bool(found[0] == client)

    def owner(self, id: str) -> str:
        """Return the client who started a game, damaged or not; NoSuchGame if there is none."""
        _check(id)
        with self.reading() as database:
            found = database.execute(sql.select(games.c.owner).where(games.c.id == id)).scalar()
        if found is None:
            raise _unknown(id)
        return str(found)

    def remove(self, id: str) -> None:
        """Delete a game; NoSuchGame if there is none."""
        _check(id)
        with self.writing() as database:
            removed = database.execute(games.delete().where(games.c.id == id))
            for table in (rematches, visits):
                database.execute(table.delete().where(table.c.game == id))
            self.announce(database, id)
        if removed.rowcount == 0:
            raise _unknown(id)

    # ---- the games of a client -----------------------------------------------------------------

    def mine(self, client: str, limit: int = 50) -> list[Summary]:
        """Return the games that a client started or plays in, the last changed first.

        Damaged ones are left out, and logged.
        """
        # Three queries, each answered from an index, instead of one that reads every game.
        parts = [
            sql.select(games.c.id).where(column == client)
            for column in (games.c.owner, games.c.seat1, games.c.seat2)
        ]
        query = (
            sql.select(*SUMMARY)
            .where(games.c.id.in_(sql.union(*parts)))
            .order_by(games.c.updated.desc(), games.c.id)
            .limit(limit)
        )
        with self.reading() as database:
            rows = database.execute(query).all()
        found = (self._listed(row) for row in rows)
        return [each for each in found if each is not None]

    def _listed(self, row: Row[Any]) -> Summary | None:
        """Return the entry of a row, from its text if a column is damaged; None if that is too."""
        try:
            return summary_of(row)
        except Damaged as error:
            if str(error) not in self._warned and len(self._warned) < _WARNINGS:
                self._warned.add(str(error))
                log.warning("%s", error)
        try:
            return self.get(str(row.id))
        except (Damaged, NoSuchGame):
            return None

    def count(self, client: str) -> int:
        """Count the unfinished games that a client started."""
        ours = games.c.owner == client, games.c.result.is_(None)
        query = sql.select(sql.func.count()).where(*ours)
        with self.reading() as database:
            return int(database.execute(query).scalar_one())

    def close(self) -> None:
        """Close the connections to the database."""
        self._engine.dispose()

    # ---- the database --------------------------------------------------------------------------

    def _connect(self, new: bool) -> Engine:
        """Make an engine, without connecting to the database yet."""
        if self._url.get_backend_name() == "sqlite":
            assert self._url.database is not None
            if not new and not os.path.exists(self._url.database):
                raise StoreError(f"{self.name} does not exist: name another database with --db")
            make_private(self._url.database)  # ids are secrets
            engine = sql.create_engine(self._url, connect_args={"timeout": PATIENCE})
            sql.event.listen(engine, "connect", _prepare)
            return engine
        wait = {} if "connect_timeout" in self._url.query else {"connect_timeout": PATIENCE}
        try:
            return sql.create_engine(self._url, connect_args=wait, pool_pre_ping=True)
        except ImportError as error:
            raise StoreError(f"PostgreSQL needs psycopg: {to_install('postgres')}") from error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection for queries."""
        try:
            with self._engine.connect() as database:
                yield database
        except SQLAlchemyError as error:
            raise self._failed(error) from None  # a traceback would show the data

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Open a connection whose queries all see the same moment, whatever is written."""
        with self.reading() as database:
            if database.dialect.name == "sqlite":
                database.exec_driver_sql("BEGIN")
            else:
                database.execution_options(isolation_level="REPEATABLE READ")
            yield database

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction: committed at the end, rolled back on an error."""
        try:
            with self._turn, self._engine.begin() as database:
                if self._engine.dialect.name == "sqlite":  # wait for other writers now, not later
                    database.exec_driver_sql("BEGIN IMMEDIATE")
                yield database
        except SQLAlchemyError as error:
            raise self._failed(error) from None

    def announce(self, database: Connection, id: str) -> None:
        """Tell the other stores of a change, of one game or ANY; it is sent when committed."""
        if database.dialect.name == "postgresql":
            database.execute(sql.select(sql.func.pg_notify(CHANNEL, f"{id} {self.origin}")))

    def _failed(self, error: Exception) -> StoreError:
        """Make a one-line error without the SQL statement, its data, or a password."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        reason = one_line(str(cause)) or type(cause).__name__
        for secret in (self._url.password, *_secrets(self._url)):
            reason = reason.replace(secret, "***") if secret else reason
        return StoreError(f"the database {self.name} failed: {reason}")


# ---- small things ----------------------------------------------------------------------------


def _new_id() -> str:
    return secrets.token_urlsafe(16)


def _insert(
    database: Connection, id: str, record: GameRecord, owner: str, seats: Seats
) -> StoredGame:
    """Store a new game and return it."""
    now, people = time.time(), zip(record.players, seats, strict=True)
    full = all(spec != HUMAN or seat is not None for spec, seat in people)
    values = {
        "id": id,
        "version": 1,
        "owner": owner,
        "seat1": seats[0],
        "seat2": seats[1],
        "created": now,
        "updated": now,
        "turn_began": now if record.clock_runs and full else None,
    }
    text = to_text(record)
    database.execute(games.insert().values(**values, **columns_of(record), text=text))
    return with_record(values, record)


def _full() -> sql.ColumnElement[bool]:
    """True of a game without an empty seat: against one, no clock runs."""
    pairs = (games.c.first, games.c.seat1), (games.c.second, games.c.seat2)
    return sql.and_(*((player != HUMAN) | seat.is_not(None) for player, seat in pairs))


def _check(id: str) -> None:
    """Refuse what cannot be an id without asking the database."""
    try:
        check_id(id)
    except ValueError:
        raise _unknown(id) from None


def _unknown(id: str) -> NoSuchGame:
    return NoSuchGame(f"there is no game {one_line(id)[:40]!r}")


# ---- addresses -------------------------------------------------------------------------------


def _default() -> URL:
    folder = data_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror or error}") from error
    return URL.create("sqlite", database=str(folder / "games.db"))


def _parse(text: str) -> URL:
    """Read a database URL; errors do not repeat it, as it may hold a password."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError(f"invalid database URL: {_RIGHT}") from None
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    if url.drivername not in ("sqlite", "postgresql+psycopg"):
        raise StoreError(f"{url.drivername!r} is not a supported database: {_RIGHT}")
    if url.drivername == "sqlite" and url.database in (None, "", ":memory:"):
        raise StoreError("an in-memory database would lose all games: write sqlite:///FILE")
    return url


def _name(url: URL) -> str:
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    host, port = url.host or url.query.get("host", "localhost"), f":{url.port}" if url.port else ""
    return f"postgresql://{host}{port}/{url.database or ''}"


def _secrets(url: URL) -> Iterator[str]:
    for key, value in url.query.items():
        if "pass" in key:
            yield from (value,) if isinstance(value, str) else value


def _prepare(connection: Any, _: object) -> None:
    """Set up a connection to a SQLite file."""
    # A byte that is not UTF-8 damages one game, and not the list that it is in.
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000}")
    _write_ahead(cursor)
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _write_ahead(cursor: Any) -> None:
    """Turn on write-ahead logging. SQLite does not wait for a lock here, so we do."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            cursor.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
