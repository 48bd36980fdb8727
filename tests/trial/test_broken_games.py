"""A game with a mistake gets one line that names it, and nothing crashes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import plywise
from plywise import trial
from plywise.errors import PlywiseError, RulesError
from tests.trial.broken import MISTAKES, RIGHT, broken

LONG = 300.0  #: seconds; what hangs is stopped
COMMANDS = ("show", "play", "analyze", "solve", "check")
#: Some that crashed, hung or gave a wrong answer before there was a trial, for every `make test`.
SOME = (
    "no moves, but not over",
    "too few moves in sizes",
    "a loop without end",
    "a helper that is not a rule",
    "two verbs swapped",
)


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_CACHE", str(tmp_path / "cache"))


def file_with(folder: Path, text: str) -> Path:
    file = folder / "broken.py"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_right_game_passes(tmp_path: Path) -> None:
    file = file_with(tmp_path, RIGHT)
    assert plywise.game(str(file)).start().legal == ("1", "2", "3", "4", "5", "6", "7")


@pytest.mark.parametrize("name", MISTAKES)
def test_from_python(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial.try_game, "__defaults__", (0.2,))
    file = file_with(tmp_path, broken(name))
    with pytest.raises(PlywiseError) as caught:
        plywise.game(str(file))
    message = str(caught.value)
    assert MISTAKES[name].words.replace("3 s", "0.2 s") in message
    assert len(message.splitlines()) == 1


def levels() -> list[Any]:
    """Every mistake with a command; most of them only in `make long`."""
    return [
        pytest.param(
            name,
            COMMANDS[number % len(COMMANDS)],
            marks=pytest.mark.slow if name in SOME else pytest.mark.long,
        )
        for number, name in enumerate(sorted(MISTAKES, key=lambda each: each not in SOME))
    ]


@pytest.mark.parametrize(("name", "command"), levels())
def test_from_the_command_line(name: str, command: str, tmp_path: Path) -> None:
    file_with(tmp_path, broken(name))
    done = subprocess.run(
        [sys.executable, "-m", "plywise", command, "./broken.py"],
        cwd=tmp_path,
        env={**os.environ, "PLYWISE_DATA": str(tmp_path / "data")},
        input="",
        capture_output=True,
        text=True,
        check=False,
        timeout=LONG,
    )
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("plywise: ")
    assert MISTAKES[name].words in done.stderr


def test_a_game_that_is_not_in_a_file_is_tried_by_the_first_engine() -> None:
    names: dict[str, Any] = {"__name__": "cell"}
    exec(compile(broken("no moves, but not over"), "<cell>", "exec"), names)
    game = names["GAME"]()
    assert game.start().legal
    for search in (
        lambda: plywise.engine("alphabeta", game),
        lambda: plywise.solve(game.start()),
    ):
        with pytest.raises(RulesError, match="there are no moves, but the game is not over"):
            search()


@pytest.fixture
def trials(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that were tried, by name."""
    done: list[str] = []
    usual = trial.try_game
    monkeypatch.setattr(trial, "try_game", lambda game: done.append(game.spec) or usual(game))
    return done


def test_what_passed_is_not_tried_again_until_it_is_edited(
    tmp_path: Path, trials: list[str]
) -> None:
    file = file_with(tmp_path, RIGHT)
    for _ in range(2):
        plywise.game(str(file))
    assert len(trials) == 1
    plywise.game(str(file), cells=5)
    assert len(trials) == 2, "another board"
    file_with(tmp_path, RIGHT.replace("high=7", "high=6"))
    plywise.game(str(file), cells=5)
    assert len(trials) == 3, "an edit"


def test_what_failed_is_tried_again(tmp_path: Path, trials: list[str]) -> None:
    file = file_with(tmp_path, broken("a move twice"))
    for _ in range(2):
        with pytest.raises(RulesError):
            plywise.game(str(file))
    assert len(trials) == 2


def test_games_that_ship_are_not_tried(trials: list[str]) -> None:
    for name in plywise.games.names():
        plywise.game(name)
    assert trials == []
