"""The paper's searches for Snails as Python interprets them: MATLAB interpreted the paper's."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator

from bench.measure import Bench, Quantity, Row

#: The leaves of the paper's first and second approach, each with a depth that takes seconds.
SEARCHES = (("euclid", 8), ("minimax-astar-paper", 5))


def rows(quick: bool) -> Iterator[Row]:
    """Search the first move, interpreted and compiled."""
    for leaves, depth in SEARCHES:
        depth -= 2 * quick
        agent = f"minimax:heuristic={leaves},depth={depth}"
        compiled, interpreted = (Quantity(seconds(agent, off), "s") for off in ("0", "1"))
        ratio = Quantity(interpreted.amount / compiled.amount, "x")
        yield Row(f"{leaves}, depth {depth}", interpreted, compiled, ratio)


def seconds(agent: str, interpreted: str) -> float:
    """Return the seconds of one search in a process of its own."""
    command = [sys.executable, "-m", "plywise", "analyze", "snails", "--agent", agent, "--json"]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": interpreted}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout)["seconds"])


INTERPRETED = Bench(
    "snails-interpreted",
    "Snails: plain minimax with the paper's leaves, interpreted by Python",
    "One search from the start, with NUMBA_DISABLE_JIT=1 and without.",
    "compiled",
    rows,
)
