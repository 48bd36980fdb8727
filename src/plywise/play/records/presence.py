"""Tells whether a server is up: each one holds a lock, which ends with it, however it ends.

PostgreSQL has advisory locks, which last as long as a connection. Beside a SQLite file there is an
empty second one, in which a server begins to read and never ends: so nobody else can write to it.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

BESIDE = "-up"  #: what the name of the second file ends with
_UP = 7050  # the number of the PostgreSQL lock
_ASKING = 7051  # the number of the lock of whoever asks


def stay_sqlite(file: str) -> sqlite3.Connection:
    """Be up until the connection that this returns is closed."""
    connection = _beside(file)
    connection.execute("BEGIN")
    connection.execute("SELECT * FROM sqlite_master").fetchall()
    return connection


def stay_postgresql(connection: Any) -> None:
    """Be up until this connection of psycopg is closed."""
    connection.execute(f"SELECT pg_advisory_lock_shared({_UP})")


def leave_postgresql(connection: Any) -> None:
    """Be up no longer. Without this, PostgreSQL notices a closed connection a moment later."""
    with suppress(Exception):  # if the connection was lost, so was the lock
        connection.execute(f"SELECT pg_advisory_unlock_shared({_UP})")


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
    with suppress(OSError):  # SQLite gives a better error
        os.close(os.open(file + BESIDE, os.O_CREAT | os.O_RDWR, 0o600))
    return sqlite3.connect(file + BESIDE, timeout=patience, isolation_level=None)
