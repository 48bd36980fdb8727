"""Damaged games on the server: the list is answered, and opening one gets one line."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from plywise.play.records.saves import to_text
from plywise.play.records.store import Store
from plywise.play.records.tables import games
from plywise.web.errors import log
from tests.play.records.databases import garble, loosen
from tests.web.conftest import LIVE
from tests.web.steps import command, look, new_game, refused

COLUMNS = [column.name for column in games.c]
GARBAGE = ["s3cret", b"\xff\xfe", None, ":::s3cret"]
REFUSED = "this game cannot be opened: its record is damaged, or needs a game or an agent that is"


def forget(client: TestClient) -> None:
    """Drop all rooms from memory, as a restart would."""
    rooms = client.app.state.rooms  # type: ignore[attr-defined]
    for room in [*rooms._rooms.values()]:
        client.portal.call(rooms._drop, room)  # type: ignore[union-attr]


@pytest.mark.parametrize("garbage", GARBAGE, ids=repr)
def test_damaged_columns(client: TestClient, tmp_path: Path, garbage: object) -> None:
    file = tmp_path / "games.sqlite"
    sound, *damaged = (
        new_game(client, second="human", clock="60")["id"] for _ in range(1 + len(COLUMNS))
    )
    forget(client)
    loosen(file, "plywise_games")
    for column, id in zip(COLUMNS, damaged, strict=True):
        garble(file, column, garbage, where=f"id = '{id}'")
    listed = client.get("/api/games")
    assert listed.status_code == 200, listed.text
    assert sound in [each["id"] for each in listed.json()["games"]]
    look(client, sound)
    for id in damaged:
        for path in ("", "/text", "/json"):
            answer = client.get(f"/api/games/{id}{path}")
            assert answer.status_code in (200, 404, 422), answer.text
            assert "s3cret" not in answer.text
        with suppress(WebSocketDisconnect):  # as a damaged game does; the message is another test
            answer, _ = command(client, id, "move", move="b2")
            assert answer.get("status", 200) < 500


def test_what_is_said_of_a_damaged_game(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warned: list[str] = []
    monkeypatch.setattr(log, "warning", lambda form, *given: warned.append(form % given))
    id = new_game(client, second="human")["id"]
    forget(client)
    garble(tmp_path / "games.sqlite", "text", "s3cret")
    for _ in range(3):
        listed = client.get("/api/games").json()["games"]
        assert [(each["id"], each["title"], each["picture"]) for each in listed] == [
            (id, "tictactoe", None)
        ]
    assert len(warned) == 1  # not for each list
    assert refused(client.get(f"/api/games/{id}"), 422).startswith(REFUSED)
    with (
        pytest.raises(WebSocketDisconnect) as caught,
        client.websocket_connect(f"{LIVE}?game={id}") as line,
    ):
        line.receive_json()
    assert caught.value.code == 4422
    assert client.delete(f"/api/games/{id}").status_code == 204
    assert client.get("/api/games").json()["games"] == []


def test_an_agent_that_is_not_installed(client: TestClient, store: Store, tmp_path: Path) -> None:
    id = new_game(client, second="human")["id"]
    forget(client)
    text = to_text(store.get(id).record).replace("second  human", "second  s3cret")
    garble(tmp_path / "games.sqlite", "text", text)
    assert refused(client.get(f"/api/games/{id}"), 422).startswith(REFUSED)
