"""A crowd that asks for the most expensive things keeps nobody else from playing.

What the crowd asks for here never ends by itself, so that no result depends on the clock.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI

from plywise.core.analysis import check_cancelled
from plywise.core.game import Game
from plywise.core.spec import Spec
from plywise.play import session
from plywise.play.records.store import Store
from plywise.web.api import answers, positions
from plywise.web.app import create_app
from plywise.web.settings import Settings
from tests.web.steps import ask, call, listening, request, until

CROWD = 20  #: clients, each with an address of its own
LARGE = "connect4:rows=7,cols=8"  #: a board that takes forever here


@pytest.fixture
def app(store: Store) -> FastAPI:
    return create_app(Settings(warm_up=False, workers=2), store)


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Boards that are built until the test is over; each build ends if it is cancelled."""
    over, make = threading.Event(), positions.make

    def slow(spec: Spec) -> Game:
        while str(spec) == LARGE and not over.is_set():
            check_cancelled()
        return make(spec)

    monkeypatch.setattr(positions, "make", slow)
    yield over
    over.set()


def post(path: str, **asked: Any) -> bytes:
    return request("POST", path, json.dumps(asked).encode())


BUILDS = {
    "position by address": request("GET", f"/api/positions?game={LARGE}"),
    "position": post("/api/positions", game=LARGE),
    "new game": post("/api/games", game=LARGE),
    "import": post("/api/games/import", text=f"plywise game 1\ngame {LARGE}\n"),
    "hint": post("/api/hint", game=LARGE),
    "review": post("/api/review", game=LARGE, moves=["4"]),
    "analysis": post("/api/analysis", game=LARGE),
}
WISHES = {
    "the page": request("GET", "/"),
    "its data": request("GET", "/api/kinds"),
    "its games": request("GET", "/api/games"),
    "a game": post("/api/games", game="tictactoe", second="auto:level=1"),
    "a position": post("/api/positions", game="tictactoe", moves="b2"),
    "a hint": post("/api/hint", game="tictactoe", moves="b2"),
}


def wishes_come_true(port: int) -> None:
    for wish in WISHES.values():
        status = ask(port, wish).partition(b"\r\n")[0]
        assert status in (b"HTTP/1.1 200 OK", b"HTTP/1.1 201 Created")


@pytest.mark.slow
@pytest.mark.usefixtures("endless")
@pytest.mark.parametrize("kind", BUILDS)
def test_a_crowd_keeps_nobody_from_playing_and_ends_when_it_leaves(app: FastAPI, kind: str) -> None:
    with listening(app) as server:
        reading = app.state.searches._reading
        wishes_come_true(server.port)  # what is loaded only once is there from now on
        crowd = [call(server.port, BUILDS[kind], f"127.0.1.{1 + n}") for n in range(CROWD)]
        until(lambda: reading._begun.total() == CROWD, "the crowd")
        wishes_come_true(server.port)
        assert reading._begun.total() == CROWD
        assert len(reading._running) == 1  # more would only make the event loop wait
        for line in crowd:
            line.close()
        until(lambda: not reading._users, "the end of the crowd")


def test_games_are_opened_by_the_threads_that_read(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of the store save everybody's moves: a large board would keep them waiting."""
    where: list[str] = []
    init = session.Session.__init__

    def noted(self: session.Session, *given: Any, **more: Any) -> None:
        where.append(threading.current_thread().name)
        init(self, *given, **more)

    monkeypatch.setattr(session.Session, "__init__", noted)
    with listening(app) as server:
        assert ask(server.port, WISHES["a game"]).startswith(b"HTTP/1.1 201 Created")
    assert len(where) == 2  # to check it, and to open it
    assert all(name.startswith("plywise-reads") for name in where)


def test_an_answer_is_written_in_a_thread(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    """The picture of a large board is a hundred kilobytes of JSON: not for the event loop."""
    threads: list[str] = []
    write = answers.written

    def written(schema: Any, data: Any) -> bytes:
        threads.append(threading.current_thread().name)
        return write(schema, data)

    monkeypatch.setattr(answers, "written", written)
    with listening(app) as server:
        assert ask(server.port, WISHES["a position"]).startswith(b"HTTP/1.1 200 OK")
    assert threads
    assert all(name.startswith("plywise-reads") for name in threads)
