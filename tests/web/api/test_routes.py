"""The routes that need no saved game, over HTTP."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from fastapi.testclient import TestClient

import plywise
from plywise import games
from plywise.web.api import schemas
from plywise.web.settings import Settings
from tests.web.steps import HOURS, fits


@pytest.fixture
def settings() -> Settings:
    """Enough time: the positions of these tests are proved."""
    return Settings(warm_up=False, answer_seconds=HOURS, review_seconds=HOURS)


def complaint(answer: Any, status: int = 422) -> str:
    """Return the error message of a refused request."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == "application/json"
    assert list(answer.json()) == ["error"]
    line: str = answer.json()["error"]
    assert "\n" not in line
    return line


# ---- kinds ---------------------------------------------------------------------------------------


def test_kinds(client: TestClient) -> None:
    answer = client.get("/api/kinds")
    assert [kind["name"] for kind in answer.json()["kinds"]] == list(games.names())
    assert answer.headers["Content-Encoding"] == "gzip"
    plain = client.get("/api/kinds", headers={"Accept-Encoding": "identity"})
    assert "Content-Encoding" not in plain.headers
    assert plain.json() == answer.json()


def test_one_kind_and_its_guide(client: TestClient) -> None:
    kind = client.get("/api/kinds/connect4").json()
    sample = client.get("/api/kinds/connect4/sample").json()
    *_, last = sample["frames"]
    assert len(sample["frames"]) == 26
    assert [sample["shapes"][number] for number in last["shapes"]] == kind["picture"]["shapes"]
    guide = client.get("/api/kinds/connect4/guide").json()
    assert guide["title"] == kind["title"] == "Connect-4"


@pytest.mark.parametrize("path", ["", "/guide", "/sample"])
def test_a_kind_that_is_not_there(client: TestClient, path: str) -> None:
    answer = client.get(f"/api/kinds/conect4{path}")
    assert "did you mean 'connect4'?" in complaint(answer, 404)


# ---- positions -----------------------------------------------------------------------------------


def test_a_position_by_post_and_by_get(client: TestClient) -> None:
    asked = {"game": "connect4", "moves": ["4", "4"]}
    found = client.post("/api/positions", json=asked)
    assert found.status_code == 200
    assert found.headers["Cache-Control"] == "no-store"
    fits(schemas.Position, found.json())
    assert found.json()["text"] == plywise.game("connect4").position("44").text
    assert client.get("/api/positions?game=connect4&moves=44").json() == found.json()
    assert client.get("/api/positions", params={"game": "connect4"}).json()["moves"] == []


def test_a_position_from_a_start(client: TestClient) -> None:
    start = plywise.game("tictactoe").position("b2 a1").text
    params = {"game": "tictactoe", "start": start, "moves": "c3"}
    found = client.get("/api/positions", params=params).json()
    assert found["start"] == start
    assert found["moves"] == ["c3"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({}, "game is missing"),
        ({"game": 4}, "game: input should be a valid string, got 4"),
        ({"game": ""}, "game: string should have at least 1 character"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"game": "./evil.py"}, "names a file"),
        ({"game": "connect4", "moves": "9"}, "'9' is not a move"),
        ({"game": "connect4", "moves": ["4"] * 50}, "too many"),
        ({"game": "connect4", "moves": 7}, "moves"),
        ({"game": "connect4", "moves": [["4"]]}, "moves"),
        ({"game": "connect4", "start": "x"}, "is not a position of connect4"),
        ({"game": "connect4", "colour": "red"}, "unknown field 'colour'"),
        ({"game": "tictactoe:rows=26,cols=26"}, "rows"),
        ([], "body"),
        ("connect4", "body"),
        (None, "body"),
    ],
)
def test_what_is_no_position(client: TestClient, asked: Any, words: str) -> None:
    assert words in complaint(client.post("/api/positions", json=asked))


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 422),
        (b"", 422),
        (b"\xff\xfe", 422),
        (b"[" * 50_000, 400),
        (b'{"game": ' + b"1" * 6000 + b"}", 400),
        (b'{"game": "\\ud800"}', 422),
        (b'{"game": "connect4", "start": "\\ud800"}', 422),
        (b'{"game": "connect4", "moves": ["\\u0000"]}', 422),
        (b'{"\\ud800": NaN, "game": "connect4"}', 422),
        (b'{"game": "connect4", "moves": NaN}', 422),
    ],
)
def test_broken_bodies(client: TestClient, body: bytes, status: int) -> None:
    answer = client.post(
        "/api/positions", content=body, headers={"Content-Type": "application/json"}
    )
    complaint(answer, status)


# ---- searches ------------------------------------------------------------------------------------


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
