"""Agent files and programs for tests, good and bad, and a look at what is left of them."""

from __future__ import annotations

import os
import textwrap
import time
from pathlib import Path

SOON = 120.0  #: seconds after which nothing more is waited for, on a slow and busy machine too

#: What can go wrong in `get_move`, and what is said about it.
MISCHIEF = {
    "loops": ("while True: pass", "took more than "),
    "raises": ("return 1 / 0", "raised ZeroDivisionError: division by zero (line 2)"),
    "leaves": ("exit()", "raised SystemExit"),
    "interrupts": ("raise KeyboardInterrupt", "raised KeyboardInterrupt (line 2)"),
    "illegal": ("return 'z9'", "gave an invalid answer: 'z9' is not a move: "),
    "nothing": ("return None", "gave an invalid answer: 'None' is not a move: "),
    "long": ("return 'x' * 10**7", "gave an invalid answer: 'xxx"),
    "vanishes": ("import os; os._exit(3)", "gave no answer and exited with code 3"),
    "dies": ("import os; os.kill(os.getpid(), 9)", "gave no answer and was killed by SIGKILL"),
    "sleeps": ("import time; time.sleep(60)", "took more than "),
    "eats": ("return bytearray(10**11)", "ran out of memory"),
    "misuses": ("return state.play('z9')", "failed: 'z9' is not a move: "),
}
LATE = ("loops", "sleeps")  #: those of them that take too long; the others answer, or end


def write_agent(folder: Path, body: str, name: str = "agent.py") -> str:
    """A file with a `get_move` that does this; `{pid}` in it is where it can leave its number."""
    body = body.replace("{pid}", f"open({str(folder / 'pid')!r}, 'a').write(f'{{os.getpid()}} ')")
    lines = textwrap.indent(textwrap.dedent(body), "    ")
    (folder / name).write_text(f"def get_move(state, player):\n{lines}\n", encoding="utf-8")
    return str(folder / name)


def write_program(folder: Path, source: str, name: str = "program") -> str:
    """An executable; the Python source goes without its first line."""
    import sys

    path = folder / name
    path.write_text(f"#!{sys.executable}\n{textwrap.dedent(source)}", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def pids(folder: Path) -> list[int]:
    """The numbers that agents have left, once there are any."""
    until = time.monotonic() + SOON
    while time.monotonic() < until:
        try:
            found = [int(word) for word in (folder / "pid").read_text().split()]
        except FileNotFoundError:
            found = []
        if found:
            return found
        time.sleep(0.01)
    raise AssertionError("no agent has said that it runs")


def gone(pid: int, within: float = 0.0) -> bool:
    """Is there no such process, or will there be none soon?"""
    until = time.monotonic() + within
    while True:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
