"""The tables of a store: what is in them, how they are made, and which ones are refused."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sql
from sqlalchemy import Column, Integer, MetaData, Table, Text
from sqlalchemy.engine import Connection
from sqlalchemy.schema import CreateIndex, CreateTable

from plywise.errors import PlywiseError

SCHEMA = 1  #: the version of the tables below: a change of a table or a column raises it


class StoreError(PlywiseError):
    """The store cannot be opened or does not answer."""


class NotKept(StoreError, LookupError):
    """There is no such game."""


class StoreConflict(StoreError):
    """Someone else has changed the game since it was read."""


class Damaged(StoreError):
    """What is stored of a game cannot be read."""


TABLES = MetaData()
schema = Table("plywise_schema", TABLES, Column("version", Integer, nullable=False))
games = Table(
    "plywise_games",
    TABLES,
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
    # When the running turn began; NULL if no clock runs.
    Column("turn_began", sql.Double, index=True),
)
#: Secrets of the servers, such as the one that signs cookies.
keys = Table(
    "plywise_keys",
    TABLES,
    Column("name", Text, primary_key=True),
    Column("secret", Text, nullable=False),
)
#: The game that two players went on with after this one.
rematches = Table(
    "plywise_rematches",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("next", Text, nullable=False),
)
#: Players who have a page of their game open, at any server, and until when that is known.
visits = Table(
    "plywise_visits",
    TABLES,
    Column("game", Text, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("until", sql.Double, nullable=False),
)
#: One row: when a server was last known to run.
alive = Table("plywise_alive", TABLES, Column("seen", sql.Double))


def prepare(database: Connection, name: str, *, new: bool = True) -> None:
    """Make the tables of an empty database; StoreError if others are there than plywise makes.

    It happens in the transaction of the caller, which holds the lock for opening: a database that
    is cut off half way is still empty. Without `new`, an empty database is refused as well.
    """
    found = {each for each in sql.inspect(database).get_table_names() if each in TABLES.tables}
    if found:
        _check_version(database, name, found)
        _check_columns(database, name)
    elif new:
        _create(database)
    else:
        raise StoreError(f"{name} has no games of plywise: name another database with --db")


def _create(database: Connection) -> None:
    for table in TABLES.sorted_tables:
        database.execute(CreateTable(table))
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            database.execute(CreateIndex(index))
    database.execute(schema.insert().values(version=SCHEMA))


def _check_version(database: Connection, name: str, found: set[str]) -> None:
    rows: list[Any] = []
    if schema.name in found:
        rows = list(database.execute(sql.select(schema.c.version)).scalars())
    if len(rows) != 1:
        said = "no schema version" if not rows else f"{len(rows)} schema versions instead of one"
        raise _strange(name, said)
    version = rows[0]
    if not isinstance(version, int) or version < 1:
        raise _strange(name, f"schema version {str(version)[:20]!r}, which plywise never writes")
    if version != SCHEMA:
        raise StoreError(
            f"{name} was made by another version of plywise (its schema version is {version}, this"
            f" one has {SCHEMA}): open it with that version, or use another database"
        )


def _check_columns(database: Connection, name: str) -> None:
    known = sql.inspect(database)
    there = known.get_table_names()
    for table in TABLES.sorted_tables:
        if table.name not in there:
            raise _strange(name, f"no table {table.name}")
        columns = {column["name"] for column in known.get_columns(table.name)}
        for column in table.columns:
            if column.name not in columns:
                raise _strange(name, f"no column {column.name} in {table.name}")


def _strange(name: str, what: str) -> StoreError:
    return StoreError(f"{name} has {what}: restore a backup, or use another database")
