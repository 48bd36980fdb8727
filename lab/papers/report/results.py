"""What a report has measured so far: games, searches and tables.

Everything measured goes into a `Report` as it comes, so that an interrupted run keeps its results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lab.papers.report.plans import Cell, Claim, Comparison, Effort, Row, Table
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.play.match import Match
from plywise.play.statistics import Mean, Share, fitted, wilson

REPEATS = 3  #: times that each search is run; the best time counts


@dataclass(frozen=True)
class Standing:
    """The results of all games of one agent."""

    agent: str
    games: int
    points: float
    interval: tuple[float, float] | None  #: of the share of points, 95 %
    rating: tuple[float, float] | None  #: around a mean of 0, and its error (95 %)
    seconds: tuple[float, float] | None  #: per move: the median and the 95th percentile

    @property
    def share(self) -> float | None:
        """The share of the possible points."""
        return self.points / self.games if self.games else None

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        low, high = self.interval or (None, None)
        rating, error = self.rating or (None, None)
        median, most = self.seconds or (None, None)
        return {
            "agent": self.agent,
            "games": self.games,
            "points": self.points,
            "score": _rounded(self.share, 4),
            "score_low": _rounded(low, 4),
            "score_high": _rounded(high, 4),
            "rating": rating,
            "rating_error": error,
            "seconds_median": _rounded(median, 6),
            "seconds_95": _rounded(most, 6),
        }


@dataclass
class Measured:
    """A comparison and its results so far: for each step, the effort of each series."""

    comparison: Comparison
    positions: list[Position]
    efforts: dict[int, tuple[Effort, ...]] = field(default_factory=dict)
    left_out: tuple[int, ...] = ()  #: steps that would have taken too long

    def ratios(self, step: int) -> Iterator[tuple[str, float | None, float | None]]:
        """Yield, for each series but the first, its nodes and time relative to the first."""
        first, *others = self.efforts[step]
        for series, other in zip(self.comparison.series[1:], others, strict=True):
            yield (
                series.label,
                other.nodes / first.nodes if first.nodes else None,
                other.seconds / first.seconds if first.seconds else None,
            )

    @property
    def verdict(self) -> str | None:
        """Whether the claim holds, in a sentence, once every step is measured."""
        judge, steps = self.comparison.verdict, self.comparison.steps
        if judge is None or len(self.efforts) + len(self.left_out) < len(steps):
            return None
        return judge(self.efforts)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        compared = self.comparison
        return {
            "title": compared.title,
            "claim": compared.claim,
            "axis": compared.axis,
            "positions": len(self.positions),
            "series": [
                {
                    "label": series.label,
                    "agent": series.spec,
                    "steps": [
                        {compared.axis: step, **efforts[index].to_json()}
                        for step, efforts in self.efforts.items()
                    ],
                }
                for index, series in enumerate(compared.series)
            ],
            "left_out": list(self.left_out),
            "published": {str(step): text for step, text in compared.published.items()},
            "verdict": self.verdict,
        }


@dataclass
class Filled:
    """A game's own table with the rows filled so far."""

    table: Table
    rows: list[Row] = field(default_factory=list)
    complete: bool = False

    @property
    def verdict(self) -> str | None:
        """Whether the claim holds, in a sentence, once every row is filled in."""
        judge = self.table.verdict
        if judge is None or not self.complete or not self.rows:
            return None
        return judge(self.rows)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        columns, claim = self.table.columns, self.table.claim
        rows = [dict(zip(columns, map(_plain, row), strict=True)) for row in self.rows]
        return {"title": self.table.title, "claim": claim, "rows": rows, "verdict": self.verdict}


@dataclass
class Report:
    """What to measure, and the results so far."""

    game: Game
    title: str
    agents: tuple[str, ...]
    games: int  #: per pair
    seed: int
    opening_plies: int
    claims: tuple[Claim, ...]
    measured: list[Measured]
    tables: list[Filled]
    quick: bool = False
    matches: dict[tuple[str, str], Match] = field(default_factory=dict)
    seconds: dict[str, list[float]] = field(default_factory=dict)  #: of each move, by agent

    @property
    def steps(self) -> int:
        """The number of steps for a progress bar."""
        pairs = len(self.agents) * (len(self.agents) - 1) // 2 if self.games else 0
        searches = (len(each.positions) * len(each.comparison.steps) for each in self.measured)
        rows = sum(len(filled.table.cases) for filled in self.tables)
        return pairs * self.games + REPEATS * sum(searches) + rows

    @property
    def played(self) -> int:
        """The number of games played so far."""
        return sum(match.games for match in self.matches.values())

    def against(self, one: str, other: str) -> Match | None:
        """Return the match of two agents from the first one's side; None if not yet played."""
        if (other, one) in self.matches:
            return self.matches[other, one].reversed()
        return self.matches.get((one, other))

    @property
    def empty(self) -> bool:
        """True if nothing has been measured yet."""
        searched = any(measured.efforts for measured in self.measured)
        return not (self.played or searched or any(filled.rows for filled in self.tables))

    def verdict(self, claim: Claim) -> str:
        """Say whether the games support a claim: a pair is decided if 50 % is outside its interval.

        In a game of points it is decided if a lead of 0 is. Pairs that have not played yet count
        as undecided.
        """
        found: Counter[str] = Counter()
        for better, worse in claim.pairs:
            match = self.against(better, worse)
            low, high = match.interval if match else (0.0, 1.0)
            even = 0.5
            if self.game.points:
                even = 0.0
                low, high = match.lead.interval if match and match.lead else (-1.0, 1.0)
            found["confirmed" if low > even else "refuted" if high < even else "undecided"] += 1
        if len(found) == 1:
            return next(iter(found))
        kinds = ("confirmed", "refuted", "undecided")
        counts = ", ".join(f"{kind} by {found[kind]}" for kind in kinds[:2] if found[kind])
        rest = f", {found['undecided']} undecided" if found["undecided"] else ""
        return f"of {len(claim.pairs)} pairs {counts}{rest}"

    def standings(self) -> list[Standing]:
        """Return all agents, the one with the largest share of the points first."""
        results = {
            pair: (match.wins + match.draws / 2, match.games)
            for pair, match in self.matches.items()
        }
        ratings = fitted(results)
        found = []
        for agent in self.agents:
            matches = [match for other in self.agents if (match := self.against(agent, other))]
            games = sum(match.games for match in matches)
            points = sum(match.wins + match.draws / 2 for match in matches)
            interval = wilson(points / games, games) if games else None
            spent = self.seconds.get(agent)
            median, most = np.percentile(spent, [50, 95]) if spent else (0.0, 0.0)
            times = (float(median), float(most)) if spent else None
            found.append(Standing(agent, games, points, interval, ratings.get(agent), times))
        return sorted(found, key=lambda standing: -(standing.share or 0.0))

    def _repr_html_(self) -> str:
        """Return what a notebook shows."""
        from lab.papers.report.pages import report_html

        return report_html(self)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        return {
            "game": self.game.spec,
            "title": self.title,
            "games_per_pair": self.games,
            "opening_plies": self.opening_plies,
            "seed": self.seed,
            "games": self.played,
            "agents": [standing.to_json() for standing in self.standings()],
            "matches": [_match_json(match) for match in self.matches.values()],
            "claims": [
                {
                    "words": claim.words,
                    "pairs": [list(pair) for pair in claim.pairs],
                    "verdict": self.verdict(claim),
                }
                for claim in self.claims
            ],
            "comparisons": [each.to_json() for each in self.measured],
            "tables": [each.to_json() for each in self.tables],
        }


def _match_json(match: Match) -> dict[str, Any]:
    low, high = match.interval
    return {**match.to_json(), "score_low": round(low, 4), "score_high": round(high, 4)}


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _plain(cell: Cell) -> Any:
    return cell.to_json() if isinstance(cell, (Share, Mean)) else cell
