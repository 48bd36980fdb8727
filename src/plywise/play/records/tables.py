"""The tables of a store, and their rows: a stored game is a row.

The record's text is what counts; the other columns serve to find it. A row may be damaged, by a
faulty disk or by hand: a value of the wrong kind never gets further than here.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sql
from sqlalchemy import Column, Integer, MetaData, Table, Text
from sqlalchemy.engine import Connection, Row

from plywise.core.spec import Spec
from plywise.errors import PlywiseError
from plywise.play.records.game_record import GameRecord, Result
from plywise.play.records.saves import from_text

SCHEMA = 1  #: the version of the tables below: a change of a table or a column raises it


class StoreError(PlywiseError):
    """The store cannot be opened or does not answer."""


class NoSuchGame(StoreError, LookupError):
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
        TABLES.create_all(database)
        database.execute(schema.insert().values(version=SCHEMA))
    else:
        raise StoreError(f"{name} has no games of plywise: name another database with --db")


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


# ---- rows ------------------------------------------------------------------------------------

_ID = re.compile("[A-Za-z0-9_-]{22}")  # 128 bits

Seats = tuple[str | None, str | None]


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
    turn_began: float | None  #: when the running turn began, if there is a clock

    @property
    def elapsed(self) -> float:
        """The seconds that the running turn has lasted, if there is a clock."""
        return 0.0 if self.turn_began is None else max(0.0, time.time() - self.turn_began)


@dataclass(frozen=True)
class StoredGame(Summary):
    """A stored game with its record."""

    record: GameRecord


#: The columns of a Summary.
SUMMARY = [column for column in games.c if column.name != "text"]
#: What the values of a column must be, by the Python type of the column, and in words.
_KINDS: dict[type, tuple[tuple[type, ...], str]] = {
    str: ((str,), "a text"),
    int: ((int,), "a whole number"),
    float: ((int, float), "a number"),
}


def check_id(text: str) -> None:
    """ValueError if a text cannot be the id of a game."""
    if _ID.fullmatch(text) is None:
        raise ValueError("an id has 22 letters, digits, - or _")


#: How the text of a column is read, and what it must be.
_READERS: dict[str, tuple[Callable[[str], object], str]] = {
    "id": (check_id, "an id"),
    "game": (Spec.parse, "a game"),
    "first": (Spec.parse, "a player"),
    "second": (Spec.parse, "a player"),
    "result": (Result.parse, "a result"),
}


def columns_of(record: GameRecord) -> dict[str, Any]:
    """Return the columns that follow from a record, apart from its text."""
    return {
        "game": record.game,
        "first": record.players[0],
        "second": record.players[1],
        "moves": len(record.moves),
        "result": None if record.result is None else str(record.result),
    }


def summary_of(row: Row[Any]) -> Summary:
    """Read a row without its text; Damaged if a value is not of its kind."""
    return Summary(**_fields(dict(row._mapping)))


def stored_game(row: Row[Any]) -> StoredGame:
    """Read a whole row; Damaged if there is anything wrong that its text does not put right."""
    values = dict(row._mapping)
    text = values.pop("text")
    if what := complaint("text", text):
        raise Damaged(f"{_name(values)} is damaged: {what}")
    try:
        record = from_text(text, _name(values), files=False)
    except PlywiseError as error:  # such as a game that is no longer installed
        raise Damaged(str(error)) from None
    if complaint("turn_began", values["turn_began"]):
        values["turn_began"] = None
    return with_record(values, record)


def with_record(values: dict[str, Any], record: GameRecord) -> StoredGame:
    """Return a game from the columns that do not follow from its record."""
    return StoredGame(**_fields({**values, **columns_of(record)}), record=record)


def complaint(name: str, value: object) -> str | None:
    """Say what is wrong with the value of a column, without repeating it; None if nothing is."""
    column = games.c[name]
    if value is None:
        return None if column.nullable else f"{name} is missing"
    kinds, words = _KINDS[column.type.python_type]
    if not isinstance(value, kinds):
        return f"{name} is not {words}"
    if isinstance(value, str):
        if "\0" in value or not encodable(value):
            return f"{name} is not a text"
    elif isinstance(value, int | float) and not (math.isfinite(value) and value >= 0):
        return f"{name} is out of range"
    if name in _READERS:
        read, words = _READERS[name]
        try:
            read(str(value))
        except ValueError:
            return f"{name} is not {words}"
    return None


def _fields(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a row as the fields of a Summary, once they are checked."""
    for name, value in values.items():
        if what := complaint(name, value):
            raise Damaged(f"{_name(values)} is damaged: {what}")
    values["players"] = values.pop("first"), values.pop("second")
    values["seats"] = values.pop("seat1"), values.pop("seat2")
    return values


def _name(values: dict[str, Any]) -> str:
    """What to call a row in a message, whatever is in it."""
    return "a game" if complaint("id", values["id"]) else f"the game {values['id']}"


def encodable(text: str) -> bool:
    """True if a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:  # a byte that is not UTF-8 was read as half a character
        return False
    return True
