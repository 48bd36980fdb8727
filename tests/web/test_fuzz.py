"""A thousand requests and frames that make no sense: the server says no, and plays on.

They go to a real process. The first round warms it up; what leaks grows in each round after it.
What each of them costs the server is measured: an answer may cost little, and a refusal less.
"""

from __future__ import annotations

import json
import random
import socket
import struct
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager, closing, suppress
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection

from tests.cost import slowness
from tests.serving import Server, new_game
from tests.specs import random_spec
from tests.web.nonsense import Nonsense
from tests.web.steps import PATIENCE, open_line

pytestmark = pytest.mark.slow

SEED = 4
REQUESTS, RAW, FRAMES, LINES = 100, 20, 40, 6  #: of each round: 166 in all
#: kB of memory that a round may add. Measured with rounds of 500: 28 MB in the second, then 0 to 7
#: in each for positions and boards that are kept; threads stay the same.
GROWTH = 8 * 1024
THREADS = 4  #: threads that may come late
SECONDS = 1.0  #: of the processor that one request may cost
MAKING = 5.0  #: ... and one that makes a puzzle, of a grade that takes many tries
BUILT = ("/api/positions", "/api/games/import", "/board", "/new")  #: what never searches
MEMORY = 64 * 1024  #: kB that one request may take
BOARDS = 100  #: specs at random
ROUNDS = 5  #: in one of them the server must not grow; what is compiled late comes only once


class Fuzz:
    """What is sent, and what the server made of it."""

    def __init__(self, server: Server, seed: int) -> None:
        self.server = server
        self.client = httpx.Client(timeout=PATIENCE, trust_env=False)
        self.game = new_game(server, self.client, game="connect4", second="auto:level=1")["id"]
        self.cookie = f"plywise={self.client.cookies['plywise']}"
        self.made = Nonsense(seed, server.port, self.game, self.cookie)
        self.rng = self.made.rng
        self.seen: Counter[str] = Counter()
        self.strict = False  # is it measured what a request costs?
        self.faults: list[str] = []

    # ---- what is sent --------------------------------------------------------------------------

    def request(self) -> None:
        """A request that is one, with nonsense in it."""
        method, path, body = self.made.request()
        headers = self.made.headers()
        if self.rng.random() < 0.1:  # in chunks, of a length that nobody has said
            headers[b"Transfer-Encoding"] = b"chunked"
            half = len(body) // 2
            parts = [body[:half], body[half:]]
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts if part)
            body += b"0\r\n\r\n"
        else:
            headers.setdefault(b"Content-Length", str(len(body)).encode())
        lines = [f"{method} {path} HTTP/1.1".encode("latin-1", "replace")]
        lines += [name + b": " + value for name, value in headers.items()]
        sent = b"\r\n".join([*lines, b"Connection: close", b"", body])
        honest = headers.get(b"Content-Length") in (None, str(len(body)).encode())
        what = f"{method} {path} {body[:200]!r}"
        chances = 1 if path.startswith(BUILT) else 2  # a search may compile something first
        self.measured(lambda: self.exchange(sent, what, whole=honest), what, chances)

    def measured(self, send: Callable[[], None], what: str, chances: int) -> None:
        """Send something; a fault if it costs too much each time."""
        for chance in range(chances if self.strict else 0):
            before, used = self.server.facts["VmRSS"], self.server.used
            send()
            seconds, memory = self.server.used - used, self.server.facts["VmRSS"] - before
            most = MAKING if "/new " in what else SECONDS
            if seconds <= most * slowness() and memory <= MEMORY:
                break
            if chance == chances - 1:
                self.faults.append(f"{what} cost {seconds:.2f} s and {memory:,} kB")
        if not self.strict:
            send()

    def raw(self) -> None:
        """Bytes that are hardly a request."""
        rng, host = self.rng, b"Host: 127.0.0.1\r\n"
        get, post = b"GET / HTTP/1.1\r\n", b"POST /api/games HTTP/1.1\r\n"
        upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
        made = rng.choice(
            (
                rng.randbytes(rng.randrange(1, 3000)),
                get + b"X: y\r\n" * rng.choice((10, 5000)) + b"\r\n",
                b"GET /" + b"a" * rng.choice((100, 40_000)) + b" HTTP/1.1\r\n" + host + b"\r\n",
                get + host + host + b"\r\n",
                b"GET / HTTP/9.9\r\n\r\n",
                b"GET http://evil.example/ HTTP/1.1\r\n" + host + b"\r\n",
                post + host + b"Content-Length: 10\r\n\r\nabc",
                post + host + b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\nzz\r\n",
                get + b"Host: evil.example\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                get.replace(b"/", b"/api/live", 1) + host + upgrade + b"\r\n",
                b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + rng.randbytes(200),  # https
            )
        )
        self.exchange(made, repr(made[:60]), whole=False)

    def exchange(self, sent: bytes, what: str, whole: bool) -> None:
        """Send bytes, hear what is said, and look at the status; what is not whole breaks off."""
        place = "127.0.0.1", self.server.port
        with closing(socket.create_connection(place, timeout=PATIENCE)) as line:
            heard = b""
            with suppress(OSError):  # the server need not hear everything
                line.sendall(sent)
                if not whole:
                    line.shutdown(socket.SHUT_WR)
                while part := line.recv(65536):
                    heard += part
        head, _, body = heard.partition(b"\r\n\r\n")
        status = head.split(b" ", 2)[1].decode() if head.startswith(b"HTTP/1.1 ") else "none"
        self.seen[status] += 1
        if status.startswith("5"):
            self.faults.append(f"{status} for {what}: {body[:200]!r}")
        if b"root:x:0" in body or b"class Settings" in body or b"Traceback" in body:
            self.faults.append(f"{what} was told too much: {body[:200]!r}")

    def frames(self, count: int) -> None:
        """Frames to a game, to a free board, and to a game that is not there."""
        left = count
        while left > 0:
            some = min(left, self.rng.randrange(1, 20))
            left -= some
            where = self.rng.choice(("", f"?game={self.game}", f"?game={self.game}", "?game=none"))
            with suppress(WebSocketException, OSError), self.open(where) as line:
                for _ in range(some):
                    frame = self.made.frame()
                    if isinstance(frame, str) and self.rng.random() < 0.2:
                        half = len(frame) // 2
                        line.send([frame[:half], frame[half:]])  # in two fragments
                    else:
                        line.send(frame)
                line.send('{"do": "ping", "n": 0}')
                self.hear(line)

    def hear(self, line: ClientConnection) -> None:
        """All answers up to that of the ping."""
        while True:
            answer = json.loads(line.recv(timeout=PATIENCE))
            self.seen[str(answer.get("status", answer.get("type", "ok")))] += 1
            if answer.get("status", 0) >= 500:
                self.faults.append(f"a frame: {answer}")
            if answer.get("re") == 0:
                return

    def open(self, where: str = "") -> AbstractContextManager[ClientConnection]:
        return open_line(self.server.live + where, self.cookie)

    def line(self) -> None:
        """A socket that behaves badly as such."""
        rng = self.rng
        with suppress(WebSocketException, OSError):
            what = rng.randrange(5)
            if what == 0:  # pings, many at once
                with self.open() as line:
                    for _ in range(300):
                        line.ping()
                    line.send('{"do": "ping", "n": 0}')
                    self.hear(line)
            elif what == 1:  # a frame beyond all bounds
                with self.open() as line:
                    line.send("x" * 200_000)
                    line.recv(timeout=PATIENCE)
            elif what == 2:  # frames faster than anybody types
                with self.open() as line:
                    for _ in range(400):
                        line.send('{"do": "ping", "n": 1}')
                    while True:
                        line.recv(timeout=PATIENCE)
            elif what == 3:  # gone without a word, in the middle of an analysis
                with self.open() as line:
                    line.send('{"do": "analyse", "n": 1, "game": "connect4", "moves": []}')
                    line.recv(timeout=PATIENCE)
                    cut = struct.pack("ii", 1, 0)  # close at once, with what is under way lost
                    line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, cut)
                    line.socket.shutdown(socket.SHUT_RDWR)
            else:  # bytes that are no frames
                with self.open() as line:
                    line.socket.sendall(rng.randbytes(500))
                    line.socket.shutdown(socket.SHUT_WR)
                    line.recv(timeout=PATIENCE)
        self.seen["line"] += 1

    def round(self, number: int) -> None:
        """Some of all kinds, mixed."""
        work: list[Callable[[], None]] = [self.request] * REQUESTS + [self.raw] * RAW
        work += [self.line] * LINES + [lambda: self.frames(10)] * (FRAMES // 10)
        random.Random(f"{SEED} {number}").shuffle(work)
        self.strict = number > 0
        for index, each in enumerate(work):
            self.rng.seed(f"{SEED} {number} {index}")  # the same, whatever broke off before
            each()


def test_a_thousand_pieces_of_nonsense(server: Server) -> None:
    fuzz = Fuzz(server, SEED)
    half_open = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(20)]
    for line in half_open[:10]:
        line.sendall(b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le")
    facts = []
    for number in range(1 + ROUNDS):
        fuzz.round(number)
        play_on(server)
        facts.append(server.facts)
        if number and steady(*facts[-2:]):
            break
    for line in half_open:
        line.close()
    assert fuzz.faults == []
    assert {"200", "400", "403", "404", "405", "413", "415", "421", "422"} <= set(fuzz.seen)
    assert steady(*facts[-2:]), facts


def test_boards_at_random_cost_little(server: Server) -> None:
    """Each is new to the server, so nothing has been remembered of it."""
    fuzz = Fuzz(server, SEED)
    rng = random.Random(f"boards {SEED}")
    hard = [f"makeway:dots=62,lines={lines},seed=77" for lines in (5, 64, 66, 128)]
    fuzz.strict = True
    for spec in [*hard, *(random_spec(rng) for _ in range(BOARDS))]:
        path = f"/api/positions?game={quote(spec)}"
        sent = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
        fuzz.measured(lambda: fuzz.exchange(sent, path, whole=True), path, 1)  # noqa: B023
    assert fuzz.faults == []
    assert {"200", "422"} == set(fuzz.seen)


def steady(before: dict[str, int], after: dict[str, int]) -> bool:
    """Has the server grown no more than it may in one round?"""
    more_threads = after["Threads"] - before["Threads"]
    return more_threads <= THREADS and after["VmRSS"] - before["VmRSS"] <= GROWTH


def play_on(server: Server) -> None:
    """The server still plays a game to its end."""
    with httpx.Client(base_url=server.url, timeout=PATIENCE, trust_env=False) as client:
        game = new_game(server, client, game="tictactoe", second="auto:level=1")
        where = f"{server.live}?game={game['id']}"
        with open_line(where, f"plywise={client.cookies['plywise']}") as line:
            played = 0
            while True:
                frame = json.loads(line.recv(timeout=PATIENCE))
                game = frame.get("game", game)
                if game["result"] is not None:
                    return
                if frame.get("type") == "game" and game["can"]["move"]:
                    move = game["position"]["legal"][0]
                    played += 1
                    line.send(json.dumps({"do": "move", "n": played, "move": move}))
