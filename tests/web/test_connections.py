"""Half requests, idle connections and too many of them: nobody else is kept waiting."""

from __future__ import annotations

import errno
import logging
import resource
import socket
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from plywise.play.records.store import Store
from plywise.web import connections
from plywise.web.app import create_app
from plywise.web.listener import ALIKE, AT_ONCE, Listener, RepeatFilter
from plywise.web.settings import Settings
from tests.serving import Server
from tests.web.steps import HOURS, ask, call, everything, listening, request, until

HALF_HEAD = b"GET / HTTP/1.1\r\nHost: 127.0.0.1"
HALF_BODY = request("POST", "/api/hint", b"{}").replace(b"{}", b"{")
PAGE = request("GET", "/")
SOCKET = request(
    "GET",
    "/api/live",
    **{
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    },
).replace(b"Content-Length: 0\r\n", b"")  # some versions of websockets refuse any body
OTHER = "127.0.0.7"  #: another address of this machine
#: Limits that no test reaches unless it sets a shorter one.
PATIENT = {f"{what}_seconds": HOURS for what in ("head", "body")}


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD", HOURS)
    monkeypatch.setattr(connections, "CLOSING", HOURS)


@pytest.fixture
def limits() -> dict[str, Any]:
    """What this test sets of the limits."""
    return {}


@pytest.fixture
def port(store: Store, limits: dict[str, Any]) -> Iterator[int]:
    settings = Settings(warm_up=False, **{**PATIENT, **limits})
    with listening(create_app(settings, store)) as server:
        yield server.port


def open_socket(port: int, source: str = "127.0.0.1") -> socket.socket:
    line = call(port, SOCKET, source)
    assert line.recv(12) == b"HTTP/1.1 101"
    return line


# ---- time ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("limits", [{"head_seconds": 0.1}])
def test_a_half_head_is_answered_and_closed(port: int) -> None:
    said = ask(port, HALF_HEAD)
    assert said.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert said.endswith(b'{"error":"the request did not arrive in time"}')


@pytest.mark.parametrize("limits", [{"head_seconds": 0.1}])
def test_a_silent_connection_is_closed(port: int) -> None:
    assert ask(port, b"") == b""


@pytest.mark.parametrize("limits", [{"head_seconds": 0.1}])
def test_a_half_head_after_a_whole_request(port: int) -> None:
    first = PAGE.replace(b"Connection: close", b"Connection: keep-alive")
    said = ask(port, first + HALF_HEAD)
    assert said.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"HTTP/1.1 408 Request Timeout\r\n" in said


@pytest.mark.parametrize("limits", [{"body_seconds": 0.1}])
def test_a_half_body_is_answered_and_closed(port: int) -> None:
    said = ask(port, HALF_BODY)
    assert said.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert said.endswith(b'{"error":"the request body did not arrive in time"}')


@pytest.mark.parametrize("limits", [{"body_seconds": 0.1}])
def test_a_body_that_nobody_reads_ends_too(port: int) -> None:
    said = ask(port, PAGE.replace(b"Length: 0", b"Length: 5").replace(b"close", b"keep-alive"))
    assert said.startswith(b"HTTP/1.1 200 OK\r\n")


def test_an_answer_that_is_not_read(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "UNREAD", 0.2)
    settings = Settings(warm_up=False, **PATIENT)
    with listening(create_app(settings, store)) as server, socket.socket() as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.connect(("127.0.0.1", server.port))
        kinds = request("GET", "/api/kinds").replace(b"close", b"keep-alive")
        line.sendall(kinds * 200)
        connections_ = server.config.http.counted
        until(lambda: server.server_state.total_requests, "the first answer")
        until(lambda: len(connections_) == 0, "the end of the connection")


def test_every_request_has_its_own_time(store: Store) -> None:
    """A connection that is used again and again is never in one state for long."""
    with listening(create_app(Settings(warm_up=False), store)) as server:
        with call(server.port) as line:
            seen = set()
            for _ in range(3):
                line.sendall(PAGE.replace(b"close", b"keep-alive"))
                while not line.recv(65536).endswith(b"</html>\n"):
                    pass
                (connection,) = server.config.http.counted._open.values()
                protocol = connection.transport.get_protocol()
                seen.add(until(lambda p=protocol: p.state[0] == "head" and p.state))
        assert len(seen) == 3


# ---- numbers -------------------------------------------------------------------------------------

FEW = [{"connections": 16}]  # four for each address


@pytest.mark.parametrize("limits", FEW)
@pytest.mark.parametrize("half", [b"", HALF_HEAD, HALF_BODY], ids=["silent", "head", "body"])
def test_those_who_wait_make_room(port: int, half: bytes) -> None:
    with ExitStack() as stack:
        held = [stack.enter_context(call(port, half)) for _ in range(10)]
        assert ask(port, PAGE).startswith(b"HTTP/1.1 200 OK")
        assert ask(port, PAGE, OTHER).startswith(b"HTTP/1.1 200 OK")
        assert [everything(line) for line in held[:6]] == [b""] * 6  # the oldest had to go


@pytest.mark.parametrize("limits", FEW)
def test_one_address_holds_a_quarter(port: int) -> None:
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(open_socket(port))
        said = ask(port, PAGE)
        assert said.startswith(b"HTTP/1.1 429 Too Many Requests\r\n")
        assert b"too many connections from this address" in said
        assert ask(port, PAGE, OTHER).startswith(b"HTTP/1.1 200 OK")
    until(lambda: ask(port, PAGE).startswith(b"HTTP/1.1 200 OK"), "room again")


@pytest.mark.parametrize("limits", [{"connections": 16, "proxies": ("127.0.0.1",)}])
def test_a_proxy_speaks_for_many(port: int) -> None:
    with ExitStack() as stack:
        for _ in range(10):
            stack.enter_context(open_socket(port))
        assert ask(port, PAGE).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("limits", FEW)
def test_when_all_places_are_taken(port: int) -> None:
    with ExitStack() as stack:
        for number in range(4):
            for _ in range(4 - (number == 3)):
                stack.enter_context(open_socket(port, f"127.0.1.{number}"))
        waiting = stack.enter_context(call(port, HALF_HEAD, "127.0.1.0"))
        assert waiting.recv(12) == b"HTTP/1.1 429"  # this address has its four
        last = stack.enter_context(call(port, HALF_HEAD, "127.0.1.3"))
        new = stack.enter_context(open_socket(port, OTHER))
        assert everything(last) == b""  # the only one that waited for its client
        assert ask(port, PAGE, "127.0.0.8").startswith(b"HTTP/1.1 429")
        new.close()
        until(lambda: ask(port, PAGE, OTHER).startswith(b"HTTP/1.1 200"), "room again")


# ---- sockets -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "more",
    [{"Cookie": "a=" + "x" * 9000}, {f"X-{number}": "1" for number in range(129)}],
    ids=["cookie", "headers"],
)
def test_a_handshake_with_large_headers_is_answered(port: int, more: dict[str, str]) -> None:
    lines = "".join(f"{name}: {value}\r\n" for name, value in more.items()).encode()
    said = ask(port, SOCKET[:-2] + lines + b"\r\n")
    assert said.startswith(b"HTTP/1.1 431 Request Header Fields Too Large\r\n")
    assert b'{"error":"headers too large: ' in said


# ---- out of descriptors --------------------------------------------------------------------------


def test_a_failing_door_is_tried_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> None:
        raise OSError(errno.EMFILE, "too many open files")

    monkeypatch.setattr(socket.socket, "accept", fail)
    with Listener() as door:
        with pytest.raises(OSError, match="too many open files"):  # asyncio now pauses
            door.accept()
        with pytest.raises(BlockingIOError):  # asyncio leaves its loop
            door.accept()


def test_a_few_connections_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket.socket, "accept", lambda _: ("a connection", "an address"))
    with Listener() as door:
        for _ in range(2):
            assert [door.accept()[1] for _ in range(AT_ONCE)] == ["an address"] * AT_ONCE
            with pytest.raises(BlockingIOError):
                door.accept()


def test_the_log_does_not_repeat_itself() -> None:
    now = 0.0
    calm = RepeatFilter(lambda: now)

    def write(text: str) -> str | None:
        record = logging.LogRecord("x", logging.ERROR, "", 1, text, None, None)
        return str(record.msg) if calm.filter(record) else None

    assert [write("a") for _ in range(1000)] == ["a"] * 5 + [None] * 995
    assert write("b") == "b"
    now = 61.0
    assert write("a") == "a (995 more like this were not written)"
    assert write("a") == "a"


def test_a_server_does_not_repeat_itself(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    with listening(create_app(Settings(warm_up=False), store)):
        for _ in range(20):
            logging.getLogger("plywise").error("the same again")
    assert caplog.text.count("the same again") == ALIKE


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="prlimit is of Linux")
def test_without_descriptors_it_stays_quiet_and_comes_back(tmp_path: Path) -> None:
    server = Server(tmp_path, warm=False)
    server.start()
    try:
        assert server._process is not None
        used = len(list(Path(f"/proc/{server._process.pid}/fd").iterdir()))
        # Lowered only now, so that the limit of connections does not know of it.
        resource.prlimit(server._process.pid, resource.RLIMIT_NOFILE, (used + 20, used + 20))
        with ExitStack() as stack:
            for _ in range(40):
                stack.enter_context(call(server.port, HALF_HEAD))
            until(lambda: "Too many open files" in server.said, "the first failure")
            before = server.used
            stack.enter_context(call(server.port, HALF_HEAD)).settimeout(1.0)
            until(lambda: server.said.count("Too many open files") >= 2, "the second failure")
            assert server.used - before < 2.0
        until(lambda: ask(server.port, PAGE).startswith(b"HTTP/1.1 200 OK"), "the page")
        assert len(server.said) < 50_000
    finally:
        assert server.stop() == 0
