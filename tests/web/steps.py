"""Helpers shared by tests of saved games and of sockets."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient
from pydantic import TypeAdapter
from websockets.sync.client import ClientConnection, connect

from plywise.cli.commands.serve import _listen, _server
from plywise.web.api.schemas import written
from plywise.web.live import actions
from tests.web.conftest import LIVE

Json = dict[str, Any]

PATIENCE = 120.0  #: seconds to wait for anything that must happen, so that no test waits forever
HOURS = 36_000.0  #: a time limit that no search reaches
ENDLESS = "alphabeta:nodes=1000000000000"  #: an engine that thinks until it is stopped


def new_game(client: TestClient, **asked: Any) -> Json:
    """Start a game, by default a person against level 1 in Tic-Tac-Toe."""
    usual = {"game": "tictactoe", "first": "human", "second": "auto:level=1", "seed": 1}
    answer = client.post("/api/games", json={**usual, **asked})
    assert answer.status_code == 201, answer.text
    return checked(answer.json())


def checked(game: Json) -> Json:
    """Return the game after checking it against its schema."""
    fits(actions.Game, game)
    return game


def fits(schema: Any, data: Any) -> None:
    """Fail unless an answer fits its schema, and has nothing that is not there."""
    TypeAdapter(schema).validate_python(data)
    assert json.loads(written(schema, data)) == data


def look(client: TestClient, id: str) -> Json:
    answer = client.get(f"/api/games/{id}")
    assert answer.status_code == 200, answer.text
    return checked(answer.json())


def command(client: TestClient, id: str, what: str, **asked: Any) -> tuple[Json, Json]:
    """Open a socket for one command; return its answer, and the game as it was then."""
    if not client.cookies:
        client.get("/api/games")  # TestClient does not keep the cookie that a socket sets
    game: Json = {}
    with client.websocket_connect(f"{LIVE}?game={id}") as socket:
        socket.send_text(json.dumps({"do": what, "n": 1, **asked}))
        while True:
            frame: Json = json.loads(socket.receive_text())
            if frame.get("type") == "game":
                game = checked(frame["game"])
            if frame.get("re") == 1:
                return frame, game


def do(client: TestClient, id: str, what: str, **asked: Any) -> Json:
    """Do something in a game, and return the game."""
    answer, game = command(client, id, what, **asked)
    assert answer.get("ok"), answer
    return game


def fails(client: TestClient, id: str, what: str, status: int, **asked: Any) -> str:
    """Try to do something in a game; return the error message of the refusal."""
    answer, _ = command(client, id, what, **asked)
    assert answer.get("status") == status, answer
    line: str = answer["error"]
    assert "\n" not in line
    return line


def rematch(client: TestClient, id: str) -> Json:
    """Offer a rematch or accept one, and return the game."""
    answer = client.post(f"/api/games/{id}/rematch", json={})
    assert answer.status_code == 200, answer.text
    return checked(answer.json())


def refused(answer: Any, status: int) -> str:
    """Return the error message of a refused request."""
    assert answer.status_code == status, answer.text
    line: str = answer.json()["error"]
    assert "\n" not in line
    return line


def until(holds: Callable[[], Any], what: str = "it") -> Any:
    """Wait until `holds` returns something true, and return it."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"{what} never came")


def my_turn(client: TestClient, id: str) -> Json:
    """Wait until it is a person's turn or the game is over, and return the game."""
    return until(
        lambda: (game := look(client, id)) and (game["can"]["move"] or game["result"]) and game,
        "my turn",
    )


def until_idle(app: FastAPI) -> None:
    """Wait until no search is running."""
    until(lambda: app.state.searches.busy == 0, "the end of all searches")


def open_line(url: str, cookie: str) -> ClientConnection:
    """Open a socket to a server process, with long timeouts."""
    return connect(
        url,
        additional_headers={"Cookie": cookie},
        open_timeout=PATIENCE,
        ping_timeout=PATIENCE,
    )


def threads_of(prefix: str) -> int:
    """How many threads have a name with this prefix."""
    return sum(each.name.startswith(prefix) for each in threading.enumerate())


# ---- a server that listens -----------------------------------------------------------------------


@contextmanager
def listening(app: FastAPI) -> Iterator[Any]:
    """Serve an app as `plywise serve` does, in a thread; `port` is where."""
    with _listen("127.0.0.1", 0) as door:
        server = _server(app, app.state.settings, door)
        server.port = door.getsockname()[1]
        thread = threading.Thread(target=server.run, args=([door],))
        thread.start()
        try:
            until(lambda: server.started or not thread.is_alive(), "the server")
            yield server
        finally:
            server.should_exit = True
            thread.join()


def call(port: int, data: bytes = b"", source: str = "127.0.0.1") -> socket.socket:
    """Connect to a local server from an address of this machine, and send something."""
    made = socket.create_connection(("127.0.0.1", port), PATIENCE, (source, 0))
    with suppress(ConnectionError):  # it may have been closed already
        made.sendall(data)
    return made


def everything(line: socket.socket) -> bytes:
    """Read until the other side closes the connection; what it said before that."""
    found = b""
    with suppress(ConnectionResetError):
        while part := line.recv(65536):
            found += part
    return found


def request(method: str, path: str, body: bytes = b"", **headers: str) -> bytes:
    """Return a whole request that asks to close the connection afterwards."""
    usual = {"Host": "127.0.0.1", "Connection": "close", "Content-Type": "application/json"}
    lines = {**usual, "Content-Length": str(len(body)), **headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body


def ask(port: int, data: bytes, source: str = "127.0.0.1") -> bytes:
    """Send a request and return the whole answer."""
    with call(port, data, source) as line:
        return everything(line)


def complaint(answer: Any, status: int = 422) -> str:
    """Return the error message of a refused request."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/json"
    assert list(answer.json()) == ["error"]
    line: str = answer.json()["error"]
    assert "\n" not in line
    return line
