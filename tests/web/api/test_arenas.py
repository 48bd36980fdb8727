"""Tournaments in the web app: only those that were named, and always as they are in the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from plywise.arena.games import live_folder, play
from plywise.arena.standings import Watched
from plywise.arena.tournament import Tournament
from plywise.core.workers import Workers
from plywise.errors import SpecError
from plywise.play.records.store import Store
from plywise.web.api import arenas
from plywise.web.app import create_app
from plywise.web.settings import Settings
from tests.arena.test_tournaments import plan_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "arena.sqlite"


@pytest.fixture
def client(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.setattr(arenas, "GAMES", 3)
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    settings = replace(Settings(), arenas=(file,), warm_up=False)
    with TestClient(create_app(settings, store), base_url="http://127.0.0.1") as client:
        yield client
    store.close()


def test_a_page_follows_a_tournament_game_by_game(client: TestClient, file: Path) -> None:
    assert client.get("/api/arena").json() == {"tournaments": [{"number": 0, "title": "arena"}]}
    assert client.get("/api/arena/0").json() == {"version": ""}
    tournament = Tournament(plan_of("random", "textbook:depth=2", games=4), file)
    seen = []

    def look(_: object) -> None:
        known = seen[-1]["version"] if seen else ""
        seen.append(client.get(f"/api/arena/0?known={known}").json())

    tournament.run(Workers(play), look)
    tournament.close()
    assert [each["games"].count("/board?game=tictactoe") for each in seen] == [1, 2, 3, 3]
    assert [each["facts"].partition(" ")[0] for each in seen] == ["1", "2", "3", "4"]
    last = seen[-1]
    assert client.get(f"/api/arena/0?known={last['version']}").json() == {
        "version": last["version"],
        "now": [],
    }
    assert "textbook:depth=2" in last["standings"]
    assert client.get("/api/arena").json()["tournaments"][0]["title"] == "arena: tictactoe"


def test_games_that_are_being_played_are_drawn(client: TestClient, file: Path) -> None:
    tournament = Tournament(plan_of("random", "textbook:depth=2"), file)
    folder = live_folder(file)
    folder.mkdir()
    games = {
        "1": '["one", "two", ["a1", "b2"]]',
        "2": '["one", "two", ["a1", "a1"]]',
        "3": "nonsense",
        "4": '["<b>", "two"]',
    }
    for name, text in games.items():
        (folder / f"{name}.json").write_text(text)
    version = client.get("/api/arena/0").json()["version"]
    (now,) = client.get(f"/api/arena/0?known={version}").json()["now"]
    assert (now["first"], now["second"], now["moves"]) == ("one", "two", 2)
    assert now["board"] == "/board?game=tictactoe&moves=a1+b2"
    assert sum("stone" in str(shape) for shape in now["scene"]["shapes"]) >= 2
    tournament.close()
    assert client.get(f"/api/arena/0?known={version}").json()["now"] == []


def test_only_files_that_were_named_are_read(client: TestClient, tmp_path: Path) -> None:
    other = Tournament(plan_of(), tmp_path / "other.sqlite")
    other.close()
    for path in ("1", "-1", "other.sqlite", "..%2Fother.sqlite"):
        assert client.get(f"/api/arena/{path}").status_code in (404, 422), path
    assert '<a href="/arena">' in client.get("/").text


def test_what_is_not_a_tournament_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("nonsense" * 100)
    for file, problem in (
        (tmp_path / "notes.txt", "cannot be used"),
        (tmp_path, "is a folder"),
        (tmp_path / "none" / "arena.sqlite", "is not a folder"),
    ):
        with pytest.raises(SpecError, match=problem):
            Watched(file)
