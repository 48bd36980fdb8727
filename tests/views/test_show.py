"""`plywise show`: pictures to files, a board in colour on a terminal, plain in a pipe."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

import plywise
from plywise.cli import main


def on_a_terminal(
    *arguments: str, program: Sequence[str] = ("-m", "plywise"), **environment: str
) -> str:
    """What `plywise`, or another Python program, writes to a terminal of its own."""
    ours, theirs = pty.openpty()
    settings = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    settings |= {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24", **environment}
    command = [sys.executable, *program, *arguments]
    process = subprocess.Popen(command, stdout=theirs, stderr=theirs, env=settings)
    os.close(theirs)
    written = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        written += part
    os.close(ours)
    assert process.wait(timeout=60) == 0
    return written.decode().replace("\r\n", "\n")


def test_on_a_terminal_the_board_is_coloured() -> None:
    text = on_a_terminal("show", "connect4", "--moves", "4453")
    assert "╭─────" in text
    assert re.search(r"\x1b\[1;38;5;[0-9]+;48;5;[0-9]+m ● ", text)
    assert text.endswith("player 1 to move\nlegal: 1 2 3 4 5 6 7\n")


def test_no_color_is_obeyed() -> None:
    text = on_a_terminal("show", "connect4", "--moves", "4453", NO_COLOR="1")
    assert "\x1b" not in text
    assert "[○]" in text


def test_ascii_on_request() -> None:
    text = on_a_terminal("show", "tictactoe", "--moves", "b2", "--ascii", NO_COLOR="1")
    assert text.isascii()
    assert "[X]" in text


def test_writes_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    arguments = ["--svg", str(svg), "--png", str(png), "--theme", "dark", "--legal"]
    assert main(["show", "tictactoe", "--moves", "b2", *arguments]) == 0
    assert capsys.readouterr().out.startswith("3  + + +\n2  + X +\n")
    assert 'class="plywise dark"' in svg.read_text(encoding="utf-8")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_marks_the_best_move(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    svg = tmp_path / "board.svg"
    moves = "a1 a3 b1 b3"  # c1 wins at once
    assert main(["show", "tictactoe", "--moves", moves, "--best", "--svg", str(svg)]) == 0
    assert capsys.readouterr().out.splitlines()[2].split()[-1] == "[W1]"  # the best
    assert 'id="best-c1"' in svg.read_text(encoding="utf-8")


def test_legal_moves_and_the_best_one_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    svg, png = tmp_path / "board.svg", tmp_path / "board.png"
    files = ["--svg", str(svg), "--png", str(png)]
    spec, moves = "andantino:side=4", "j10 i11 j11 i10 j9"
    assert main(["show", spec, "--moves", moves, "--legal", "--best", *files]) == 0
    text = capsys.readouterr().out.partition("player 2 to move")[0]
    legal = plywise.game(spec).position(moves).legal
    assert len(re.findall(r"\([+-=WL]\d*\)", text)) == len(legal) - 1
    assert len(re.findall(r"\[[+-=WL]\d*\]", text)) == 1
    drawn = set(re.findall(r'id="((?:best|legal|score)-\w+)"', svg.read_text(encoding="utf-8")))
    (best,) = (name.removeprefix("best-") for name in drawn if name.startswith("best"))
    outlined = {f"legal-{move}" for move in legal if move != best}
    assert drawn == {f"best-{best}", *outlined, *(f"score-{move}" for move in legal)}
    colours = {colour for _, colour in Image.open(png).convert("RGB").getcolors(1 << 20)}
    assert {(0xC2, 0x1F, 0x30), (0x00, 0x7A, 0x59)} <= colours  # red and green


def test_a_finished_game_has_no_best_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "connect4", "--moves", "4455667", "--best"]) == 0
    assert "player 1 wins" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--theme", "drak"], "there is no theme 'drak': did you mean 'dark'?"),
        (["--svg", "/nowhere/at/all.svg"], "/nowhere/at/all.svg: No such file or directory"),
    ],
)
def test_bad_input(
    arguments: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["show", "connect4", *arguments]) == 2
    assert capsys.readouterr() == ("", f"plywise: {complaint}\n")
