"""What tests of kept games and of sockets share."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient
from websockets.sync.client import ClientConnection, connect

from plywise.web.api import game_schemas as schemas

Json = dict[str, Any]

PATIENCE = 120.0  #: seconds for anything that must happen; guards only against waiting for ever
HOURS = 36_000.0  #: a limit of time that no search reaches, though its clock be hurried
ENDLESS = "alphabeta:nodes=1000000000000"  #: an engine that thinks until it is stopped


def new_game(client: TestClient, **asked: Any) -> Json:
    """A new game: a person against level 1 of Tic-Tac-Toe, unless told otherwise."""
    usual = {"game": "tictactoe", "first": "human", "second": "auto:level=1", "seed": 1}
    answer = client.post("/api/games", json={**usual, **asked})
    assert answer.status_code == 201, answer.text
    return checked(answer.json())


def checked(game: Json) -> Json:
    """The game, if it is what the OpenAPI document says."""
    schemas.Game.model_validate(game, strict=False)
    return game


def look(client: TestClient, id: str) -> Json:
    answer = client.get(f"/api/games/{id}")
    assert answer.status_code == 200, answer.text
    return checked(answer.json())


def do(client: TestClient, id: str, what: str, **asked: Any) -> Json:
    """Something that is done; `what` is the end of the path."""
    answer = client.post(f"/api/games/{id}/{what}", json=asked)
    assert answer.status_code == 200, answer.text
    return checked(answer.json())


def refused(answer: Any, status: int) -> str:
    """The one line of a refusal."""
    assert answer.status_code == status, answer.text
    line: str = answer.json()["error"]
    assert "\n" not in line
    return line


def until(holds: Callable[[], Any], what: str = "it") -> Any:
    """Wait until something holds, and give what it gives."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError(f"{what} never came")


def my_turn(client: TestClient, id: str) -> Json:
    """The game once it is a person's turn, or over."""
    return until(
        lambda: (game := look(client, id)) and (game["can"]["move"] or game["result"]) and game,
        "my turn",
    )


def until_idle(app: FastAPI) -> None:
    """Wait until nobody searches any more."""
    until(lambda: app.state.searches.busy == 0, "the end of all searches")


def open_line(url: str, cookie: str) -> ClientConnection:
    """A socket to a server process, patient with one that is slow."""
    return connect(
        url,
        additional_headers={"Cookie": cookie},
        open_timeout=PATIENCE,
        ping_timeout=PATIENCE,
    )


def threads_of(prefix: str) -> int:
    """How many threads have such a name."""
    return sum(each.name.startswith(prefix) for each in threading.enumerate())
