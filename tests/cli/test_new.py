"""`plywise new`: the files it writes, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import plywise
from plywise.cli.commands.author import examples
from plywise.testing import LAWS, random_games
from tests.commands import Run

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_new_game_is_complete(run: Run, here: Path) -> None:
    done = run("new", "mine")
    assert done.out.startswith("mine.py is a complete game, and test_mine.py tests its rules.")
    sample = random_games("./mine.py", games=2, seed=1, most=10)
    assert sample.game.type.title == "Mine"
    for law, check in LAWS.items():
        if law != "compiled":
            check(sample)


@pytest.mark.long
def test_the_test_of_a_new_game_passes_and_fails_with_its_rules(run: Run, here: Path) -> None:
    run("new", "mine")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0
    game = here / "mine.py"
    game.write_text(game.read_text().replace("    s.turn = 1 - s.turn\n", "    s.cells[0] = 0\n"))
    assert subprocess.run(command, capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("example", examples())
def test_every_example_is_copied_under_the_new_name(run: Run, here: Path, example: str) -> None:
    run("new", "my_own", "--from", example)
    game = plywise.game("./my_own.py")
    assert (game.name, game.type.title) == ("my_own", "My own")
    assert (here / "my_own.py").read_text().startswith('"""My own: ')
    assert len(game.start().legal) == len(
        plywise.game(f"{ROOT}/examples/{example}.py").start().legal
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("Mine",), "'Mine' cannot be the name of a game: use small letters, digits and _"),
        (("class",), "'class' cannot be the name of a game"),
        (("../mine",), "'../mine' cannot be the name of a game"),
        (("connect4",), "connect4 comes with plywise: choose another name"),
        (("random",), "random is the name of a Python module: choose another name"),
        (("mine", "--from", "othelo"), "unknown example 'othelo': did you mean 'othello'?"),
    ],
)
def test_what_is_refused(run: Run, here: Path, arguments: tuple[str, ...], words: str) -> None:
    assert run("new", *arguments).complaint.startswith(words)
    assert list(here.iterdir()) == []


@pytest.mark.parametrize("there", ["mine.py", "test_mine.py"])
def test_nothing_is_overwritten(run: Run, here: Path, there: str) -> None:
    (here / there).write_text("precious")
    assert run("new", "mine").complaint.startswith(f"{there} already exists")
    assert [file.name for file in here.iterdir()] == [there]
    assert (here / there).read_text() == "precious"
