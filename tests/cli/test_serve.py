"""`plywise serve` as a process of its own: it starts, answers, refuses and stops."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from plywise.cli.commands.serve import _address, _is_loopback, _listen

pytestmark = pytest.mark.slow  # longer than `make quick` has time for

PLYWISE = (sys.executable, "-m", "plywise")
PATIENCE = 120


#: The same, but whatever it is told to listen on, only this machine can reach it.
ALONE = (
    sys.executable,
    "-c",
    """
from plywise.cli import main
from plywise.cli.commands import serve

class Alone(serve.Listener):
    def bind(self, place):
        super().bind(("127.0.0.1", place[1]))

serve.Listener = Alone
main()
""",
)


@contextmanager
def served(
    tmp_path: Path, *options: str, program: Sequence[str] = PLYWISE
) -> Iterator[tuple[subprocess.Popen[str], list[str], str]]:
    """A server on a free port: the process, what it said, and its address."""
    process = subprocess.Popen(
        [*program, "serve", "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PLYWISE_DATA": str(tmp_path)},
    )
    try:
        assert process.stdout is not None
        said: list[str] = []
        while not said or not said[-1].startswith("plywise is running at "):
            line = process.stdout.readline()
            assert line, process.stderr and process.stderr.read()
            said.append(line.rstrip("\n"))
        found = re.fullmatch(
            r"plywise is running at (http://\S+:[0-9]+) \(Ctrl-C to stop\)", said[-1]
        )
        assert found is not None
        yield process, said, found[1]
    finally:
        process.kill()
        process.communicate()


def get(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        assert answer.status == 200
        found: bytes = answer.read()
        return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "SIGTERM"])
def test_it_serves_until_it_is_stopped(tmp_path: Path, number: signal.Signals) -> None:
    with served(tmp_path) as (process, said, address):
        assert len(said) == 1
        assert address.startswith("http://127.0.0.1:")
        assert b"<title>plywise</title>" in get(address)
        assert len(json.loads(get(f"{address}/api/kinds"))["kinds"]) >= 2
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert out == ""
        assert [line for line in err.splitlines() if not line.startswith("compiling ")] == []
    assert list(tmp_path.glob("*"))  # the games are kept there


def test_it_stops_even_if_something_does_not_end(tmp_path: Path) -> None:
    code = (
        "import threading, plywise.cli.commands.serve as serve\n"
        "class Stuck:\n"
        "    def handle_exit(self, number, frame): pass\n"
        "    def run(self, sockets):\n"
        "        import signal; signal.signal(signal.SIGTERM, self.handle_exit)\n"
        "        print('running', flush=True); threading.Event().wait()\n"
        "serve.LATEST = 0.1\n"
        "serve._run(Stuck(), None)\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


def test_an_access_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLYWISE_TOKEN", "a-long-token")
    with served(tmp_path) as (_, said, address):
        assert "a-long-token" not in "".join(said)
        with pytest.raises(urllib.error.HTTPError, match="401"):
            get(address)
        request = urllib.request.Request(address, headers={"Authorization": "Bearer a-long-token"})
        assert urllib.request.urlopen(request, timeout=PATIENCE).status == 200


def test_it_serves_before_numba_is_loaded(tmp_path: Path) -> None:
    code = (
        "import sys, plywise.cli.commands.serve as serve\n"
        "serve._run = lambda *_: print('numba' in sys.modules, flush=True)\n"
        "for line in serve.serve(port=0): pass\n"
    )
    environment = {**os.environ, "PLYWISE_DATA": str(tmp_path)}
    made = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=environment,
        timeout=PATIENCE,
    )
    # The warm-up is a part of the app that nobody has run here.
    assert made.stdout == "False\n", made.stderr


def test_what_it_means_that_others_can_reach_it(tmp_path: Path) -> None:
    options = ("--host", "0.0.0.0", "--name", "play.example")
    with served(tmp_path, *options, program=ALONE) as (_, said, address):
        assert "Anyone who can reach 0.0.0.0 can play here" in said[0]
        assert "more strictly" in said[1]
        assert "play.example" in said[2]
        assert "HTTPS" in said[3]
        assert "--proxy ADDRESS" in said[4]
        assert address.startswith("http://127.0.0.1:")
        get(address)
        for name, status in (("play.example", 200), ("other.example", 421)):
            request = urllib.request.Request(address, headers={"Host": name})
            try:
                found = urllib.request.urlopen(request, timeout=PATIENCE).status
            except urllib.error.HTTPError as error:
                found = error.code
            assert found == status


def refused(*options: str) -> str:
    command = [*PLYWISE, "serve", *options]
    made = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
    assert (made.returncode, made.stdout) == (2, ""), made
    assert made.stderr.count("\n") == 1
    return made.stderr


def test_a_port_that_is_in_use() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused("--port", port)
    assert said == f"plywise: port {port} is in use: choose another with --port\n"


def test_what_cannot_be_served(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "ports run from 0 to 65535" in refused("--port", "65536")
    assert "cannot listen on 'no.such.host.invalid'" in refused("--host", "no.such.host.invalid")
    assert "'localhost' is not an address" in refused("--port", "0", "--proxy", "localhost")
    assert "is not a supported database" in refused("--port", "0", "--db", "nonsense://")
    monkeypatch.setenv("PLYWISE_TOKEN", "short")
    assert "at least 8 characters" in refused("--port", "0")


def test_addresses() -> None:
    assert _address("127.0.0.1", 80) == "http://127.0.0.1:80"
    assert _address("0.0.0.0", 80) == "http://127.0.0.1:80"
    assert _address("::", 80) == "http://[::1]:80"
    hosts = ("127.0.0.1", "127.3.2.1", "::1", "localhost", "0.0.0.0", "10.0.0.1", "a.example")
    assert [_is_loopback(host) for host in hosts] == [True] * 4 + [False] * 3


def test_small_frames_are_sent_at_once() -> None:
    with _listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP  # else asyncio leaves TCP_NODELAY off
