"""What tests do to a database behind the store's back."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy


def run_sql(url: str, *statements: str, **values: Any) -> list[Any]:
    """Run statements in one transaction; the rows of the last one."""
    address = sqlalchemy.make_url(url)
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(address)
    try:
        with engine.begin() as database:
            for statement in statements:
                found = database.execute(sqlalchemy.text(statement), values)
            return list(found) if found.returns_rows else []
    finally:
        engine.dispose()


def file_of(url: str) -> Path:
    """The file of a SQLite database."""
    return Path(url.removeprefix("sqlite:///"))


def loosen(file: Path, *tables: str) -> None:
    """Make tables take any value in any column, as a damaged file may have it."""
    with sqlite3.connect(file) as database:
        for table in tables:
            database.execute(f"CREATE TABLE loose AS SELECT * FROM {table}")
            database.execute(f"DROP TABLE {table}")
            database.execute(f"ALTER TABLE loose RENAME TO {table}")
    database.close()


def garble(
    file: Path, column: str, value: object, table: str = "plywise_games", where: str = "true"
) -> None:
    """Write a value into a column of some rows; bytes become a text, whatever they are."""
    how = "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"
    with sqlite3.connect(file) as database:
        database.execute(f"UPDATE {table} SET {column} = {how} WHERE {where}", (value,))
    database.close()
