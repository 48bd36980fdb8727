"""Two people at one game: clocks that wait, offers, rematches, names, and who is there."""

from __future__ import annotations

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.live import open_game
from plywise.web.settings import Settings
from tests.web.conftest import ADDRESS, Browser
from tests.web.live.test_live import live
from tests.web.steps import Json, do, fails, look, new_game, refused, rematch, until


@pytest.fixture
def settings() -> Settings:
    return Settings(warm_up=False, workers=2, games_per_minute=20)


def invite(client: TestClient, **asked: Any) -> str:
    id: str = new_game(client, second="human", seats="invite", **asked)["id"]
    return id


def between(client: TestClient, other: TestClient, **asked: Any) -> str:
    """A game of two people: the first client plays first."""
    id = invite(client, **asked)
    do(other, id, "seat")
    return id


# ---- clocks ------------------------------------------------------------------------------------


def test_no_clock_runs_before_the_first_move_or_against_an_empty_seat(
    client: TestClient, browser: Browser
) -> None:
    other = browser()
    id = invite(client, clock="0.05 + 0")
    assert not look(client, id)["clock_runs"]
    game = do(client, id, "move", move="b2")
    assert (game["clocks"], game["clock_runs"]) == ([0.05, 0.05], False)
    until(lambda: look(client, id)["clocks"] == [0.05, 0.05], "nothing")  # and it has not run out
    assert look(client, id)["result"] is None
    assert do(other, id, "seat")["clock_runs"]
    result = until(lambda: look(client, id)["result"], "the end of the time")
    assert (result["winner"], result["how"]) == (1, "time")


def test_a_clock_that_waits_is_not_running_after_a_restart(
    app: FastAPI, store: Store, settings: Settings
) -> None:
    with TestClient(app, base_url=ADDRESS) as client:
        id = invite(client, clock="60 + 0")
        do(client, id, "move", move="b2")
        cookie = client.cookies["plywise"]
    with TestClient(create_app(settings, store), base_url=ADDRESS) as again:
        again.cookies.set("plywise", cookie)
        game = look(again, id)
        assert (game["clocks"], game["clock_runs"], game["you"]) == ([60, 60], False, [1])


# ---- offers ------------------------------------------------------------------------------------


def test_a_draw_over_the_socket(client: TestClient, browser: Browser) -> None:
    other, third = browser(), browser()
    id = between(client, other)
    with live(client, id) as one, live(other, id) as two, live(third, id) as watcher:
        one.ok("move", move="b2")
        one.ok("offer", kind="draw")
        assert one.game["offer"] == {"kind": "draw", "by": 1, "declined": False}
        assert not one.game["can"]["draw"]
        assert not one.game["can"]["answer"]
        frame = two.until(lambda frame: frame.get("event") == "offer")
        assert frame["game"]["can"]["answer"]
        assert watcher.ask("answer", accept=True)["status"] == 403
        assert watcher.ask("offer", kind="draw")["status"] == 403
        assert one.ask("answer", accept=True)["status"] == 409  # not one's own
        two.ok("answer", accept=True)
        assert two.game["result"] == {
            "winner": 0,
            "how": "agreed",
            "reason": "the players agreed on a draw",
        }
        assert watcher.until(lambda frame: frame.get("event") == "result")
        listed = other.get("/api/games").json()["games"][0]
        assert listed["result"]["how"] == "agreed"


def test_an_offer_survives_a_restart_and_a_move_withdraws_it(
    app: FastAPI, store: Store, settings: Settings
) -> None:
    with TestClient(app, base_url=ADDRESS) as client:
        other = TestClient(app, base_url=ADDRESS)
        other.portal = client.portal
        id = between(client, other)
        do(client, id, "move", move="b2")
        do(client, id, "offer", kind="takeback")
        cookies = client.cookies["plywise"], other.cookies["plywise"]
    with TestClient(create_app(settings, store), base_url=ADDRESS) as again:
        again.cookies.set("plywise", cookies[1])
        assert look(again, id)["can"]["answer"]
        assert do(again, id, "move", move="a1")["offer"] is None
        line = fails(again, id, "answer", 409, accept=True)
        assert line == "there is no offer to answer"
        assert len(look(again, id)["moves"]) == 2


def test_a_takeback_is_declined_and_then_granted(client: TestClient, browser: Browser) -> None:
    other = browser()
    id = between(client, other)
    do(client, id, "move", move="b2")
    do(other, id, "move", move="a1")
    do(client, id, "offer", kind="takeback")
    game = do(other, id, "answer", accept=False)
    assert game["offer"] == {"kind": "takeback", "by": 1, "declined": True}
    fails(client, id, "offer", 409, kind="takeback")
    do(other, id, "offer", kind="takeback")
    game = do(client, id, "answer", accept=True)
    assert [move["text"] for move in game["moves"]] == ["b2"]
    assert look(other, id)["can"]["move"]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"kind": "rematch"}, 422),  # that makes a game, so it has a request of its own
        ({"kind": "house"}, 422),
        ({"kind": None}, 422),
        ({}, 422),
        ({"kind": "draw", "by": 2}, 422),
    ],
)
def test_offers_that_make_no_sense(
    client: TestClient, browser: Browser, asked: Json, status: int
) -> None:
    id = between(client, browser())
    fails(client, id, "offer", status, **asked)
    assert look(client, id)["offer"] is None


def test_nobody_to_make_an_offer_to(client: TestClient) -> None:
    games = [
        new_game(client),  # against an engine
        new_game(client, second="human"),  # at one screen
        new_game(client, second="human", seats="invite"),  # nobody has come yet
    ]
    for game in games:
        assert not game["can"]["draw"]
        line = fails(client, game["id"], "offer", 409, kind="draw")
        assert line == "there is nobody to make an offer to"


def test_a_move_is_not_refused_because_of_an_offer_that_came_meanwhile(
    client: TestClient, browser: Browser
) -> None:
    other = browser()
    id = between(client, other)
    before = look(client, id)["version"]
    do(other, id, "offer", kind="draw")
    game = do(client, id, "move", move="b2", version=before)
    assert game["offer"] is None
    assert "moved on" in fails(other, id, "move", 409, move="a1", version=before)


# ---- rematches ---------------------------------------------------------------------------------


def test_a_rematch_reaches_the_other_player(client: TestClient, browser: Browser) -> None:
    other, third = browser(), browser()
    id = between(client, other, clock="300 + 2", name="Ann")
    refused(client.post(f"/api/games/{id}/rematch", json={}), 409)  # it is not over
    do(client, id, "resign")
    with live(client, id) as one, live(other, id) as two:
        game = rematch(client, id)
        assert (game["offer"]["kind"], game["next"]) == ("rematch", None)
        asked = two.until(lambda frame: frame.get("event") == "offer")["game"]
        assert asked["can"]["answer"]
        refused(third.post(f"/api/games/{id}/rematch", json={}), 403)
        next_id = rematch(other, id)["next"]
        for page in (one, two):
            frame = page.until(lambda frame: frame.get("event") == "rematch")
            assert frame["game"]["next"] == next_id
    assert [look(each, next_id)["you"] for each in (client, other, third)] == [[2], [1], []]
    made = look(client, next_id)
    assert (made["clock"], made["moves"], made["clock_runs"]) == ("300 + 2", [], False)
    assert [player["name"] for player in made["players"]] == ["Person", "Ann"]
    assert rematch(client, id)["next"] == next_id  # there is only one
    assert look(other, id)["offer"] is None


def test_a_rematch_is_declined(client: TestClient, browser: Browser) -> None:
    other = browser()
    id = between(client, other)
    do(client, id, "resign")
    rematch(client, id)
    assert do(other, id, "answer", accept=False)["offer"]["declined"]
    refused(client.post(f"/api/games/{id}/rematch", json={}), 409)
    assert rematch(other, id)["offer"]["by"] == 2  # a change of mind
    assert rematch(client, id)["next"] is not None


def test_rematches_count_as_new_games(client: TestClient, browser: Browser) -> None:
    other = browser()
    id = between(client, other)
    do(client, id, "resign")
    answers = [client.post(f"/api/games/{id}/rematch", json={}) for _ in range(25)]
    assert answers[-1].status_code == 429


def test_deleting_a_game_leaves_its_rematch(client: TestClient, browser: Browser) -> None:
    other = browser()
    id = between(client, other)
    do(other, id, "resign")
    rematch(client, id)
    next_id = rematch(other, id)["next"]
    assert client.delete(f"/api/games/{id}").status_code == 204
    assert look(client, next_id)["you"] == [2]


# ---- names and presence ------------------------------------------------------------------------


def test_names_are_kept_and_checked(client: TestClient, browser: Browser) -> None:
    other = browser()
    id = invite(client, name=" <i>Ann</i>\u202e ")
    assert "at most 24 characters" in fails(other, id, "seat", 422, name="n" * 25)
    assert look(other, id)["seat_free"] == 2  # nothing has happened
    game = do(other, id, "seat", name="Bob")
    assert [player["name"] for player in game["players"]] == ["<i>Ann</i>", "Bob"]
    assert [player["named"] for player in game["players"]] == [True, True]
    listed = client.get("/api/games").json()["games"][0]
    assert listed["players"] == ["<i>Ann</i>", "Bob"]
    assert "name2   Bob" in client.get(f"/api/games/{id}/text").text


def test_who_is_there(
    client: TestClient, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_game, "LINGER", 0.01)
    other = browser()
    id = between(client, other)

    def there(game: Json) -> list[bool]:
        return [player["present"] for player in game["players"]]

    with live(client, id) as one:
        one.until(lambda frame: "game" in frame and there(frame["game"]) == [True, False])
        with live(other, id) as two:
            two.until(lambda frame: "game" in frame and there(frame["game"]) == [True, True])
            one.until(lambda frame: "game" in frame and there(frame["game"]) == [True, True])
        one.until(lambda frame: "game" in frame and there(frame["game"]) == [True, False])
    until(lambda: there(look(other, id)) == [False, False], "an empty room")
