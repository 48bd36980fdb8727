"""Exercises over HTTP: what there is, one of them, and what there is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

import plywise
from plywise.core.game import GameType
from plywise.play.exercises.exercise import (
    write_exercises,
)
from plywise.web.api import catalogue, exercises
from tests.play.exercises.one import ONE

SPEC = "tictactoe"


@pytest.fixture(autouse=True)
def one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def file_of(kind: GameType) -> Path:
        return tmp_path / f"{kind.name}.gz"

    write_exercises(tmp_path / f"{SPEC}.gz", [ONE])
    monkeypatch.setattr(exercises, "exercises_file", file_of)
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
    entry = {
        "name": ONE.name,
        "goal": "win",
        "length": 1,
        "themes": list(ONE.themes),
        "rating": 600,
    }
    assert found["exercises"] == [entry]
    assert client.get("/api/exercises/connect4").json()["exercises"] == []


def test_an_exercise_comes_with_its_position_and_its_solution(client: TestClient) -> None:
    found = client.get(f"/api/exercises/{SPEC}/{ONE.name}").json()
    assert found["task"] == "win at once"
    assert found["answer"] == "a3"
    assert found["refutations"]["b1"] == ["a3"]
    position = plywise.game(SPEC).position(list(ONE.moves))
    assert found["position"]["text"] == position.text
    assert set(found["position"]["legal"]) == {"a3", *found["refutations"]}


def test_frames_lead_to_the_pictures_of_the_positions(client: TestClient) -> None:
    """Applied one after the other, they give what the server draws for the same moves."""
    found = client.get(f"/api/exercises/{SPEC}/{ONE.name}").json()
    frames = client.get(f"/api/exercises/{SPEC}/{ONE.name}/frames").json()["frames"]
    lines = [found["line"], *([move, *line] for move, line in found["refutations"].items())]
    assert set(frames) == {" ".join(line[:n]) for line in lines for n in range(1, len(line) + 1)}
    for line in lines:
        shapes = {shape["id"]: shape for shape in found["position"]["scene"]["shapes"]}
        for count in range(1, len(line) + 1):
            frame = frames[" ".join(line[:count])]
            asked = {"game": SPEC, "moves": [*ONE.moves, *line[:count]]}
            position = client.post("/api/positions", json=asked).json()
            for gone in frame["gone"]:
                del shapes[gone]
            shapes |= {shape["id"]: shape for shape in frame["shapes"]}
            assert shapes == {shape["id"]: shape for shape in position["scene"]["shapes"]}
            assert frame["standing"] == position["standing"]
            for field in ("title", "description", "size", "motion"):
                assert frame[field] == position["scene"][field]


def test_a_reason_in_words(client: TestClient) -> None:
    found = client.get(f"/api/exercises/{SPEC}/{ONE.name}").json()
    assert found["why"] == "wins at once, with three on column a"


def test_a_day_has_one_from_each_step_of_the_ratings(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exercises, "DAY", 10)
    start = plywise.game(SPEC).start()
    two = [(one, other) for one in start.legal for other in start.play(one).legal]
    every = [replace(ONE, moves=moves, rating=600 + 10 * n) for n, moves in enumerate(two)]
    write_exercises(tmp_path / f"{SPEC}.gz", every)
    exercises.forget()
    ratings = {each.name: each.rating for each in every}
    day = client.get(f"/api/exercises/{SPEC}/day/2026-11-17").json()
    assert day == client.get(f"/api/exercises/{SPEC}/day/2026-11-17").json()
    assert day["names"] != client.get(f"/api/exercises/{SPEC}/day/2026-11-18").json()["names"]
    assert day["daily"] in day["names"]
    assert len(day["names"]) == 10
    for step, name in enumerate(day["names"]):
        assert 72 * step - 10 <= ratings[name] - 600 <= 72 * (step + 1) + 10
    assert client.get("/api/exercises/connect4/day/2026-11-17").json()["names"] == []
    assert client.get(f"/api/exercises/{SPEC}/day/yesterday").status_code == 422


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/api/exercises/chess", "there is no game 'chess'"),
        (f"/api/exercises/{SPEC}/nonsense", "there is no exercise 'nonsense'"),
        (f"/api/exercises/{SPEC}/nonsense/frames", "there is no exercise 'nonsense'"),
        ("/api/exercises/chess/day/2026-11-17", "there is no game 'chess'"),
        ("/api/exercises/connect4/nonsense", "there is no exercise 'nonsense'"),
    ],
)
def test_what_there_is_not_is_said(client: TestClient, path: str, says: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert says in answer.json()["error"]
