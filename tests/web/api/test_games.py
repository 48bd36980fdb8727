"""Saved games over HTTP."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

import plywise
from plywise.core.game import Game
from plywise.core.spec import Spec
from plywise.play.records.game_record import GameRecord
from plywise.play.records.store import Store
from plywise.web.api import games, positions
from plywise.web.app import create_app
from plywise.web.live import open_game
from plywise.web.settings import Settings
from tests.web.conftest import ADDRESS, Browser
from tests.web.steps import (
    ENDLESS,
    HOURS,
    command,
    do,
    fails,
    fits,
    look,
    my_turn,
    new_game,
    refused,
    until,
)

NOWHERE = "A" * 22  #: an id that could be one


def test_a_whole_game_against_an_engine(client: TestClient) -> None:
    game = new_game(client, first="auto:level=1", second="human")
    while not game["result"]:
        game = my_turn(client, game["id"])
        if not game["result"]:
            game = do(client, game["id"], "move", move=game["position"]["legal"][0])
    assert game["result"]["how"] == "rules"
    assert game["position"]["over"]
    assert not game["can"]["move"]
    assert len(game["moves"]) == len(game["position"]["moves"]) >= 5
    assert all(move["seconds"] >= 0 for move in game["moves"])


def test_what_a_new_game_looks_like(client: TestClient) -> None:
    game = new_game(client, game="connect4:cols=8", second="auto:level=3", clock="300 + 2")
    assert game["game"] == "connect4:cols=8"
    assert game["title"] == "Connect-4"
    assert game["you"] == [1]
    assert game["seat_free"] is None
    assert [player["name"] for player in game["players"]] == ["Person", "Computer, level 3"]
    assert [player["you"] for player in game["players"]] == [True, False]
    assert [player["taken"] for player in game["players"]] == [True, True]
    assert game["clock"] == "300 + 2"
    assert game["clocks"][1] == 300.0
    assert 0 < game["clocks"][0] <= 300.0
    assert game["version"] == 1
    assert game["can"] == {
        "move": True, "undo": False, "redo": False, "resign": True, "hint": True,
        "draw": False, "takeback": False, "rematch": False, "answer": False,
    }  # fmt: skip


def test_a_new_game_has_a_random_board(client: TestClient) -> None:
    games = [new_game(client, game="makeway", second="human", seed=seed) for seed in (1, 2)]
    assert games[0]["game"] != games[1]["game"]
    assert all(game["game"].startswith("makeway:seed=") for game in games)
    again = new_game(client, game="makeway", second="human", seed=1)
    assert again["game"] == games[0]["game"]
    given = new_game(client, game="makeway", second="human", moves=["16-20"])
    assert given["game"] == "makeway"  # moves belong to the board that is named
    chosen = new_game(client, game="makeway:seed=7", second="human")
    assert chosen["game"] == "makeway:seed=7"


def test_a_game_from_a_position_and_moves(client: TestClient) -> None:
    game = new_game(client, second="human", start="3/1x1/o2 x", moves=["a3"])
    assert game["start"] == "3/1x1/o2 x"
    assert [move["text"] for move in game["moves"]] == ["a3"]
    assert game["position"]["to_move"] == 2
    over = new_game(client, moves="a1 b1 a2 b2 a3")
    assert over["result"]["winner"] == 1


def test_a_toss_swaps_them_or_not(client: TestClient) -> None:
    def begins(seed: int) -> str:
        game = new_game(client, second="random", toss=True, seed=seed)
        return str(game["players"][0]["spec"])

    fell = [begins(seed) for seed in range(8)]
    assert set(fell) == {"human", "random"}
    assert [begins(seed) for seed in range(8)] == fell


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"game": "conect4"}, "did you mean 'connect4'?"),
        ({"game": "./mine.py"}, "names a file"),
        ({"game": "makeway:file=/etc/hostname"}, "names a file"),
        ({"game": "tictactoe:rows=99"}, "rows=99 is not valid"),
        ({"second": "./agent.py"}, "names a file"),
        ({"second": "nobody"}, "there is no agent 'nobody'"),
        ({"second": "alphabeta:time=1000"}, "time=1000 is too much here"),
        ({"second": "alphabeta:threads=64"}, "threads=64 is too much here"),
        ({"second": "alphabeta:memory=60000"}, "memory=60000 is too much here"),
        ({"second": "alphabeta:file=/etc/passwd"}, "names a file"),
        ({"second": "human:level=1"}, "human takes no parameters"),
        ({"moves": ["z9"]}, "'z9' is not a move"),
        ({"moves": ["a1"] * 5000}, "too many"),
        ({"start": "xyz"}, "not a position of tictactoe"),
        ({"clock": "soon"}, "'soon' is not a clock"),
        ({"clock": "99999999"}, "too long here"),
        ({"seed": -1}, "seed"),
        ({"seed": "one"}, "seed"),
        ({"seats": "both"}, "seats"),
        ({"side": 3}, "side"),
        ({"colour": "red"}, "unknown field 'colour'"),
        ({"first": None}, "first"),
    ],
)
def test_games_that_cannot_be(client: TestClient, asked: dict[str, Any], says: str) -> None:
    usual = {"game": "tictactoe", "first": "human", "second": "auto:level=1"}
    assert says in refused(client.post("/api/games", json={**usual, **asked}), 422)
    assert client.get("/api/games").json() == {"games": []}


# ---- playing -----------------------------------------------------------------------------------


def test_moves_that_cannot_be(client: TestClient) -> None:
    game = new_game(client, second="human")
    id = game["id"]
    assert "is not a move" in fails(client, id, "move", 422, move="z9")
    assert "has moved on" in fails(client, id, "move", 409, move="a1", version=7)
    assert "move is missing" in fails(client, id, "move", 422)
    do(client, game["id"], "move", move="a1", version=1)
    assert "not legal here" in fails(client, id, "move", 422, move="a1")
    for move in ("b1", "a2", "b2", "a3"):
        game = do(client, game["id"], "move", move=move)
    assert game["result"]["winner"] == 1
    assert "the game is over" in fails(client, id, "move", 409, move="c3")


def test_undo_and_redo_on_one_screen(client: TestClient) -> None:
    id = new_game(client, second="human")["id"]
    for move in ("a1", "b1", "a2"):
        do(client, id, "move", move=move)
    game = do(client, id, "undo")
    assert [move["text"] for move in game["moves"]] == ["a1", "b1"]
    assert [move["text"] for move in game["undone"]] == ["a2"]
    assert game["can"]["undo"]
    assert game["can"]["redo"]
    game = do(client, id, "undo", to=0)
    assert not game["can"]["undo"]
    assert "nothing to take back" in fails(client, id, "undo", 409)
    game = do(client, id, "redo")
    assert len(game["moves"]) == 1
    assert "choose 0 to 0" in fails(client, id, "undo", 409, to=9)


def test_undo_against_an_engine_goes_back_to_ones_own_turn(client: TestClient) -> None:
    id = new_game(client, first="auto:level=1", second="human")["id"]
    game = my_turn(client, id)
    assert not game["can"]["undo"]
    first = game["moves"]
    do(client, id, "move", move=game["position"]["legal"][0])
    game = my_turn(client, id)
    assert game["can"]["undo"]
    game = do(client, id, "undo")
    assert game["moves"] == first
    assert game["can"]["move"]


def test_resigning_and_taking_it_back(client: TestClient) -> None:
    id = new_game(client)["id"]
    game = do(client, id, "resign")
    assert game["result"] == {"winner": 2, "how": "resigned", "reason": "player 1 resigned"}
    assert "the game is over" in fails(client, id, "resign", 409)
    assert do(client, id, "undo")["result"] is None


def test_an_engine_that_is_hurried_moves_at_once(store: Store) -> None:
    app = create_app(Settings(warm_up=False, move_seconds=HOURS, absent_seconds=HOURS), store)
    with TestClient(app, base_url=ADDRESS) as client:
        id = new_game(client, game="connect4:rows=7,cols=8", second=ENDLESS)["id"]
        assert "no engine is thinking" in fails(client, id, "hurry", 409)
        game = do(client, id, "move", move="4")
        assert game["thinking"]
        until(lambda: command(client, id, "hurry")[0].get("ok"), "a thinking engine")
        assert len(my_turn(client, id)["moves"]) == 2


def test_a_clock_that_runs_out_ends_the_game(client: TestClient) -> None:
    id = new_game(client, second="human", clock="0.3 a move", moves=["b2"])["id"]
    game = until(lambda: (game := look(client, id))["result"] and game)
    assert game["result"] == {"winner": 1, "how": "time", "reason": "player 2 ran out of time"}
    assert game["clocks"] == [0.3, 0.3] or min(game["clocks"]) == 0.0


# ---- two people --------------------------------------------------------------------------------


def test_two_people_by_invitation(client: TestClient, browser: Browser) -> None:
    other, third = browser(), browser()
    game = new_game(client, second="human", seats="invite")
    id = game["id"]
    assert game["you"] == [1]
    assert game["seat_free"] == 2
    assert not game["can"]["hint"]
    assert look(other, id)["you"] == []
    assert do(other, id, "seat")["you"] == [2]
    assert do(other, id, "seat")["you"] == [2]  # again: the client already has the seat
    assert "no open seat" in fails(third, id, "seat", 409)
    assert "not you" in fails(other, id, "move", 403, move="a1")
    assert "no seat" in fails(third, id, "move", 403, move="a1")
    do(client, id, "move", move="a1")
    assert "not you" in fails(client, id, "move", 403, move="a2")
    game = do(other, id, "move", move="b2")
    assert not game["can"]["undo"]
    assert "another person" in fails(client, id, "undo", 409)
    asked: dict[str, Any]
    for what, asked in {
        "resign": {}, "undo": {}, "redo": {}, "hurry": {},
        "note": {"text": "so"}, "branch": {"at": 0, "moves": ["c3"]},
        "prune": {"at": 0, "moves": ["c3"]},
    }.items():  # fmt: skip
        assert "no seat" in fails(third, id, what, 403, **asked)
    game = do(other, id, "resign")
    assert game["result"]["winner"] == 1
    assert game["can"]["hint"]
    assert "only the player who started" in refused(other.delete(f"/api/games/{id}"), 403)


def test_an_invitation_to_begin(client: TestClient, browser: Browser) -> None:
    game = new_game(client, second="human", seats="invite", side=2)
    assert game["you"] == [2]
    assert game["seat_free"] == 1
    assert not game["can"]["move"]
    assert do(browser(), game["id"], "seat")["can"]["move"]


# ---- lists, notes, branches, files -------------------------------------------------------------


def test_my_games(client: TestClient, browser: Browser) -> None:
    one = new_game(client)
    two = new_game(client, second="human")
    do(client, one["id"], "resign")
    answer = client.get("/api/games").json()
    fits(games.Games, answer)
    assert [game["id"] for game in answer["games"]] == [one["id"], two["id"]]
    assert answer["games"][0]["result"]["how"] == "resigned"
    assert answer["games"][0]["to_move"] is None
    assert answer["games"][1]["to_move"] == 1
    assert answer["games"][1]["you"] == [1, 2]
    assert answer["games"][1]["picture"]["shapes"]
    assert client.get("/api/games").json() == answer
    assert browser().get("/api/games").json() == {"games": []}


def test_notes_and_branches(client: TestClient) -> None:
    id = new_game(client, second="human")["id"]
    for move in ("a1", "b1"):
        do(client, id, "move", move=move)
    assert do(client, id, "note", text="well", at=1)["moves"][0]["note"] == "well"
    assert do(client, id, "note", text="a good one", at=0)["notes"] == ["a good one"]
    game = do(client, id, "branch", at=1, moves=["b2", "c3"])
    assert [each["at"] for each in game["branches"]] == [1]
    game = do(client, id, "note", text="or so", at=1, branch=["b2"])
    assert game["branches"][0]["moves"][0]["note"] == "or so"
    assert do(client, id, "prune", at=1, moves=["b2"])["branches"] == []
    assert "there is no branch" in fails(client, id, "prune", 409, at=1, moves=["b2"])
    assert "text" in fails(client, id, "note", 422, text="x" * 501)


@pytest.mark.parametrize("kind", ["text", "json"])
def test_export_and_import(client: TestClient, browser: Browser, kind: str) -> None:
    id = new_game(client, second="human", clock="300")["id"]
    for move in ("a1", "b1", "a2"):
        do(client, id, "move", move=move)
    do(client, id, "undo")
    do(client, id, "branch", at=0, moves=["b2"])
    answer = client.get(f"/api/games/{id}/{kind}")
    assert answer.headers["Content-Type"].startswith("text/plain" if kind == "text" else "appl")
    saved = answer.text if kind == "text" else answer.json()
    other = browser()
    again = other.post("/api/games/import", json={kind: saved})
    assert again.status_code == 201, again.text
    mine, theirs = look(client, id), again.json()
    assert theirs["you"] == [1, 2]
    assert theirs["id"] != id
    for part in ("game", "moves", "undone", "branches", "clock", "players"):
        if part != "players":
            assert theirs[part] == mine[part]


def limit_branches(monkeypatch: pytest.MonkeyPatch, moves: int) -> None:
    monkeypatch.setattr(open_game, "BRANCH_MOVES", moves)
    monkeypatch.setattr(games, "BRANCH_MOVES", moves)


HEAD = "plywise game 1\nfirst human\nsecond human\n"


def test_an_import_builds_one_game(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """It built one for each line, and some lines took five minutes."""
    asked = []

    def make(spec: Spec) -> Game:
        asked.append(str(spec))
        return plywise.game(spec)

    monkeypatch.setattr(positions, "make", make)
    lines = "\n".join(f"game makeway:seed={seed}" for seed in range(5000, 5200))
    answer = client.post("/api/games/import", json={"text": f"{HEAD}{lines}\nend"})
    assert "line 5: 'game' is given twice" in refused(answer, 422)
    assert asked == ["makeway:seed=5000"]


@pytest.mark.parametrize("settings", [Settings(warm_up=False, plies=30)])
def test_an_import_plays_only_as_many_moves_as_a_game_may_have(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_branches(monkeypatch, 10)
    columns = "7711137267673352515624647675"
    moves = [f"{number}. {column}" for number, column in enumerate(columns, 1)]
    branches = [f"branch\n1. {column}\n2. 1\n3. 2\n4. 3" for column in (3, 4, 5, 6)]
    text = "\n".join([f"{HEAD}game connect4:rows=8", *moves, *branches, "end"])
    answer = client.post("/api/games/import", json={"text": text})
    assert "at most 40 moves here, branches included" in refused(answer, 422)
    text = "\n".join([f"{HEAD}game connect4", *branches, "end"])
    answer = client.post("/api/games/import", json={"text": text})
    assert "at most 10 moves in variations" in refused(answer, 422)


def test_notes_and_branches_have_limits(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them are sent to each watcher after every move."""
    limit_branches(monkeypatch, 3)
    monkeypatch.setattr(open_game, "NOTE_BYTES", 1000)
    id = new_game(client, second="human", moves="a1 b1 a2")["id"]
    full = "at most 1,000 bytes of notes here: shorten or delete some first"
    do(client, id, "note", text="é" * 300, at=1)
    do(client, id, "note", text="x" * 400, at=2)
    assert full in fails(client, id, "note", 409, text="one more", at=3)
    do(client, id, "move", move="c3")  # the game goes on
    do(client, id, "note", text="x" * 390, at=2)  # less is always right
    do(client, id, "note", text="one more", at=3)
    do(client, id, "branch", at=0, moves=["b2", "b3", "c1"])
    assert "at most 3 moves in variations" in fails(client, id, "branch", 409, at=0, moves=["c2"])
    game = do(client, id, "move", move="b2")
    assert [move["note"][:3] for move in game["moves"]] == ["ééé", "xxx", "one", "", ""]
    text = client.get(f"/api/games/{id}/text").text
    answer = client.post("/api/games/import", json={"text": text.replace("one more", "x" * 500)})
    assert full in refused(answer, 422)


PLAIN = {"plywise": 1, "players": ["human", "human"]}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({}, "exactly one of"),
        ({"text": "x", "json": {}}, "exactly one of"),
        ({"text": "hello"}, "begins with"),
        ({"text": "plywise game 1\ngame ./mine.py\nfirst human\nsecond human\nend"}, "file"),
        ({"text": "plywise game 1\ngame tictactoe\nfirst ./a.py\nsecond human\nend"}, "file"),
        ({"text": "plywise game 1\n\x01game\x02x:file=a\nend"}, "names a file"),
        (
            {"text": "plywise game 1\ngame tictactoe\nfirst alphabeta:time=99\nsecond human\nend"},
            "too much",
        ),
        ({"json": {**PLAIN, "game": "x:file=/etc/passwd"}}, "names a file"),
        ({"json": {"plywise": 1}}, ""),
        ({"json": []}, "json"),
    ],
)
def test_imports_that_cannot_be(client: TestClient, asked: dict[str, Any], says: str) -> None:
    assert says in refused(client.post("/api/games/import", json=asked), 422)


def test_removing_a_game(client: TestClient) -> None:
    id = new_game(client)["id"]
    assert client.delete(f"/api/games/{id}").status_code == 204
    assert "there is no game" in refused(client.get(f"/api/games/{id}"), 404)
    assert client.get("/api/games").json() == {"games": []}


@pytest.mark.parametrize("id", [NOWHERE, "x", "..", "a b", "%00", "x" * 64])
def test_a_game_that_is_not_there(client: TestClient, id: str) -> None:
    assert client.get(f"/api/games/{id}").status_code == 404
    assert client.get(f"/api/games/{id}/text").status_code == 404
    assert client.post(f"/api/games/{id}/rematch").status_code == 404


def test_no_more_games_than_allowed(store: Store) -> None:
    app = create_app(replace(Settings(warm_up=False), games_per_client=2), store)
    with TestClient(app, base_url=ADDRESS) as client:
        ids = [new_game(client)["id"] for _ in range(2)]
        again = client.post("/api/games", json={"game": "tictactoe"})
        assert "2 unfinished games" in refused(again, 429)
        do(client, ids[0], "resign")
        new_game(client)


# ---- the store ---------------------------------------------------------------------------------


def test_a_server_that_is_made_anew_goes_on(
    client: TestClient, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plywise.web.live.open_game.LINGER", 0.01)
    id = new_game(client, second="human")["id"]
    do(client, id, "move", move="b2")
    do(client, id, "note", text="the middle")
    until(lambda: not look(client, id)["players"][0]["present"], "an empty room")
    before = look(client, id)
    with TestClient(create_app(Settings(warm_up=False), store), base_url=ADDRESS) as again:
        again.cookies = client.cookies
        assert look(again, id) == before
        assert do(again, id, "move", move="a1")["version"] == before["version"] + 1


def test_a_game_that_was_changed_elsewhere(client: TestClient, store: Store) -> None:
    id = new_game(client, second="human")["id"]
    kept = store.get(id)
    store.save(id, replace(kept.record, notes=("from elsewhere",)), kept.version)
    assert "changed elsewhere" in fails(client, id, "move", 409, move="a1")
    game = look(client, id)
    assert game["notes"] == ["from elsewhere"]
    assert game["moves"] == []
    assert len(do(client, id, "move", move="a1")["moves"]) == 1


def test_a_game_that_was_removed_elsewhere(client: TestClient, store: Store) -> None:
    id = new_game(client, second="human")["id"]
    store.remove(id)
    with pytest.raises(WebSocketDisconnect) as left:
        do(client, id, "move", move="a1")
    assert (left.value.code, left.value.reason) == (4404, "the game was deleted")
    assert client.get(f"/api/games/{id}").status_code == 404


@pytest.mark.slow
def test_an_engine_that_begins_moves_when_somebody_looks(store: Store, app: FastAPI) -> None:
    kept = store.add(GameRecord("tictactoe", ("auto:level=1", "human")), "me", (None, "me"))
    with TestClient(app, base_url=ADDRESS) as client:
        assert until(lambda: look(client, kept.id)["moves"])
