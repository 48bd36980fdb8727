"""Clocks and restarts: they stand still while no server runs, and at no other time."""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest
from sqlalchemy.engine import Connection

from plywise.play.records.backup import back_up, restore
from plywise.play.records.changes import Changes, anybody_up
from plywise.play.records.game_record import GameRecord, Move, Result, TimeControl
from plywise.play.records.servers import SILENCE, resume, sign_of_life
from plywise.play.records.store import Store
from plywise.play.session import Session
from tests.play.records.databases import garble, run_sql
from tests.web.steps import PATIENCE

NEW = GameRecord("tictactoe", ("human", "human"), time=TimeControl(total=300.0))
TIMED = replace(NEW, moves=(Move("a1", 0.0),))  # the clock starts with the first move
SEATS = "anne", "bob"
START = 1_700_000_000.0


class Clock:
    """The time that the store is told."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr("time.time", clock)
    return clock


@pytest.fixture
def store(url: str, clock: Clock) -> Iterator[Store]:
    opened = Store(url)
    resume(opened)
    yield opened
    opened.close()


def elapsed(store: Store, id: str) -> float:
    return store.get(id).elapsed


def test_a_turn_goes_on_while_a_server_runs(store: Store, clock: Clock) -> None:
    id = store.add(TIMED, "anne", SEATS).id
    clock.now += 20
    assert elapsed(store, id) == 20
    store.save(id, replace(TIMED, notes=("so",)), 1)  # a note does not start a turn
    clock.now += 5
    assert elapsed(store, id) == 25
    store.save(id, replace(TIMED, moves=(*TIMED.moves, Move("b2", 25.0))), 2)
    assert elapsed(store, id) == 0
    clock.now += 3
    store.seat(id, 2, "bob")
    assert elapsed(store, id) == 3


def test_no_clock_runs_before_the_first_move_or_against_an_empty_seat(
    store: Store, clock: Clock
) -> None:
    id = store.add(NEW, "anne", ("anne", None)).id
    clock.now += 20
    assert store.get(id).turn_began is None
    store.save(id, TIMED, 1)
    clock.now += 20
    assert store.get(id).turn_began is None  # nobody is there whose clock could run
    store.seat(id, 2, "bob")
    clock.now += 7
    store.seat(id, 2, "bob")  # once more: nothing starts again
    assert elapsed(store, id) == 7
    store.save(id, NEW, 2)  # the first move is taken back
    assert store.get(id).turn_began is None
    without = store.add(replace(TIMED, time=None), "anne", ("anne", None)).id
    store.seat(without, 2, "bob")
    assert store.get(without).turn_began is None


def test_a_kill_gives_back_only_what_came_after_the_last_sign(store: Store, clock: Clock) -> None:
    id = store.add(TIMED, "anne", SEATS).id
    clock.now += 40
    sign_of_life(store)
    clock.now += 1.5  # killed here, and down for an hour
    clock.now += 3600
    resume(store)
    assert elapsed(store, id) == pytest.approx(40)
    clock.now += 7
    assert elapsed(store, id) == pytest.approx(47)
    sign_of_life(store)
    clock.now += 100_000
    resume(store)  # a second time in the same turn
    assert elapsed(store, id) == pytest.approx(47)


@contextmanager
def up(url: str) -> Iterator[None]:
    """A server that is up, and gives no sign of life meanwhile."""
    store, listens = Store(url), threading.Event()
    listener = Changes(store, lambda _: listens.set())
    listener.start()
    assert listens.wait(PATIENCE)
    yield
    listener.close()
    listener._thread.join(PATIENCE)  # `close` does not wait for ever
    store.close()


def test_a_second_server_gives_nothing_back(store: Store, clock: Clock, url: str) -> None:
    id = store.add(TIMED, "anne", SEATS).id
    clock.now += 40
    sign_of_life(store)
    with up(url):
        clock.now += 50  # nobody had a clock in memory
        with up(url):
            resume(store)
        resume(store)
        assert elapsed(store, id) == pytest.approx(90)
    resume(store)  # now it is the only one
    assert elapsed(store, id) == pytest.approx(40)


def test_a_server_that_has_been_silent_for_long_is_not_up(
    store: Store, clock: Clock, url: str
) -> None:
    id = store.add(TIMED, "anne", SEATS).id
    clock.now += 40
    sign_of_life(store)
    clock.now += SILENCE + 1
    with up(url):
        resume(store)
    assert elapsed(store, id) == pytest.approx(40)


def test_two_servers_that_start_at_once(
    store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = itertools.count()

    def asked_one_after_another(database: Connection) -> bool:
        sleep(0.1 * next(begun))  # the others have long read the last sign
        return anybody_up(database)

    monkeypatch.setattr("plywise.play.records.servers.anybody_up", asked_one_after_another)
    id = store.add(TIMED, "anne", SEATS).id
    clock.now += 40
    sign_of_life(store)
    clock.now += 100
    threads = [threading.Thread(target=resume, args=(store,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert elapsed(store, id) == pytest.approx(40)


@pytest.mark.skipif(os.name != "posix", reason="only POSIX files have modes")
def test_what_is_beside_a_database_belongs_to_its_user(tmp_path: Path) -> None:
    with up(f"sqlite:///{tmp_path / 'games.db'}"):
        modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes.keys() == {"games.db", "games.db-up", "games.db-wal", "games.db-shm"}
    assert set(modes.values()) == {0o600}


def test_a_restored_turn_goes_on_when_a_server_starts(
    store: Store, clock: Clock, tmp_path: Path
) -> None:
    id = store.add(TIMED, "anne", SEATS).id
    clock.now += 40
    back_up(store, tmp_path / "backup")
    new = Store(f"sqlite:///{tmp_path / 'new.db'}")
    restore(tmp_path / "backup", new)  # where no server has ever been
    clock.now += 1000
    resume(new)
    assert elapsed(new, id) == pytest.approx(40)
    new.close()


def test_a_turn_that_began_after_the_last_sign(store: Store, clock: Clock) -> None:
    id = store.add(TIMED, "anne", SEATS).id
    clock.now += 40
    sign_of_life(store)
    clock.now += 1
    store.save(id, replace(TIMED, moves=(*TIMED.moves, Move("b2", 41.0))), 1)
    clock.now += 3600
    resume(store)
    assert elapsed(store, id) == 0


def test_a_game_without_a_running_clock_has_no_turn(store: Store, clock: Clock) -> None:
    id = store.add(replace(TIMED, time=None), "anne").id
    over = replace(TIMED, result=Result(2, "resigned", "player 1 resigned"))
    other = store.add(TIMED, "anne", SEATS).id
    store.save(other, over, 1)
    clock.now += 50
    resume(store)
    assert [store.get(each).turn_began for each in (id, other)] == [None, None]
    store.save(other, TIMED, 2)  # the resignation is taken back
    clock.now += 4
    assert elapsed(store, other) == 4


def test_a_server_of_a_time_before_signs(store: Store, clock: Clock, url: str) -> None:
    id = store.add(TIMED, "anne", SEATS).id
    clock.now += 40
    run_sql(url, "DELETE FROM plywise_alive")
    resume(store)
    assert elapsed(store, id) == 0  # nobody knows better
    assert run_sql(url, "SELECT seen FROM plywise_alive") == [(clock.now,)]


def test_a_damaged_sign(tmp_path, clock: Clock) -> None:  # type: ignore[no-untyped-def]
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    resume(store)
    id = store.add(TIMED, "anne", SEATS).id
    garble(tmp_path / "games.db", "seen", "nonsense", "plywise_alive")
    garble(tmp_path / "games.db", "turn_began", "nonsense")
    clock.now += 40
    resume(store)
    assert elapsed(store, id) == 0
    store.close()


def test_a_session_goes_on_where_the_turn_was() -> None:
    now = 1000.0
    session = Session(TIMED, now=lambda: now, elapsed=100.0)
    assert session.clocks == (300.0, 200.0)
    now += 50
    session.play("b2")
    assert session.record.moves[1].seconds == 150.0
    assert session.clocks == (300.0, 150.0)
    session.close()


def test_a_session_whose_time_ran_out_while_it_was_closed() -> None:
    session = Session(TIMED, elapsed=301.0)
    assert session.flag()
    assert session.result is not None
    assert session.result.how == "time"
    session.close()


def test_an_agent_thinks_again_from_the_beginning() -> None:
    session = Session(replace(TIMED, players=("human", "random")), now=lambda: 5.0, elapsed=299.0)
    assert session.clocks == (300.0, 300.0)
    session.close()
