"""Nonsense for the server out of a seed: paths, headers, bodies, frames."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

from plywise import puzzles
from tests.specs import random_spec, random_values

PUZZLE_KIND = "slither"

METHODS = ("PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW", "get")
TEXTS = (
    "",
    " ",
    "connect4",
    "tictactoe:rows=19,k=5",
    "connect4:rows=999999999999999999999",
    "connect4:rows=-1,cols=nan",
    "tictactoe:rows=1e9",
    "connect4:file=/etc/passwd",
    "makeway:file=/etc/passwd",
    "./agent.py",
    "../../../../etc/passwd",
    "/etc/passwd",
    "file:///etc/passwd",
    "auto:level=99",
    "auto:level=3",
    "mcts:memory=1e300",
    "alphabeta:threads=4096",
    "random:time=inf",
    "human:x=1",
    "a" * 5000,
    "4" * 3999,
    "💥" * 50,
    "\x00\x01\x1b[31m",
    "\u202e\u2066evil",
    "{{7*7}}",
    "'; DROP TABLE games; --",
    "<script>alert(1)</script>",
    "NaN",
    "300 + 2",
    "-5 a move",
    "1e308 + 1e308",
)
NUMBERS = (0, -1, 1, 2, 3, 10**6, 2**31, 2**63, 10**400, -(10**30), 0.5, 1e308, -0.0)
RAW_JSON = (  # what json.dumps does not write
    b"",
    b"{",
    b"[" * 60_000,
    b'{"a":' * 10_000,
    b"null",
    b"\xff\xfe\x00",
    b'"\\ud800"',
    b'{"game": NaN}',
    b'{"game": "connect4", "game": {}}',
    b'{"game": "\\u0000"}',
    b"1" * 50_000,
    b'{"time": 1e999}',
    b'{"n": ' + b"9" * 5000 + b"}",
)
NAMES = (
    *("game", "start", "moves", "agent", "time", "lines", "first", "second", "clock", "seed"),
    *("seats", "side", "toss", "move", "version", "to", "text", "at", "branch", "json", "do", "n"),
)
MOVE = {"move": "4"}
POSITION = {"game": "connect4", "start": None, "moves": ["4", "4"]}
PUZZLE = {"puzzle": "33", "states": "0000000"}
NOTE = {"text": "a note", "at": 1}
BRANCH = {"at": 0, "moves": ["1", "2"]}
BODIES: dict[str, dict[str, Any]] = {  # what would be right
    "/api/positions": POSITION,
    "/api/analysis": {**POSITION, "agent": "auto", "time": 0.02},
    "/api/hint": {**POSITION, "time": 0.02},
    "/api/review": POSITION,
    "/api/games": {**POSITION, "second": "auto:level=1", "clock": "300 + 2", "seats": "invite"},
    "/api/games/import": {"text": "game connect4\nfirst human\nsecond auto:level=1\n"},
    f"/api/puzzles/{PUZZLE_KIND}": {"puzzle": "33"},
    f"/api/puzzles/{PUZZLE_KIND}/standing": PUZZLE,
    f"/api/puzzles/{PUZZLE_KIND}/check": PUZZLE,
    f"/api/puzzles/{PUZZLE_KIND}/hint": PUZZLE,
    f"/api/puzzles/{PUZZLE_KIND}/solve": {"puzzle": "33"},
    f"/api/puzzles/{PUZZLE_KIND}/status": {"puzzle": "33"},
    f"/api/puzzles/{PUZZLE_KIND}/new": {"params": {"rows": 3, "cols": 3}, "seed": 1},
    "/api/games/{}/rematch": {},
}
FRAMES: dict[str, dict[str, Any]] = {
    "move": MOVE,
    "undo": {"to": 0},
    "redo": {"to": 1},
    "resign": {},
    "hurry": {},
    "seat": {"name": "Ann"},
    "offer": {"kind": "draw"},
    "answer": {"accept": False},
    "note": NOTE,
    "branch": BRANCH,
    "prune": BRANCH,
    "analyse": {**POSITION, "agent": "auto", "lines": True},
    "quiet": {},
    "hint": POSITION,
    "review": POSITION,
    "ping": {},
    "drop": {},
    "__class__": {},
}
PATHS = (
    "/api/kinds",
    "/api/kinds/{}",
    "/api/kinds/{}/guide",
    "/api/positions?game={}&moves={}&start={}",
    "/api/positions?game={}",
    "/api/games/{}",
    "/api/games/{}/text",
    "/api/games/{}/json",
    "/api/live?game={}",
    "/api/{}",
    "/api/openapi.json",
    "/",
    "/new/{}",
    "/game/{}",
    "/board?game={}&moves={}",
    "/rules/{}",
    "/static/{}",
    "/static/js/../../{}",
    "/static/%2e%2e/%2e%2e/settings.py",
    "/static/..%2f..%2fsettings.py",
    "/static/....//....//etc/passwd",
    "/static//etc/passwd",
    "/static/%00",
    "/style.css",
    "/theme.css",
    "//example.org/",
    "/%ff%fe",
)


def small(values: dict[str, str]) -> dict[str, str]:
    """The values for a puzzle without large sizes, which take as long as the server allows."""
    return {key: value for key, value in values.items() if not value.isdigit() or int(value) < 8}


class Nonsense:
    """Some of it would even do: it is about a game that is there, by a client that is known."""

    def __init__(self, seed: int, port: int, game: str, cookie: str) -> None:
        self.rng = random.Random(seed)
        self.port = port
        self.game = game
        self.cookie = cookie

    def value(self, depth: int = 0) -> Any:
        """Anything that JSON can say."""
        kinds: list[Callable[[], Any]] = [
            lambda: self.rng.choice(TEXTS),
            lambda: self.rng.choice(NUMBERS),
            lambda: self.rng.choice((None, True, False)),
            lambda: self.game,
            lambda: random_spec(self.rng),
        ]
        if depth < 3:
            kinds += [
                lambda: [self.value(depth + 1) for _ in range(self.rng.randrange(6))],
                lambda: self.thing(depth + 1),
                lambda: ["4"] * self.rng.choice((1, 7, 50, 2000)),
            ]
        return self.rng.choice(kinds)()

    def thing(self, depth: int = 0) -> dict[str, Any]:
        """An object with names that the server knows; some values would even do."""
        names = self.rng.sample(NAMES, self.rng.randrange(len(NAMES)))
        found = {name: self.value(depth) for name in names}
        if self.rng.random() < 0.5:
            found["game"] = "connect4"
            found["moves"] = self.rng.choice(("4444", ["4"], "", "4x"))
        found.pop("time", None)  # a search that lasts as long as it may is no nonsense
        return found

    def spoilt(self, right: dict[str, Any]) -> dict[str, Any]:
        """What would be right, but for one thing, or for none."""
        found = dict(right)
        chance = self.rng.random()
        if chance < 0.1:
            return found
        if chance < 0.2 and found:
            del found[self.rng.choice(list(found))]
            return found
        if chance < 0.45 and "game" in found:  # another board, which may be large
            found["game"] = random_spec(self.rng)
            found["moves"] = []
            return found
        if chance < 0.45 and "params" in found:
            found["params"] = small(random_values(self.rng, puzzles.find(PUZZLE_KIND).parameters))
            return found
        names = [name for name in found if name != "time"] if chance < 0.7 else []
        found[self.rng.choice(names or NAMES)] = self.value(2)
        return found

    def request(self) -> tuple[str, str, bytes]:
        """A method, a path and a body."""
        right = self.rng.choice(list(BODIES))
        chance = self.rng.random()
        if chance < 0.5:
            body = json.dumps(self.spoilt(BODIES[right])).encode()
            return "POST", self.fill(right), body
        if chance < 0.7:
            return "POST", self.fill(right), self.body()
        path = self.fill(self.rng.choice(PATHS))
        return ("GET" if chance < 0.9 else self.rng.choice(METHODS)), path, self.body()

    def body(self) -> bytes:
        """Hardly ever what a path expects."""
        chance = self.rng.random()
        if chance < 0.4:
            return self.rng.choice(RAW_JSON)
        if chance < 0.5:
            return b'{"text": "' + b"x" * self.rng.choice((70_000, 300_000)) + b'"}'
        return json.dumps(self.thing() if chance < 0.9 else self.value()).encode()

    def fill(self, path: str) -> str:
        """A path with names in its places: mostly that of the game that is there."""
        while "{}" in path:
            text = self.game
            if self.rng.random() < 0.3:
                text = self.rng.choice((*TEXTS, "0" * 22, "../../x", random_spec(self.rng)))
            elif path.endswith("?game={}"):
                text = random_spec(self.rng)
            quoted = "".join(c if c.isalnum() else f"%{ord(c) % 256:02x}" for c in text)
            path = path.replace("{}", quoted, 1)
        return path

    def headers(self) -> dict[bytes, bytes]:
        """Mostly good ones, so that what lies behind the guard is reached too."""
        port = self.port
        found = {b"Host": f"127.0.0.1:{port}".encode(), b"Content-Type": b"application/json"}
        here = f"http://127.0.0.1:{port}".encode()
        odd: dict[bytes, tuple[bytes, ...]] = {
            b"Host": (b"evil.example", b"127.0.0.1:99999", b"[::1", b"localhost", b"", b"a b"),
            b"Origin": (b"http://evil.example", b"null", b"http://[", b"\xff", here),
            b"Content-Type": (b"text/plain", b"application/json; charset=utf-7", b"\xff"),
            b"Cookie": (b"plywise=" + b"f" * 32, b"plywise=x; plywise=y", b"=;;=\xff"),
            b"Accept-Encoding": (b"gzip", b"br, \xff", b"identity"),
            b"Sec-Fetch-Site": (b"cross-site", b"same-origin"),
            b"If-None-Match": (b'"x"', b"\xff"),
            b"Range": (b"bytes=0-0", b"bytes=9-1,-,a"),
            b"X-Forwarded-For": (b"1.2.3.4", b"\x80" * 10),
            b"Content-Length": (b"-1", b"99999999999", b"x"),
        }
        for name, values in odd.items():
            if self.rng.random() < 0.12:
                found[name] = self.rng.choice(values)
        if self.rng.random() < 0.4:
            found[b"Cookie"] = self.cookie.encode()
        return found

    def frame(self) -> str | bytes:
        """A frame with nonsense in it."""
        chance = self.rng.random()
        if chance < 0.1:
            return self.rng.choice(RAW_JSON).decode("utf-8", "replace")
        if chance < 0.15:
            return self.rng.randbytes(self.rng.randrange(2000))
        if chance < 0.2:
            return json.dumps(self.value())
        name = self.rng.choice(list(FRAMES))
        asked = self.thing() if chance < 0.3 else self.spoilt(FRAMES[name])
        return json.dumps({"n": self.rng.choice((1, 2, "x", None)), **asked, "do": name})
