"""Systems without what only POSIX has, as far as that can be seen from here."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: What Windows does not have, taken away before anything is imported.
WINDOWS = """
import asyncio, concurrent.futures.process, multiprocessing, os, select, signal, subprocess, sys
import fastapi, numba, PIL.Image, platformdirs.unix, rich.console, rich.progress, sqlalchemy
import typer, uvicorn, websockets

MODULES = {"fcntl", "resource", "termios", "tty", "pty", "pwd", "grp", "readline", "curses"}

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name in MODULES:
            raise ImportError(f"no module named {name}")

for name in MODULES:
    sys.modules.pop(name, None)
sys.meta_path.insert(0, Missing())
for name in ("getuid", "geteuid", "getloadavg", "sched_getaffinity", "sysconf", "setpriority",
             "setsid", "killpg", "getpgid", "PRIO_PROCESS", "nice", "O_NOFOLLOW"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGSTOP", "SIGCONT", "SIGHUP", "SIGQUIT", "SIGUSR1"):
    if hasattr(signal, name):
        delattr(signal, name)
sys.platform = "other"
"""
IMPORTS = """
import importlib, pkgutil, plywise
others = ("plywise.adapters", "plywise.examples")
for found in pkgutil.walk_packages(plywise.__path__, "plywise."):
    if not found.name.startswith(others) and not found.name.endswith("__main__"):
        importlib.import_module(found.name)
print("imported")
"""
COMMANDS = """
from plywise.cli import main
for words in (["games"], ["show", "connect4"], ["analyze", "tictactoe", "--depth", "3"],
              ["match", "tictactoe", "alphabeta:depth=2", "random", "--games", "2"],
              ["solve", "tictactoe"], ["slither", "hint"]):
    assert main(words) == 0, words
print("done")
"""


@pytest.mark.slow
@pytest.mark.parametrize(("script", "word"), [(IMPORTS, "imported"), (COMMANDS, "done")])
def test_without_what_windows_does_not_have(script: str, word: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS + script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split()[-1] == word
