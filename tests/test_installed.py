"""A game and a puzzle in a package of their own: found by their entry points, and used everywhere.

The package lies in a folder on the path with its metadata beside it, as an installer leaves it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.cli.test_play import Terminal, terminal
from tests.commands import several
from tests.serving import serving

__all__ = ["terminal"]  # a fixture

pytestmark = pytest.mark.slow  # processes that compile

ROOT = Path(__file__).parents[1]
ENTRY_POINTS = """\
[plywise.games]
coins = coins_game:COINS

[plywise.puzzles]
takuzu = takuzu

[plywise.commands]
count = coins_tools:count
"""
TOOLS = """\
def count(coins: int = 3):
    '''Count the coins.'''
    yield from map(str, range(1, coins + 1))
"""
METADATA = "Metadata-Version: 2.1\nName: games-of-mine\nVersion: 1.0\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / "tests" / "awkward" / "coins.py", folder / "coins_game.py")
    shutil.copy(ROOT / "examples" / "takuzu" / "takuzu.py", folder)
    (folder / "coins_tools.py").write_text(TOOLS, encoding="utf-8")
    info = folder / "games_of_mine-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA, encoding="utf-8")
    (info / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return folder


@pytest.fixture
def path(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The folder of the package on the path of every process that a test starts."""
    monkeypatch.setenv("PYTHONPATH", str(site))
    monkeypatch.setenv("PLYWISE_DATA", str(tmp_path))
    return str(site)


def plywise(*arguments: str, typed: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-m", "plywise", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        env=os.environ,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.usefixtures("path")
def test_on_the_command_line() -> None:
    assert "coins" in plywise("games")
    helped, counted, shown, solved, answer, made = several(
        ("", "--help"),
        ("", "count", "--coins", "2"),
        ("", "show", "coins:coins=4", "--moves", "left", "--json"),
        ("", "solve", "coins:coins=6,seed=3", "--json"),
        ("", "takuzu", "solve", "--json"),
        ("", "takuzu", "generate", "--size", "4", "--seed", "2", "--json"),
    )
    assert "takuzu" in helped
    assert "Count the coins." in helped
    assert counted == "1\n2\n"
    assert json.loads(shown)["legal"] == ["left", "right"]
    assert json.loads(solved)["outcome"]
    found = json.loads(answer)
    assert found["status"] == "unique"
    moves = "\n".join(found["moves"])
    hint, again, played, by_computer, chosen = several(
        ("", "takuzu", "hint", "--moves", found["moves"][0], "--json"),
        ("", "takuzu", "solve", json.loads(made)["puzzle"], "--json"),
        (f"{moves}\n", "takuzu", "play"),
        ("solve\n", "play", "takuzu"),
        ("1\n2\n", "takuzu"),
    )
    assert json.loads(hint)["kind"] == "step"
    assert json.loads(again)["status"] == "unique"
    assert "Every cell is right" in played
    assert "Solved by the computer in " in by_computer
    assert "The only solution, found in " in chosen


@pytest.mark.usefixtures("path")
def test_in_a_report(tmp_path: Path) -> None:
    agents = ("--agents", "alphabeta:depth=2", "--agents", "random")
    report = ("--quick", "--time", "0.01", "--svg", str(tmp_path / "r.svg"))
    assert "random" in plywise("report", "coins:coins=4", *agents, *report)
    assert (tmp_path / "r.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.usefixtures("path")
def test_in_the_terminal(
    terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")

    def screen(*command: str) -> Terminal:
        return terminal("-m", "plywise", *command)

    game = screen("play", "coins:coins=4", "--second", "random")
    game.wait("Your move")
    game.press("left\r")
    game.wait("1. left")
    puzzle = screen("takuzu", "play")
    puzzle.wait("Takuzu 6 x 6")
    puzzle.wait("0 of 26")
    puzzle.press("\r")  # a 0 where it points
    puzzle.wait("1 of 26")
    puzzle.say("check", "Everything is right so far.")
    puzzle.press("right", "right")
    puzzle.say("1", "2 of 26")
    puzzle.say("hint", "There is a mistake")
    puzzle.say("undo", "1 of 26")
    puzzle.say("rules", "Fill every cell with 0 or 1")
    puzzle.press("x")
    puzzle.say("solve", "Solved by the computer in ")
    puzzle.say("undo", "1 of 26")


@pytest.mark.usefixtures("path")
def test_on_the_web(path: str) -> None:
    with (
        serving(warm=False, PYTHONPATH=path) as server,
        httpx.Client(base_url=server.url, trust_env=False, timeout=60) as client,
    ):
        kinds = client.get("/api/kinds").json()["kinds"]
        assert "coins" in {kind["name"] for kind in kinds}
        position = client.post("/api/positions", json={"game": "coins:coins=4", "moves": "left"})
        assert position.json()["legal"] == ["left", "right"]
        names = {kind["name"] for kind in client.get("/api/puzzles").json()["puzzles"]}
        assert {"takuzu", "slither"} <= names
        puzzle = client.post("/api/puzzles/takuzu", json={}).json()
        assert puzzle["status"] == "unique"
        board = {"puzzle": puzzle["id"], "states": puzzle["states"]}
        hint = client.post("/api/puzzles/takuzu/hint", json=board).json()
        assert hint["moves"]
        solved = client.post("/api/puzzles/takuzu/solve", json={}).json()
        assert len(solved["moves"]) == 26
        made = client.post("/api/puzzles/takuzu/new", json={"params": {"size": 4}, "seed": 1})
        assert made.json()["rows"] == 4
        assert client.get("/puzzle/takuzu").status_code == 200
