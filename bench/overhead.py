"""What a clock charges an agent that answers at once: talking to its process."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.play.series import play_match

AGENT = "def get_move(state, player):\n    return state.legal[0]\n"
PROGRAM = """
import sys
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "legal":
        first = rest.split()[0]
    elif word == "begin":
        print("ready", flush=True)
    elif word == "go":
        print("move", first, flush=True)
"""


def overhead_rows(quick: bool) -> Iterator[Row]:
    """Play games between agents that do not think."""
    game = plywise.game("connect4")
    games = 4 if quick else 20
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "agent.py").write_text(AGENT)
        (folder / "program").write_text(f"#!{sys.executable}\n{PROGRAM}")
        (folder / "program").chmod(0o755)
        for what in ("agent.py", "program"):
            match = play_match(game, str(folder / what), "random", games=games, seed=1)
            seconds = match.seconds_per_move[0] or 0.0
            kind = "an agent file" if what.endswith(".py") else "a program"
            yield Row(f"{kind} that answers at once, a move", "", "", Quantity(seconds, "s"),
                      at_most=0.01)  # fmt: skip


OVERHEAD = Bench(
    "overhead",
    "What the clock of a match charges for nothing",
    "Mean seconds a move of agents that do not think, in Connect-4 against random: waking the "
    "process, the question, the answer.",
    "",
    overhead_rows,
)
