"""A server that is killed has every move that it confirmed, and the time that was used."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.serving import Server, new_game
from tests.web.servers.killing import Siege
from tests.web.steps import PATIENCE, open_line, until

pytestmark = pytest.mark.slow

MOVES = ("b2", "a1", "c3", "a2", "a3", "c1")


def test_a_confirmed_move_is_kept(server: Server) -> None:
    kill_after(server, MOVES[:2])


@pytest.mark.long
def test_every_confirmed_move_is_kept(server: Server) -> None:
    kill_after(server, MOVES)


@pytest.mark.parametrize("kills", [3, pytest.param(40, marks=pytest.mark.long)])
def test_a_server_that_is_killed_at_any_moment_loses_nothing(tmp_path: Path, kills: int) -> None:
    server, siege = Server(tmp_path, warm=False), Siege()
    server.start("/health")
    try:
        for number in range(kills):
            asyncio.run(siege.kill(server, 4, random.Random(number)))
            siege.save(tmp_path)
            assert siege.lost == []
    finally:
        server.stop()
    assert siege.confirmed > 0
    assert Siege.resume(tmp_path) == replace(siege, games=[])


def kill_after(server: Server, moves: Sequence[str]) -> None:
    """Play these moves; each time one is confirmed, kill the server and look what it has kept."""
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        game = new_game(server, client, game="tictactoe", second="human")["id"]
        cookie = f"plywise={client.cookies['plywise']}"
        for count, move in enumerate(moves, 1):
            with open_line(f"{server.live}?game={game}", cookie) as line:
                line.send(json.dumps({"do": "move", "n": 1, "move": move}))
                while "re" not in (answer := json.loads(line.recv(timeout=PATIENCE))):
                    pass
                server.kill()
                assert answer["ok"], answer
            server.start()
            kept = client.get(f"{server.url}/api/games/{game}").json()
            assert [each["text"] for each in kept["moves"]] == list(moves[:count])
            assert kept["you"] == [1, 2]


def stored(server: Server, what: str) -> float:
    with sqlite3.connect(server.folder / "games.db") as database:
        found: float = database.execute(f"SELECT {what}").fetchone()[0]
    database.close()
    return found


def test_the_time_of_the_running_turn_is_not_given_back(server: Server) -> None:
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        game = new_game(
            server, client, game="tictactoe", second="human", clock="3600", moves=["a1", "a2"]
        )["id"]
        began = stored(server, f"turn_began FROM plywise_games WHERE id = '{game}'")
        alive = "max(seen) FROM plywise_alive"
        until(lambda: stored(server, alive) > began + 1, "a sign of life")
        server.kill()
        used = stored(server, alive) - began
        server.start()
        left = client.get(f"{server.url}/api/games/{game}").json()["clocks"]
    assert left[0] <= 3600 - used + 0.001  # to the millisecond
    assert left[1] == 3600


def test_a_second_server_gives_no_time_back(server: Server) -> None:
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        game = new_game(
            server, client, game="tictactoe", second="human", clock="3600", moves=["a1", "a2"]
        )["id"]
        turn = f"turn_began FROM plywise_games WHERE id = '{game}'"
        began = stored(server, turn)
        second = Server(server.folder, warm=False)
        second.start()
        assert stored(server, turn) == began
        for each in (server, second):
            each.kill()  # which leaves no lock behind
        second.start()  # now nobody else is up
        second.stop()
    assert stored(server, turn) > began
