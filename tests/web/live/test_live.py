"""The socket: live games, analyses, and frames that make no sense."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.testclient import WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.settings import Settings
from tests.web.conftest import ADDRESS, LIVE, Browser
from tests.web.steps import ENDLESS, HOURS, Json, checked, do, look, new_game, until, until_idle

HARD = "connect4:rows=7,cols=8"  #: no book has it


@pytest.fixture
def settings() -> Settings:
    """Nothing here ends by the clock: what is proved ends, and the rest is stopped."""
    return Settings(
        warm_up=False,
        workers=2,
        analysis_seconds=HOURS,
        answer_seconds=HOURS,
        move_seconds=HOURS,
        review_seconds=HOURS,
    )


class Live:
    """The page's end of a socket."""

    def __init__(self, socket: WebSocketTestSession) -> None:
        self.socket = socket
        self.number = 0
        self.frames: list[Json] = []
        self.game: Json = {}

    def frame(self) -> Json:
        """Return the next frame."""
        found: Json = json.loads(self.socket.receive_text())
        self.frames.append(found)
        if found.get("type") == "game":
            self.game = checked(found["game"])
        return found

    def until(self, holds: Callable[[Json], Any]) -> Json:
        for _ in range(2000):
            frame = self.frame()
            if holds(frame):
                return frame
        raise AssertionError("the frame never came")

    def of(self, kind: str) -> Json:
        """The next frame of a kind."""
        return self.until(lambda frame: frame.get("type") == kind)

    def send(self, do: str, **asked: Any) -> int:
        self.number += 1
        self.socket.send_text(json.dumps({"do": do, "n": self.number, **asked}))
        return self.number

    def ask(self, do: str, **asked: Any) -> Json:
        """Send a frame and return the answer."""
        number = self.send(do, **asked)
        return self.until(lambda frame: frame.get("re") == number)

    def ok(self, do: str, **asked: Any) -> Json:
        answer = self.ask(do, **asked)
        assert answer.get("ok") is True, answer
        return answer

    def my_turn(self) -> Json:
        """Wait until it is a person's turn or the game is over, and return the game."""
        while not (self.game.get("result") or self.game.get("can", {}).get("move")):
            self.frame()
        return self.game


@contextmanager
def live(client: TestClient, id: str | None = None) -> Iterator[Live]:
    with client.websocket_connect(LIVE if id is None else f"{LIVE}?game={id}") as socket:
        yield Live(socket)


# ---- games -------------------------------------------------------------------------------------


def test_a_whole_game_over_the_socket(client: TestClient) -> None:
    id = new_game(client)["id"]
    with live(client, id) as page:
        assert page.frame()["event"] == "hello"
        assert page.of("watching")["count"] == 1
        while not page.my_turn()["result"]:
            before = len(page.game["moves"])
            page.frames.clear()
            answer = page.ok("move", move=page.game["position"]["legal"][0])
            assert answer["version"] >= page.game["version"] - 1
            kinds = [frame.get("type") for frame in page.frames]
            assert "game" in kinds[:-1]  # the frame comes before the answer
            assert len(page.game["moves"]) > before
        page.ok("ping")
        assert page.game == look(client, id)


def test_two_people_and_one_who_watches(client: TestClient, browser: Browser) -> None:
    other, third = browser(), browser()
    id = new_game(client, second="human", seats="invite")["id"]
    with live(client, id) as one, live(other, id) as two, live(third, id) as watcher:
        two.ok("seat")
        assert one.until(lambda frame: frame.get("event") == "seat")["game"]["seat_free"] is None
        assert two.game["you"] == [2]
        assert two.ask("move", move="a1")["status"] == 403
        one.ok("move", move="a1")
        assert two.until(lambda frame: frame.get("event") == "move")["game"]["can"]["move"]
        assert watcher.until(lambda frame: frame.get("event") == "move")["game"]["you"] == []
        assert watcher.ask("move", move="b1")["status"] == 403
        assert one.ask("undo")["status"] == 409
        for do in ("hint", "analyse", "review"):
            asked = {"game": "tictactoe", "moves": ["a1"]}
            assert "two people" in two.ask(do, **asked)["error"]
        two.ok("resign")
        assert watcher.until(lambda frame: frame.get("event") == "result")
        assert "hint" in one.ok("hint", game="tictactoe", moves=["a1"])


def test_undo_redo_notes_and_branches(client: TestClient) -> None:
    id = new_game(client, second="human")["id"]
    with live(client, id) as page:
        for move in ("a1", "b1", "c1"):
            page.ok("move", move=move)
        page.ok("undo")
        assert len(page.game["moves"]) == 2
        page.ok("undo", to=0)
        page.ok("redo")
        assert [move["text"] for move in page.game["moves"]] == ["a1"]
        page.ok("note", text="so", at=1)
        assert page.game["moves"][0]["note"] == "so"
        page.ok("branch", at=0, moves=["b2", "c3"])
        assert len(page.game["branches"]) == 1
        page.ok("prune", at=0, moves=["b2"])
        assert page.game["branches"] == []
        assert page.ask("redo", to=1)["status"] == 409
        assert page.ask("hurry")["error"] == "no engine is thinking"
        assert page.ask("move", move="c3", version=1)["status"] == 409


def test_an_engine_says_what_it_thinks_and_can_be_hurried(client: TestClient) -> None:
    id = new_game(client, game=HARD, second=ENDLESS)["id"]
    with live(client, id) as page:
        page.ok("move", move="4")
        assert page.game["thinking"]
        said = page.of("thinking")
        assert said["depth"] >= 1
        assert set(said) >= {"value_1", "text", "pv", "nodes", "seconds"}
        page.ok("hurry")
        assert len(page.my_turn()["moves"]) == 2


def test_two_engines_play_only_for_those_who_watch(
    client: TestClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.web.live.room.PAUSE", 0.01)
    id = new_game(client, game="connect4", first="auto:level=1", second="auto:level=2")["id"]
    assert look(client, id)["moves"] == []
    with live(client, id) as page:
        page.until(lambda frame: len(page.game["moves"]) >= 3)
    until_idle(app)
    room = app.state.rooms._rooms[id]
    until(lambda: not room.busy)
    count = len(look(client, id)["moves"])
    with live(client, id) as page:
        page.until(lambda frame: len(page.game["moves"]) > count or page.game["result"])


def test_changes_by_others_are_seen(client: TestClient, store: Store) -> None:
    id = new_game(client, second="human", clock="1000")["id"]
    with live(client, id) as page:
        do(client, id, "move", move="b2")
        assert page.until(lambda frame: frame.get("event") == "move")
        kept = store.get(id)
        store.save(id, replace(kept.record, notes=("elsewhere",)), kept.version)
        page.until(lambda frame: page.game["notes"] == ["elsewhere"])
        page.ok("move", move="a1")


def test_a_clock_runs_out_while_all_look(client: TestClient) -> None:
    id = new_game(client, second="human", clock="0.2 a move", moves=["b2"])["id"]
    with live(client, id) as page:
        page.until(lambda frame: page.game.get("result"))
        assert page.game["result"]["how"] == "time"


def test_a_game_that_is_removed(client: TestClient) -> None:
    id = new_game(client)["id"]
    with live(client, id) as page:
        assert page.frame()["event"] == "hello"
        assert client.delete(f"/api/games/{id}").status_code == 204
        with pytest.raises(WebSocketDisconnect) as left:
            page.until(lambda frame: False)
        assert left.value.code == 4404


def test_an_engine_that_fails_loses(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("plywise.engines.auto.Weaker.search", fail)
    id = new_game(client)["id"]
    with live(client, id) as page:
        page.ok("move", move="b2")
        page.until(lambda frame: frame.get("event") == "result")
        assert page.game["result"]["how"] == "forfeit"
        assert page.game["result"]["winner"] == 1
        page.ok("undo")  # the room is still there


def test_an_engine_that_cannot_play_gives_up(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise plywise_unsupported("this one plays no such game")

    from plywise.errors import Unsupported as plywise_unsupported  # noqa: N813

    monkeypatch.setattr("plywise.engines.auto.Weaker.search", refuse)
    id = new_game(client)["id"]
    with live(client, id) as page:
        page.ok("move", move="b2")
        assert page.of("error")["error"] == "this one plays no such game"
        while not page.game["result"]:
            page.frame()
        assert page.game["result"]["winner"] == 1


# ---- analyses, hints, reviews ------------------------------------------------------------------


def test_an_analysis_deepens_is_replaced_and_stopped(client: TestClient, app: FastAPI) -> None:
    with live(client) as page:
        page.ok("analyse", game=HARD, moves=[])
        depths = [page.of("analysis")["analysis"]["depth"] for _ in range(3)]
        assert depths == sorted(depths)
        page.ok("analyse", game=HARD, moves=["4", "4"])
        frame = page.of("analysis")
        assert frame["moves"] == frame["analysis"]["moves"] == ["4", "4"]
        assert len(frame["analysis"]["lines"]) == 8
        assert not frame["done"]
        page.ok("quiet")
        until_idle(app)
        page.ok("analyse", game="tictactoe", moves=["b2", "a1"], lines=False)
        while not (frame := page.of("analysis"))["done"]:
            assert not frame["analysis"]["lines"]
        assert frame["analysis"]["outcome"] == "draw"


def test_an_analysis_ends_with_its_socket(client: TestClient, app: FastAPI) -> None:
    with live(client) as page, live(client) as other:
        page.ok("analyse", game=HARD, moves=[])
        other.send("hint", game=HARD, moves=[])
        other.send("review", game=HARD, moves=list("4453"))
        page.of("analysis")
        assert app.state.searches.busy
    until_idle(app)


def test_a_hint(client: TestClient) -> None:
    with live(client) as page:
        found = page.ok("hint", game="tictactoe", moves=["a1", "b2", "a2", "c1"])["hint"]
        assert found["move"] == "a3"
        assert len(found["steps"]) == 3


def test_a_later_hint_takes_the_place_of_an_earlier_one(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.web.analysis.searches.HINT_SECONDS", HOURS)
    with live(client) as page:
        first = page.send("hint", game=HARD, moves=[])
        second = page.send("hint", game="tictactoe", moves=["a1", "b2", "a2", "c1"])
        answers = {}
        while len(answers) < 2:
            frame = page.frame()
            answers[frame["re"]] = frame
        assert answers[first]["status"] == 409
        assert answers[second]["hint"]["move"] == "a3"


def test_a_review_says_how_far_it_is(client: TestClient) -> None:
    with live(client) as page:
        found = page.ok("review", game="tictactoe", moves=["b2", "a2", "a1"])["review"]
        assert [move["grade"] for move in found["moves"]] == ["best", "blunder", "best"]
        steps = [frame for frame in page.frames if frame.get("type") == "reviewing"]
        assert all(frame["of"] == 4 for frame in steps)
        assert "nothing to review" in page.ask("review", game="tictactoe", moves=[])["error"]


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"game": "conect4"}, "did you mean 'connect4'?"),
        ({"game": "./mine.py"}, "names a file"),
        ({"game": "tictactoe", "moves": ["z9"]}, "not a move"),
        ({"game": "tictactoe", "agent": "human"}, "'human' cannot analyse"),
        ({"game": "tictactoe", "agent": "nobody"}, "there is no agent"),
        ({"game": "tictactoe", "agent": "./a.py"}, "names a file"),
        ({"game": "tictactoe", "moves": ["a1", "b1", "a2", "b2", "a3"]}, "over"),
        ({"game": "tictactoe", "lines": 1}, "lines"),
        ({}, "game is missing"),
    ],
)
def test_analyses_that_cannot_be(client: TestClient, asked: Json, says: str) -> None:
    with live(client) as page:
        answer = page.ask("analyse", **asked)
        assert says in answer["error"]
        assert answer["status"] == 422
        page.ok("ping")


# ---- frames that make no sense -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        ("", "not valid JSON"),
        ("hello", "not valid JSON"),
        ("[1]", "JSON object"),
        ('{"do":"ping","n":NaN}', "not valid JSON"),
        ("[" * 60000, "not valid JSON"),
        ('{"n":5}', "unknown command"),
        ('{"do":["move"],"n":5}', "unknown command"),
        ('{"do":"mvoe","n":5}', "did you mean 'move'?"),
        ('{"do":"ping","n":"five"}', "n:"),
        ('{"do":"ping","n":5,"x":1}', "unknown field 'x'"),
        ('{"do":"move","n":5}', "move is missing"),
        ('{"do":"move","n":5,"move":7}', "move:"),
        ('{"do":"move","n":5,"move":"a1"}', "has no game"),
        ('{"do":"undo","n":5,"to":-1}', "to:"),
        ('{"do":"note","n":5,"text":"%s"}' % ("x" * 501), "text:"),
        ('{"do":"analyse","n":5,"game":"%s"}' % ("x" * 5000), "game:"),
    ],
)
def test_nonsense_is_answered_in_one_line(client: TestClient, frame: str, says: str) -> None:
    with live(client) as page:
        page.socket.send_text(frame)
        answer = page.frame()
        assert says in answer["error"]
        assert "\n" not in answer["error"]
        page.ok("ping")


def test_bytes_are_no_frame(client: TestClient) -> None:
    with live(client) as page:
        page.socket.send_bytes(b'{"do":"ping"}')
        assert "text, not bytes" in page.frame()["error"]
        page.ok("ping")


def closed(page: Live) -> int:
    with pytest.raises(WebSocketDisconnect) as left:
        page.until(lambda frame: False)
    return left.value.code


def test_a_frame_that_is_too_large(client: TestClient) -> None:
    with live(client) as page:
        page.socket.send_text(" " * (64 * 1024 + 1))
        assert closed(page) == 1009


def test_too_many_frames(store: Store) -> None:
    settings = Settings(warm_up=False, frames_per_second=0.001, frames_at_once=5)
    with TestClient(create_app(settings, store), base_url=ADDRESS) as client, live(client) as page:
        for _ in range(5):
            page.ok("ping")
        page.send("ping")
        assert closed(page) == 4429


def test_too_many_sockets(store: Store) -> None:
    settings = Settings(warm_up=False, sockets_per_client=2)
    with TestClient(create_app(settings, store), base_url=ADDRESS) as client:
        client.get("/api/games")  # brings the cookie
        with live(client) as one, live(client) as two:
            one.ok("ping")
            two.ok("ping")
            with live(client) as three:
                assert closed(three) == 4429
        with live(client) as again:
            again.ok("ping")


@pytest.mark.parametrize("id", ["A" * 22, "x", "../../etc/passwd", ""])
def test_a_game_that_is_not_there(client: TestClient, id: str) -> None:
    with live(client, id) as page:
        assert closed(page) == 4404


def test_random_nonsense_leaves_the_server_playing(client: TestClient, app: FastAPI) -> None:
    rng = random.Random(4)
    id = new_game(client, second="human")["id"]
    names = ["move", "undo", "redo", "resign", "hurry", "note", "branch", "prune", "seat",
             "analyse", "quiet", "hint", "review", "ping", "", "drop table"]  # fmt: skip
    keys = ["n", "move", "version", "to", "text", "at", "branch", "moves", "game", "start", "agent"]
    values: list[Any] = [None, True, -1, 0, 3, 2**70, 1.5, "", "a1", "tictactoe", "./x.py",
                         "x" * 300,
                         [], ["a1"], ["a1", 3], {"a": 1}, [[[]]], "\ud800", "\x00"]  # fmt: skip

    def nonsense() -> str:
        frame = {"do": rng.choice(names), **{rng.choice(keys): rng.choice(values) for _ in "abc"}}
        text = json.dumps(frame)
        if rng.random() < 0.2:
            text = text[: rng.randrange(len(text))]
        return text

    for _ in range(4):
        with live(client, id) as page:
            for _ in range(50):
                page.socket.send_text(nonsense())
            page.ok("ping")
            for frame in page.frames:
                if "error" in frame:
                    assert "\n" not in frame["error"]
                    assert frame.get("status", 422) < 500
    until_idle(app)
    with live(client, new_game(client, second="human")["id"]) as page:
        page.ok("move", move="b2")


def test_a_page_is_told_while_an_engine_is_compiled(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiling = True
    monkeypatch.setattr("plywise.web.live.room.at_work", lambda: compiling)
    monkeypatch.setattr("plywise.web.live.room.GLANCE", 0.01)
    id = new_game(client, game=HARD, second=ENDLESS)["id"]
    with live(client, id) as page:
        page.ok("move", move="4")
        assert page.of("preparing")["on"]
        compiling = False
        assert not page.of("preparing")["on"]
        page.ok("hurry")
        page.my_turn()
