"""The store, on SQLite and on PostgreSQL: nothing lost, nothing taken twice, nothing told."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

import plywise
from plywise.play.records import store as store_module
from plywise.play.records.files import SaveError
from plywise.play.records.game_record import Branch, GameRecord, Move, Result, TimeControl
from plywise.play.records.store import NoSuchGame, Store, StoreConflict, StoreError
from plywise.play.session import Session

PEOPLE = GameRecord("tictactoe", ("human", "human"))
ANNE, BOB = "client-anne", "client-bob"


@pytest.fixture
def store(url):
    opened = Store(url)
    yield opened
    opened.close()


def at_once(work, threads):
    """Call `work` with 0, 1, 2, ... in threads that start together; their answers in order."""
    gate = threading.Barrier(threads)

    def run(number):
        gate.wait()
        return work(number)

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(run, range(threads)))


# ---- one game --------------------------------------------------------------------------------


def test_what_is_kept_is_what_was_given(store):
    record = GameRecord(
        "connect4",
        ("human", "auto:level=3"),
        time=TimeControl.parse("300 + 2"),
        seed=7,
        notes=("Grüße, 你好, 🐌", "second line"),
        moves=(Move("4", 1.5, "naïve ☺"), Move("4")),
        undone=(Move("3"),),
        branches=(Branch(1, (Move("5", note="ü"), Move("5"))),),
    )
    kept = store.add(record, ANNE, (ANNE, None))
    assert kept == store.get(kept.id)
    assert kept.record == record
    assert (kept.version, kept.moves, kept.result) == (1, 2, None)
    assert (kept.owner, kept.seats) == (ANNE, (ANNE, None))
    assert (kept.game, kept.players) == ("connect4", ("human", "auto:level=3"))
    assert kept.created == kept.updated > 1.6e9


def test_every_move_is_kept_before_it_is_confirmed(store, url):
    kept = store.add(PEOPLE, ANNE)
    version = kept.version

    def keep(record):
        nonlocal version
        version = store.save(kept.id, record, version)

    other = Store(url)
    session = Session(
        kept.record, keep=keep, listener=lambda event: seen.append(other.get(kept.id).record)
    )
    seen = []
    for move in ("a1", "b1", "a2", "b2", "a3"):
        session.play(move)
        assert seen[-1] == session.record
    last = store.get(kept.id)
    assert last.version == 6
    assert last.result == "player 1 wins, rules: 3 in a line"
    assert last.updated >= last.created
    session.close()
    other.close()


def test_a_move_that_the_store_refuses_is_not_made(store):
    kept = store.add(PEOPLE, ANNE)
    session = Session(kept.record, keep=lambda record: store.save(kept.id, record, 1) and None)
    session.play("a1")
    with pytest.raises(StoreConflict):
        session.play("b1")
    assert session.position.moves == ("a1",)
    assert store.get(kept.id).record == session.record
    session.close()


def test_ids_cannot_be_guessed(store):
    ids = {store.add(PEOPLE, ANNE).id for _ in range(50)}
    assert len(ids) == 50
    assert all(len(each) == 22 and each.replace("-", "").replace("_", "").isalnum() for each in ids)


@pytest.mark.parametrize(
    "id",
    ["", "x", "A" * 22, "A" * 100_000, "a\0b", "é" * 22, "\ud800", "' OR 1=1 --", "A" * 21 + "\n"],
)
def test_games_that_are_not_there(store, id):
    for action in (
        lambda: store.get(id),
        lambda: store.save(id, PEOPLE, 1),
        lambda: store.seat(id, 1, ANNE),
        lambda: store.remove(id),
    ):
        with pytest.raises(NoSuchGame, match=r"^there is no game ['\"].{0,40}['\"]$") as caught:
            action()
        assert isinstance(caught.value, LookupError)


def test_a_game_that_cannot_be_is_not_added(store, tmp_path):
    file = tmp_path / "agent.py"
    file.write_text("raise SystemExit")
    with pytest.raises(SaveError, match="files are not allowed here"):
        store.add(replace(PEOPLE, players=("human", str(file))), ANNE)
    with pytest.raises(SaveError, match="'z9' is not a move"):
        store.add(replace(PEOPLE, moves=(Move("z9"),)), ANNE)
    assert store.count(ANNE) == 0


def test_removing(store):
    one, two = store.add(PEOPLE, ANNE), store.add(PEOPLE, ANNE)
    store.remove(one.id)
    with pytest.raises(NoSuchGame):
        store.get(one.id)
    assert [each.id for each in store.mine(ANNE)] == [two.id]


@pytest.mark.slow
def test_a_long_game(store):
    game = plywise.game("tictactoe:rows=19,cols=19,k=19")
    position, rng = game.start(), random.Random(1)
    while not position.over and len(position.moves) < 361:
        position = position.play_code(rng.choice(position.legal_codes))
    moves = tuple(Move(text, note="ü" * 500) for text in position.moves)
    record = GameRecord(
        game.spec, ("human", "human"), moves=moves, result=Result.on_board(position)
    )
    kept = store.add(record, ANNE)
    assert len(moves) > 300
    assert store.get(kept.id).record == record
    assert store.save(kept.id, replace(record, seed=3), 1) == 2


# ---- several at once -------------------------------------------------------------------------


def test_a_version_that_is_no_longer_there(store):
    kept = store.add(PEOPLE, ANNE)
    first = replace(PEOPLE, moves=(Move("a1"),))
    assert store.save(kept.id, first, 1) == 2
    with pytest.raises(StoreConflict, match="it is at version 2, not 1; load it again"):
        store.save(kept.id, replace(PEOPLE, moves=(Move("b2"),)), 1)
    with pytest.raises(StoreConflict):
        store.save(kept.id, PEOPLE, 3)
    assert store.get(kept.id).record == first


def test_of_two_writers_one_wins_each_round(store, url):
    kept, other = store.add(PEOPLE, ANNE), Store(url)
    for version in range(1, 21):

        def write(number, version=version):
            record = replace(PEOPLE, seed=version, notes=(f"by {number}",))
            try:
                return (store, other)[number].save(kept.id, record, version)
            except StoreConflict:
                return None

        answers = at_once(write, 2)
        winner = answers.index(version + 1)
        assert answers[1 - winner] is None
        now = store.get(kept.id)
        assert (now.version, now.record.notes) == (version + 1, (f"by {winner}",))
    other.close()


def test_many_threads_write_their_games(store):
    games = [store.add(PEOPLE, f"client {number}") for number in range(24)]

    def write(number):
        version = 1
        for seed in range(5):
            version = store.save(games[number].id, replace(PEOPLE, seed=seed), version)
        return version

    assert at_once(write, 24) == [6] * 24
    assert all(store.get(game.id).record.seed == 4 for game in games)


def test_a_seat_is_taken_once(store):
    for _ in range(5):
        kept = store.add(PEOPLE, ANNE, (ANNE, None))
        answers = at_once(
            lambda number, id=kept.id: store.seat(id, 2, f"client {number}"), threads=8
        )
        assert answers.count(True) == 1
        assert store.get(kept.id).seats == (ANNE, f"client {answers.index(True)}")
    assert store.get(kept.id).version == 1  # the game itself has not changed


def test_seats(store):
    kept = store.add(replace(PEOPLE, players=("human", "random")), ANNE)
    assert store.seat(kept.id, 1, ANNE)
    assert store.seat(kept.id, 1, ANNE)  # asked again, as after a lost answer
    assert not store.seat(kept.id, 1, BOB)
    assert not store.seat(kept.id, 2, BOB)  # an agent sits there
    assert store.get(kept.id).seats == (ANNE, None)
    with pytest.raises(StoreError, match="there is no seat 3: seats are 1 and 2"):
        store.seat(kept.id, 3, BOB)


def test_opening_an_empty_database_by_many_at_once(url):
    stores = at_once(lambda _: Store(url), 6)
    ids = [store.add(PEOPLE, ANNE).id for store in stores]
    assert {each.id for each in stores[0].mine(ANNE)} == set(ids)
    for store in stores:
        store.close()


class Locked:
    """A cursor of a database that others hold for a while."""

    def __init__(self, times: int, why: str = "database is locked") -> None:
        self.times, self.why = times, why

    def execute(self, _: str) -> None:
        self.times -= 1
        if self.times >= 0:
            raise sqlite3.OperationalError(self.why)


def test_others_who_open_it_first_are_waited_for(monkeypatch):
    cursor = Locked(3)
    store_module._write_ahead(cursor)
    assert cursor.times == -1
    monkeypatch.setattr(store_module, "PATIENCE", 0.02)
    with pytest.raises(sqlite3.OperationalError):
        store_module._write_ahead(Locked(10**6))


def test_only_others_are_waited_for():
    cursor = Locked(2, "attempt to write a readonly database")
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        store_module._write_ahead(cursor)
    assert cursor.times == 1


WRITER = """
    import sys
    from plywise.play.records.game_record import GameRecord
    from plywise.play.session import Session
    from plywise.play.records.store import Store

    store = Store(sys.argv[1])
    kept = store.add(GameRecord("tictactoe:rows=19,cols=19,k=19", ("human", "human")), "anne")
    version = kept.version

    def keep(record):
        global version
        version = store.save(kept.id, record, version)

    print(kept.id, flush=True)
    session = Session(kept.record, keep=keep)
    while session.result is None:
        session.play(session.position.legal[0])
        print(session.position.moves[-1], flush=True)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL")
@pytest.mark.parametrize("times", [1, pytest.param(4, marks=pytest.mark.long)])
def test_a_kill_at_any_moment_loses_nothing_that_was_confirmed(url, times):
    rng = random.Random(3)
    for _ in range(times):
        writer = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), url], stdout=subprocess.PIPE, text=True
        )
        confirmed = [writer.stdout.readline().strip() for _ in range(rng.randrange(2, 60))]
        writer.send_signal(signal.SIGKILL)
        id, *moves = confirmed + [line.strip() for line in writer.stdout if line.endswith("\n")]
        writer.wait()
        store = Store(url)
        kept = store.get(id)
        texts = [move.text for move in kept.record.moves]
        assert len(moves) >= 1
        assert texts[: len(moves)] == moves
        assert len(texts) <= len(moves) + 1  # one may have been on its way
        assert kept.version == len(texts) + 1
        store.save(id, kept.record, kept.version)  # and it can be gone on with
        store.close()


# ---- lists -----------------------------------------------------------------------------------


def test_my_games_newest_first(store):
    one = store.add(PEOPLE, ANNE, (ANNE, None))
    two = store.add(PEOPLE, BOB, (None, ANNE))
    three = store.add(PEOPLE, BOB, (BOB, None))
    four = store.add(PEOPLE, ANNE)
    assert [each.id for each in store.mine(ANNE)] == [four.id, two.id, one.id]
    assert [each.id for each in store.mine(BOB)] == [three.id, two.id]
    store.save(one.id, replace(PEOPLE, moves=(Move("a1"),)), 1)
    newest = store.mine(ANNE, limit=1)
    assert [(each.id, each.moves, each.version) for each in newest] == [(one.id, 1, 2)]
    assert store.mine("nobody") == []


def test_counting(store):
    over = replace(PEOPLE, result=Result(2, "resigned", "player 1 resigned"))
    ids = [store.add(PEOPLE, ANNE).id for _ in range(3)]
    store.add(PEOPLE, BOB, (ANNE, None))
    store.save(ids[0], over, 1)
    assert store.count(ANNE) == 2
    assert store.count("nobody") == 0


@pytest.mark.slow
def test_a_thousand_games(store):
    clients = [f"client {number}" for number in range(10)]
    for number in range(1000):
        store.add(PEOPLE, clients[number % 10], (clients[number % 10], clients[number * 7 % 10]))
    for client in clients:
        mine = store.mine(client)
        assert len(mine) == 50
        assert all(client in (each.owner, *each.seats) for each in mine)
        assert [each.updated for each in mine] == sorted((e.updated for e in mine), reverse=True)
        assert store.count(client) == 100
        everything = store.mine(client, limit=10_000)
        assert len({each.id for each in everything}) == len(everything) >= 100


# ---- opening ---------------------------------------------------------------------------------


def test_what_was_kept_is_there_when_opened_again(url):
    one = Store(url)
    kept = one.add(PEOPLE, ANNE)
    one.close()
    two = Store(url)
    assert two.get(kept.id) == kept
    two.close()


def test_the_usual_place_is_private(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "data"))
    store = Store()
    store.add(PEOPLE, ANNE)
    file = tmp_path / "data" / "games.db"
    assert store.name == str(file)
    if os.name == "posix":
        for each in file.parent.iterdir():  # also what SQLite keeps beside it
            assert each.stat().st_mode & 0o077 == 0, each
    store.close()
    with sqlite3.connect(file) as database:
        assert database.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    database.close()


def test_a_usual_place_that_cannot_be_written(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path / "file"))
    with pytest.raises(StoreError, match=r"file cannot be written: [^\n]+$"):
        Store()


@pytest.mark.parametrize(
    ("url", "complaint"),
    [
        ("", "invalid database URL: write sqlite:///FILE or "),
        ("games.db", "invalid database URL: write "),
        ("postgresql://me:s3cret@host:port/name", "invalid database URL"),
        ("mysql://me:s3cret@host/name", "'mysql' is not a supported database: write "),
        ("sqlite://", "an in-memory database would lose all games: write sqlite:///FILE"),
        ("sqlite:///:memory:", "an in-memory database would lose all games"),
        ("sqlite:////nowhere/at/games.db", "the database /nowhere/at/games.db failed: "),
        (
            "postgresql://me:s3cret@127.0.0.1:1/name",
            "the database postgresql://127.0.0.1:1/name failed: ",
        ),
        (
            "postgres://127.0.0.1:1/name?password=s3cret&user=me",
            "the database postgresql://127.0.0.1:1/name failed: ",
        ),
        (
            "postgresql://me:s3cret@host/name?s3cret=1",
            "the database postgresql://host/name failed: ",
        ),
    ],
)  # fmt: skip
def test_addresses_that_will_not_do(url, complaint):
    with pytest.raises(StoreError) as caught:
        Store(url)
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_password_is_not_told_when_it_is_wrong(postgres):
    url = postgres().replace("postgres@", "nobody:s3cret@")
    with pytest.raises(StoreError, match="nobody") as caught:
        Store(url)
    assert "s3cret" not in str(caught.value)


def test_a_driver_that_is_missing(monkeypatch):
    for name in [each for each in sys.modules if each.split(".")[0] == "psycopg"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match="PostgreSQL needs psycopg: run `pip"):
        Store("postgresql://localhost/name")


def test_a_file_that_is_no_database(tmp_path):
    file = tmp_path / "games.db"
    file.write_text("plywise game 1\n" * 100)
    with pytest.raises(StoreError, match=r"games.db failed: file is not a database$"):
        Store(f"sqlite:///{file}")


def test_failures_tell_nothing_of_what_was_written(tmp_path):
    file = tmp_path / "games.db"
    store = Store(f"sqlite:///{file}")
    with sqlite3.connect(file) as database:
        database.execute("DROP TABLE plywise_games")
    database.close()
    with pytest.raises(StoreError, match=r"failed: no such table: plywise_games$"):
        store.add(PEOPLE, ANNE)
    store.close()
