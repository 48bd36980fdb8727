"""Databases of every released schema, and of none: migrated, or refused with one line."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import sqlalchemy

from plywise.play.records import migrations
from plywise.play.records.keys import key_of
from plywise.play.records.store import Store, StoreError
from plywise.play.records.tables import SCHEMA, TABLES
from tests.levels import sampled
from tests.play.records.databases import OLD, file_of, fill_from, loosen, run_sql

SHAPES = sorted(each.name for each in OLD.glob("*.sql"))
PLAIN, CLOCK, OVER = "A" * 22, "B" * 22, "C" * 22


def shape_of(url: str) -> dict[str, dict[str, str]]:
    """The tables, with the kinds of their columns and the names of their indexes."""
    address = sqlalchemy.make_url(url)
    if address.drivername == "postgresql":
        address = address.set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(address)
    known = sqlalchemy.inspect(engine)
    found = {}
    for table in known.get_table_names():
        columns = {each["name"]: _kind(each["type"]) for each in known.get_columns(table)}
        found[table] = {**columns, **{str(i["name"]): "index" for i in known.get_indexes(table)}}
    engine.dispose()
    return found


def _kind(kind: Any) -> str:
    word = str(kind).split()[0]
    return "DOUBLE" if word == "REAL" else word  # what SQLite calls DOUBLE PRECISION


@pytest.fixture
def fresh_shape(url: str, request: pytest.FixtureRequest, tmp_path: Any) -> Any:
    other = (
        f"sqlite:///{tmp_path / 'fresh.db'}"
        if url.startswith("sqlite")
        else request.getfixturevalue("postgres")()
    )
    Store(other).close()
    return shape_of(other)


@pytest.mark.parametrize("shape", SHAPES)
def test_an_old_database_becomes_like_a_new_one(url: str, shape: str, fresh_shape: Any) -> None:
    fill_from(url, OLD / shape)
    store = Store(url)
    assert run_sql(url, "SELECT version FROM plywise_schema") == [(SCHEMA,)]
    assert shape_of(url) == fresh_shape
    plain, clock, over = (store.get(id) for id in (PLAIN, CLOCK, OVER))
    assert [move.text for move in plain.record.moves] == ["b2", "a1"]
    assert plain.record.moves[1].note == "a corner"
    assert (plain.version, plain.seats, plain.created) == (3, ("anne", "bob"), 1700000000.5)
    assert [each.turn_began for each in (plain, clock, over)] == [None, None, None]
    assert run_sql(url, "SELECT seen FROM plywise_alive") == [(1700000300.0,)]
    assert [each.id for each in store.mine("anne")] == [CLOCK, PLAIN]
    assert store.save(PLAIN, plain.record, 3) == 4
    key = key_of(store)
    store.close()
    again = Store(url)
    assert key_of(again) == key
    assert (key.created == 1700000050.0) == ("keys" in shape)
    again.close()


def test_clocks_go_on_only_between_two_players(url: str) -> None:
    """A clock of schema 2 also ran before the first move, and against an empty seat."""
    fill_from(url, OLD / "schema-2.sql")
    store = Store(url)
    assert [store.get(letter * 22).turn_began for letter in "BDE"] == [None, 1700000250.0, None]
    store.close()


def test_there_is_a_migration_from_every_schema() -> None:
    assert sorted(migrations.MIGRATIONS) == list(range(1, SCHEMA))


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_several_who_open_it_at_once_migrate_it_once(url: str, shape: str) -> None:
    fill_from(url, OLD / shape)
    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(lambda _: Store(url), range(6)))
    assert {store.get(PLAIN).version for store in stores} == {3}
    for store in stores:
        store.close()


def test_a_migration_that_fails_has_not_happened(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fill_from(url, OLD / "schema-1.sql")
    before = shape_of(url)
    whole = migrations.MIGRATIONS[1]

    def fail(database: Any) -> None:
        whole(database)
        raise StoreError("the power has gone")

    with monkeypatch.context() as patch:
        patch.setitem(migrations.MIGRATIONS, 1, fail)
        with pytest.raises(StoreError, match="the power has gone"):
            Store(url)
    assert shape_of(url) == before
    assert run_sql(url, "SELECT version FROM plywise_schema") == [(1,)]
    Store(url).close()
    assert run_sql(url, "SELECT version FROM plywise_schema") == [(SCHEMA,)]


KILLED = """
    import os, sys
    from sqlalchemy import event
    from sqlalchemy.engine import Engine
    from plywise.play.records.store import Store

    def look(connection, cursor, statement, *_):
        if statement.startswith(sys.argv[2]):
            os._exit(9)

    event.listen(Engine, "after_cursor_execute", look)
    Store(sys.argv[1])
"""


@pytest.mark.slow
@pytest.mark.parametrize("statement", sampled(["UPDATE plywise_schema", "CREATE", "ALTER"], 3))
def test_a_kill_during_a_migration_leaves_the_old_schema(url: str, statement: str) -> None:
    fill_from(url, OLD / "schema-1.sql")
    before = shape_of(url)
    command = [sys.executable, "-c", textwrap.dedent(KILLED), url, statement]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 9, done.stderr
    assert shape_of(url) == before
    assert run_sql(url, "SELECT version FROM plywise_schema") == [(1,)]
    store = Store(url)
    assert store.get(PLAIN).version == 3
    store.close()


# ---- what cannot be a database of plywise ------------------------------------------------------


STRANGE = [
    (("UPDATE plywise_schema SET version = 0",), "has schema version '0', which plywise never "),
    (("UPDATE plywise_schema SET version = -1",), "has schema version '-1', which plywise never "),
    (("INSERT INTO plywise_schema VALUES (1)",), "has 2 schema versions instead of one"),
    (("DELETE FROM plywise_schema",), "has no schema version"),
    (("DROP TABLE plywise_schema",), "has no schema version"),
    (("DROP TABLE plywise_games",), "has no table plywise_games"),
    (("ALTER TABLE plywise_games DROP COLUMN text",), "has no column text in plywise_games"),
    (("UPDATE plywise_schema SET version = 99",), "was written by a newer plywise (schema versio"),
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


def test_every_table_is_created(url: str) -> None:
    Store(url).close()
    assert set(shape_of(url)) == set(TABLES.tables)
