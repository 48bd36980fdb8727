"""A server that is killed at the very moment it has confirmed a move still has that move."""

from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
from websockets.sync.client import connect

from tests.serving import Server, new_game, serving

pytestmark = pytest.mark.slow

PATIENCE = 30.0
MOVES = ("b2", "a1", "c3", "a2", "a3", "c1")


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as server:
        yield server


def test_a_confirmed_move_is_kept(server: Server) -> None:
    with httpx.Client(trust_env=False, timeout=PATIENCE) as client:
        game = new_game(server, client, game="tictactoe", second="human")["id"]
        cookie = {"Cookie": f"plywise={client.cookies['plywise']}"}
        for count, move in enumerate(MOVES, 1):
            with connect(f"{server.live}?game={game}", additional_headers=cookie) as line:
                line.send(json.dumps({"do": "move", "n": 1, "move": move}))
                while "re" not in (answer := json.loads(line.recv(timeout=PATIENCE))):
                    pass
                server.kill()
                assert answer["ok"], answer
            server.start()
            kept = client.get(f"{server.url}/api/games/{game}").json()
            assert [each["text"] for each in kept["moves"]] == list(MOVES[:count])
            assert kept["you"] == [1, 2]
