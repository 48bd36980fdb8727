"""Pictures to share: files of a position and of a game, and what is too much."""

from __future__ import annotations

from io import BytesIO

import pytest
from fastapi.testclient import TestClient
from PIL import Image

import plywise
from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.settings import Settings
from tests.web.conftest import ADDRESS
from tests.web.steps import complaint


@pytest.fixture
def settings() -> Settings:
    return Settings(warm_up=False, picture_moves=6)


def test_a_position(client: TestClient) -> None:
    answer = client.get("/api/pictures/position.png?game=connect4&moves=4453&theme=dark")
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.content == plywise.game("connect4").position("4453").png("dark")


def test_a_game(client: TestClient) -> None:
    start = plywise.game("connect4").position("4453").text
    asked = {"game": "connect4", "start": start, "moves": "12"}
    answer = client.get("/api/pictures/game.png", params=asked)
    assert answer.headers["Content-Type"] == "image/png"
    with Image.open(BytesIO(answer.content)) as picture:
        assert picture.n_frames == 1 + 3  # the still one, and the start with two moves


def test_a_film(client: TestClient) -> None:
    film = client.get("/api/pictures/film?game=tictactoe&moves=b2 a1").json()
    assert (film["title"], film["moves"]) == ("Tic-Tac-Toe", ["b2", "a1"])
    last = film["frames"][-1]
    shapes = [film["shapes"][number] for number in last["shapes"]]
    position = client.get("/api/positions?game=tictactoe&moves=b2 a1").json()
    assert shapes == position["scene"]["shapes"]


@pytest.mark.parametrize("path", ["position.png", "game.png", "film"])
@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("game=connect4&moves=4444444", "not legal here"),
        ("game=chess", "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_drawn(client: TestClient, path: str, asked: str, words: str) -> None:
    assert words in complaint(client.get(f"/api/pictures/{path}?{asked}"))


def test_a_game_that_is_too_long(client: TestClient) -> None:
    asked = "game=connect4&moves=1212345"
    assert client.get(f"/api/pictures/position.png?{asked}").status_code == 200
    for path in ("game.png", "film"):
        answer = client.get(f"/api/pictures/{path}?{asked}")
        assert "7 moves are too many for a picture of each" in complaint(answer)


def test_a_theme_that_does_not_exist(client: TestClient) -> None:
    answer = client.get("/api/pictures/game.png?game=connect4&theme=pink")
    assert "light" in complaint(answer)


def test_pictures_cost_more_than_other_requests(store: Store) -> None:
    few = Settings(
        warm_up=False, requests_at_once=20, requests_per_second=0.001, throttle_seconds=0
    )
    with TestClient(create_app(few, store), base_url=ADDRESS) as client:
        asked = "/api/pictures/position.png?game=tictactoe"
        assert [client.get(asked).status_code for _ in range(3)] == [200, 200, 429]


def test_lines_come_with_their_position(client: TestClient) -> None:
    asked = {"game": "tictactoe", "moves": ["b2"], "lines": [["a1", "c3"], ["a1", "a3"], []]}
    found = client.post("/api/pictures/lines", json=asked).json()
    here = {"game": "tictactoe", "moves": ["b2"]}
    assert found["position"] == client.post("/api/positions", json=here).json()
    assert set(found["frames"]) == {"a1", "a1 c3", "a1 a3"}


@pytest.mark.parametrize(
    ("lines", "says"),
    [([["b2"]], "b2"), ([["a1"] * 9], "8"), ([["a1"]] * 501, "500")],
)
def test_lines_that_cannot_be_drawn(client: TestClient, lines: list[list[str]], says: str) -> None:
    answer = client.post(
        "/api/pictures/lines", json={"game": "tictactoe", "moves": ["b2"], "lines": lines}
    )
    assert answer.status_code == 422
    assert says in answer.json()["error"]
