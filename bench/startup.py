"""How long a new process takes: for help, a first search, and a search that must compile."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from bench.measure import Bench, Quantity, Row

REPEATS = 3
SEARCH = ("analyze", "connect4", "--depth", "8", "--json")


def startup(quick: bool) -> Iterator[Row]:
    """Take the best of several starts: other work on the machine only ever adds time."""
    yield _start("plywise --help", [_run("--help")[0] for _ in range(REPEATS)], 0.3)
    imports = _run("--help", python=("-X", "importtime"))[1]
    yield _count("... numba modules it imports", imports.count(" numba"), "modules", at_most=0)
    cold: list[float] = []
    warm: list[float] = []
    said = 0
    for _ in range(1 if quick else REPEATS):
        with tempfile.TemporaryDirectory() as cache:
            seconds, notes = _run(*SEARCH, cache=cache)
            cold.append(seconds)
            said = notes.count("compiling")
            warm += [_run(*SEARCH, cache=cache)[0] for _ in range(REPEATS)]
    yield _start("first search, warm cache", warm, 1.0)
    yield _start("first search, empty cache", cold, 5.0)
    yield _count("... messages about compiling", said, "line", at_least=1)


def _run(*arguments: str, cache: str = "", python: tuple[str, ...] = ()) -> tuple[float, str]:
    """Run plywise; return the seconds from start to end, and its stderr."""
    environment = {**os.environ, "PLYWISE_CACHE": cache}
    command = [sys.executable, *python, "-m", "plywise", *arguments]
    started = time.perf_counter()
    process = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return time.perf_counter() - started, process.stderr


def _start(what: str, seconds: list[float], at_most: float) -> Row:
    return Row(what, "", "", Quantity(min(seconds), "s"), at_most=at_most)


def _count(
    what: str, count: int, unit: str, at_least: float | None = None, at_most: float | None = None
) -> Row:
    return Row(what, "", "", Quantity(count, unit), at_least, at_most)


STARTUP = Bench(
    "startup",
    "Start-up",
    f"Wall time of a whole process, best of {REPEATS}; the search is `plywise {' '.join(SEARCH)}`, "
    "with an empty cache and with the one that this filled.",
    "",
    startup,
)
