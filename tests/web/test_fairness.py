"""One address cannot use up what others need, and a search ends when its client goes."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from websockets.sync.client import connect

from plywise import puzzles
from plywise.core.analysis import Cancelled, Stop, cancellable, check_cancelled
from plywise.play import puzzle_help
from plywise.play.records.store import Store
from plywise.puzzles.slither import generator
from plywise.web.analysis.fair_threads import FairThreads
from plywise.web.app import create_app
from plywise.web.errors import TooMany
from plywise.web.limits import Slots
from plywise.web.settings import SHARE, Settings
from tests.web.conftest import ADDRESS, LIVE
from tests.web.steps import ENDLESS as THINKS
from tests.web.steps import (
    HOURS,
    PATIENCE,
    ask,
    call,
    do,
    everything,
    listening,
    look,
    my_turn,
    new_game,
    refused,
    request,
    until,
    until_idle,
)

OTHER = "127.0.0.7"  #: another address of this machine
OPEN = {"game": "connect4:rows=7,cols=8", "moves": ["4", "4"]}  #: nothing solves this soon
ENDLESS = Settings(
    warm_up=False, answer_seconds=HOURS, review_seconds=HOURS, analysis_seconds=HOURS
)
HINT = request("POST", "/api/hint", json.dumps({"game": "tictactoe", "moves": "b2"}).encode())


def post(path: str, **asked: Any) -> bytes:
    return request("POST", path, json.dumps(asked).encode())


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Puzzles that take until the test is over."""
    over = threading.Event()

    def work(*_: object) -> None:
        while not over.wait(0.001):
            check_cancelled()

    for name in ("solve", "make", "check", "hint"):
        monkeypatch.setattr(puzzle_help, name, work)
    yield
    over.set()


@pytest.fixture
def app(store: Store) -> FastAPI:
    return create_app(ENDLESS, store)


@pytest.fixture
def port(app: FastAPI) -> Iterator[int]:
    with listening(app) as server:
        yield server.port


# ---- leaving -------------------------------------------------------------------------------------

BOARD = {"puzzle": "..2.0\n232.2\n21..3\n.12.3\n.2...", "states": "0" * 60}
SEARCHES = {
    "analysis": post("/api/analysis", **OPEN, time=HOURS),
    "hint": post("/api/hint", **OPEN, time=HOURS),
    "review": post("/api/review", **OPEN),
    "new puzzle": post("/api/puzzles/slither/new"),
    "solve": post("/api/puzzles/slither/solve", puzzle=BOARD["puzzle"]),
    "check": post("/api/puzzles/slither/check", **BOARD),
    "puzzle hint": post("/api/puzzles/slither/hint", **BOARD),
}


@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("kind", SEARCHES)
def test_a_request_ends_with_its_client(app: FastAPI, port: int, kind: str) -> None:
    line = call(port, SEARCHES[kind])
    until(lambda: app.state.searches.busy, "the search")
    line.close()
    until_idle(app)
    until(lambda: not app.state.searches._working._users, "the end of the thread")


@pytest.mark.parametrize("kind", ["analyse", "hint", "review"])
def test_a_search_ends_with_its_socket(app: FastAPI, port: int, kind: str) -> None:
    with connect(f"ws://127.0.0.1:{port}/api/live", open_timeout=PATIENCE) as line:
        line.send(json.dumps({"do": kind, "n": 1, **OPEN}))
        until(lambda: app.state.searches.busy, "the search")
    until_idle(app)


def test_a_game_is_made_even_if_its_client_goes(app: FastAPI, store: Store) -> None:
    """Nothing that was asked of a saved game is lost half way."""
    asked = post("/api/games", game="tictactoe", second="human")
    begun, go_on = threading.Event(), threading.Event()
    count = store.count

    def slow(*arguments: Any) -> Any:
        begun.set()
        assert go_on.wait(PATIENCE)
        return count(*arguments)

    store.count = slow  # type: ignore[method-assign]
    with listening(app) as server:
        line = call(server.port, asked)
        assert begun.wait(PATIENCE)
        line.close()
        until(lambda: not server.server_state.connections, "the end of the connection")
        go_on.set()
        until(lambda: not server.server_state.tasks, "the end of the request")
    assert _count(store) == 1


def _count(store: Store) -> int:
    with store.reading() as database:
        return int(database.exec_driver_sql("SELECT COUNT(*) FROM plywise_games").scalar() or 0)


def test_a_puzzle_can_be_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(*_: object) -> None:
        raise AssertionError("the puzzle was made to the end")

    monkeypatch.setattr(generator, "grade", late)
    stop = Stop()
    kind = puzzles.find("slither")
    puzzle, states = kind.read(kind.default)
    with cancellable(stop):
        assert puzzle_help.solve(kind, puzzle).status == "unique"
        stop.set()
        for work in (
            lambda: puzzle_help.solve(kind, puzzle),
            lambda: puzzle_help.check(kind, puzzle, states),
            lambda: puzzle_help.hint(kind, puzzle, states),
            lambda: puzzle_help.make(kind, {"rows": 7, "cols": 7}, 1, None),
        ):
            with pytest.raises(Cancelled):
                work()
    assert puzzle_help.solve(kind, puzzle).status == "unique"


def test_whoever_waits_when_the_server_stops_is_told(
    app: FastAPI, caplog: pytest.LogCaptureFixture
) -> None:
    with listening(app) as server:
        line = call(server.port, SEARCHES["analysis"])
        until(lambda: app.state.searches.busy, "the search")
        server.should_exit = True
        said = everything(line)
    assert said.startswith(b"HTTP/1.1 503 ")
    assert said.endswith(b'{"error":"the server is shutting down"}')
    assert "Traceback" not in caplog.text


def test_engines_move_with_what_they_have_when_everybody_has_gone(store: Store) -> None:
    app = create_app(Settings(warm_up=False, move_seconds=HOURS, absent_seconds=0.05), store)
    with TestClient(app, base_url=ADDRESS) as client:
        games = [  # more than there are threads
            new_game(client, game="connect4:rows=7,cols=8", first=THINKS, second="human")["id"]
            for _ in range(5)
        ]
        until(lambda: all(store.get(id).record.moves for id in games), "their moves")
        until_idle(app)


def test_an_engine_thinks_as_long_as_somebody_is_there(store: Store) -> None:
    app = create_app(Settings(warm_up=False, move_seconds=HOURS, absent_seconds=0.0), store)
    with TestClient(app, base_url=ADDRESS) as client:
        id = new_game(client, game="connect4:rows=7,cols=8", second=THINKS)["id"]
        with client.websocket_connect(f"{LIVE}?game={id}") as page:
            assert do(client, id, "move", move="4")["thinking"]
            for _ in range(20):  # others come and go
                assert look(client, id)["thinking"]
                time.sleep(0.02)
            page.send_json({"do": "hurry"})
        assert len(my_turn(client, id)["moves"]) == 2


# ---- sharing -------------------------------------------------------------------------------------


def test_slots_are_shared() -> None:
    slots = Slots(8, "cats")
    for address in ("a", "a", "b"):
        slots.enter(address)
    with pytest.raises(TooMany, match="too many cats from your address"):
        slots.enter("a")
    for address in ("b", "c", "c", "d", "d"):
        slots.enter(address)
    with pytest.raises(TooMany, match="too many cats on this server"):
        slots.enter("e")
    slots.leave("a")
    slots.enter("e")
    assert slots.total == 8


def test_threads_are_shared() -> None:
    async def work() -> None:
        threads, go_on = FairThreads(2, "test"), threading.Event()
        running: list[str] = []

        def wait(name: str) -> None:
            running.append(name)
            assert go_on.wait(PATIENCE)

        tasks = [
            asyncio.create_task(threads.run(lambda n=name: wait(n), name))
            for name in ["a"] * 20 + ["b"] * 2
        ]
        while len(running) < 4:
            await asyncio.sleep(0.01)
        assert sorted(running) == ["a", "a", "b", "b"]
        assert (threads.load("a"), threads.load("b")) == (20, 4)
        for task in tasks[:2]:  # one who hangs up does not get another thread for it
            task.cancel()
        await asyncio.sleep(0.05)
        assert sorted(running) == ["a", "a", "b", "b"]
        go_on.set()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert len(running) == 22
        threads.close()

    asyncio.run(work())


def test_one_address_has_a_quarter_of_the_analyses(store: Store) -> None:
    app = create_app(replace(ENDLESS, analyses=8, workers=2), store)
    with listening(app) as server:
        lines = [call(server.port, SEARCHES["analysis"]) for _ in range(8 // SHARE)]
        until(lambda: app.state.searches._analyses.total == 8 // SHARE, "the searches")
        said = ask(server.port, SEARCHES["analysis"])  # with a cookie of its own
        assert said.startswith(b"HTTP/1.1 429 ")
        assert b"too many analyses from your address" in said
        assert ask(server.port, HINT, OTHER).startswith(b"HTTP/1.1 200 ")
        for line in lines:
            line.close()
        until_idle(app)


def test_one_address_has_a_quarter_of_the_pages_and_games(store: Store) -> None:
    app = create_app(Settings(warm_up=False, sockets=8, rooms=4), store)
    with TestClient(app, base_url=ADDRESS) as client:
        other = TestClient(app, base_url=ADDRESS, client=("10.0.0.1", 1))
        other.portal = client.portal
        first, second = (new_game(client, second="human")["id"] for _ in range(2))
        live = client.websocket_connect
        with live(LIVE), live(f"{LIVE}?game={first}") as page:
            with live(LIVE) as third:
                third.send_json({"do": "ping"})
                with pytest.raises(WebSocketDisconnect) as closed:
                    third.receive_json()
            assert closed.value.code == 4429
            assert page.receive_json()["type"] == "game"
            assert "too many games" in refused(client.get(f"/api/games/{second}"), 429)
            assert client.get(f"/api/games/{first}").status_code == 200  # it is open already
            assert other.get(f"/api/games/{second}").status_code == 200
            with other.websocket_connect(LIVE) as fourth:
                fourth.send_json({"do": "ping", "n": 1})
                assert fourth.receive_json()["ok"]


def test_one_address_has_a_quarter_of_the_thinking_engines(store: Store) -> None:
    app = create_app(replace(ENDLESS, engine_moves=4), store)
    with TestClient(app, base_url=ADDRESS):
        moves = app.state.searches._moves
        moves.enter("a")
        with pytest.raises(TooMany):
            moves.enter("a")
        moves.enter("b")


# ---- the threads of searches ---------------------------------------------------------------------


@pytest.mark.slow
def test_a_hint_beside_many_searches_of_another_address(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gets every second turn, not one in seventeen."""
    monkeypatch.setattr("plywise.web.analysis.searches.SLICE", 0.02)
    app = create_app(replace(ENDLESS, workers=2, analyses=64), store)
    with listening(app) as server:
        lines = [call(server.port, SEARCHES["hint"]) for _ in range(16)]
        until(lambda: app.state.searches._turns.count == 16, "the searches")
        turns = app.state.searches._turns
        before = dict(turns._given)
        asked = post("/api/analysis", **OPEN, time=0.3)
        assert ask(server.port, asked, OTHER).startswith(b"HTTP/1.1 200 ")
        others = (turns._given["127.0.0.1"] - before["127.0.0.1"]) * 8  # the weight of a hint
        assert others < 2.0  # 0.3 if all goes well; 4.8 if all searches were treated alike
        for line in lines:
            line.close()
        until_idle(app)


# ---- how often -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/api/kinds", "/"])
def test_requests_of_an_address_are_throttled(store: Store, path: str) -> None:
    settings = Settings(
        warm_up=False, requests_at_once=2, requests_per_second=0.001, throttle_seconds=0.0
    )
    with TestClient(create_app(settings, store), base_url=ADDRESS) as client:
        allowed = 2 if path.startswith("/api") else 10
        statuses = [client.get(path).status_code for _ in range(allowed + 1)]
        assert statuses == [200] * allowed + [429]
        other = TestClient(client.app, base_url=ADDRESS, client=("10.0.0.1", 1))
        other.portal = client.portal
        assert other.get(path).status_code == 200


def test_frames_of_an_address_are_throttled(store: Store) -> None:
    settings = Settings(
        warm_up=False, requests_at_once=3, requests_per_second=0.001, throttle_seconds=0.0
    )
    with (
        TestClient(create_app(settings, store), base_url=ADDRESS) as client,
        client.websocket_connect(LIVE) as line,
    ):
        for _ in range(2):
            line.send_json({"do": "ping"})
            assert line.receive_json()["ok"]
        line.send_json({"do": "ping"})
        with pytest.raises(WebSocketDisconnect) as closed:
            line.receive_json()
        assert closed.value.code == 4429


def test_new_connections_of_an_address_are_limited(store: Store) -> None:
    settings = Settings(warm_up=False, connections_at_once=3, connections_per_second=0.001)
    page = request("GET", "/")
    with listening(create_app(settings, store)) as server:
        said = [ask(server.port, page)[:12] for _ in range(4)]
        assert said == [b"HTTP/1.1 200"] * 3 + [b""]
        assert ask(server.port, page, OTHER).startswith(b"HTTP/1.1 200")
        with call(server.port, page) as line:
            assert everything(line) == b""
