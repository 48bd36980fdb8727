"""Thirty agents on a ladder: is their order the one that four times as many games give?

`PLYWISE_LADDER=FOLDER` keeps the games, so that a run that was stopped goes on.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from bench.measure import Bench, Quantity, Row
from plywise.arena.games import play
from plywise.arena.plan import Entry, Plan
from plywise.arena.standings import Table
from plywise.arena.tournament import Tournament
from plywise.core.workers import LocalWorkers

FOLDER = "PLYWISE_LADDER"
AGENTS = (
    "random",
    *(f"textbook:depth={depth}" for depth in range(1, 7)),
    *(f"alphabeta:nodes={nodes}" for nodes in (30, 100, 300, 1000, 3000, 10_000)),
    *(f"auto:level={level}" for level in range(1, 10)),
    *(f"seed:level={level}" for level in (1, 2, 3)),
    *(f"mcts:playouts={playouts}" for playouts in (10, 30, 100, 300, 1000)),
)
ROUNDS, GAMES = 20, 4
APART = 50.0  #: Elo points between two agents whose order counts


def ranked(folder: Path, rounds: int, games: int, seed: int) -> tuple[Table, float]:
    """Play a ladder, or what is missing of it; return its table and the seconds it took."""
    entries = tuple(Entry(spec, spec) for spec in AGENTS)
    plan = Plan("connect4", entries, "ladder", games=games, rounds=rounds, seed=seed)
    tournament = Tournament(plan, folder / f"ladder-{rounds}-{games}-{seed}.sqlite")
    started = time.monotonic()
    try:
        with LocalWorkers(play, os.cpu_count() or 1) as workers:
            return tournament.run(workers), time.monotonic() - started
    finally:
        tournament.close()


def kendall(one: dict[str, float], two: dict[str, float]) -> tuple[float, int]:
    """Return Kendall's tau over pairs that are clearly apart in the second, and their number."""
    pairs = [(a, b) for a, b in combinations(two, 2) if abs(two[a] - two[b]) >= APART]
    right = sum((one[a] - one[b]) * (two[a] - two[b]) > 0 for a, b in pairs)
    return 2 * right / len(pairs) - 1, len(pairs)


def ladder_rows(quick: bool) -> Iterator[Row]:
    """Compare the two orders."""
    rounds = ROUNDS // 4 if quick else ROUNDS
    with tempfile.TemporaryDirectory() as usual:
        folder = Path(os.environ.get(FOLDER, usual))
        folder.mkdir(parents=True, exist_ok=True)
        found, seconds = ranked(folder, rounds, GAMES, 1)
        more, _ = ranked(folder, rounds, 4 * GAMES, 2)
    ratings = [
        {each.name: each.rating or 0.0 for each in table.standings} for table in (found, more)
    ]
    tau, pairs = kendall(*ratings)
    yield Row(
        f"{len(AGENTS)} agents, {found.games:,} games", "", "", Quantity(seconds, "s"), at_most=3600
    )
    yield Row(
        f"... Kendall's tau against {more.games:,} games, {pairs} pairs at least {APART:g} apart",
        "",
        "",
        Quantity(tau, "x"),
        at_least=0.9,
        right=None if quick else True,
    )


LADDER = Bench(
    "ladder",
    "Thirty agents on a ladder",
    f"Connect-4, neighbours in the ratings meet: {ROUNDS} rounds of {GAMES} games, and another "
    f"ladder with four times as many. {FOLDER}=folder continues a run that was stopped; then the "
    "seconds are those of the rest.",
    "",
    ladder_rows,
    only_named=True,
)
