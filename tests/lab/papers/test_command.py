"""`plywise report`."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lab.papers.report.pages import duration
from tests.commands import Run

ROUND = ("report", "tictactoe", "--agents", "random", "--agents", "seed:depth=2", "--games", "4")


def test_tables(run: Run) -> None:
    lines = run(*ROUND, "--agents", "seed:depth=9").out.splitlines()
    assert lines[0] == "Tic-Tac-Toe: a round robin"
    assert lines[1].startswith("12 games, 4 per pair, each opening of 2 random moves")
    assert lines[3].split()[:4] == ["agent", "points", "games", "share"]
    assert {line.split()[1] for line in lines[4:7]} == {"random", "seed:depth=2", "seed:depth=9"}
    assert "points of the row against the column, in %" in lines
    assert sum(line.startswith("random ") for line in lines) == 2  # its pairs


@pytest.mark.slow
def test_the_plan_of_the_game_and_pictures(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "report.svg", tmp_path / "report.png"
    result = run(
        "report", "tictactoe", "--quick", "--games", "1", "--svg", str(svg), "--png", str(png)
    )
    assert result.code == 0
    assert "The goal of the algorithm is to find the optimal next move" in result.out
    assert "  measured: seed:depth=9 against random " in result.out
    assert "nodes, minimax" in result.out
    assert "4 of 4" in result.out
    assert result.out.isascii()
    text = svg.read_text(encoding="utf-8")
    for words in (">Who beats whom<", ">How well, and how fast<", ">Minimax and alpha-beta<"):
        assert words in text
    assert png.read_bytes().startswith(b"\x89PNG")


def test_json(run: Run) -> None:
    data = run(*ROUND, "--seed", "5", "--opening-plies", "1", "--json").json
    assert (data["game"], data["games"], data["seed"]) == ("tictactoe", 4, 5)
    assert [match["games"] for match in data["matches"]] == [4]
    assert {agent["agent"] for agent in data["agents"]} == {"random", "seed:depth=2"}
    for agent in data["agents"]:
        assert agent["score_low"] <= agent["score"] <= agent["score_high"]
    assert data["comparisons"] == []


@pytest.mark.slow
def test_json_of_a_comparison(run: Run) -> None:
    data = run("report", "tictactoe", "--quick", "--games", "1", "--json").json
    (compared,) = data["comparisons"]
    cut, whole = (series["steps"] for series in compared["series"])
    assert [step["depth"] for step in cut] == list(range(1, 10))
    assert all(one["nodes"] <= two["nodes"] for one, two in zip(cut, whole, strict=True))
    assert all(step["same_move"] == compared["positions"] for step in whole)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("conect4",), "there is no game 'conect4'"),
        (("tictactoe", "--agents", "seed"), "needs two or more"),
        (("tictactoe", "--agents", "seed", "--agents", "nobody"), "there is no agent 'nobody'"),
        (("tictactoe", "--games", "0"), "games must be at least 1"),
        (("tictactoe", "--time", "-1"), "time=-1.0 is not valid"),
        (("tictactoe", "--opening-plies", "9"), "use fewer"),
        (("tictactoe", "--theme", "pink"), "there is no theme 'pink'"),
        (("tictactoe", "--png", "/no/such/folder/a.png"), "No such file"),
    ],
)
def test_bad_input(run: Run, arguments: tuple[str, ...], words: str) -> None:
    result = run("report", *arguments)
    assert words in result.complaint
    assert result.out == ""


@pytest.mark.slow
def test_ctrl_c_prints_what_is_known(tmp_path: Path) -> None:
    """The second agent stops the run with Ctrl-C, to itself and to us, after some games."""
    file = tmp_path / "game.py"
    file.write_text(STOPPING, encoding="utf-8")
    command = [sys.executable, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 130, done.stderr
    data = json.loads(done.stdout)
    assert data["games"] == 3
    assert done.stderr.splitlines()[-1] == "plywise: stopped"
    assert "Traceback" not in done.stderr


STOPPING = f"""
import os, signal
from plywise.cli import main
from plywise.play import series

play, games = series.play_game, []

def counted(*given, **named):
    if len(games) == 3:
        os.kill(os.getpid(), {int(signal.SIGINT)})
    games.append(1)
    return play(*given, **named)

series.play_game = counted
agents = ["--agents", "random", "--agents", "seed:depth=1"]
raise SystemExit(main(["report", "tictactoe", *agents, "--games", "9", "--json"]))
"""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0, "0"), (9.96e-6, "10 us"), (0.00123, "1.2 ms"), (0.9996, "1 s"), (3.14, "3.1 s")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text
