"""Commands that games bring along: options, progress, data, and nothing imported too early."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from plywise.cli.commands import game_commands
from tests.commands import Run

COMMANDS = """
from typing import Annotated
import typer
from plywise.kit.commands import Output, Progress


def count_up(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Whose.")],
    up_to: Annotated[int, typer.Option(metavar="N", min=1, help="How far.")] = 3,
    loud: Annotated[bool, typer.Option("--loud", help="In capitals.")] = False,
) -> Output:
    '''Count.'''
    yield f"counting for {name}"
    for number in range(up_to + 1):
        yield Progress("counting", number, up_to)
    words = f"{name} got to {up_to}"
    yield {"name": name, "count": up_to}
    yield words.upper() if loud else words


def talk() -> Output:
    '''Only words.'''
    yield "one"
    yield "two"


COMMANDS = (count_up, talk)
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package outside plywise that brings commands along."""
    (tmp_path / "counting_game.py").write_text(COMMANDS)
    monkeypatch.syspath_prepend(str(tmp_path))
    entry = EntryPoint("counting", "counting_game", game_commands.GROUP)
    monkeypatch.setattr(game_commands, "entry_points", lambda group: [entry])
    game_commands.modules.cache_clear()
    yield
    game_commands.modules.cache_clear()
    sys.modules.pop("counting_game", None)


@pytest.mark.usefixtures("package")
def test_a_command_from_outside(run: Run) -> None:
    assert run("counting", "count-up", "anne", "--up-to", "5").out.splitlines() == [
        "counting for anne",
        "anne got to 5",
    ]
    assert "ANNE GOT TO 3" in run("counting", "count-up", "anne", "--loud").out
    assert run("counting", "count-up", "anne", "--json").json == {"name": "anne", "count": 3}
    assert run("counting", "talk").out == "one\ntwo\n"
    assert run("counting", "talk", "--json").json == {"lines": ["one", "two"]}
    assert "More commands for counting." in run("--help").out
    assert "Only words." in run("counting", "--help").out


@pytest.mark.usefixtures("package")
def test_bad_input(run: Run) -> None:
    assert (
        "invalid value for '--up-to'" in run("counting", "count-up", "x", "--up-to", "0").complaint
    )
    assert "missing argument" in run("counting", "count-up").complaint
    assert run("counting", "sing").complaint.startswith("unknown command 'sing': choose from ")


def test_nothing_is_imported_to_list_them() -> None:
    code = (
        "import sys; from plywise.cli import main; main(['--help']);"
        "sys.exit(any(name.startswith('plywise.games.') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == 0
    assert b"connect4" in done.stdout


WITHOUT = """
import importlib.metadata, sys
importlib.metadata.entry_points = lambda **_: ()
from plywise.cli import main
sys.exit(main(sys.argv[1:]))
"""


def without_the_lab(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of an installed plywise: no other package adds any."""
    command = [sys.executable, "-c", WITHOUT, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_what_only_a_checkout_has() -> None:
    checkout = {"align", "andantino", "connect4", "snails"}
    assert checkout <= set(game_commands.modules())
    helped = without_the_lab("--help").stdout
    listed = {line.split()[0] for line in helped.splitlines() if line.startswith("  ")}
    assert {"match", "grade", "slither"} <= listed
    assert not listed & {"report", *checkout}


@pytest.mark.parametrize("words", [("report", "tictactoe"), ("connect4", "book")])
def test_a_command_of_the_lab_without_the_lab(words: tuple[str, ...]) -> None:
    done = without_the_lab(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"plywise: unknown command '{words[0]}': choose from ")
    assert len(done.stderr.splitlines()) == 1
