"""`exercises` and `train`: what there is, a right try, a wrong one, nonsense, the answer."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

from plywise.play.exercises.exercise import (
    write_exercises,
)
from plywise.play.records.game_record import GameRecord, Move
from plywise.play.records.saves import save
from tests.commands import Run
from tests.play.exercises.one import ONE


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "some.gz"
    write_exercises(path, [ONE])
    return str(path)


def test_what_there_is(run: Run, file: str) -> None:
    found = run("exercises", "tictactoe", "--file", file, "--check")
    assert found.out.splitlines() == [
        "tictactoe: 1 exercise, all proved again",
        "win in 1: 1",
        "themes: win at once 1, all or nothing 1",
    ]
    assert "rows=7 --make 50" in run("exercises", "tictactoe:rows=7").complaint


def test_a_wrong_exercise_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.gz"
    wrong = replace(ONE, line=("b1",))
    write_exercises(path, [wrong])
    found = run("exercises", "tictactoe", "--file", str(path), "--check")
    assert "b1 does not reach a win" in found.complaint


@pytest.mark.parametrize(
    ("typed", "says", "solved"),
    [
        ("a3\n", "Right: wins at once, with three on column a. Best play: a3", "1 of 1"),
        ("b1\na3\n", "b1 does not win: a3. Try another move.", "0 of 1"),
        ("z9\na3\n", "'z9' is not a move", "1 of 1"),
        ("?\n", "The answer is a3: wins at once", "0 of 1"),
        ("q\n", "Player 1 to move: win at once.", "0 of 0"),
        ("", "Player 1 to move: win at once.", "0 of 0"),
    ],
)
def test_training(
    run: Run, file: str, monkeypatch: pytest.MonkeyPatch, typed: str, says: str, solved: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    found = run("train", "tictactoe", "--file", file)
    assert found.code == 0
    assert says in found.out
    assert f"{solved} solved at the first try." in found.out


def test_training_with_the_mistakes_of_a_saved_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.txt"
    # a2 does not stop the row of player 1; nothing else was a mistake with one better move.
    moves = tuple(Move(move) for move in ["b2", "a1", "c3", "b1", "a2", "c1"])
    save(GameRecord("tictactoe", ("human", "human"), moves=moves), path)
    monkeypatch.setattr("sys.stdin", io.StringIO("a2\nc1\n"))
    found = run("train", str(path))
    assert found.code == 0
    assert "Player 1 to move: find the best move (a2 was played)." in found.out
    assert "a2 is not the best: c1. Try another move." in found.out
    assert "Right:" in found.out
    assert "0 of 1 solved at the first try." in found.out


def test_a_saved_game_has_no_ratings(run: Run, file: str) -> None:
    found = run("train", file, "--rating", "900")
    assert found.complaint == "a saved game takes no --rating, --theme or --file"
