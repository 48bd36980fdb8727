"""The example configurations in docs/deploy, run: nginx and Caddy in front of a real server."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from websockets.sync.client import connect

from tests.serving import Server, serving
from tests.web.steps import PATIENCE, call, everything, request, until

pytestmark = pytest.mark.slow

DEPLOY = Path(__file__).parents[3] / "docs" / "deploy"
UNIT = (DEPLOY / "plywise.service").read_text()
NAME = "play.example.org"
QUICK = "1s"  #: the time limits of the proxies here
GAME = json.dumps({"game": "tictactoe", "first": "human", "second": "human"}).encode()
STATE = re.compile(rb"HTTP/1.1 (\d+)")


def program(name: str) -> str:
    """The path of a program; skips the test where it is missing."""
    found = shutil.which(name, path="/usr/bin:/usr/sbin:/bin:/sbin:/usr/local/bin")
    return found or pytest.skip(f"{name} is not installed: on Debian, apt-get install {name}")


def options() -> list[str]:
    """The options of the server, as the service starts it."""
    found = re.search("^ExecStart=(.*)$", UNIT, re.MULTILINE)
    assert found is not None
    command = shlex.split(found[1])
    assert command[1] == "serve"
    return command[2:]


@dataclass
class Proxy:
    """A proxy that runs, and the server behind it."""

    port: int
    certificate: Path
    server: Server

    def line(self, source: str = "127.0.0.1") -> ssl.SSLSocket:
        """Connect from an address of this machine, as a browser does."""
        context = ssl.create_default_context(cafile=str(self.certificate))
        return context.wrap_socket(call(self.port, source=source), server_hostname=NAME)

    def ask(self, data: bytes, source: str = "127.0.0.1") -> bytes:
        """Send something and return the whole answer."""
        with self.line(source) as line:
            with suppress(ConnectionError):  # it may be refused before all of it is sent
                line.sendall(data)
            return everything(line)

    def get(self, path: str, source: str = "127.0.0.1") -> bytes:
        return self.ask(request("GET", path, Host=self.host), source)

    @property
    def host(self) -> str:
        return f"{NAME}:{self.port}"

    def start(self, source: str, **headers: str) -> bytes:
        """Start a game."""
        return self.ask(request("POST", "/api/games", GAME, Host=self.host, **headers), source)


def status(answer: bytes) -> int:
    found = STATE.match(answer)
    assert found is not None, answer[:200]
    return int(found[1])


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """Replace what has to be different here; all of it must be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def nginx(folder: Path, port: int, plain: int, server: Server) -> list[str]:
    """Write the configuration for nginx, and return the command that runs it."""
    site = replaced(
        (DEPLOY / "nginx.conf").read_text(),
        ("127.0.0.1:8765", f"127.0.0.1:{server.port}"),
        ("listen 443 ", f"listen 127.0.0.1:{port} "),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", str(folder / "certificate.pem")),
        (f"/etc/letsencrypt/live/{NAME}/privkey.pem", str(folder / "key.pem")),
        ("_timeout 10s", f"_timeout {QUICK}"),
        ("_timeout 20s", f"_timeout {QUICK}"),
    )
    paths = "".join(
        f"{kind}_temp_path {folder / kind};\n"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""  # who may write to the folder of the test
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; pid {folder / 'pid'}; error_log {folder / 'log'};\n"
        f"events {{}}\nhttp {{ access_log off;\n{paths}{site}}}\n"
    )
    return [program("nginx"), "-c", str(folder / "nginx.conf"), "-e", str(folder / "log")]


def caddy(folder: Path, port: int, plain: int, server: Server) -> list[str]:
    """Write the configuration for Caddy, and return the command that runs it."""
    keys = f"tls {folder / 'certificate.pem'} {folder / 'key.pem'}"
    site = replaced(
        (DEPLOY / "Caddyfile").read_text(),
        ("127.0.0.1:8765", f"127.0.0.1:{server.port}"),
        ("{\n\tservers", f"{{\n\tadmin off\n\thttp_port {plain}\n\tservers"),
        (f"{NAME} {{", f"{NAME}:{port} {{\n\tbind 127.0.0.1\n\t{keys}"),
        ("read_header 10s", f"read_header {QUICK}"),
        ("read_body 20s", f"read_body {QUICK}"),
    )
    (folder / "Caddyfile").write_text(site)
    return [program("caddy"), "run", "--config", str(folder / "Caddyfile")]


@contextmanager
def running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    """Run a proxy until the end of the context."""
    with open(folder / "output", "ab") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, env={"HOME": str(folder)})

    def answers() -> bool:
        assert process.poll() is None, (folder / "output").read_text()
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        until(answers, "the proxy")
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    configure: Callable[[Path, int, int, Server], list[str]] = request.param
    folder = tmp_path_factory.mktemp("proxy")
    folder.chmod(0o755)
    made = [program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt"]
    made += ["ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    made += ["-addext", f"subjectAltName=DNS:{NAME}", "-keyout", f"{folder / 'key.pem'}"]
    made += ["-out", f"{folder / 'certificate.pem'}"]
    subprocess.run(made, check=True, capture_output=True)
    port = free_port()
    with serving(*options(), warm=False) as server:
        command = configure(folder, port, free_port(), server)
        with running(command, folder, port):
            yield Proxy(port, folder / "certificate.pem", server)


def test_a_game_is_played_through_the_proxy(proxy: Proxy) -> None:
    answer = proxy.start("127.0.0.10")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert status(answer) == 201
    cookie = re.search(rb"(?i)^set-cookie: (plywise=[^;]+);(.*)$", head, re.MULTILINE)
    assert cookie is not None
    assert b"; Secure" in cookie[2]
    id = re.search(rb'"id":"([\w-]+)"', body)
    assert id is not None
    with connect(
        f"wss://{proxy.host}/api/live?game={id[1].decode()}",
        sock=call(proxy.port, source="127.0.0.10"),
        ssl=ssl.create_default_context(cafile=str(proxy.certificate)),
        additional_headers={"Cookie": cookie[1].decode()},
        origin=f"https://{proxy.host}",  # type: ignore[arg-type]
        open_timeout=PATIENCE,
    ) as line:
        for number, move in enumerate(("b2", "a1", "c3"), 1):
            line.send(json.dumps({"do": "move", "n": number, "move": move}))
            while (frame := json.loads(line.recv(PATIENCE))).get("re") != number:
                assert frame.get("type") != "error", frame
            assert frame["ok"], frame


def test_the_address_of_a_visitor_is_seen(proxy: Proxy) -> None:
    answers = [status(proxy.start("127.0.0.20")) for _ in range(11)]
    assert answers == [201] * 10 + [429]  # ten new games a minute from one address
    claimed = {"X-Forwarded-For": "127.0.0.21"}
    assert status(proxy.start("127.0.0.20", **claimed)) == 429
    assert status(proxy.start("127.0.0.21")) == 201


def test_half_a_request_is_closed(proxy: Proxy) -> None:
    half = request("POST", "/api/games", GAME, Host=proxy.host)
    for part in (len("POST /api/gam"), len(half) - 5):
        proxy.ask(half[:part])  # returns when the connection is closed


def test_a_body_that_is_too_large(proxy: Proxy) -> None:
    large = request("POST", "/api/games/import", b" " * 300_000, Host=proxy.host)
    answer = proxy.ask(large)
    assert status(answer) == 413
    assert b'"error":"request body too large' in answer  # said by the server
    larger = request("POST", "/api/games/import", b" " * 600_000, Host=proxy.host)
    assert status(proxy.ask(larger)) in (413, 502)  # by the proxy; an old Caddy says 502


def test_metrics_are_not_for_the_world(proxy: Proxy) -> None:
    assert status(proxy.get("/metrics")) == 404
    assert status(proxy.get("/health")) == 200
    assert b'{"status":"ok"}' in proxy.get("/health").replace(b" ", b"").replace(b"\r\n", b"")


def test_the_service_is_well_formed(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    unit = tmp_path / "plywise.service"
    unit.write_text(replaced(UNIT, ("/opt/plywise/bin/plywise", "/bin/true")))
    done = subprocess.run([analyze, "verify", str(unit)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    rated = [analyze, "security", "--offline=yes", "--threshold=20", "--no-pager", str(unit)]
    done = subprocess.run(rated, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-300:] + done.stderr
