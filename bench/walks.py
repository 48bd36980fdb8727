"""How far it is from a question to its answer: the files and functions of plywise on the way.

Four walks that many people cause: a click on the page until a watcher sees it, `plywise solve`, a
game of a tournament, and a hint in a puzzle. Each has a process of its own (`python -m bench.walks
NAME`), so what is called while modules are imported counts too; for a click the server is running
already. What other processes do, such as agents, is not seen.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.cli import main

HOME = Path(plywise.__file__).parent
ADDRESS = "http://127.0.0.1:8765"
AGENT = """
def get_move(state, player):
    return state.legal[0]
"""


class Steps:
    """The functions that were called while it was listening, in all threads."""

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()
        self.listening = False

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Take note of a call."""
        if self.listening and event == "call":
            self.codes.add(frame.f_code)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Listen to what happens inside, from the beginning."""
        self.codes.clear()
        self.listening = True
        try:
            yield
        finally:
            self.listening = False

    @property
    def functions(self) -> set[tuple[str, str]]:
        """The file and the name of every function of plywise, without comprehensions."""
        named = [
            code
            for code in self.codes
            if code.co_flags & inspect.CO_OPTIMIZED
            and (not code.co_name.startswith("<") or code.co_name == "<lambda>")
        ]
        found = {(code.co_filename, f"{code.co_qualname}:{code.co_firstlineno}") for code in named}
        return {
            (str(Path(file).relative_to(HOME)), name)
            for file, name in found
            if Path(file).is_relative_to(HOME)
        }


def click(steps: Steps) -> None:
    """A move over the socket, until somebody who watches has the new position."""
    from fastapi.testclient import TestClient

    from plywise.play.records.store import Store
    from plywise.web.app import create_app
    from plywise.web.settings import Settings

    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/games.sqlite")
        app = create_app(Settings(warm_up=False), store)
        with TestClient(app, base_url=ADDRESS) as player:
            watcher = TestClient(app, base_url=ADDRESS)
            watcher.portal = player.portal
            asked = {"game": "tictactoe", "first": "human", "second": "human"}
            made = player.post("/api/games", json={**asked, "seed": 1})
            live = f"{ADDRESS.replace('http', 'ws')}/api/live?game={made.json()['id']}"
            with player.websocket_connect(live) as own, watcher.websocket_connect(live) as other:
                for number, move in enumerate(("a1", "b2")):
                    with steps.counted() if number else contextlib.nullcontext():
                        own.send_text(json.dumps({"do": "move", "n": number, "move": move}))
                        while json.loads(other.receive_text()).get("event") != "move":
                            pass
        store.close()


def solve(steps: Steps) -> None:
    """`plywise solve connect4 --moves 44`."""
    with steps.counted():
        command("solve", "connect4", "--moves", "44")


def arena(steps: Steps) -> None:
    """`plywise arena` with two agent files, which play a pair of games."""
    with tempfile.TemporaryDirectory() as name:
        for agent in ("one.py", "two.py"):
            (Path(name) / agent).write_text(AGENT)
        with steps.counted():
            command("arena", name, "--game", "tictactoe", "--isolate", "none")


def hint(steps: Steps) -> None:
    """A hint for the default puzzle of Slither."""
    with steps.counted():
        from plywise import puzzles
        from plywise.play import puzzle_help

        kind = puzzles.find("slither")
        puzzle_help.hint(kind, *kind.read(kind.default), None)


def command(*words: str) -> None:
    """Run a command of plywise in this process, and print nothing."""
    with contextlib.redirect_stdout(io.StringIO()):
        code = main([*words])
    assert code == 0, words


#: What is walked, by name, and the most files that it may touch; two are only watched.
WALKS: dict[str, tuple[Callable[[Steps], None], str, int | None]] = {
    "click": (click, "a click, until a watcher sees it", 25),
    "solve": (solve, "solve connect4 --moves 44", None),
    "arena": (arena, "a pair of games in the arena", 35),
    "hint": (hint, "a hint in Slither", None),
}


def rows(quick: bool) -> Iterator[Row]:
    """Walk each of them, in a process of its own."""
    for name, (_, what, most) in WALKS.items():
        walked = [sys.executable, "-W", "ignore", "-m", "bench.walks", name]
        found = json.loads(subprocess.run(walked, stdout=subprocess.PIPE, check=True).stdout)
        files = Quantity(len({file for file, _ in found}), "files")
        yield Row(what, Quantity(len(found), "functions"), "", files, at_most=most)


def walk(name: str) -> None:
    """Walk one of them, and print the functions on the way: pairs of a file and a name."""
    steps = Steps()
    threading.setprofile(steps)
    sys.setprofile(steps)
    WALKS[name][0](steps)
    sys.setprofile(None)
    print(json.dumps(sorted(steps.functions)))


WALKS_BENCH = Bench(
    "walks",
    "Walks: the files and functions between a question and its answer",
    "Functions of plywise that are called in one process, in all its threads.",
    "",
    rows,
)

if __name__ == "__main__":
    walk(sys.argv[1])
