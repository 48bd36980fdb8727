"""Stores games in a database: a SQLite file in the user's data folder, or PostgreSQL by its URL.

A game is stored as its save text, the one format; the other columns only serve to find it. What a
method wrote is committed when it returns, so that a kill at any moment loses nothing confirmed.
Any number of threads may use a store, and several stores may use one database.
"""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from threading import Lock
from typing import Any

import sqlalchemy as sql
from sqlalchemy import Column, Integer, MetaData, Table, Text
from sqlalchemy.engine import URL, Connection, Engine, Row, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.schema import CreateIndex, CreateTable

from plywise.core.folders import data_folder
from plywise.errors import PlywiseError
from plywise.play.players import HUMAN
from plywise.play.records.changes import announce
from plywise.play.records.game_record import GameRecord, one_line
from plywise.play.records.saves import from_text, to_text

SCHEMA = 1  #: the version of the tables below
PATIENCE = 10  #: seconds to wait for a server to answer, or for others to finish writing
_RIGHT = "write sqlite:///FILE or postgresql://USER:PASSWORD@HOST/NAME"
_ID = re.compile("[A-Za-z0-9_-]{22}")  # 128 bits
_OPENING = 7049  # the PostgreSQL lock that is held while the tables are made

Seats = tuple[str | None, str | None]


class StoreError(PlywiseError):
    """The store cannot be opened or does not answer."""


class NotKept(StoreError, LookupError):
    """There is no such game."""


class StoreConflict(StoreError):
    """Someone else has changed the game since it was read."""


@dataclass(frozen=True)
class Summary:
    """A game's entry in a list."""

    id: str  #: impossible to guess
    version: int  #: goes up with every save
    game: str
    players: tuple[str, str]
    moves: int
    result: str | None  #: as in a save text; None while the game goes on
    owner: str  #: the client who started it
    seats: Seats  #: the clients who play as 1 and 2; None if free, or an agent's
    created: float  #: seconds since 1970
    updated: float


@dataclass(frozen=True)
class Kept(Summary):
    """A stored game with its record."""

    record: GameRecord


_tables = MetaData()
_schema = Table("plywise_schema", _tables, Column("version", Integer, nullable=False))
_games = Table(
    "plywise_games",
    _tables,
    Column("id", Text, primary_key=True),
    Column("version", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("first", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("moves", Integer, nullable=False),
    Column("result", Text),
    Column("owner", Text, nullable=False, index=True),
    Column("seat1", Text, index=True),
    Column("seat2", Text, index=True),
    Column("created", sql.Double, nullable=False),
    Column("updated", sql.Double, nullable=False),
    Column("text", Text, nullable=False),
)
_summary = [column for column in _games.c if column.name != "text"]


class Store:
    """An open store. Without a URL it is `games.db` in the user's data folder."""

    def __init__(self, url: str | None = None) -> None:
        self._url = _default() if url is None else _parse(url)
        self.name = _name(self._url)  #: what to call it, without any secrets
        self.origin = secrets.token_hex(8)  #: tells its changes from those of other stores
        self._engine = self._connect()
        # SQLite has one writer at a time, and the others only poll: the threads of this store
        # take turns instead.
        single = self._engine.dialect.name == "sqlite"
        self._turn: AbstractContextManager[Any] = Lock() if single else nullcontext()
        try:
            with self._writing() as database:
                self._set_up(database)
        except BaseException:
            self.close()
            raise

    # ---- games ---------------------------------------------------------------------------------

    def add(self, record: GameRecord, owner: str, seats: Seats = (None, None)) -> Kept:
        """Store a new game. It must be readable again without running any file."""
        record = from_text(to_text(record), files=False)
        now = time.time()
        kept = Kept(
            secrets.token_urlsafe(16), 1, record.game, record.players, len(record.moves),
            None if record.result is None else str(record.result), owner, seats, now, now, record,
        )  # fmt: skip
        with self._writing() as database:
            database.execute(
                _games.insert().values(
                    id=kept.id,
                    version=kept.version,
                    owner=owner,
                    seat1=seats[0],
                    seat2=seats[1],
                    created=now,
                    updated=now,
                    **_columns(record),
                )
            )
        return kept

    def get(self, id: str) -> Kept:
        """Return a game by its id; NotKept if there is none."""
        _check(id)
        with self._reading() as database:
            row = database.execute(sql.select(_games).where(_games.c.id == id)).one_or_none()
        if row is None:
            raise _unknown(id)
        return Kept(**_fields(row), record=from_text(row.text, f"the game {id}", files=False))

    def save(self, id: str, record: GameRecord, version: int) -> int:
        """Replace the record with this version; return the new version.

        StoreConflict if the stored version is a different one.
        """
        _check(id)
        this = _games.c.id == id
        with self._writing() as database:
            changed = database.execute(
                _games.update()
                .where(this, _games.c.version == version)
                .values(version=version + 1, updated=time.time(), **_columns(record))
            )
            if changed.rowcount == 1:
                announce(database, id, self.origin)
                return version + 1
            found = database.execute(sql.select(_games.c.version).where(this)).scalar()
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
            (_games.c.first, _games.c.seat1) if number == 1 else (_games.c.second, _games.c.seat2)
        )
        this = _games.c.id == id
        with self._writing() as database:
            database.execute(
                _games.update()
                .where(this, player == HUMAN, seat.is_(None))
                .values({seat: client, _games.c.updated: time.time()})
            )
            found = database.execute(sql.select(seat).where(this)).one_or_none()
            announce(database, id, self.origin)
        if found is None:
            raise _unknown(id)
        return bool(found[0] == client)

    def remove(self, id: str) -> None:
        """Delete a game; NotKept if there is none."""
        _check(id)
        with self._writing() as database:
            removed = database.execute(_games.delete().where(_games.c.id == id))
            announce(database, id, self.origin)
        if removed.rowcount == 0:
            raise _unknown(id)

    # ---- the games of a client -----------------------------------------------------------------

    def mine(self, client: str, limit: int = 50) -> list[Summary]:
        """Return the games that a client started or plays in, the last changed first."""
        # Three queries, each answered from an index, instead of one that reads every game.
        parts = [
            sql.select(_games.c.id).where(column == client)
            for column in (_games.c.owner, _games.c.seat1, _games.c.seat2)
        ]
        query = (
            sql.select(*_summary)
            .where(_games.c.id.in_(sql.union(*parts)))
            .order_by(_games.c.updated.desc(), _games.c.id)
            .limit(limit)
        )
        with self._reading() as database:
            return [Summary(**_fields(row)) for row in database.execute(query)]

    def count(self, client: str, unfinished: bool = True) -> int:
        """Count the games that a client started: the unfinished ones, or all."""
        query = sql.select(sql.func.count()).where(_games.c.owner == client)
        if unfinished:
            query = query.where(_games.c.result.is_(None))
        with self._reading() as database:
            return int(database.execute(query).scalar_one())

    def close(self) -> None:
        """Close the connections to the database."""
        self._engine.dispose()

    # ---- the database --------------------------------------------------------------------------

    def _connect(self) -> Engine:
        """Make an engine, without connecting to the database yet."""
        if self._url.get_backend_name() == "sqlite":
            assert self._url.database is not None
            _private(self._url.database)
            engine = sql.create_engine(self._url, connect_args={"timeout": PATIENCE})
            sql.event.listen(engine, "connect", _prepare)
            return engine
        wait = {} if "connect_timeout" in self._url.query else {"connect_timeout": PATIENCE}
        try:
            return sql.create_engine(self._url, connect_args=wait, pool_pre_ping=True)
        except ImportError as error:
            raise StoreError(
                "PostgreSQL needs the package psycopg: pip install 'plywise[postgres]'"
            ) from error

    def _set_up(self, database: Connection) -> None:
        """Create missing tables. If several stores open an empty database at once, one does it."""
        if self._engine.dialect.name == "postgresql":
            database.execute(sql.select(sql.func.pg_advisory_xact_lock(_OPENING)))
        for table in (_schema, _games):
            database.execute(CreateTable(table, if_not_exists=True))
            for index in sorted(table.indexes, key=lambda each: str(each.name)):
                database.execute(CreateIndex(index, if_not_exists=True))
        version = database.execute(sql.select(_schema.c.version)).scalar()
        if version is None:
            database.execute(_schema.insert().values(version=SCHEMA))
        elif version > SCHEMA:
            raise StoreError(
                f"{self.name} was written by a newer plywise (schema version {version},"
                f" this one knows {SCHEMA}): update plywise, or use another database"
            )

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with self._engine.connect() as database:
                yield database
        except SQLAlchemyError as error:
            raise self._failed(error) from None  # a traceback would show the data

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Open a transaction: committed at the end, rolled back on an error."""
        try:
            with self._turn, self._engine.begin() as database:
                if self._engine.dialect.name == "sqlite":  # wait for other writers now, not later
                    database.exec_driver_sql("BEGIN IMMEDIATE")
                yield database
        except SQLAlchemyError as error:
            raise self._failed(error) from None

    def _failed(self, error: Exception) -> StoreError:
        """Make a one-line error without the SQL statement, its data, or a password."""
        cause = error.orig if isinstance(error, DBAPIError) else error
        reason = one_line(str(cause)) or type(cause).__name__
        for secret in (self._url.password, *_secrets(self._url)):
            reason = reason.replace(secret, "***") if secret else reason
        return StoreError(f"the database {self.name} failed: {reason}")


# ---- rows ------------------------------------------------------------------------------------


def _columns(record: GameRecord) -> dict[str, Any]:
    """Return the columns of a record, and its text."""
    return {
        "game": record.game,
        "first": record.players[0],
        "second": record.players[1],
        "moves": len(record.moves),
        "result": None if record.result is None else str(record.result),
        "text": to_text(record),
    }


def _fields(row: Row[Any]) -> dict[str, Any]:
    """Return a row as the fields of a Summary."""
    fields = dict(row._mapping)
    fields.pop("text", None)
    fields["players"] = fields.pop("first"), fields.pop("second")
    fields["seats"] = fields.pop("seat1"), fields.pop("seat2")
    return fields


def _check(id: str) -> None:
    """Refuse what cannot be an id without asking the database."""
    if _ID.fullmatch(id) is None:
        raise _unknown(id)


def _unknown(id: str) -> NotKept:
    return NotKept(f"there is no game {one_line(id)[:40]!r}")


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


def _private(file: str) -> None:
    """Create the file so that no other user of the machine can read it: ids are secrets."""
    with suppress(OSError):  # the database gives a better error
        os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))


def _prepare(connection: Any, _: object) -> None:
    """Set up a connection to a SQLite file."""
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
