"""The program in the documentation plays a whole game, and its table has every command."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import httpx

from plywise.web.live.socket import FRAMES
from tests.docs.pages import DOCS, blocks
from tests.serving import Server
from tests.web.steps import PATIENCE

PAGE = DOCS / "web.md"


def test_the_program_plays_a_game_to_its_end(server: Server) -> None:
    (program,) = blocks(PAGE, "python")
    done = subprocess.run(
        [sys.executable, "-c", program.text, server.url],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "NO_PROXY": "127.0.0.1", "no_proxy": "127.0.0.1"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch("winner: [012], .+\n", done.stdout)


def test_the_table_has_every_command() -> None:
    table = PAGE.read_text().partition("| `do` |")[2].partition("\n\n")[0]
    first = [line.split("|")[1] for line in table.splitlines()[2:]]
    assert set(re.findall(r"`(\w+)`", "".join(first))) == set(FRAMES)


def test_there_is_no_second_way_to_play(server: Server) -> None:
    document = httpx.get(f"{server.url}/api/openapi.json", trust_env=False, timeout=PATIENCE).json()
    about_a_game = {path for path in document["paths"] if path.startswith("/api/games/{id}")}
    parts = ("", "/text", "/json", "/rematch")
    assert about_a_game == {f"/api/games/{{id}}{part}" for part in parts}
