"""What one store writes, another one on the same database hears of."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plywise.play.records import changes
from plywise.play.records.backup import back_up, restore
from plywise.play.records.changes import Changes, Ids
from plywise.play.records.game_record import GameRecord, Move
from plywise.play.records.servers import GameStatus, ping, statuses
from plywise.play.records.store import Store, StoreError
from tests.postgres import Cluster, cluster, postgres  # noqa: F401
from tests.web.steps import HOURS, PATIENCE, threads_of

PEOPLE = GameRecord("tictactoe", ("human", "human"))
MOVED = GameRecord("tictactoe", ("human", "human"), moves=(Move("b2"),))


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    make: Callable[[], str] = request.getfixturevalue("postgres")
    return make()


@pytest.fixture
def stores(url: str) -> Iterator[tuple[Store, Store]]:
    here, there = Store(url), Store(url)
    yield here, there
    here.close()
    there.close()


@contextmanager
def listening(store: Store) -> Iterator[queue.Queue[Ids]]:
    """What a store hears, from when it listens."""
    heard: queue.Queue[Ids] = queue.Queue()
    listener = Changes(store, heard.put)
    listener.start()
    try:
        assert heard.get(timeout=PATIENCE) is None  # at first anything may have changed
        yield heard
    finally:
        listener.close()
    assert threads_of("plywise-changes") == 0


@pytest.mark.slow
def test_every_kind_of_change_is_heard(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "QUIET", HOURS)
    here, there = stores
    id = there.add(PEOPLE, "anne", ("anne", None)).id
    with listening(here) as heard:
        for change in (
            lambda: there.save(id, MOVED, 1),
            lambda: there.seat(id, 2, "bob"),
            lambda: there.remove(id),
        ):
            change()
            ids = heard.get(timeout=PATIENCE)
            assert ids is None or ids == {id}


def test_a_restore_is_heard(
    stores: tuple[Store, Store], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "QUIET", HOURS)
    here, there = stores
    there.add(PEOPLE, "anne")
    back_up(there, tmp_path / "backup")
    with listening(here) as heard:
        restore(tmp_path / "backup", there, force=True)
        assert heard.get(timeout=PATIENCE) is None  # any game may be another one


def test_postgresql_says_which_game_and_not_to_whoever_changed_it(
    postgres: Callable[[], str],  # noqa: F811
) -> None:
    url = postgres()
    here, there = Store(url), Store(url)
    one, two = (here.add(PEOPLE, "anne").id for _ in range(2))
    with listening(here) as heard:
        here.save(one, MOVED, 1)
        there.save(two, MOVED, 1)
        assert heard.get(timeout=PATIENCE) == {two}
    here.close()
    there.close()


def test_what_is_not_committed_is_not_told(postgres: Callable[[], str]) -> None:  # noqa: F811
    url = postgres()
    here, there = Store(url), Store(url)
    id = here.add(PEOPLE, "anne").id
    with listening(here) as heard:
        with there._engine.connect() as database:
            there.announce(database, "never")
            database.rollback()
        there.save(id, MOVED, 1)
        assert heard.get(timeout=PATIENCE) == {id}
    here.close()
    there.close()


@pytest.mark.slow
def test_after_a_restart_of_the_database_anything_may_have_changed(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(changes, "LATEST", 0.2)
    with cluster() as database:
        restarted(database)
    (said,) = caplog.records  # one line, and no traceback of the connection that was lost
    assert said.getMessage().startswith("changes of other servers are not heard: the database")
    assert said.exc_info is None


def restarted(database: Cluster) -> None:
    url = database.database("games")
    here, there = Store(url), Store(url)
    id = there.add(PEOPLE, "anne").id
    with listening(here) as heard:
        database.stop()
        with pytest.raises(StoreError):
            ping(here)
        database.start()
        assert heard.get(timeout=PATIENCE) is None
        there.save(id, MOVED, 1)
        assert heard.get(timeout=PATIENCE) == {id}
    here.close()
    there.close()


def test_a_connection_that_is_quiet_is_asked_whether_it_is_there(
    postgres: Callable[[], str],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(changes, "QUIET", 0.01)
    store = Store(postgres())
    with listening(store) as heard:
        assert heard.get(timeout=PATIENCE) is None
    store.close()


def test_how_games_stand(stores: tuple[Store, Store]) -> None:
    here, there = stores
    one, two, gone = (there.add(PEOPLE, "anne", ("anne", None)).id for _ in range(3))
    there.save(one, MOVED, 1)
    there.seat(two, 2, "bob")
    there.remove(gone)
    assert statuses(here, [one, two, gone]) == {
        one: GameStatus(2, ("anne", None)),
        two: GameStatus(1, ("anne", "bob")),
    }
    assert statuses(here, []) == {}
    ping(here)
