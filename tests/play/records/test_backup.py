"""Backups: whole, consistent while games go on, the same for SQLite and PostgreSQL."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from plywise.play.records import backup
from plywise.play.records.backup import BackupError, back_up, check, restore
from plywise.play.records.game_record import GameRecord, Move, Result, TimeControl
from plywise.play.records.servers import key_of
from plywise.play.records.store import NoSuchGame, Store, StoreConflict
from tests.play.records.databases import garble, loosen

PEOPLE = GameRecord("tictactoe", ("human", "human"))
BOARD = GameRecord("tictactoe:rows=19,cols=19,k=19", ("human", "human"))
MANY = [
    PEOPLE,
    replace(PEOPLE, time=TimeControl(total=60.0), moves=(Move("b2", 1.25, "naïve ☺ 🐌"),)),
    replace(PEOPLE, notes=('"quoted" \\ text',), result=Result(1, "resigned", "player 2 resigned")),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{tmp_path / 'games.db'}")
    yield opened
    opened.close()


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """A second empty store."""
    opened = Store(f"sqlite:///{tmp_path / 'other.db'}")
    yield opened
    opened.close()


@pytest.fixture
def postgresql(postgres: Callable[[], str]) -> Iterator[Store]:
    opened = Store(postgres())
    yield opened
    opened.close()


@pytest.fixture(params=["store", "postgresql"])
def any_store(request: pytest.FixtureRequest) -> Store:
    """An empty store of each kind."""
    found: Store = request.getfixturevalue(request.param)
    return found


@pytest.fixture(params=["store other", "store postgresql", "postgresql other"])
def pair(request: pytest.FixtureRequest) -> tuple[Store, Store]:
    """Two empty stores, to copy from one to the other."""
    one, two = (request.getfixturevalue(each) for each in request.param.split())
    return one, two


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.backup"


@pytest.mark.slow
def test_a_backup_makes_the_round_trip(pair: tuple[Store, Store], file: Path) -> None:
    store, other = pair
    kept = [store.add(record, "anne", ("anne", None)) for record in MANY]
    key = key_of(store)
    assert back_up(store, file) == check(file) == backup.Done(games=3, keys=1)
    key_of(other)
    assert restore(file, other) == backup.Done(games=3, keys=1)
    for each in kept:
        again = other.get(each.id)
        assert replace(again, turn_began=None) == replace(each, turn_began=None)
        assert (again.turn_began is None) == (each.turn_began is None)
    assert key_of(other) == key
    assert other.mine("anne")[0].id == kept[-1].id
    assert other.save(kept[0].id, PEOPLE, 1) == 2


def test_the_clock_stands_still_from_the_backup_to_the_restore(
    store: Store, other: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1_700_000_000.0
    monkeypatch.setattr("time.time", lambda: now)
    id = store.add(MANY[1], "anne", ("anne", "bob")).id
    now += 25
    back_up(store, file)
    now += 1_000_000
    restore(file, other)
    assert other.get(id).elapsed == pytest.approx(25)


@pytest.mark.skipif(os.name != "posix", reason="only POSIX files have modes")
def test_nobody_else_can_read_it(store: Store, file: Path) -> None:
    back_up(store, file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in file.parent.glob("*backup*")] == [file.name]


def test_it_never_replaces_a_file_unasked(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("precious")
    with pytest.raises(BackupError, match=r"backup exists: choose another name, or .* --force"):
        back_up(store, file)
    monkeypatch.setattr(Path, "exists", lambda self: False)  # it comes while we write
    with pytest.raises(BackupError, match="exists: choose another name"):
        back_up(store, file)
    assert file.read_text() == "precious"
    monkeypatch.undo()
    back_up(store, file, force=True)
    assert check(file).games == 0
    assert list(file.parent.glob(".*")) == []  # nothing is left beside it


def test_a_backup_that_fails_leaves_the_old_one(
    store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.add(PEOPLE, "anne")
    back_up(store, file)
    before = file.read_bytes()

    def fail(value: object) -> object:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_written", fail)
    with pytest.raises(BackupError, match="backup cannot be written: No space left on device"):
        back_up(store, file, force=True)
    assert file.read_bytes() == before
    assert list(file.parent.glob(".*")) == []


def test_a_folder_that_is_not_there(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="cannot be written: No such file or directory"):
        back_up(store, tmp_path / "nowhere" / "file")


def test_all_that_was_confirmed_before_is_in_it(pair: tuple[Store, Store], file: Path) -> None:
    """Three backups, while two threads play moves as fast as they can."""
    store, other = pair
    board = [f"{column}{row}" for row in range(1, 20) for column in "abcdefghijklmnopqrs"]
    games = {store.add(BOARD, "anne").id: 0 for _ in range(2)}  # moves that were confirmed
    ended, ready = threading.Event(), threading.Barrier(3)

    def play(id: str) -> None:
        ready.wait()
        while not ended.is_set() and games[id] < 300:
            count = games[id] + 1
            moves = tuple(Move(text) for text in board[:count])
            store.save(id, replace(BOARD, moves=moves), count)
            games[id] = count

    threads = [threading.Thread(target=play, args=(id,)) for id in games]
    for thread in threads:
        thread.start()
    try:
        ready.wait()
        for _ in range(3):
            before, start = dict(games), sum(games.values())
            back_up(store, file, force=True)
            while sum(games.values()) < start + 4 and any(each.is_alive() for each in threads):
                time.sleep(0.001)  # moves are confirmed during and after it
            restore(file, other, force=True)
            for id, count in before.items():
                found = [move.text for move in other.get(id).record.moves]
                assert len(found) >= count
                assert found == board[: len(found)]
    finally:
        ended.set()
        for thread in threads:
            thread.join()
    assert all(games.values())


def test_a_backup_is_of_one_moment(
    any_store: Store, other: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key that is made and a game that is added while it is written are not in it."""
    store = any_store
    store.add(PEOPLE, "anne")
    key_of(store)
    write, late = backup._written, []

    def written(value: object) -> object:
        if not late:
            late.append(store.add(PEOPLE, "late").id)
        return write(value)

    monkeypatch.setattr(backup, "_written", written)
    assert back_up(store, file) == backup.Done(games=1, keys=1)
    restore(file, other)
    with pytest.raises(NoSuchGame):
        other.get(late[0])
    assert store.get(late[0]).owner == "late"


# ---- restoring over games ------------------------------------------------------------------------


def test_a_store_with_games_is_not_replaced_unasked(any_store: Store, file: Path) -> None:
    store = any_store
    kept = store.add(PEOPLE, "anne")
    back_up(store, file)
    with pytest.raises(BackupError, match=r"holds games already: use another .* with --force"):
        restore(file, store)
    assert store.get(kept.id) == kept
    newer = store.add(PEOPLE, "anne")
    assert restore(file, store, force=True).games == 1
    assert [each.id for each in store.mine("anne")] == [kept.id]
    with pytest.raises(NoSuchGame):
        store.get(newer.id)


def test_a_server_that_has_the_game_open_notices(any_store: Store, file: Path) -> None:
    store = any_store
    kept = store.add(PEOPLE, "anne")
    back_up(store, file)
    first = replace(PEOPLE, moves=(Move("b2"),))
    assert store.save(kept.id, first, 1) == 2
    restore(file, store, force=True)
    again = store.get(kept.id)
    assert (again.version, again.record) == (3, PEOPLE)
    for version in (1, 2):  # whatever a server has in memory
        with pytest.raises(StoreConflict):
            store.save(kept.id, first, version)


def test_a_restore_that_fails_has_not_happened(
    any_store: Store, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = any_store
    for _ in range(5):
        store.add(PEOPLE, "bob")
    back_up(store, file)
    before = [each.id for each in store.mine("bob")]
    late = store.add(PEOPLE, "anne")
    insert: Callable[..., None] = backup._insert

    def fail(*given: Any) -> None:
        insert(*given)
        raise KeyboardInterrupt

    monkeypatch.setattr(backup, "MANY", 2)
    monkeypatch.setattr(backup, "_insert", fail)
    with pytest.raises(KeyboardInterrupt):
        restore(file, store, force=True)
    assert store.get(late.id) == late
    assert [each.id for each in store.mine("bob")] == before


# ---- files that are wrong ------------------------------------------------------------------------


def lines_of(file: Path) -> list[str]:
    return file.read_text().splitlines(keepends=True)


def test_every_change_of_a_file_is_noticed(tmp_path: Path, file: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    store.add(PEOPLE, "anne")
    key_of(store)
    back_up(store, file)
    whole = file.read_bytes()
    for at in range(0, len(whole) - 1, 7):  # the last line need not end with a newline
        for changed in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            file.write_bytes(changed)
            with pytest.raises(BackupError, match=r"backup, line [0-9]+: [^\n]+$"):
                restore(file, store, force=True)
    assert store.count("anne") == 1
    for extra in (b"\n", b"x", whole):
        file.write_bytes(whole + extra)
        with pytest.raises(BackupError):
            check(file)
    store.close()


def signed(*rows: object, head: object = None) -> str:
    """A backup of these rows with the right checksum."""
    lines = [backup.HEADER, json.dumps(head or {"schema": 1, "taken": 1.0}), *map(json.dumps, rows)]
    text = "".join(f"{line}\n" for line in lines)
    return f"{text}end {len(rows)} sha256 {hashlib.sha256(text.encode()).hexdigest()}\n"


KEY = {"name": "clients", "secret": "00" * 32}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 0: the backup is incomplete: its last line must begin with 'end'"),
        ("plywise game 1\n", "line 1: not a backup: its first line must be 'plywise backup 1'"),
        ("\ufeff", "line 1: not a backup"),
        (
            signed(head={"schema": 2, "taken": 1}),
            "line 2: the backup was made by another version of plywise (its schema version is 2,"
            " this one has 1): restore it with that version",
        ),
        (signed(head={"schema": "1", "taken": 1}), "line 2: schema and taken must be numbers"),
        (signed(head=[1]), "line 2: not an object with schema and taken"),
        (signed({"table": "users", "row": {}}), "line 3: unknown table 'users'"),
        (signed({"table": "plywise_keys", "row": {"name": "x"}}), "line 3: a row of plywise_keys"),
        (signed({"row": {}}), "line 3: not an object with table and row"),
        (signed(7), "line 3: not an object"),
        (
            signed({"table": "plywise_keys", "row": {**KEY, "name": []}}),
            "line 3: a value must be a text, a number or null",
        ),
        (signed({"table": "plywise_keys", "row": {**KEY, "name": {"hex": "x"}}}), "line 3: a val"),
        (signed({"table": "plywise_keys", "row": {**KEY, "secret": 10**30}}), "line 3: a value "),
        (signed({"table": "plywise_keys", "row": {**KEY, "name": "\ud800"}}), "line 3: a value "),
    ],
)
def test_files_that_are_not_backups(file: Path, text: str, complaint: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BackupError) as caught:
        check(file)
    assert str(caught.value).startswith(f"{file}, {complaint}")


def test_a_binary_file(file: Path) -> None:
    with sqlite3.connect(file) as database:
        database.execute("CREATE TABLE some (thing)")
    database.close()
    with pytest.raises(BackupError, match="not a backup"):
        check(file)


# ---- damaged rows --------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["other", "postgresql"])
def test_damaged_rows_are_kept_where_they_can_be(
    request: pytest.FixtureRequest, tmp_path: Path, store: Store, file: Path, target: str
) -> None:
    other: Store = request.getfixturevalue(target)
    loosen(tmp_path / "games.db", "plywise_games")
    values = {"text": b"\xff\xfe", "moves": "many", "version": None, "updated": float("inf")}
    for column, value in values.items():
        id = store.add(PEOPLE, "anne").id
        garble(tmp_path / "games.db", column, value, where=f"id = '{id}'")
    sound = store.add(PEOPLE, "anne")
    assert back_up(store, file).games == 5
    done = restore(file, other)
    assert other.get(sound.id) == sound
    left_out = [each.rpartition(": ")[2] for each in done.left_out]
    if target == "other":  # SQLite takes anything but NULL
        assert left_out == ["version is missing"]
        assert back_up(other, file, force=True).games == 4
    else:
        assert left_out == [
            "text is not a text",
            "moves is not a whole number",
            "version is missing",
            "updated is out of range",
        ]
    assert done.games == 5 - len(left_out)
