"""Signed cookies, the access token, and whose word about addresses is taken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.datastructures import Headers
from starlette.testclient import WebSocketDenialResponse

from plywise.errors import SpecError
from plywise.play.records.servers import key_of
from plywise.play.records.store import Store
from plywise.web.app import create_app
from plywise.web.caller import ACCESS_COOKIE, COOKIE, GUESSES, Visitor, check_networks, visitor_of
from plywise.web.settings import Settings
from tests.web.conftest import ADDRESS, LIVE
from tests.web.steps import ask, listening, new_game, refused, request

KEY, OTHER_KEY = b"a" * 32, b"b" * 32
INVENTED = "0123456789abcdef" * 2
TOKEN = "a-long-token"


def read(cookie: str, key: bytes = KEY) -> Visitor:
    return visitor_of(Headers({"Cookie": f"{COOKIE}={cookie}"}), key)


# ---- the signature -------------------------------------------------------------------------------


def test_a_signed_id_is_accepted() -> None:
    new = read("")
    assert new.cookie is not None
    assert read(new.cookie) == Visitor(new.client)


def test_nobody_can_invent_an_id() -> None:
    new = read("")
    assert new.cookie is not None
    signature = new.cookie.partition(".")[2]
    for invented in (
        INVENTED,
        f"{INVENTED}.{signature}",
        f"{INVENTED}.{'0' * 32}",
        f"{new.client}.{'0' * 32}",
        f"{new.client}.",
        new.client,
    ):
        found = read(invented)
        assert found.client not in (INVENTED, new.client), invented
        assert found.cookie is not None


def test_servers_on_one_machine_leave_each_other_alone() -> None:
    first = read("")
    assert first.cookie is not None
    second = read(first.cookie, OTHER_KEY)
    assert second.cookie is not None
    assert second.client != first.client
    assert read(second.cookie) == Visitor(first.client)
    assert read(second.cookie, OTHER_KEY) == Visitor(second.client)
    cookie = second.cookie
    for number in range(10):  # it does not grow for ever
        cookie = read(cookie, bytes([number]) * 32).cookie or ""
    assert cookie.count("~") == 3


# ---- the key -------------------------------------------------------------------------------------


def test_the_key_is_kept_with_the_store(tmp_path: Path) -> None:
    first, again, other = (
        Store(f"sqlite:///{tmp_path / name}") for name in ("a.db", "a.db", "b.db")
    )
    key = key_of(first)
    assert len(key) == 32
    assert key_of(first) == key == key_of(again)
    assert key_of(other) != key
    for store in (first, again, other):
        store.close()


def test_players_stay_the_same_after_a_restart(store: Store) -> None:
    settings = Settings(warm_up=False)
    with TestClient(create_app(settings, store), base_url=ADDRESS) as client:
        id = new_game(client, second="human")["id"]
        cookies = dict(client.cookies)
    with TestClient(create_app(settings, store), base_url=ADDRESS, cookies=cookies) as client:
        assert [game["id"] for game in client.get("/api/games").json()["games"]] == [id]


# ---- the access token ----------------------------------------------------------------------------


@pytest.fixture
def closed(store: Store) -> Iterator[TestClient]:
    app = create_app(Settings(warm_up=False, token=TOKEN), store)
    with TestClient(app, base_url=ADDRESS, follow_redirects=False) as client:
        yield client


@pytest.mark.parametrize("path", ["/", "/api/kinds", "/static/js/main.js", "/api/openapi.json"])
def test_nobody_comes_in_without_the_token(closed: TestClient, path: str) -> None:
    answer = closed.get(path)
    assert "needs an access token" in refused(answer, 401)
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert "Set-Cookie" not in answer.headers
    for header in ("Bearer wrong", "Bearer", f"Bearer {TOKEN}x"):
        assert closed.get(path, headers={"Authorization": header}).status_code == 401
    assert closed.get(path, headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200


def test_no_socket_without_the_token(closed: TestClient) -> None:
    with pytest.raises(WebSocketDenialResponse) as denied, closed.websocket_connect(LIVE):
        pass
    assert denied.value.status_code == 401
    with closed.websocket_connect(LIVE, headers={"Authorization": f"Bearer {TOKEN}"}) as line:
        line.send_json({"do": "ping"})
        assert line.receive_json()["ok"]


def test_a_browser_brings_the_token_once(closed: TestClient) -> None:
    answer = closed.get(f"/board?game=connect4&token={TOKEN}&moves=44")
    assert (answer.status_code, answer.headers["Location"]) == (
        303,
        "/board?game=connect4&moves=44",
    )
    assert TOKEN not in answer.headers["Set-Cookie"]
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert ACCESS_COOKIE in closed.cookies
    assert closed.get("/api/kinds").status_code == 200
    with closed.websocket_connect(LIVE) as line:
        line.send_json({"do": "ping"})
        assert line.receive_json()["ok"]
    closed.cookies.set(ACCESS_COOKIE, "0" * 32, domain="127.0.0.1")
    closed.cookies.clear()
    assert closed.get("/api/kinds").status_code == 401


def test_the_token_sends_nobody_elsewhere(closed: TestClient) -> None:
    assert closed.get(f"{ADDRESS}//evil.example/?token={TOKEN}").headers["Location"] == (
        "/evil.example/"
    )


def test_a_token_cannot_be_guessed(closed: TestClient) -> None:
    wrong = {"Authorization": "Bearer wrong"}
    statuses = [closed.get("/", headers=wrong).status_code for _ in range(GUESSES + 1)]
    assert statuses == [401] * GUESSES + [429]
    right = {"Authorization": f"Bearer {TOKEN}"}
    assert closed.get("/", headers=right).status_code == 429  # else it would tell that it is right
    other = TestClient(closed.app, base_url=ADDRESS, client=("10.0.0.1", 1))
    other.portal = closed.portal
    assert other.get("/", headers=right).status_code == 200


# ---- proxies -------------------------------------------------------------------------------------

FORWARDED = {"X-Forwarded-For": "10.1.2.3", "X-Forwarded-Proto": "https"}


def one_game(port: int, **headers: str) -> bytes:
    body = json.dumps({"game": "tictactoe", "second": "human"}).encode()
    return ask(port, request("POST", "/api/games", body, **headers))


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",), ("10.0.0.0/8",)])
def test_only_a_known_proxy_is_believed(
    store: Store, proxies: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(warm_up=False, proxies=proxies, games_per_minute=1)
    with listening(create_app(settings, store)) as server:
        said = one_game(server.port, **FORWARDED)
        assert said.startswith(b"HTTP/1.1 201 ")
        believed = proxies == ("127.0.0.1",)
        assert (b"; Secure" in said) == believed
        again = one_game(server.port, **{**FORWARDED, "X-Forwarded-For": "10.9.9.9"})
        assert again.startswith(b"HTTP/1.1 201 " if believed else b"HTTP/1.1 429 ")
    told = [each.getMessage() for each in caplog.records if "--proxy" in each.getMessage()]
    assert len(told) == (not proxies), "only once"
    assert all("--proxy 127.0.0.1" in each for each in told)


@pytest.mark.parametrize("proxy", ["localhost", "", "1.2.3", "10.0.0.1/8", "*"])
def test_a_proxy_is_an_address(proxy: str) -> None:
    with pytest.raises(SpecError, match="is not an address"):
        check_networks([proxy])
