"""Exercises over HTTP: what there is, one of them, and what there is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import plywise
from plywise.core.game import GameType
from plywise.play.exercises import files
from plywise.play.exercises.exercise import Exercise
from plywise.web.api import catalogue, exercises

SPEC = "tictactoe"
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


@pytest.fixture(autouse=True)
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def file_of(kind: GameType) -> Path:
        return tmp_path / f"{kind.name}.gz"

    files.write(tmp_path / f"{SPEC}.gz", SPEC, [ONE])
    monkeypatch.setattr(files, "file_of", file_of)
    exercises.forget()
    catalogue.forget()
    yield
    exercises.forget()
    catalogue.forget()


def test_only_games_with_exercises_are_listed(client: TestClient) -> None:
    found = client.get("/api/exercises").json()
    assert found == {"games": [{"name": SPEC, "title": "Tic-Tac-Toe", "count": 1}]}


def test_a_list_says_what_there_is_without_the_solutions(client: TestClient) -> None:
    found = client.get(f"/api/exercises/{SPEC}").json()
    assert (found["game"], found["title"]) == (SPEC, "Tic-Tac-Toe")
    entry = {"name": ONE.name, "goal": "win", "length": 1, "theme": "win at once", "rating": 600}
    assert found["exercises"] == [entry]
    assert client.get("/api/exercises/connect4").json()["exercises"] == []


def test_an_exercise_comes_with_its_position_and_its_solution(client: TestClient) -> None:
    found = client.get(f"/api/exercises/{SPEC}/{ONE.name}").json()
    assert found["task"] == "win at once"
    assert found["answer"] == "a3"
    assert found["refutations"]["b1"] == ["a3"]
    position = plywise.game(SPEC).position(list(ONE.moves))
    assert found["position"]["text"] == position.text
    assert set(found["position"]["legal"]) == {"a3", *ONE.refutations}


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/api/exercises/chess", "there is no game 'chess'"),
        (f"/api/exercises/{SPEC}/nonsense", "there is no exercise 'nonsense'"),
        ("/api/exercises/connect4/nonsense", "there is no exercise 'nonsense'"),
    ],
)
def test_what_there_is_not_is_said(client: TestClient, path: str, says: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert says in answer.json()["error"]
