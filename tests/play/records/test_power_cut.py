"""A power cut at any moment of a SQLite store: what was confirmed is there when it is opened."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from plywise.play.records import store as store_module
from plywise.play.records.game_record import GameRecord, Move
from plywise.play.records.store import Store
from tests.play.records.power_cut import Event, after_a_cut, files_of, recorded

BOARD = "tictactoe:rows=9,cols=9,k=9"
ROUNDS = 12  #: moves of each game
CHECKPOINT = 8  #: pages in the log after which SQLite copies them, so that it does so many times
POINTS = [pytest.param(30, id="30"), pytest.param(1000, marks=pytest.mark.long, id="1000")]

Confirm = Callable[[str, int], None]
Write = Callable[[Store, str, GameRecord, int, Confirm], None]


@dataclass
class Story:
    """What was there before, what happened then, and the moves that were played."""

    before: dict[str, bytes]
    events: list[Event] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)


def write_and_confirm(
    store: Store, id: str, record: GameRecord, version: int, confirm: Confirm
) -> None:
    store.save(id, record, version)
    confirm(id, len(record.moves))


def confirm_too_early(
    store: Store, id: str, record: GameRecord, version: int, confirm: Confirm
) -> None:
    confirm(id, len(record.moves))
    store.save(id, record, version)


@pytest.fixture
def with_pragmas(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Change the settings of every connection that a store makes."""
    prepare = store_module._prepare

    def change(*pragmas: str) -> None:
        def prepare_so(connection: sqlite3.Connection, record: Any) -> None:
            prepare(connection, record)
            for pragma in pragmas:
                connection.execute(f"PRAGMA {pragma}")

        monkeypatch.setattr(store_module, "_prepare", prepare_so)

    change(f"wal_autocheckpoint = {CHECKPOINT}")
    return change


def play(file: Path, write: Write = write_and_confirm) -> Story:
    """Play two games in a store that is opened twice, and record what is written."""
    record = GameRecord(BOARD, ("human", "human"), notes=("x" * 2000,))  # several pages
    moves = [f"{column}{row}" for row in range(1, 10) for column in "abcdefghi"][: 2 * ROUNDS]
    story = Story(files_of(file), moves=moves)
    with recorded() as recording:

        def confirm(id: str, count: int) -> None:
            recording.note((id, count))

        versions: dict[str, int] = {}
        for part in (1, 2):
            store = Store(f"sqlite:///{file}")
            if part == 1:
                versions = {store.add(record, "anne").id: 1 for _ in range(2)}
                for id in versions:
                    confirm(id, 0)
            for _ in range(ROUNDS):
                for id, version in versions.items():
                    now = replace(record, moves=tuple(Move(text) for text in moves[:version]))
                    write(store, id, now, version, confirm)
                    versions[id] = version + 1
            store.close()
        story.events = recording.events
    return story


def check(story: Story, folder: Path, points: int) -> None:
    """Cut the power at that many random moments, and look at what is left."""
    for seed in range(points):
        rng = random.Random(seed)
        events = story.events[: rng.randrange(len(story.events) + 1)]
        place = folder / f"cut-{seed}"
        place.mkdir()
        for name, data in after_a_cut(story.before, events, rng).items():
            (place / name).write_bytes(data)
        confirmed = dict(event.note for event in events if event.kind == "note")
        store = Store(f"sqlite:///{place / 'games.db'}")
        for id, count in confirmed.items():
            found = [move.text for move in store.get(id).record.moves]
            assert len(found) in (count, count + 1), f"cut {seed}: {len(found)} of {count} moves"
            assert found == story.moves[: len(found)]
        listed = {each.id for each in store.mine("anne", 10)}
        assert listed >= confirmed.keys()
        kept = store.add(GameRecord("tictactoe", ("human", "human")), "bob")  # it can be used
        assert store.get(kept.id) == kept
        store.close()
        shutil.rmtree(place)


@pytest.mark.slow
@pytest.mark.parametrize("points", POINTS)
@pytest.mark.usefixtures("with_pragmas")
def test_a_power_cut_loses_nothing_that_was_confirmed(tmp_path: Path, points: int) -> None:
    story = play(tmp_path / "games.db")
    kinds = [event.kind for event in story.events]
    assert kinds.count("sync") > 4 * ROUNDS  # every move is waited for
    assert {event.file for event in story.events} >= {"games.db", "games.db-wal"}
    check(story, tmp_path, points)


@pytest.mark.slow
def test_a_disk_that_nobody_waits_for_would_be_noticed(
    tmp_path: Path, with_pragmas: Callable[..., None]
) -> None:
    with_pragmas("synchronous = OFF", f"wal_autocheckpoint = {CHECKPOINT}")
    story = play(tmp_path / "games.db")
    with pytest.raises(Exception, match=r"moves|there is no game|failed|damaged"):
        check(story, tmp_path, 30)


@pytest.mark.slow
@pytest.mark.usefixtures("with_pragmas")
def test_a_move_that_is_confirmed_before_it_is_written_would_be_noticed(tmp_path: Path) -> None:
    story = play(tmp_path / "games.db", confirm_too_early)
    with pytest.raises(AssertionError, match=r"cut [0-9]+: [0-9]+ of [0-9]+ moves"):
        check(story, tmp_path, 100)
