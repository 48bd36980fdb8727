"""After a client has hung up, the server does no more work for it, whatever it asked for.

Every request of the interface and every command of the socket has an entry here: a new one without
an entry fails. Each asks for as much as it can, several times over, and hangs up at once. Then the
server has to come to rest, having used little of the processor.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import WebSocketException

from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.live.socket import FRAMES
from plywise.web.settings import Settings
from tests.cost import slowness
from tests.serving import Server, new_game
from tests.web.steps import call, open_line, request

pytestmark = pytest.mark.slow

TIMES = 3  #: how often each is asked
#: Seconds of the processor for all of them together, after the last has hung up. What has begun
#: goes on until it asks whether anybody still waits; an engine goes on for a second. A single
#: search that went on would take ten, and there are several. Once, in the first search of a
#: server, loading the engines took eight.
REST = 9.5
QUIET = 0.2  #: seconds of the processor in the second second after a client has hung up
SPEC = "makeway:dots=62,lines=66,seed="  #: takes most of a second to refuse
COLUMNS = "abcdefghijklmnopqrs"
MOVES = [f"{column}{row}" for row in range(1, 19) for column in COLUMNS]
LARGE = {"game": "tictactoe:rows=19,k=19", "moves": MOVES}
OPEN = {"game": "connect4:rows=7,cols=8", "moves": ["4", "4"]}  #: nothing solves this soon
ENGINE = "alphabeta:time=10"
SHEET = {"puzzle": "\n".join(["." * 30] * 30)}
MARKS = {**SHEET, "states": "0" * (2 * 30 * 31)}
GAME = "/api/games/{id}"
PUZZLE = "/api/puzzles/{name}"

#: What each request sends; `{id}` is a game in which an engine is to move.
REQUESTS: dict[tuple[str, str], Any] = {
    ("GET", "/api/kinds"): None,
    ("GET", "/api/kinds/{name}"): None,
    ("GET", "/api/kinds/{name}/sample"): None,
    ("GET", "/api/kinds/{name}/guide"): None,
    ("GET", "/api/positions"): None,
    ("POST", "/api/positions"): LARGE,
    ("POST", "/api/analysis"): {**OPEN, "time": 10},
    ("POST", "/api/hint"): {**OPEN, "time": 10},
    ("POST", "/api/review"): LARGE,
    ("GET", "/api/puzzles"): None,
    ("GET", f"{PUZZLE}/sample"): None,
    ("POST", PUZZLE): SHEET,
    ("POST", f"{PUZZLE}/new"): {"params": {"rows": 30, "cols": 30, "grade": "expert"}},
    ("POST", f"{PUZZLE}/solve"): SHEET,
    ("POST", f"{PUZZLE}/status"): SHEET,
    ("POST", f"{PUZZLE}/standing"): MARKS,
    ("POST", f"{PUZZLE}/check"): MARKS,
    ("POST", f"{PUZZLE}/hint"): MARKS,
    ("POST", f"{PUZZLE}/explain"): SHEET,
    ("POST", f"{PUZZLE}/export"): MARKS,
    ("POST", f"{PUZZLE}/daily"): {},
    ("GET", f"{PUZZLE}/guide"): None,
    ("GET", "/api/exercises"): None,
    ("GET", "/api/exercises/{name}"): None,
    ("GET", "/api/exercises/{name}/{exercise}"): None,
    ("GET", "/api/exercises/{name}/{exercise}/frames"): None,
    ("GET", "/api/exercises/{name}/day/{day}"): None,
    ("GET", "/api/pictures/position.png"): None,
    ("GET", "/api/pictures/game.png"): None,
    ("GET", "/api/pictures/film"): None,
    ("POST", "/api/pictures/lines"): {**LARGE, "lines": []},
    ("GET", "/api/editor"): None,
    ("POST", "/api/editor"): {
        "game": LARGE["game"],
        "numbers": [0] * 361,
        "to_move": 1,
        "also": {},
    },
    ("GET", "/api/history"): None,
    ("GET", "/api/arena"): None,
    ("GET", "/api/arena/{number}"): None,
    ("GET", "/api/server"): None,
    ("GET", "/api/games"): None,
    ("POST", "/api/games"): {**OPEN, "first": ENGINE, "second": "human"},
    ("POST", "/api/games/import"): {
        "text": "plywise game 1\n" + "".join(f"game {SPEC}{number}\n" for number in range(1000))
    },
    ("GET", GAME): None,
    ("GET", f"{GAME}/text"): None,
    ("GET", f"{GAME}/json"): None,
    ("DELETE", GAME): None,
    ("POST", f"{GAME}/rematch"): None,
}
COMMANDS: dict[str, dict[str, Any]] = {
    "move": {"move": "4"},
    "undo": {},
    "redo": {},
    "resign": {},
    "offer": {"kind": "draw"},
    "answer": {"accept": False},
    "hurry": {},
    "seat": {},
    "note": {"text": "a note", "at": 0},
    "branch": {"at": 0, "moves": ["1"]},
    "prune": {"at": 0, "moves": ["1"]},
    "analyse": OPEN,
    "quiet": {},
    "hint": OPEN,
    "review": LARGE,
    "ping": {},
}


def test_every_request_and_every_command_is_here(store: Store) -> None:
    paths = create_app(Settings(warm_up=False), store).openapi()["paths"]
    found = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    assert found == set(REQUESTS)
    assert set(FRAMES) == set(COMMANDS)


@pytest.fixture
def client() -> Any:
    with httpx.Client(timeout=120.0, trust_env=False) as client:
        yield client


@pytest.fixture
def mine(server: Server, client: httpx.Client) -> list[str]:
    """Games in which it is the player's turn, and then an engine thinks for ten seconds."""
    return [new_game(server, client, game=OPEN["game"], second=ENGINE)["id"] for _ in range(TIMES)]


def address(method: str, path: str, id: str, number: int) -> str:
    """The path and query of a request; each number asks for a board that is not there yet."""
    name = "slither" if "puzzles" in path else "tictactoe"
    where = path.replace("{id}", id).replace("{name}", name)
    where = where.replace("{day}", "2026-11-17").replace("{exercise}", "1")
    if method == "GET" and path in ("/api/positions", "/api/editor"):
        where += f"?game={quote(f'{SPEC}{number}')}"
    elif "pictures" in path:
        where += f"?game={quote(LARGE['game'])}&moves={quote(' '.join(MOVES))}"
    return where


def rest(server: Server, started: float) -> float:
    """Wait until the server does nothing any more; the processor time that it took."""
    server.settle()
    return server.used - started


@pytest.mark.parametrize("part", ["positions", "puzzles", "games"])
def test_requests_end_with_their_client(
    server: Server, client: httpx.Client, mine: list[str], part: str
) -> None:
    cookie = f"plywise={client.cookies['plywise']}"
    server.settle()
    lines = []
    for turn, id in enumerate(mine):
        for number, ((method, path), body) in enumerate(REQUESTS.items()):
            if part != next((p for p in ("puzzles", "games") if p in path), "positions"):
                continue
            where = address(method, path, id, 100 * turn + number)
            sent = b"" if body is None else json.dumps(body).encode()
            lines.append(call(server.port, request(method, where, sent, Cookie=cookie)))
    time.sleep(0.3)  # let the server begin
    started = server.used
    for line in lines:
        line.close()
    assert rest(server, started) < REST * slowness()


def second_second(server: Server) -> float:
    """The processor time of the server in the second second from now."""
    time.sleep(1.0)
    used = server.used
    time.sleep(1.0)
    return server.used - used


@pytest.mark.long
@pytest.mark.parametrize(("method", "path"), REQUESTS)
def test_the_second_second_after_hanging_up_is_quiet(
    server: Server, client: httpx.Client, mine: list[str], method: str, path: str
) -> None:
    body, cookie = REQUESTS[method, path], f"plywise={client.cookies['plywise']}"
    server.settle()
    where = address(method, path, mine[0], 7)
    sent = b"" if body is None else json.dumps(body).encode()
    for _ in range(2):  # the first time, what it needs is loaded or compiled, which is not undone
        server.settle()
        line = call(server.port, request(method, where, sent, Cookie=cookie))
        time.sleep(0.3)  # let the server begin
        line.close()
        used = second_second(server)
    assert used < QUIET * slowness()


@pytest.mark.long
@pytest.mark.parametrize("name", COMMANDS)
def test_the_second_second_after_a_socket_is_quiet(
    server: Server, client: httpx.Client, mine: list[str], name: str
) -> None:
    cookie = f"plywise={client.cookies['plywise']}"
    server.settle()
    where = "" if name in ("analyse", "hint", "review") else f"?game={mine[0]}"
    with suppress(WebSocketException), open_line(server.live + where, cookie) as line:
        line.send(json.dumps({"do": name, "n": 1, **COMMANDS[name]}))
        time.sleep(0.3)
    assert second_second(server) < QUIET * slowness()


def test_commands_end_with_their_socket(
    server: Server, client: httpx.Client, mine: list[str]
) -> None:
    cookie = f"plywise={client.cookies['plywise']}"
    server.settle()
    started = server.used
    for name, more in COMMANDS.items():
        for id in mine:
            where = "" if name in ("analyse", "hint", "review") else f"?game={id}"
            with suppress(WebSocketException), open_line(server.live + where, cookie) as line:
                line.send(json.dumps({"do": name, "n": 1, **more}))
                if name not in ("hint", "review"):
                    line.recv(timeout=120)
    assert rest(server, started) < REST * slowness()
