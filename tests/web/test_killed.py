"""A server that is killed at the very moment it has confirmed a move still has that move."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from tests.serving import Server, new_game
from tests.web.servers.killing import Siege
from tests.web.steps import PATIENCE, open_line

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
