"""Analyses, hints and reviews, over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from fastapi.testclient import TestClient

import plywise
from plywise.web.api import schemas
from plywise.web.settings import Settings
from tests.web.steps import HOURS, complaint, fits


@pytest.fixture
def settings() -> Settings:
    """Enough time: the positions of these tests are proved."""
    return Settings(warm_up=False, answer_seconds=HOURS, review_seconds=HOURS)


def test_analysis(client: TestClient) -> None:
    asked = {"game": "tictactoe", "moves": "b2 a2 a1", "time": HOURS}
    answer = client.post("/api/analysis", json=asked)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    fits(schemas.Analysis, found)
    assert found["best"] == "c3"
    assert found["moves"] == ["b2", "a2", "a1"]
    assert found["to_move"] == 2
    assert found["value_1"] == -found["value"] == 1  # the fork at c1 or so is there
    assert {line["move"] for line in found["lines"]} == set(
        plywise.game("tictactoe").position("b2 a2 a1").legal
    )
    assert all(line["text"] for line in found["lines"])


def test_analysis_without_lines_by_another_agent(client: TestClient) -> None:
    asked = {"game": "connect4", "agent": "mcts", "time": 0.1, "lines": False}
    found = client.post("/api/analysis", json=asked).json()
    assert found["lines"] == []
    assert found["best"] in plywise.game("connect4").start().legal


def test_hint(client: TestClient) -> None:
    asked = {"game": "connect4", "moves": "112233", "time": 0.2}
    found = client.post("/api/hint", json=asked).json()
    fits(schemas.Hint, found)
    assert found["move"] == "4"
    assert len(found["steps"]) == 3
    x, y, radius = found["area"]
    assert [x, y, radius] == [round(number, 4) for number in found["area"]]
    scene = client.post("/api/positions", json={"game": "connect4", "moves": "112233"}).json()[
        "scene"
    ]
    [at] = [target["at"] for target in scene["targets"] if target["move"] == "4"]
    distance = ((x - at[0]) ** 2 + (y - at[1]) ** 2) ** 0.5
    assert 0 < distance < radius
    assert client.post("/api/hint", json=asked).json()["area"] == found["area"]


def test_review(client: TestClient) -> None:
    asked = {"game": "tictactoe", "moves": "b2 a2 a1"}
    found = client.post("/api/review", json=asked).json()
    fits(schemas.Review, found)
    assert [move["grade"] for move in found["moves"]] == ["best", "blunder", "best"]
    assert len(found["values"]) == 4


OVER = {"game": "connect4", "moves": "4142434"}


@pytest.mark.parametrize(
    ("path", "asked", "words"),
    [
        ("/api/analysis", OVER, "the game is over (four in a line)"),
        ("/api/hint", OVER, "the game is over (four in a line)"),
        ("/api/review", {"game": "connect4"}, "nothing to review"),
        ("/api/analysis", {"game": "connect4", "agent": "./evil.py"}, "names a file"),
        ("/api/analysis", {"game": "connect4", "agent": "human"}, "name an agent"),
        ("/api/analysis", {"game": "connect4", "agent": "mcts:memory=9999"}, "too much here"),
        ("/api/analysis", {"game": "connect4", "time": 0}, "time: input should be greater than 0"),
        ("/api/hint", {"game": "connect4", "time": -1}, "time: input should be greater than 0"),
    ],
)
def test_searches_that_cannot_be(
    client: TestClient, path: str, asked: Mapping[str, Any], words: str
) -> None:
    assert words in complaint(client.post(path, json=asked))


def test_a_time_that_is_none(client: TestClient) -> None:
    answer = client.post(
        "/api/analysis",
        content=b'{"game": "connect4", "time": NaN}',
        headers={"Content-Type": "application/json"},
    )
    assert "time" in complaint(answer)
