"""`plywise review` and `plywise hint`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.commands import Run

Write = Callable[[str, str], str]
GAME = ("review", "tictactoe", "--moves", "b2 a2 a1 c3 a3 c1 b3")
SAVED = """\
plywise game 1
game    tictactoe
first   human
second  auto:level=1

1. b2
2. a2  0.512 s
3. a1
result  player 1 wins, resigned: player 2 resigned
end
"""


def test_text(run: Run) -> None:
    out = run(*GAME).out
    lines = out.splitlines()
    assert lines[0] == "Tic-Tac-Toe, 7 moves: player 2 to move"
    assert lines[4].split()[:7] == ["2.", "2", "a2", "blunder", "+0.00", "-1.00", "a1"]
    assert "player 1: accuracy 33% (best 2, blunder 2)" in lines
    assert "player 2: accuracy 50% (best 2, blunder 1)" in lines
    assert "player 1 wins |  ###" in lines
    assert out.isascii()


def test_a_saved_game(run: Run, file: Write) -> None:
    out = run("review", file("game.txt", SAVED)).out
    assert out.startswith("Tic-Tac-Toe, 3 moves: player 1 wins, resigned: player 2 resigned\n")
    assert "gives away the draw" in out


def test_json(run: Run) -> None:
    data = run(*GAME, "--agent", "alphabeta:depth=9", "--json").json
    assert data["agent"] == "alphabeta:depth=9"
    assert [move["grade"] for move in data["moves"]].count("blunder") == 3
    assert data["values"] == [0, 0, 1, 1, 1, 0, 0, -1]
    assert data["players"][0]["accuracy"] == 0.3333


def test_pictures(run: Run, tmp_path: Path) -> None:
    svg, png = tmp_path / "graph.svg", tmp_path / "graph.png"
    assert run(*GAME, "--svg", str(svg), "--png", str(png)).code == 0
    assert ">a3??<" in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_time(run: Run) -> None:
    data = run("review", "connect4", "--moves", "4444", "--agent", "auto:time=0.01", "--json").json
    assert len(data["moves"]) == 4


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("connect4",), "no move has been played"),
        (("connect4", "--moves", "48"), "'8' is not a move"),
        (("connect4", "--moves", "4", "--agent", "proof"), "use an agent that does"),
        (("connect4", "--moves", "4", "--agent", "nobody"), "no agent 'nobody'"),
        (("conect4", "--moves", "4"), "did you mean 'connect4'"),
        (("./no/such/game", "--moves", "4"), "No such file"),
    ],
)
def test_bad_input(run: Run, arguments: tuple[str, ...], words: str) -> None:
    assert words in run("review", *arguments).complaint


def test_a_file_and_moves(run: Run, file: Write) -> None:
    name = file("game.txt", SAVED)
    assert "leave out --moves" in run("review", name, "--moves", "b2").complaint


def test_a_file_that_is_no_game(run: Run, file: Write) -> None:
    assert "line 1" in run("review", file("notes.txt", "hello\n")).complaint


# ---- hint ----------------------------------------------------------------------------------


def test_hint(run: Run) -> None:
    out = run("hint", "connect4", "--moves", "41414").out
    assert out.splitlines()[:2] == ["Look at the middle columns.", "Play 4."]
    assert "blocks a four on column 4" in out


def test_hint_as_json(run: Run) -> None:
    data = run("hint", "tictactoe", "--moves", "a1 b2 a2 c1", "--time", "2", "--json").json
    assert (data["move"], data["why"]) == ("a3", ["wins at once, with three on column a"])
    assert data["outcome"] == "win"


def test_no_hint_after_the_end(run: Run) -> None:
    complaint = run("hint", "tictactoe", "--moves", "a1 b1 a2 b2 a3").complaint
    assert "the game is over" in complaint
