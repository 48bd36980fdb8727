"""Two servers on one database: what happens at one shows at the other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from plywise.play.records import changes
from plywise.play.records.backup import back_up, restore
from plywise.play.records.changes import anybody_up
from plywise.play.records.game_record import GameRecord
from plywise.play.records.servers import come
from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.live import open_game, room
from plywise.web.settings import Settings
from tests.postgres import postgres  # noqa: F401
from tests.serving import serving
from tests.web.conftest import ADDRESS, LIVE
from tests.web.servers.crossing import cross
from tests.web.steps import (
    ENDLESS,
    HOURS,
    Json,
    command,
    do,
    look,
    my_turn,
    new_game,
    rematch,
    until,
)

SETTINGS = Settings(warm_up=False, workers=2)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'games.db'}"
    make: Callable[[], str] = request.getfixturevalue("postgres")
    return make()


@contextmanager
def two_apps(url: str, settings: Settings = SETTINGS) -> Iterator[list[TestClient]]:
    """A browser at each of two servers in this process."""
    with ExitStack() as stack:
        clients = []
        for _ in range(2):
            store = Store(url)
            stack.callback(store.close)
            app = create_app(settings, store)
            clients.append(stack.enter_context(TestClient(app, base_url=ADDRESS)))
        yield clients


def same_browser(here: TestClient, there: TestClient) -> None:
    """Give the second client the cookie of the first."""
    there.cookies.set("plywise", here.cookies["plywise"])


def room_of(client: TestClient, id: str) -> Any:
    app = client.app
    assert isinstance(app, FastAPI)
    return app.state.rooms._rooms[id]


@pytest.mark.slow
def test_a_move_a_note_and_a_seat_are_seen_at_the_other_server(url: str) -> None:
    with two_apps(url) as (here, there):
        id = new_game(here, second="human", seats="invite")["id"]
        assert look(there, id)["seat_free"] == 2  # from now on it is open at both
        do(there, id, "seat")
        until(lambda: look(here, id)["seat_free"] is None, "the seat")
        do(here, id, "move", move="b2")
        until(lambda: look(there, id)["can"]["move"], "the move")
        do(there, id, "move", move="a1")
        until(lambda: len(look(here, id)["moves"]) == 2, "the second move")
        do(here, id, "note", text="well", at=1)
        until(lambda: look(there, id)["moves"][0]["note"] == "well", "the note")


def test_who_watches_is_told(url: str) -> None:
    with two_apps(url) as (here, there):
        id = new_game(here, second="human")["id"]
        with there.websocket_connect(f"{LIVE}?game={id}") as socket:

            def shows(holds: Callable[[Json], Any]) -> None:
                while True:
                    frame = json.loads(socket.receive_text())
                    if frame["type"] == "game" and holds(frame["game"]):
                        return

            shows(lambda game: game["moves"] == [])
            do(here, id, "move", move="b2")
            shows(lambda game: len(game["moves"]) == 1)
            assert here.delete(f"/api/games/{id}").status_code == 204
            until(lambda: there.get(f"/api/games/{id}").status_code == 404, "the end")
            with pytest.raises(WebSocketDisconnect) as left:
                shows(lambda game: False)
            assert left.value.code == 4404


def test_a_running_server_shows_what_was_restored(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "QUIET", HOURS)
    store, file = Store(url), tmp_path / "games.backup"
    with two_apps(url) as (here, there):
        id, other = (new_game(here, second="human")["id"] for _ in range(2))
        do(here, id, "move", move="b2")
        back_up(store, file)
        assert here.delete(f"/api/games/{other}").status_code == 204
        late = new_game(here, second="human")["id"]
        do(here, id, "move", move="a1")
        for client in (here, there):
            assert len(look(client, id)["moves"]) == 2
            look(client, late)
        restore(file, store, force=True)
        for client in (here, there):
            until(lambda c=client: len(look(c, id)["moves"]) == 1, "the old game")  # type: ignore[misc]
            until(
                lambda c=client: c.get(f"/api/games/{late}").status_code == 404,  # type: ignore[misc]
                "the end of a game that was not in the backup",
            )
            assert look(client, other)["moves"] == []
        listed = {game["id"]: game["moves"] for game in here.get("/api/games").json()["games"]}
        assert listed == {id: 1, other: 0}
        do(here, id, "move", move="c3")
        until(lambda: len(look(there, id)["moves"]) == 2, "the next move")
    store.close()


def test_a_server_is_up_from_its_start_to_its_end(url: str) -> None:
    store = Store(url)

    def is_up() -> bool:
        with store.writing() as database:
            return anybody_up(database)

    for _ in range(2):
        with two_apps(url):
            until(is_up, "a server")
        until(lambda: not is_up(), "its end")
    store.close()


def test_a_change_while_a_room_is_loaded_is_not_missed(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    get = Store.get

    with two_apps(url) as (here, there):
        id = new_game(here, second="human")["id"]
        store = there.app.state.store  # type: ignore[attr-defined]

        def slow(self: Store, asked: str) -> Any:
            found = get(self, asked)
            if self is store and found.version == 1:
                do(here, id, "move", move="b2")  # after it was read, before the room is there
            return found

        monkeypatch.setattr(Store, "get", slow)
        until(lambda: len(look(there, id)["moves"]) == 1, "the move")


def test_the_engine_thinks_where_the_player_is(url: str) -> None:
    settings = replace(SETTINGS, move_seconds=HOURS, absent_seconds=HOURS)
    with two_apps(url, settings) as (here, there):
        id = new_game(here, game="connect4:rows=7,cols=8", second=ENDLESS)["id"]
        with there.websocket_connect(f"{LIVE}?game={id}"):
            do(here, id, "move", move="4")
            until(lambda: look(there, id)["thinking"], "the move")
            until(lambda: room_of(here, id)._engine, "the engine")
            assert room_of(there, id)._engine is None
            same_browser(here, there)  # the player goes to the other server
            assert look(there, id)["you"] == [1]
            until(lambda: room_of(there, id)._engine, "the engine at the other server")
            until(lambda: command(there, id, "hurry")[0].get("ok"), "the engine")
            first = room_of(here, id)
            until(lambda: len(first.snapshot.record.moves) == 2, "the move of the engine")
            until(lambda: first._engine is None, "the end of the other search")
            do(there, id, "move", move="4")
            until(lambda: len(first.snapshot.record.moves) == 3, "the next move")
            until(lambda: room_of(there, id)._engine, "the engine at the other server")
            assert first._engine is None


def test_a_server_that_only_watches_takes_over_in_the_end(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "ELSEWHERE", 0.05)
    store = Store(url)
    begins = GameRecord("tictactoe", ("auto:level=1", "human"))
    id = store.add(begins, "anne", (None, "anne")).id
    with two_apps(url, replace(SETTINGS, move_seconds=0.05)) as (stranger, _):
        assert look(stranger, id)["you"] == []
        until(lambda: len(look(stranger, id)["moves"]) == 1, "the move of the engine")
    store.close()


def test_clocks_agree(url: str) -> None:
    with two_apps(url) as (here, there):
        id = new_game(here, second="human", clock="1000", moves=["a1", "a2"])["id"]
        look(there, id)
        room_of(there, id).session._since -= 500  # it has been this player's turn for long
        do(here, id, "note", text="a long think", at=0)
        until(lambda: look(there, id)["notes"], "the note")
        assert look(there, id)["clocks"][0] < 501  # and still is
        do(here, id, "move", move="b2")
        until(lambda: len(look(there, id)["moves"]) == 3, "the move")
        mine, theirs = look(here, id)["clocks"], look(there, id)["clocks"]
        assert mine[0] == theirs[0] > 501  # as the server said where the move was played


def test_engines_that_move_at_once_do_no_harm(url: str) -> None:
    with two_apps(url) as (here, there):
        id = new_game(here)["id"]
        same_browser(here, there)
        with (
            here.websocket_connect(f"{LIVE}?game={id}"),
            there.websocket_connect(f"{LIVE}?game={id}"),
        ):
            clients = [here, there]
            while (game := my_turn(clients[0], id))["result"] is None:
                # The other server may be a little behind: then it says so.
                command(clients[0], id, "move", move=game["position"]["legal"][0])
                clients.reverse()
            until(lambda: look(clients[1], id)["result"], "the result")
            assert look(here, id)["moves"] == look(there, id)["moves"]


@pytest.mark.slow
@pytest.mark.parametrize("games", [4])
def test_games_across_two_servers(url: str, games: int) -> None:
    with serving("--db", url, warm=False) as one, serving("--db", url, warm=False) as two:
        found = asyncio.run(cross([one, two], games, at_once=4))
        assert found.faults == []
        assert found.games == games
        assert found.moves > 2 * games
        assert one.said + two.said == ""


# ---- two people, each at a server of their own -------------------------------------------------


def test_offers_names_and_a_rematch_cross(url: str) -> None:
    with two_apps(url) as (here, there):
        id = new_game(here, second="human", seats="invite", name="Ann", clock="300 + 2")["id"]
        do(here, id, "move", move="b2")
        assert look(there, id)["players"][0]["name"] == "Ann"
        do(there, id, "seat", name="Bob")
        until(lambda: look(here, id)["players"][1]["name"] == "Bob", "the name")
        assert look(here, id)["clock_runs"]
        do(here, id, "offer", kind="takeback")
        until(lambda: look(there, id)["can"]["answer"], "the offer")
        do(there, id, "answer", accept=True)
        until(lambda: look(here, id)["moves"] == [], "the takeback")
        do(there, id, "offer", kind="draw")
        do(here, id, "offer", kind="draw")  # whichever server hears of the other first
        until(lambda: (look(there, id)["result"] or {}).get("how") == "agreed", "the draw")
        rematch(there, id)
        next_id = rematch(here, id)["next"]
        assert next_id is not None
        until(lambda: look(there, id)["next"] == next_id, "the rematch")
        assert (look(here, next_id)["you"], look(there, next_id)["you"]) == ([2], [1])


@pytest.mark.slow
def test_who_is_there_crosses(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_game, "LINGER", 0.01)
    with two_apps(url) as (here, there):
        id = new_game(here, second="human", seats="invite")["id"]
        do(there, id, "seat")

        def present() -> list[bool]:
            return [player["present"] for player in look(here, id)["players"]]

        until(lambda: present() == [False, False], "the end of that visit")
        with there.websocket_connect(f"{LIVE}?game={id}"):
            until(lambda: present() == [False, True], "the second player")
        until(lambda: present() == [False, False], "an empty room")


def test_a_server_that_was_killed_has_nobody(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.web.live.rooms.REFRESH", 0.05)
    monkeypatch.setattr("plywise.play.records.servers.LASTS", 1.0)
    store = Store(url)
    with two_apps(url) as (here, _):
        id = store.add(GameRecord("tictactoe", ("human", "human")), "a", ("a", "b")).id
        come(store, (id, 2))  # by a server that says nothing any more
        until(lambda: look(here, id)["players"][1]["present"], "the second player")
        until(lambda: not look(here, id)["players"][1]["present"], "the end of it")
    store.close()
