"""Reading games, agents and positions from requests."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

import plywise
from plywise.core.game import Game
from plywise.core.spec import Spec
from plywise.errors import PlywiseError
from plywise.web.api import positions
from plywise.web.api.positions import Walks, read_agent, read_game, read_position
from plywise.web.api.schemas import Position, position_json
from plywise.web.settings import Settings
from tests.web.steps import complaint, fits

SETTINGS = Settings()


def refused(*given: object, settings: Settings = SETTINGS, **named: object) -> str:
    with pytest.raises(PlywiseError) as refusal:
        read_position(*given, **named, settings=settings)  # type: ignore[arg-type]
    return str(refusal.value)


# ---- games and agents ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    ["./mygame.py", "mygame.py", "/etc/passwd", "a/b", "C:\\x.py", "connect4:file=x", "..\\x"],
)
def test_no_file_comes_from_a_request(spec: str) -> None:
    assert "names a file" in refused(spec)
    with pytest.raises(PlywiseError, match="names a file"):
        read_agent(spec, read_game("connect4", SETTINGS), SETTINGS)


def test_a_board_can_be_too_large() -> None:
    assert read_game("tictactoe:rows=19,k=5", SETTINGS).max_moves == 361
    public = Settings.public("0.0.0.0")
    assert "361 moves, at most 225" in refused("tictactoe:rows=19,k=5", settings=public)
    assert read_game("tictactoe:rows=15,k=5", public).max_moves == 225


def test_games_and_refusals_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def make(spec: Spec) -> Game:
        asked.append(str(spec))
        return plywise.game(spec)

    monkeypatch.setattr(positions, "make", make)
    impossible = "makeway:dots=9,lines=77"
    for _ in range(3):
        assert read_game("tictactoe:rows=17", SETTINGS).max_moves == 289
        assert "there is no board with dots=9" in refused(impossible)
    assert asked == ["tictactoe:rows=17", impossible]


@pytest.mark.parametrize("spec", ["chess", "", ":", "connect4:rows=0", "connect4:rows", "x" * 300])
def test_what_is_no_game(spec: str) -> None:
    assert len(refused(spec)) < 200


def test_a_refusal_says_nothing_about_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "secret.py").touch()
    assert "secret.py" not in refused("secret")


def test_the_longest_spec_is_read() -> None:
    longest = "x" * positions.SPEC_LETTERS
    assert "there is no game" in refused(longest)
    assert refused(f"{longest}x") == "spec too long: 2,001 characters (limit 2,000)"


def test_agents_are_written_in_the_usual_way() -> None:
    game = read_game("connect4", SETTINGS)
    assert read_agent(" auto:level = 3 ", game, SETTINGS) == "auto:level=3"
    assert read_agent("human", game, SETTINGS) == "human"
    assert read_agent("alphabeta:time=0.50,depth=4", game, SETTINGS) == "alphabeta:time=0.5,depth=4"


@pytest.mark.parametrize(
    ("spec", "complaint"),
    [
        ("human:level=2", "takes no parameters"),
        ("auto:level=11", "level must be a whole number from 1 to 10"),
        ("nobody", "there is no agent 'nobody'"),
        ("alphabeta:threads=64", "threads=64 is too much here: the limit is 1"),
        ("alphabeta:memory=60000", "memory=60000 is too much here: the limit is 256"),
    ],
)
def test_agents_that_may_not_play(spec: str, complaint: str) -> None:
    with pytest.raises(PlywiseError, match=complaint):
        read_agent(spec, read_game("connect4", SETTINGS), SETTINGS)


# ---- moves ---------------------------------------------------------------------------------------


def test_moves_are_a_text_or_a_list() -> None:
    game = plywise.game("connect4")
    for moves in ("4453", "4 4 5 3", ["4", "4", "5", "3"]):
        assert read_position("connect4", None, moves, settings=SETTINGS) == game.position("4453")


def test_moves_from_a_start() -> None:
    start = plywise.game("connect4").position("44").text
    found = read_position("connect4", start, ["5"], settings=SETTINGS)
    assert found.moves == ("5",)
    assert found.origin == start
    assert found == plywise.game("connect4").position("445")


@pytest.mark.parametrize(
    ("moves", "complaint"),
    [
        ("9", "'9' is not a move"),
        ("4444444", "'4' is not legal here"),
        (["4"] * 43, "43 moves are too many: a game of connect4 has at most 42"),
        (["4" * 5000], "it is longer than 40 characters"),
        ("4" * 5000, "moves too long: 5,000 characters"),
        ("41424344", "the game is over"),
    ],
)
def test_moves_that_cannot_be(moves: str | list[str], complaint: str) -> None:
    message = refused("connect4", None, moves)
    assert complaint in message
    assert len(message) < 300


def test_games_can_be_too_long() -> None:
    settings = replace(SETTINGS, plies=2)
    assert "at most 2" in refused("connect4", None, "123", settings=settings)


def test_a_start_that_makes_no_sense() -> None:
    assert "is not a position of connect4" in refused("connect4", "7/7 x")
    assert "too long" in refused("connect4", "7" * 5000)


def test_a_walk_takes_over_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    game, walks = plywise.game("connect4"), Walks(50)
    walks.position(game, None, tuple("4453"))
    played: list[str] = []
    play = type(game.start()).play
    monkeypatch.setattr(
        type(game.start()), "play", lambda self, text: played.append(text) or play(self, text)
    )
    assert walks.position(game, None, tuple("44531")).text == game.position("44531").text
    played.clear()
    walks.position(game, None, tuple("445"))
    walks.position(game, None, tuple("4452"))
    assert played == ["2"]


def test_walks_forget() -> None:
    game, walks = plywise.game("connect4"), Walks(5)
    for moves in ("1234567", "7654321", "1111"):
        assert walks.position(game, None, tuple(moves)) == game.position(moves)
    assert len(walks._known) == 5


def test_walks_keep_games_and_starts_apart() -> None:
    walks = Walks(100)
    small, usual = plywise.game("connect4:rows=4,cols=5"), plywise.game("connect4")
    start = usual.position("1").text
    assert walks.position(usual, None, ("4",)).game == usual
    assert walks.position(small, None, ("4",)).game == small
    assert walks.position(usual, start, ("4",)).origin == start


# ---- positions -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "moves"), [("connect4", ""), ("connect4", "4142434"), ("tictactoe:rows=4", "a1 b2")]
)
def test_a_position_is_what_the_page_expects(game: str, moves: str) -> None:
    found = position_json(read_position(game, None, moves, settings=SETTINGS))
    fits(Position, found)
    position = plywise.game(game).position(moves)
    assert found["game"] == game
    assert found["moves"] == list(position.moves)
    assert found["legal"] == list(position.legal)
    assert found["notation"] == moves
    assert found["winner"] == position.winner
    assert {target["move"] for target in found["scene"]["targets"]} == set(position.legal)


def test_the_limits_are_those_of_the_schemas() -> None:
    assert positions.MOVE_LETTERS < positions.SPEC_LETTERS < positions.TEXT_LETTERS


# ---- over HTTP -----------------------------------------------------------------------------------


def test_a_position_by_post_and_by_get(client: TestClient) -> None:
    asked = {"game": "connect4", "moves": ["4", "4"]}
    found = client.post("/api/positions", json=asked)
    assert found.status_code == 200
    assert found.headers["Cache-Control"] == "no-store"
    fits(Position, found.json())
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


class Slow:
    """A game that another request can overtake, where it is looked up and where it begins."""

    def __init__(
        self,
        looked_up: Callable[[], None] = lambda: None,
        begins: Callable[[], None] = lambda: None,
    ) -> None:
        self.looked_up = looked_up
        self.begins = begins

    def __hash__(self) -> int:
        self.looked_up()
        return 1

    def start(self) -> Any:
        self.begins()
        return plywise.game("tictactoe").start()


@pytest.mark.parametrize("moment", [1, 2])
def test_a_request_does_not_drop_what_another_one_is_reading(moment: int) -> None:
    """The cache has room for one position; one request finds it while another one has its own."""
    walks, lookups = Walks(1), -99
    ready, go, done = threading.Event(), threading.Event(), threading.Event()

    def begins() -> None:
        ready.set()
        assert go.wait(60)

    def other() -> None:
        walks.position(late, None, ())
        done.set()

    def looked_up() -> None:
        nonlocal lookups
        lookups += 1
        if lookups == moment:
            go.set()
            done.wait(0.2)  # it waits for the lock, unless there is none

    game: Any = Slow(looked_up)
    late: Any = Slow(begins=begins)
    walks.position(game, None, ())
    threading.Thread(target=other, daemon=True).start()
    assert ready.wait(60)
    lookups = 0
    assert walks.position(game, None, ()) == plywise.game("tictactoe").start()
    assert lookups >= moment
    assert done.wait(60)
