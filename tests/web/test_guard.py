"""What the guard lets in, and what it puts on every answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient, WebSocketDenialResponse
from starlette.websockets import WebSocket, WebSocketDisconnect

from plywise.errors import AgentError, IllegalMove, SpecError
from plywise.play.records.store import NoSuchGame, StoreConflict, StoreError
from plywise.play.session import SessionError
from plywise.web.caller import COOKIE, client_of
from plywise.web.errors import FAULT, Refusal, brief, explain
from plywise.web.guard import HEADERS, Guard
from plywise.web.settings import Settings

HOST = "127.0.0.1:8765"
LIVE = f"ws://{HOST}/api/live"
SETTINGS = Settings(names=("play.example",), body_bytes=100, games_per_minute=3)


async def echo(request: Request) -> Response:
    body = await request.body()
    if b"raise" in body:
        raise ZeroDivisionError("a secret")
    return JSONResponse({"size": len(body), "client": client_of(request.scope)})


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_json({"client": client_of(websocket.scope)})
    if await websocket.receive_text() == "raise":
        raise ZeroDivisionError("a secret")
    await websocket.close()


def served(settings: Settings = SETTINGS, scheme: str = "http") -> TestClient:
    paths = ("/", "/api/x", "/api/games", "/api/games/import", "/static/x.js", "/theme.css")
    routes = [Route(path, echo, methods=["GET", "POST", "DELETE"]) for path in paths]
    app = Starlette(
        routes=[*routes, WebSocketRoute("/api/live", socket)],
        middleware=[Middleware(Guard, settings=settings)],
    )
    return TestClient(app, base_url=f"{scheme}://{HOST}")


@pytest.fixture
def client() -> TestClient:
    return served()


# ---- names ---------------------------------------------------------------------------------------

HOSTS = {
    "127.0.0.1:8765": 200,
    "localhost:8765": 200,
    "LocalHost": 200,
    "localhost.": 200,
    "[::1]:8765": 200,
    "192.168.1.7": 200,
    "play.example": 200,
    "play.example:443": 200,
    "evil.example:8765": 421,
    "127.0.0.1.evil.example": 421,
    "localhost.evil.example": 421,
    "localhost@evil.example": 421,
    "[::1": 421,
    "": 421,
    "a b": 421,
}


@pytest.mark.parametrize(("host", "status"), HOSTS.items())
def test_only_our_names_and_addresses(client: TestClient, host: str, status: int) -> None:
    assert client.get("/", headers={"Host": host}).status_code == status


def test_an_unknown_name_is_told_what_to_do(client: TestClient) -> None:
    answer = client.get("/", headers={"Host": "evil.example"})
    assert "unknown host 'evil.example'" in answer.json()["error"]
    assert "--name" in answer.json()["error"]


def test_a_socket_needs_our_name_too(client: TestClient) -> None:
    with (
        pytest.raises(WebSocketDenialResponse) as refused,
        client.websocket_connect("ws://evil.example/api/live"),
    ):
        pass
    assert refused.value.status_code == 421


# ---- where a write comes from -------------------------------------------------------------------

ORIGINS = {
    f"http://{HOST}": True,
    f"https://{HOST}": True,  # a proxy before us speaks https
    f"HTTP://{HOST}": True,
    "http://127.0.0.1:8000": False,
    "http://127.0.0.1": False,
    "http://localhost:8765": False,
    "http://evil.example": False,
    f"http://{HOST}.evil.example": False,
    f"http://{HOST}@evil.example": False,
    f"http://me@{HOST}": False,
    f"http://{HOST}/path": False,
    f"ftp://{HOST}": False,
    "http://127.0.0.1:99999": False,
    "http://[": False,
    "null": False,
    "": False,
}


@pytest.mark.parametrize(("origin", "ours"), ORIGINS.items())
class TestOrigin:
    def test_of_writes(self, client: TestClient, origin: str, ours: bool) -> None:
        for method in ("POST", "DELETE"):
            answer = client.request(method, "/api/x", headers={"Origin": origin})
            assert answer.status_code == (200 if ours else 403)

    def test_of_sockets(self, client: TestClient, origin: str, ours: bool) -> None:
        headers = {"Origin": origin}
        if ours:
            with client.websocket_connect(LIVE, headers=headers) as line:
                assert line.receive_json()
                line.send_text("bye")
            return
        with (
            pytest.raises(WebSocketDenialResponse) as refused,
            client.websocket_connect(LIVE, headers=headers),
        ):
            pass
        assert refused.value.status_code == 403

    def test_of_reads(self, client: TestClient, origin: str, ours: bool) -> None:
        answer = client.get("/api/x", headers={"Origin": origin})
        assert answer.status_code == (200 if ours else 403)

    def test_does_not_matter_for_pages(self, client: TestClient, origin: str, ours: bool) -> None:
        assert client.get("/", headers={"Origin": origin}).status_code == 200


@pytest.mark.parametrize(
    ("scheme", "host", "origin", "status"),
    [
        ("https", "play.example", "https://play.example", 200),
        ("https", "play.example", "https://play.example:443", 200),
        ("https", "play.example:443", "https://play.example", 200),
        ("https", "play.example", "http://play.example", 403),
        ("http", "play.example", "http://play.example", 200),
        ("http", "play.example", "http://play.example:80", 200),
        ("http", "play.example", "https://play.example", 200),
    ],
)
def test_usual_ports_need_not_be_written(scheme: str, host: str, origin: str, status: int) -> None:
    client = served(scheme=scheme)
    answer = client.post("/api/x", headers={"Host": host, "Origin": origin})
    assert answer.status_code == status


@pytest.mark.parametrize(
    ("site", "status"),
    [("same-origin", 200), ("none", 200), ("same-site", 403), ("cross-site", 403)],
)
def test_where_a_browser_says_it_comes_from(client: TestClient, site: str, status: int) -> None:
    headers = {"Sec-Fetch-Site": site}
    for method in ("POST", "GET", "HEAD", "OPTIONS"):
        found = client.request(method, "/api/x", headers=headers).status_code
        assert found == (405 if method == "OPTIONS" and status == 200 else status)
    for path in ("/", "/static/x.js"):
        assert client.get(path, headers=headers).status_code == 200


def test_a_link_to_the_interface_works(client: TestClient) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/api/x", headers=headers).status_code == 200
    assert client.post("/api/x", headers=headers).status_code == 403
    headers["Sec-Fetch-Mode"] = "no-cors"  # such as a picture
    assert client.get("/api/x", headers=headers).status_code == 403


# ---- bodies --------------------------------------------------------------------------------------


def in_parts(size: int) -> Iterator[bytes]:
    for _ in range(size):
        yield b"1"


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(("size", "status"), [(100, 200), (101, 413), (5000, 413)])
def test_how_large_a_body_may_be(client: TestClient, size: int, status: int) -> None:
    assert client.post("/api/x", content=b"1" * size, headers=JSON).status_code == status
    # Without a length told in advance, as chunks.
    answer = client.post("/api/x", content=in_parts(size), headers=JSON)
    assert answer.status_code == status
    if status == 200:
        assert answer.json()["size"] == size
    else:
        assert answer.json()["error"] == "request body too large (limit 100 bytes)"


def test_a_game_that_is_brought_along_may_be_larger(client: TestClient) -> None:
    assert client.post("/api/games/import", content=b"1" * 400, headers=JSON).status_code == 200
    assert client.post("/api/games/import", content=b"1" * 401, headers=JSON).status_code == 413


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("application/json", 200),
        ("Application/JSON; charset=utf-8", 200),
        ("text/plain", 415),
        ("application/x-www-form-urlencoded", 415),
        ("multipart/form-data; boundary=x", 415),
        ("application/jsonp", 415),
        (None, 415),
    ],
)
def test_a_body_is_json(client: TestClient, kind: str | None, status: int) -> None:
    headers = {} if kind is None else {"Content-Type": kind}
    assert client.post("/api/x", content=b"{}", headers=headers).status_code == status


def test_no_body_is_of_no_kind(client: TestClient) -> None:
    assert client.post("/api/x").status_code == 200
    assert client.delete("/api/x").status_code == 200


# ---- answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/", "/api/x", "/static/x.js", "/nothing"])
def test_every_answer_has_the_headers(client: TestClient, path: str) -> None:
    for answer in (client.get(path), client.get(path, headers={"Host": "evil.example"})):
        for name, value in HEADERS.items():
            assert answer.headers[name] == value


def test_the_policy_allows_nothing_from_elsewhere() -> None:
    sources = re.findall(r"-src ([^;]*)", HEADERS["Content-Security-Policy"])
    assert {word for source in sources for word in source.split()} == {"'none'", "'self'", "data:"}


def test_what_may_be_kept(client: TestClient) -> None:
    assert client.get("/api/x").headers["Cache-Control"] == "no-store"
    assert client.get("/static/x.js").headers["Cache-Control"] == "no-cache"
    assert client.get("/").headers["Cache-Control"] == "no-cache"


def test_a_fault_is_told_without_a_trace(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.post("/api/x", content=b'"raise"', headers=JSON)
    assert answer.status_code == 500
    assert answer.text.count("\n") == 0
    assert answer.json() == {"error": FAULT}
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert "a secret" in caplog.text


def test_a_fault_closes_a_socket(client: TestClient) -> None:
    with client.websocket_connect(LIVE) as line:
        line.receive_json()
        line.send_text("raise")
        with pytest.raises(WebSocketDisconnect) as closed:
            line.receive_json()
    assert closed.value.code == 1011


# ---- the client ----------------------------------------------------------------------------------


def test_a_client_keeps_its_name() -> None:
    client = served()
    first = client.get("/")
    cookie = first.headers["Set-Cookie"]
    assert re.fullmatch(
        rf"{COOKIE}=[0-9a-f]{{32}}\.[0-9a-f]{{32}}; Path=/; Max-Age=31536000; HttpOnly; "
        "SameSite=Lax",
        cookie,
    )
    name = first.json()["client"]
    assert f"{COOKIE}={name}." in cookie
    second = client.get("/api/x")
    assert second.json()["client"] == name
    assert "Set-Cookie" not in second.headers
    assert served().get("/").json()["client"] != name


def test_over_https_the_cookie_stays_there() -> None:
    assert served(scheme="https").get("/").headers["Set-Cookie"].endswith("; Secure")


@pytest.mark.parametrize("value", ["x", "0" * 31, "0" * 33, "G" * 32, "0" * 32 + "%00", ""])
def test_a_name_that_is_not_ours_is_replaced(value: str) -> None:
    answer = served().get("/", headers={"Cookie": f"{COOKIE}={value}"})
    assert answer.json()["client"] != value
    assert COOKIE in answer.headers["Set-Cookie"]


def test_assets_name_nobody(client: TestClient) -> None:
    for path in ("/static/x.js", "/theme.css"):
        assert "Set-Cookie" not in client.get(path).headers


def test_a_socket_names_its_client_too() -> None:
    client = served()
    name = client.get("/").json()["client"]
    with client.websocket_connect(LIVE) as line:
        assert line.receive_json() == {"client": name}
        line.send_text("bye")


# ---- how often -----------------------------------------------------------------------------------


def test_new_games_of_one_address(client: TestClient) -> None:
    statuses = [client.post("/api/games").status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert client.post("/api/games/import").status_code == 429
    assert client.get("/api/games").status_code == 200
    assert client.post("/api/x").status_code == 200


def test_a_household_is_one_address() -> None:
    for near, far in (("2001:db8:0:1::7", "2001:db8:0:2::7"), ("10.0.0.1", "10.0.0.2")):
        settings = replace(SETTINGS, games_per_minute=1)
        guard = Guard(Starlette(routes=[Route("/api/games", echo, methods=["POST"])]), settings)

        def post(address: str, guard: Guard = guard) -> int:
            client = TestClient(guard, base_url=f"http://{HOST}", client=(address, 5))
            return client.post("/api/games").status_code

        assert [post(near), post(near), post(far)] == [200, 429, 200]


# ---- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Refusal("no", 418), 418),
        (SpecError("no"), 422),
        (IllegalMove("no"), 422),
        (SessionError("no"), 409),
        (NoSuchGame("no"), 404),
        (StoreConflict("no"), 409),
    ],
)
def test_what_went_wrong(error: Exception, status: int) -> None:
    assert explain(error) == (status, "no")


@pytest.mark.parametrize(
    ("error", "status"),
    [(StoreError("a secret"), 503), (AgentError("a secret"), 500), (KeyError("a secret"), 500)],
)
def test_our_own_faults_are_written_down_and_not_told(
    error: Exception, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    found = explain(error)
    assert found[0] == status
    assert "secret" not in found[1]
    assert "a secret" in caplog.text


def test_a_message_is_one_short_line() -> None:
    assert brief("a\n b\t\0c") == "a b c"
    assert len(brief("a" * 5000)) == 400
    brief("\ud800").encode()
