"""The standings: points, ratings with intervals that respect pairs, and what went wrong."""

from __future__ import annotations

import csv
import io
import threading
import zlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from plywise.arena.plan import Plan
from plywise.arena.results import Key, Row, read_results
from plywise.core.position import opponent
from plywise.errors import SpecError
from plywise.kit.words import counted
from plywise.play.series import Failure
from plywise.play.statistics import Pairs, fitted

FAILURES: tuple[Failure, ...] = ("crash", "illegal", "time")


@dataclass(frozen=True)
class Standing:
    """One agent's line in the table."""

    rank: int
    number: int  #: in the plan
    name: str
    spec: str
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    rating: float | None  #: Elo points around a mean of 0; None before the first game
    error: float | None  #: of the rating: half of its 95 % interval
    failures: dict[str, int]  #: games lost by crashes, illegal moves and on time
    reason: str  #: of the first of them
    slowest: float  #: seconds of its slowest move
    seconds: float | None  #: mean seconds a move

    @property
    def failed(self) -> str:
        """The games that it lost otherwise than on the board, in words; empty if there are none."""
        crashes, illegal, late = (self.failures[kind] for kind in FAILURES)
        words = [counted(crashes, "crash", "crashes")] if crashes else []
        words += [counted(illegal, "illegal move")] if illegal else []
        words += [f"{late} on time"] if late else []
        return ", ".join(words)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        return {**vars(self), "failures": dict(self.failures)}


@dataclass(frozen=True)
class Table:
    """The standings of a tournament."""

    standings: tuple[Standing, ...]  #: the best first
    cross: dict[tuple[int, int], Pairs]  #: results by the numbers of two agents, from both sides
    games: int

    @property
    def matrix(self) -> list[list[str]]:
        """The points of each agent against each other in %, the best first; empty for no game."""
        order = [each.number for each in self.standings]
        shares = {both: f"{100 * (pairs.score or 0):.0f}" for both, pairs in self.cross.items()}
        return [[shares.get((a, b), "") for b in order] for a in order]

    def to_csv(self) -> str:
        """Return the standings for a spreadsheet: a line for each agent."""
        names = "rank", "name", "rating", "error", "points", "games", "wins", "draws", "losses"
        file = io.StringIO()
        writer = csv.writer(file)
        writer.writerow([*names, "forfeited", "reason"])
        for each in self.standings:
            writer.writerow([*(getattr(each, name) for name in names), each.failed, each.reason])
        return file.getvalue()

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        return {
            "games": self.games,
            "standings": [each.to_json() for each in self.standings],
            "cross": [
                {"a": a, "b": b, **pairs.to_json()} for (a, b), pairs in sorted(self.cross.items())
            ],
        }


def points_of(row: Row, agent: int) -> float:
    """What an agent got in a game: 1, 0.5 or 0."""
    if row.played.winner == 0:
        return 0.5
    return float((row.first, row.second)[row.played.winner - 1] == agent)


def cross_table(rows: Iterable[Row]) -> dict[tuple[int, int], Pairs]:
    """The pairs of games between any two agents; a pair that is not complete is left out."""
    halves: dict[Key, Row] = {}
    points: dict[tuple[int, int], list[float]] = defaultdict(list)
    for row in rows:
        other = halves.pop(row.pair, None)
        if other is None:
            halves[row.pair] = row
            continue
        for a, b in ((row.first, row.second), (row.second, row.first)):
            points[a, b].append(points_of(row, a) + points_of(other, a))
    return {both: Pairs.of(each) for both, each in points.items()}


def ratings(cross: dict[tuple[int, int], Pairs]) -> dict[int, tuple[float, float]]:
    """Fit ratings to the pairs; agents without one are left out."""
    known = {
        (a, b): ((pairs.score or 0.0) * 2 * pairs.count, 2 * pairs.count, pairs.worth)
        for (a, b), pairs in cross.items()
        if a < b
    }
    return fitted(known)


def table_of(plan: Plan, rows: Sequence[Row]) -> Table:
    """Return the standings after some games."""
    cross = cross_table(rows)
    rated = ratings(cross)
    played: list[list[tuple[Row, int]]] = [[] for _ in plan.agents]
    for row in rows:
        played[row.first].append((row, 0))
        played[row.second].append((row, 1))
    lines = [_standing(plan, number, played[number], rated) for number in range(len(plan.agents))]
    # By rating, since not everybody plays the same opponents; by points where all meet all.
    by_points = plan.format == "round-robin"
    lines.sort(
        key=lambda each: (
            -(each.points / max(1, each.games) if by_points else 0.0),
            -(each.rating if each.rating is not None else -1e9),
            each.name,
        )
    )
    ranked = tuple(replace(each, rank=place) for place, each in enumerate(lines, 1))
    return Table(ranked, cross, len(rows))


def _standing(
    plan: Plan,
    number: int,
    played: list[tuple[Row, int]],
    rated: dict[int, tuple[float, float]],
) -> Standing:
    points = [points_of(row, number) for row, _ in played]
    failed = [row.played for row, seat in played if _lost_by(row, seat)]
    seconds = sum(row.played.seconds[seat] for row, seat in played)
    moves = sum(row.played.counts[seat] for row, seat in played)
    rating, error = rated.get(number, (None, None))
    return Standing(
        0,
        number,
        plan.agents[number].name,
        plan.agents[number].spec,
        sum(points),
        len(points),
        points.count(1.0),
        points.count(0.5),
        points.count(0.0),
        rating,
        error,
        {kind: sum(each.failure == kind for each in failed) for kind in FAILURES},
        failed[0].reason if failed else "",
        max((row.played.slowest[seat] for row, seat in played), default=0.0),
        round(seconds / moves, 6) if moves else None,
    )


def _lost_by(row: Row, seat: int) -> bool:
    """Did the player at this index lose otherwise than on the board?"""
    return bool(row.played.failure) and row.played.winner == opponent(seat + 1)


# ---- a tournament that another process plays ---------------------------------------------------


@dataclass(frozen=True)
class Snapshot:
    """A tournament at one moment."""

    plan: Plan
    rows: Sequence[Row]  #: the games that count
    challenges: Sequence[Row]  #: ... and those that do not

    @cached_property
    def table(self) -> Table:
        """The standings."""
        return table_of(self.plan, self.rows)

    @cached_property
    def version(self) -> str:
        """A text that changes with every game."""
        digest = zlib.crc32(repr(self.plan).encode())
        return f"{len(self.rows)}-{len(self.challenges)}-{digest:08x}"


class Watched:
    """A file of results. It need not be there yet: somebody may start the tournament later."""

    def __init__(self, file: Path) -> None:
        if not file.parent.is_dir():
            raise SpecError(f"{file.parent} is not a folder: name the file of a tournament in one")
        if file.is_dir():
            raise SpecError(f"{file} is a folder: name a file of results, such as arena.sqlite")
        self.file = file
        if file.exists():
            read_results(file)  # refuses what is not one
        self._lock = threading.Lock()
        self._last: Snapshot | None = None

    def now(self) -> Snapshot | None:
        """Return the tournament as it is now; None if it has not begun."""
        with self._lock:
            if self.file.exists():
                found = Snapshot(*read_results(self.file))
                if self._last is None or self._last.version != found.version:
                    self._last = found
            return self._last
