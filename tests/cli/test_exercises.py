"""`exercises` and `train`: what there is, a right try, a wrong one, nonsense, the answer."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from plywise.play.exercises import files
from plywise.play.exercises.exercise import Exercise
from tests.commands import Run

ONE = Exercise(
    moves=("a1", "b2", "a2", "c1"),
    goal="win",
    answer="a3",
    length=1,
    line=("a3",),
    refutations={"b1": ("a3",), "c2": ("a3",), "b3": ("a3",), "c3": ("a3",)},
    theme="win at once",
    rating=600,
)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "some.gz"
    files.write(path, "tictactoe", [ONE])
    return str(path)


def test_what_there_is(run: Run, file: str) -> None:
    found = run("exercises", "tictactoe", "--file", file, "--check")
    assert found.out.splitlines() == [
        "tictactoe: 1 exercise, all proved again",
        "win in 1: 1",
        "themes: win at once 1",
    ]
    assert run("exercises", "tictactoe", "--file", file, "--json").json["game"] == "tictactoe"
    assert "tictactoe --make 50" in run("exercises", "tictactoe").complaint


def test_a_wrong_exercise_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.gz"
    others = dict.fromkeys(("a3", "c2", "b3", "c3"), ())
    wrong = Exercise(ONE.moves, "win", "b1", 1, ("b1",), others, "quiet", 600)
    files.write(path, "tictactoe", [wrong])
    found = run("exercises", "tictactoe", "--file", str(path), "--check")
    assert "b1 does not reach a win" in found.complaint


@pytest.mark.parametrize(
    ("typed", "says", "solved"),
    [
        ("a3\n", "Right: a3", "1 of 1"),
        ("b1\na3\n", "b1 does not win: a3. Try another move.", "0 of 1"),
        ("z9\na3\n", "'z9' is not a move", "1 of 1"),
        ("?\n", "a3: a3", "0 of 1"),
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
