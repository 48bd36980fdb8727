"""What commands print: right plurals, the margin of a win, and progress on a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import plywise
from plywise.cli import console
from plywise.cli.console import note, progress, working
from plywise.errors import SpecError
from tests.awkward import coins
from tests.commands import Run
from tests.games.test_registry import NIM
from tests.views.test_show import on_a_terminal

# ---- one and many --------------------------------------------------------------------------------


def test_one_game_is_not_games(run: Run) -> None:
    found = run("match", "tictactoe", "random", "random", "--games", "1", "--seed", "1")
    assert "tictactoe: random against random, 1 game, seed 1" in found.out
    assert "in 1 random game: " in run("check", "tictactoe", "--games", "1").out
    assert run("perft", "tictactoe", "0").out.startswith("1 node at depth 0 in ")


def test_a_hint_of_one_point() -> None:
    """The last two coins are worth 1 and 0."""
    games = (coins.coin_row(2, seed) for seed in range(200))
    game = next(each for each in games if sorted(each.board.worth[:2]) == [0, 1])
    hint = plywise.hint(game.start(), plywise.Limits(depth=4))
    assert hint.analysis.score == 1
    assert "wins by 1 point against best play" in hint.why


@pytest.mark.parametrize(("moves", "words"), [("", "win by 1,"), ("1", "loss by 1,")])
def test_a_margin_of_one_is_said(
    moves: str, words: str, run: Run, file: Callable[[str, str], str]
) -> None:
    """Nim for points: whoever takes the last wins by one."""
    points = NIM.replace("GameType(", "GameType(\n    points=True,").replace(
        "HEAP = 10", "HEAP = 5"
    )
    assert "points=True" in points
    found = run("solve", file("points.py", points), "--moves", moves)
    assert words in found.out, found


def test_in_other_games_there_is_no_margin(run: Run) -> None:
    assert run("solve", "tictactoe:rows=3,cols=4").out.startswith("start: win in 4 moves, ")


# ---- files and streams ---------------------------------------------------------------------------


@pytest.mark.parametrize(("option", "name"), [("--png", "x.svg"), ("--svg", "x.PNG")])
def test_the_ending_must_fit(option: str, name: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / name
    ending = f".{option[2:]}"
    found = run("show", "connect4", option, str(file))
    assert found.complaint == f"{option} {file}: the name must end in {ending}"
    assert not file.exists()
    assert run("show", "connect4", option, str(tmp_path / f"y{ending.upper()}")).code == 0


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="a closed stream is one of POSIX")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_closed_stream(closed: str, tmp_path: Path) -> None:
    """Nothing is printed in the wrong place, least of all into the file."""
    file = tmp_path / "board.svg"
    command = f"{sys.executable} -m plywise show connect4 --svg {file} {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("legal: 1 2 3 4 5 6 7\n") or ("2>" in closed or ">&-" in closed)
    assert file.read_text() == plywise.game("connect4").start().svg()


@pytest.mark.parametrize(
    ("moves", "words"),
    [
        ("4444444", "move 7 of 7: '4' is not legal here: the legal moves are 1 2 3 5 6 7"),
        ("4481", "move 3 of 4: '8' is not a move: "),
        ("8", "'8' is not a move: "),
    ],
)
def test_which_move_is_wrong(moves: str, words: str, run: Run) -> None:
    assert run("show", "connect4", "--moves", moves).complaint.startswith(words)
    with pytest.raises(plywise.MoveError, match=f"^{re.escape(words)}") as caught:
        plywise.game("connect4").position(moves)
    assert caught.value.position is not None


def test_a_palette_is_not_a_name() -> None:
    with pytest.raises(SpecError, match=r"tictactoe has the palette 'wood': it must be Palettes"):
        replace(plywise.game("tictactoe").type, palette="wood")


# ---- progress ------------------------------------------------------------------------------------


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Standard error counts as a terminal, and nothing is too quick to be shown."""
    monkeypatch.setattr(console, "watched", lambda: True)
    monkeypatch.setattr(console, "_SOON", 0.0)


def test_what_takes_long_is_shown(
    terminal: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal, with movements of the cursor
    monkeypatch.setenv("TERM", "xterm")
    seen = ""
    with working("solving chess") as say:
        while "solving chess" not in seen:
            seen += capsys.readouterr().err
        say("depth 9")
        note("compiling ...")
        while "depth 9" not in seen:
            seen += capsys.readouterr().err
    seen += capsys.readouterr().err
    assert re.search(r"\r\x1b\[2Kcompiling \.\.\.\n", seen), "on a line of its own"
    assert seen.endswith("\r\x1b[1A\x1b[2K"), "and nothing is left of it"


def test_a_note_does_not_run_into_a_progress_bar(
    terminal: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress("games", 2) as advance:
        note("compiling the kernel [for b2] ...")
        advance("one")
    lines = capsys.readouterr().err.splitlines()
    assert "compiling the kernel [for b2] ..." in [line.strip() for line in lines]
    note("after")
    assert capsys.readouterr().err == "after\n"


@pytest.mark.slow
def test_a_note_above_a_real_bar() -> None:
    """Rich writes the cursor's movements only to a terminal."""
    code = (
        "from plywise.cli.console import note, progress\n"
        "with progress('games', 2) as advance:\n"
        "    advance('one')\n"
        "    note('compiling the kernel')\n"
        "    advance('two')\n"
    )
    text = on_a_terminal(program=("-c", code))
    assert re.search(r"(^|\n|\x1b\[2K)compiling the kernel *\n", text), repr(text)


#: Shows what is going on even if it does not take long.
AT_ONCE = """
import sys
from plywise.cli import console, main
console._SOON = 0.0
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "shown", "result"),
    [
        (["perft", "connect4", "8"], "7/7", "5,673,234 nodes at depth 8"),
        (["solve", "connect4:rows=6,cols=5"], "0 s  solving connect4:cols=5", "start: draw"),
        (["analyze", "connect4", "--agent", "minimax:depth=9"], " s  searching connect4", "best "),
    ],
)
def test_commands_that_take_long_show_progress(
    arguments: list[str], shown: str, result: str
) -> None:
    text = on_a_terminal(*arguments, program=("-c", AT_ONCE))
    assert result in text
    assert shown in text
