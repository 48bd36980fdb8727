"""The tables of a database: made once, and refused with one line if they are others."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from typing import Any

import pytest
import sqlalchemy

from plywise.play.records.game_record import GameRecord
from plywise.play.records.store import Store, StoreError
from plywise.play.records.tables import SCHEMA, TABLES
from tests.levels import sampled
from tests.play.records.databases import file_of, loosen, run_sql

GAME = GameRecord("tictactoe", ("human", "human"))


def contents_of(url: str) -> dict[str, list[Any]]:
    """Every table with its rows."""
    address = sqlalchemy.make_url(url)
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(address)
    names = sqlalchemy.inspect(engine).get_table_names()
    engine.dispose()
    return {name: run_sql(url, f"SELECT * FROM {name}") for name in names}


def test_every_table_is_created(url: str) -> None:
    Store(url).close()
    assert set(contents_of(url)) == set(TABLES.tables)
    assert run_sql(url, "SELECT version FROM plywise_schema") == [(SCHEMA,)]


KILLED = """
    import os, sys
    from sqlalchemy import event
    from sqlalchemy.engine import Engine
    from plywise.play.records.store import Store

    def look(connection, cursor, statement, *_):
        if statement.strip().startswith(sys.argv[2]):
            os._exit(9)

    event.listen(Engine, "after_cursor_execute", look)
    Store(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement", sampled(["INSERT INTO plywise_schema", "CREATE TABLE", "CREATE INDEX"], 3)
)
def test_a_kill_while_the_tables_are_made_leaves_none(url: str, statement: str) -> None:
    command = [sys.executable, "-c", textwrap.dedent(KILLED), url, statement]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 9, done.stderr
    assert contents_of(url) == {}
    store = Store(url)
    assert store.get(store.add(GAME, "anne").id).record == GAME
    store.close()


# ---- what this version cannot use ----------------------------------------------------------------


@pytest.mark.parametrize("version", [SCHEMA + 1, 99])
def test_a_database_of_another_version_is_refused_and_not_touched(url: str, version: int) -> None:
    """Whatever that version has changed: another table, another column."""
    store = Store(url)
    store.add(GAME, "anne")
    store.close()
    run_sql(
        url,
        f"UPDATE plywise_schema SET version = {version}",
        "ALTER TABLE plywise_games DROP COLUMN text",
        "CREATE TABLE plywise_more (thing TEXT)",
    )
    before = contents_of(url)
    written = file_of(url).read_bytes() if url.startswith("sqlite") else b""
    with pytest.raises(StoreError) as caught:
        Store(url)
    assert str(caught.value) == (
        f"{store.name} was made by another version of plywise (its schema version is {version},"
        f" this one has {SCHEMA}): open it with that version, or use another database"
    )
    assert contents_of(url) == before
    if written:
        assert file_of(url).read_bytes() == written


STRANGE = [
    (("UPDATE plywise_schema SET version = 0",), "has schema version '0', which plywise never "),
    (("UPDATE plywise_schema SET version = -1",), "has schema version '-1', which plywise never "),
    (("INSERT INTO plywise_schema VALUES (1)",), "has 2 schema versions instead of one"),
    (("DELETE FROM plywise_schema",), "has no schema version"),
    (("DROP TABLE plywise_schema",), "has no schema version"),
    (("DROP TABLE plywise_games",), "has no table plywise_games"),
    (("ALTER TABLE plywise_games DROP COLUMN text",), "has no column text in plywise_games"),
]


@pytest.mark.parametrize(
    ("statements", "complaint"), STRANGE, ids=[statements[0] for statements, _ in STRANGE]
)
def test_a_strange_schema_is_refused(url: str, statements: tuple[str, ...], complaint: str) -> None:
    store = Store(url)
    store.close()
    run_sql(url, *statements)
    with pytest.raises(StoreError) as caught:
        Store(url)
    said = str(caught.value)
    assert said.startswith(f"{store.name} {complaint}")
    assert "use another database" in said
    assert "\n" not in said


@pytest.mark.parametrize("version", ["abc", None, b"\xff\0", 1.5, "1; DROP", "x" * 1000])
def test_a_schema_version_of_the_wrong_kind(tmp_path: Any, version: object) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    Store(url).close()
    loosen(file_of(url), "plywise_schema")
    run_sql(url, "UPDATE plywise_schema SET version = :version", version=version)
    with pytest.raises(StoreError, match=r"has schema version .{1,30}, which plywise never writes"):
        Store(url)


@pytest.mark.parametrize("version", ["0", "-1", "'abc'", "NULL", "99"])
def test_serving_a_strange_schema(run: Any, tmp_path: Any, version: str) -> None:
    url = f"sqlite:///{tmp_path / 'games.db'}"
    Store(url).close()
    loosen(file_of(url), "plywise_schema")
    run_sql(url, f"UPDATE plywise_schema SET version = {version}")
    done = run("serve", "--port", "0", "--db", url)
    assert "schema version" in done.complaint  # exit code 2, one line
    assert done.out == ""
