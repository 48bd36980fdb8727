"""Damaged rows: the other games are listed, and a damaged one is refused with one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from plywise.play.records.game_record import GameRecord, Move, TimeControl
from plywise.play.records.servers import key_of
from plywise.play.records.store import Damaged, NoSuchGame, Store, StoreError, log
from plywise.play.records.tables import games
from tests.play.records.databases import garble, loosen, run_sql

PEOPLE = GameRecord("tictactoe", ("human", "human"), time=TimeControl(total=60.0))
COLUMNS = [column.name for column in games.c]
#: What a record's text has as well, so that a game can do without these columns.
IN_TEXT = {"game", "first", "second", "moves", "result"}
GARBAGE = {
    "text": "s3cret",
    "nonsense": ":::=,s3cret,",
    "bytes": b"s3cret\xff\xfe",
    "nul": "s3cret\0s3cret",
    "number": -7.25,
    "nothing": None,
    "endless": float("inf"),
    "long": "s3cret" * 20_000,
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    opened = Store(f"sqlite:///{file}")
    yield opened
    opened.close()


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the store has logged."""
    said: list[str] = []
    monkeypatch.setattr(log, "warning", lambda form, *given: said.append(form % given))
    return said


def opened(store: Store, id: str) -> GameRecord | None:
    """The record of a game; None if it is refused, with one short line."""
    try:
        return store.get(id).record
    except (Damaged, NoSuchGame) as error:
        said = str(error)
    assert "\n" not in said
    assert len(said) < 300
    return None


@pytest.mark.parametrize("kind", GARBAGE)
def test_damaged_columns(store: Store, file: Path, kind: str, warned: list[str]) -> None:
    loosen(file, "plywise_games")
    sound = store.add(PEOPLE, "anne", ("anne", None))
    damaged = {column: store.add(PEOPLE, "anne", ("anne", None)).id for column in COLUMNS}
    for column, id in damaged.items():
        garble(file, column, GARBAGE[kind], where=f"id = '{id}'")
    for _ in range(3):
        listed = store.mine("anne")
    assert sound.id in {each.id for each in listed} <= {sound.id, *damaged.values()}
    assert store.get(sound.id) == sound
    assert len(warned) <= len(COLUMNS)  # one for each game, and not for each list
    assert "s3cret" not in " ".join(warned)
    for id in damaged.values():
        assert opened(store, id) in (PEOPLE, None)
    assert store.count("anne") > 1


@pytest.mark.parametrize("column", sorted(IN_TEXT))
def test_a_column_that_the_text_has_as_well(
    store: Store, file: Path, column: str, warned: list[str]
) -> None:
    kept = store.add(replace(PEOPLE, moves=(Move("b2"),)), "anne")
    garble(file, column, ":::=,")
    assert store.get(kept.id) == kept
    assert store.mine("anne") == [kept]
    assert f"{column} is not " in warned[0]
    store.save(kept.id, replace(PEOPLE, moves=(Move("b2"), Move("a1"))), 1)  # puts it right
    warned.clear()
    assert store.mine("anne")[0].moves == 2
    assert not warned


@pytest.mark.parametrize("column", ["version", "owner", "seat1", "created", "updated"])
def test_a_column_that_only_the_row_has(
    store: Store, file: Path, column: str, warned: list[str]
) -> None:
    kept = store.add(PEOPLE, "anne", ("bob", "anne"))
    garble(file, column, b"\xff\xfe")
    with pytest.raises(Damaged, match=rf"is damaged: {column} is not a "):
        store.get(kept.id)
    assert store.mine("anne") == []
    assert len(warned) == 1


def test_a_damaged_clock_starts_again(store: Store, file: Path) -> None:
    kept = store.add(PEOPLE, "anne")
    garble(file, "turn_began", "s3cret")
    assert store.get(kept.id) == replace(kept, turn_began=None)
    assert store.get(kept.id).elapsed == 0


def test_a_damaged_text(url: str) -> None:
    store = Store(url)
    kept = store.add(PEOPLE, "anne")
    for text in ("", "nonsense", "plywise game 1\nend\n", "end\n" * 10_000):
        run_sql(url, "UPDATE plywise_games SET text = :text", text=text)
        with pytest.raises(Damaged) as caught:
            store.get(kept.id)
        assert "\n" not in str(caught.value)
        assert [each.id for each in store.mine("anne")] == [kept.id]  # the row itself is sound
    store.remove(kept.id)
    store.close()


def test_a_damaged_number_in_postgresql(postgres: Callable[[], str]) -> None:
    url = postgres()
    store = Store(url)
    kept = store.add(PEOPLE, "anne")
    for value in ("NaN", "Infinity", "-1"):
        run_sql(url, f"UPDATE plywise_games SET updated = '{value}'")
        with pytest.raises(Damaged, match="updated is out of range"):
            store.get(kept.id)
        assert store.mine("anne") == []
    store.close()


@pytest.mark.parametrize("secret", ["nonsense", b"\xff", ""])
def test_a_damaged_key(store: Store, file: Path, secret: object) -> None:
    key_of(store)
    garble(file, "secret", secret, "plywise_keys")
    with pytest.raises(StoreError, match="has a damaged key 'clients' in plywise_keys: restore a "):
        key_of(store)
