"""Backups of a store: one text file, the same for SQLite and PostgreSQL.

    plywise backup 1
    {"schema": 1, "taken": 1771322400.0}
    {"table": "plywise_keys", "row": {"name": "clients", ...}}
    {"table": "plywise_games", "row": {"id": "...", ...}}
    end 2 sha256 6b86b273...

The last line has the number of rows and the checksum of all lines before it. A backup is what the
store held at one moment, even if games go on meanwhile. Damaged rows are in it as they are.
"""

from __future__ import annotations

import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from plywise.errors import PlywiseError
from plywise.play.records.files import whole_file
from plywise.play.records.servers import mark
from plywise.play.records.store import ANY, Store
from plywise.play.records.tables import SCHEMA, complaint, encodable, games, keys

HEADER = "plywise backup 1"
TABLES = {table.name: table for table in (keys, games)}
MANY = 500  #: rows that are read or written at once
LARGEST = 2**63 - 1  #: the largest whole number of a database
_END = re.compile(r"end ([0-9]{1,18}) sha256 ([0-9a-f]{64})\n?")

Entry = tuple[str, dict[str, Any]]  #: the name of a table, and a row of it


class BackupError(PlywiseError):
    """A backup that cannot be made, read or restored."""


@dataclass(frozen=True)
class Done:
    """What a backup or a restore has copied."""

    games: int
    keys: int
    left_out: tuple[str, ...] = ()  #: what is wrong with rows that could not be restored


# ---- backup ----------------------------------------------------------------------------------


def back_up(store: Store, file: Path, *, force: bool = False) -> Done:
    """Write all games and keys to a file. Without `force`, it must not exist yet."""
    if file.exists() and not force:
        raise _taken(file)
    count, check = Counter[str](), hashlib.sha256()
    try:
        with store.snapshot() as database, whole_file(file, private=True, replace=force) as out:
            for line in _lines(database, count):
                check.update(line.encode())
                out.write(line)
            out.write(f"end {count.total()} sha256 {check.hexdigest()}\n")
    except FileExistsError:
        raise _taken(file) from None
    except OSError as error:
        raise BackupError(f"{file} cannot be written: {error.strerror or error}") from error
    return _done(count)


def _done(count: Counter[str], left_out: Sequence[str] = ()) -> Done:
    return Done(count[games.name], count[keys.name], tuple(left_out))


def _lines(database: Connection, count: Counter[str]) -> Iterator[str]:
    yield f"{HEADER}\n"
    yield json.dumps({"schema": SCHEMA, "taken": time.time()}) + "\n"
    for table in TABLES.values():
        query = sql.select(table).execution_options(yield_per=MANY)
        for row in database.execute(query).mappings():
            count[table.name] += 1
            values = {name: _written(value) for name, value in row.items()}
            yield json.dumps({"table": table.name, "row": values}) + "\n"


def _written(value: object) -> object:
    """Return a value for JSON. SQLite may hold bytes in any column, and texts that are none."""
    if isinstance(value, str) and not encodable(value):
        value = value.encode(errors="surrogateescape")
    return {"hex": value.hex()} if isinstance(value, bytes) else value


def _taken(file: Path) -> BackupError:
    return BackupError(f"{file} exists: choose another name, or replace it with --force")


# ---- restore ---------------------------------------------------------------------------------


def check(file: Path) -> Done:
    """Read a whole backup; BackupError if anything is wrong with it."""
    return _done(Counter(table for table, _ in _rows(_Reader(file))))


def restore(file: Path, store: Store, *, force: bool = False) -> Done:
    """Put a backup into a store without games, in one transaction. Check the file first.

    With `force` it replaces what is there. A row that the database cannot hold is left out.
    Servers that are up are told: each finds a version of its open games that it does not know,
    and loads them again.
    """
    reader = _Reader(file)
    rows, now = _rows(reader), time.time()
    count, left_out = Counter[str](), []
    with store.writing() as database:
        if database.dialect.name == "postgresql":
            database.execute(sql.text("LOCK TABLE plywise_games, plywise_keys IN EXCLUSIVE MODE"))
            # Otherwise nobody can write while this transaction lasts anyway.
        there = database.execute(sql.select(games.c.id, games.c.version))
        known = {row.id: row.version for row in there}
        if known and not force:
            raise BackupError(
                f"{store.name} holds games already: use another database, or replace all of them"
                " with --force"
            )
        for table in TABLES.values():
            database.execute(table.delete())
        waiting: list[Entry] = []
        for name, row in rows:
            if wrong := _unfit(name, row, database.dialect.name):
                left_out.append(wrong)
                continue
            count[name] += 1
            if name == games.name:
                row = _adapted(row, known.get(row["id"]), reader.taken, now)
            waiting.append((name, row))
            if len(waiting) == MANY:
                _insert(database, waiting)
        _insert(database, waiting)
        mark(database, now)
        store.announce(database, ANY)
    return _done(count, left_out)


def _adapted(row: dict[str, Any], version: Any, taken: float, now: float) -> dict[str, Any]:
    """Return the row of a game as it goes on now.

    Its version is higher than that of the game it replaces. Its clock has stood still since the
    backup.
    """
    if isinstance(version, int) and isinstance(row["version"], int):
        row = {**row, "version": max(version, row["version"]) + 1}
    began = row["turn_began"]
    if isinstance(began, int | float):
        row = {**row, "turn_began": now - max(0.0, taken - began)}
    return row


def _unfit(name: str, row: dict[str, Any], dialect: str) -> str | None:
    """Say why a row cannot be stored; None if it can. SQLite takes any value but NULL."""
    if name != games.name:
        return None
    for column, value in row.items():
        if (value is None or dialect != "sqlite") and (wrong := complaint(column, value)):
            return f"the game {str(row['id'])[:40]!r} is damaged: {wrong}"
    return None


def _insert(database: Connection, waiting: list[Entry]) -> None:
    for name, table in TABLES.items():
        rows = [row for each, row in waiting if each == name]
        if rows:
            database.execute(table.insert(), rows)
    waiting.clear()


# ---- reading ---------------------------------------------------------------------------------


@dataclass
class _Reader:
    """Reads the lines of a backup, and checks them."""

    file: Path
    line: int = 0
    taken: float = 0.0

    def wrong(self, what: str) -> BackupError:
        """Return the error for the present line."""
        return BackupError(f"{self.file}, line {self.line}: {what}")

    def lines(self) -> Iterator[str]:
        """All lines but the last, which must hold their number and their checksum."""
        found, checksum = -2, hashlib.sha256()
        try:
            with open(self.file, encoding="utf-8", newline="") as text:
                for self.line, line in enumerate(text, 1):
                    if end := _END.fullmatch(line):
                        if int(end[1]) != found or end[2] != checksum.hexdigest():
                            raise self.wrong("the file was changed: its checksum does not match")
                        if text.read(1):
                            raise self.wrong("nothing may follow the last line")
                        return
                    found += 1
                    checksum.update(line.encode())
                    yield line
        except OSError as error:
            raise BackupError(f"{self.file}: {error.strerror or error}") from error
        except UnicodeDecodeError:
            raise self.wrong(f"not a backup: its first line must be {HEADER!r}") from None
        raise self.wrong("the backup is incomplete: its last line must begin with 'end'")


def _rows(reader: _Reader) -> Iterator[Entry]:
    """Yield every row of a backup; at the end it is known to be complete and unchanged."""
    lines = reader.lines()
    if next(lines, "") != f"{HEADER}\n":
        raise reader.wrong(f"not a backup: its first line must be {HEADER!r}")
    head = _object(reader, next(lines, ""), "schema", "taken")
    schema, reader.taken = head["schema"], head["taken"]
    if not isinstance(schema, int) or not isinstance(reader.taken, int | float):
        raise reader.wrong("schema and taken must be numbers")
    if schema != SCHEMA:
        raise reader.wrong(
            f"the backup was made by another version of plywise (its schema version is {schema},"
            f" this one has {SCHEMA}): restore it with that version"
        )
    for line in lines:
        entry = _object(reader, line, "table", "row")
        table, row = entry["table"], entry["row"]
        if table not in TABLES:
            raise reader.wrong(f"unknown table {str(table)[:40]!r}")
        if not isinstance(row, dict) or set(row) != set(TABLES[table].c.keys()):
            raise reader.wrong(f"a row of {table} needs {', '.join(TABLES[table].c.keys())}")
        yield table, {name: _read(reader, value) for name, value in row.items()}


def _object(reader: _Reader, line: str, *names: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or set(found) != set(names):
        raise reader.wrong(f"not an object with {' and '.join(names)}")
    return found


def _read(reader: _Reader, value: object) -> object:
    """Return a value that a database can be given."""
    if isinstance(value, dict):
        try:
            return bytes.fromhex(value["hex"])
        except (KeyError, TypeError, ValueError):
            value = []
    if (
        isinstance(value, list | bool)
        or (isinstance(value, str) and not encodable(value))
        or (isinstance(value, int) and abs(value) > LARGEST)
    ):
        raise reader.wrong("a value must be a text, a number or null")
    return value
