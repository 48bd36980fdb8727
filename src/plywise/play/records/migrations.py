"""Brings a database to the present schema, from that of any released version.

Everything happens in one transaction of the caller, which holds the lock for opening: a database
that is cut off half way has its old schema or the new one. A migration is plain SQL and never
changes again, whatever becomes of the tables.

| schema | what it is |
| --- | --- |
| 1 | `plywise_schema` and `plywise_games`; some have `plywise_keys`, made by the first server |
| 2 | `plywise_keys` is always there; `plywise_alive`, and `turn_began` for games with a clock |
| 3 | `plywise_rematches` and `plywise_visits` |
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.schema import CreateIndex, CreateTable

from plywise.play.records.tables import SCHEMA, TABLES, StoreError, schema

Migration = Callable[[Connection], None]


def prepare(database: Connection, name: str, *, new: bool = True) -> None:
    """Create the tables or migrate them; StoreError if this cannot be a database of plywise.

    Without `new`, an empty database is refused as well.
    """
    found = {each for each in sql.inspect(database).get_table_names() if each in TABLES.tables}
    if not found:
        if not new:
            raise StoreError(f"{name} has no games of plywise: name another database with --db")
        _create(database)
        return
    for version in range(_version(database, name, found), SCHEMA):
        MIGRATIONS[version](database)
        database.execute(schema.update().values(version=version + 1))
    _check(database, name)


def _create(database: Connection) -> None:
    for table in TABLES.sorted_tables:
        database.execute(CreateTable(table))
        for index in sorted(table.indexes, key=lambda each: str(each.name)):
            database.execute(CreateIndex(index))
    database.execute(schema.insert().values(version=SCHEMA))


def _version(database: Connection, name: str, found: set[str]) -> int:
    """Return the schema version of a database that has some of the tables."""
    rows: list[Any] = []
    if schema.name in found:
        rows = list(database.execute(sql.select(schema.c.version)).scalars())
    if len(rows) != 1:
        said = "no schema version" if not rows else f"{len(rows)} schema versions instead of one"
        raise _strange(name, said)
    version = rows[0]
    if not isinstance(version, int) or version < 1:
        raise _strange(name, f"schema version {str(version)[:20]!r}, which plywise never writes")
    if version > SCHEMA:
        raise StoreError(
            f"{name} was written by a newer plywise (schema version {version},"
            f" this one knows {SCHEMA}): update plywise, or use another database"
        )
    return version


def _check(database: Connection, name: str) -> None:
    """Make sure that every table and column is there."""
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


# ---- the migrations --------------------------------------------------------------------------


def _to_2(database: Connection) -> None:
    """Add keys to every database, and what clocks need to survive a restart.

    The running turn of a game with a clock began when the game last changed, as far as anybody
    knows, and the last sign of a server is the last change of all.
    """
    for statement in (
        "CREATE TABLE IF NOT EXISTS plywise_keys (name TEXT NOT NULL PRIMARY KEY,"
        " secret TEXT NOT NULL, created DOUBLE PRECISION NOT NULL)",
        "CREATE TABLE plywise_alive (seen DOUBLE PRECISION)",
        "INSERT INTO plywise_alive SELECT max(updated) FROM plywise_games",
        "ALTER TABLE plywise_games ADD COLUMN turn_began DOUBLE PRECISION",
        "CREATE INDEX ix_plywise_games_turn_began ON plywise_games (turn_began)",
    ):
        database.exec_driver_sql(statement)
    database.execute(
        sql.text(
            "UPDATE plywise_games SET turn_began = updated"
            " WHERE result IS NULL AND text LIKE :with_clock"
        ),
        {"with_clock": "%\nclock %"},
    )


def _to_3(database: Connection) -> None:
    """Add what games between two people need.

    From now on clocks start with the first move, and do not run against an empty seat.
    """
    for statement in (
        "CREATE TABLE plywise_rematches (game TEXT NOT NULL PRIMARY KEY, next TEXT NOT NULL)",
        "CREATE TABLE plywise_visits (game TEXT NOT NULL, seat INTEGER NOT NULL,"
        " until DOUBLE PRECISION NOT NULL, PRIMARY KEY (game, seat))",
        "UPDATE plywise_games SET turn_began = NULL WHERE moves = 0"
        " OR (first = 'human' AND seat1 IS NULL) OR (second = 'human' AND seat2 IS NULL)",
    ):
        database.exec_driver_sql(statement)


#: What leads from each schema version to the next.
MIGRATIONS: dict[int, Migration] = {1: _to_2, 2: _to_3}
