"""A report on agents: a round robin, the time they take, and a comparison of searches.

A game may define a plan (`GameType.report`); any other list of agents works too. Everything
measured goes into a `Report` as it comes, so that an interrupted run keeps its results.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from plywise.core.analysis import Analysis
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.report import Cell, Claim, Comparison, ReportPlan, Table
from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.play.agents.process import OnOutput
from plywise.play.agents.specs import make_agent
from plywise.play.match import USUAL_TIME, Match, play_match, random_opening
from plywise.play.players import HUMAN, Player
from plywise.play.ratings import fitted, wilson

GAMES = 20  #: default number of games per pair
ROUND = 4  #: games of a pair before the next pair plays, so that all pairs meet early
QUICK = 4  #: games per pair in a quick report
QUICKER = 5  #: a quick comparison uses a fifth of the positions
REPEATS = 3  #: times that each search is run; the best time counts
#: Most nodes of a series at one step, over all positions: a step that is likely to need more,
#: judging by the growth so far, is skipped. About a minute of a plain search.
ENOUGH = 100_000_000

OnStep = Callable[[str], None]


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


@dataclass(frozen=True)
class Effort:
    """The nodes and time of one series at one step, over all positions."""

    nodes: int
    seconds: float
    same: int  #: how often it chose the move that the first series chose

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        return {"nodes": self.nodes, "seconds": round(self.seconds, 6), "same_move": self.same}


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
        }


@dataclass
class Filled:
    """A game's own table with the rows filled so far."""

    table: Table
    rows: list[tuple[Cell, ...]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        columns = self.table.columns
        rows = [dict(zip(columns, row, strict=True)) for row in self.rows]
        return {"title": self.table.title, "rows": rows}


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
        pairs = len(self.agents) * (len(self.agents) - 1) // 2
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
                {"words": claim.words, "pairs": [list(pair) for pair in claim.pairs]}
                for claim in self.claims
            ],
            "comparisons": [each.to_json() for each in self.measured],
            "tables": [each.to_json() for each in self.tables],
        }


def plan_of(game: Game) -> ReportPlan:
    """Return the game's own plan, or one with its agents, `random` and `auto`."""
    if game.type.report is not None:
        return game.type.report
    agents = ("random", *game.type.agents, "auto:level=2", "auto:level=5", "auto:level=8", "auto")
    return ReportPlan("its agents and ours", agents, min(4, game.max_plies // 4))


def prepare(
    game: Game,
    agents: Sequence[str] = (),
    *,
    games: int | None = None,
    seed: int = 1,
    opening_plies: int | None = None,
    quick: bool = False,
) -> Report:
    """Prepare a report to be measured; refuse what cannot be measured.

    With `agents` it is a round robin alone, otherwise what the game's plan says.
    """
    plan = plan_of(game)
    names = tuple(str(Spec.parse(agent)) for agent in agents or plan.agents)
    _check(names, game)
    games = (QUICK if quick else GAMES) if games is None else games
    if games < 1:
        raise SpecError(f"games must be at least 1, not {games}")
    plies = plan.opening_plies if opening_plies is None else opening_plies
    if plies < 0:
        raise SpecError(f"opening_plies must be at least 0, not {plies}")
    random_opening(game, plies, random.Random(seed))
    measured = []
    for comparison in () if agents else plan.comparisons:
        count = max(1, comparison.positions // (QUICKER if quick else 1))
        measured.append(Measured(comparison, _positions(comparison, game, count, seed)))
    met = set(names)
    claims = tuple(claim for claim in plan.claims if met >= {a for p in claim.pairs for a in p})
    return Report(
        game,
        "a round robin" if agents else plan.title,
        names,
        games,
        seed,
        plies,
        claims,
        measured,
        [Filled(table) for table in (() if agents else plan.tables)],
        quick,
    )


def measure(
    report: Report,
    *,
    time: float = USUAL_TIME,
    on_step: OnStep = lambda text: None,
    on_output: OnOutput | None = None,
) -> Report:
    """Play and search what the report asks for. `on_step` is called for each game and search.

    `time` is the time per move of an agent without a limit of its own.
    """

    def on_move(agent: str, analysis: Analysis) -> None:
        report.seconds.setdefault(agent, []).append(analysis.seconds)

    for start in range(0, report.games, ROUND):
        for pair in combinations(report.agents, 2):

            def on_game(match: Match, pair: tuple[str, str] = pair) -> None:
                report.matches[pair] = match
                on_step(f"{pair[0]} +{match.wins} ={match.draws} -{match.losses} {pair[1]}")

            play_match(
                report.game,
                *pair,
                games=min(ROUND, report.games - start),
                seed=report.seed,
                time=time,
                opening_plies=report.opening_plies,
                so_far=report.matches.get(pair),
                on_game=on_game,
                on_move=on_move,
                on_output=on_output,
            )
    for measured in report.measured:
        _compare(measured, report.game, on_step)
    for filled in report.tables:
        for case in filled.table.cases:
            row = filled.table.row(report.game, case, report.quick)
            if row:
                filled.rows.append((case, *row))
            on_step(f"{filled.table.title}: {case}")
    return report


def _check(agents: Sequence[str], game: Game) -> None:
    """Refuse agents that cannot play, before the first game."""
    if len(agents) < 2:
        raise SpecError(f"a round robin needs two or more agents, not only {agents[0]}")
    for agent in agents:
        if agents.count(agent) > 1:
            raise SpecError(f"agent {agent} is listed twice: list each agent once")
        player = Player(agent, game, usual=USUAL_TIME)
        try:
            if player.person:
                raise SpecError(f"{HUMAN} is not an agent: a report compares agents")
            if player.program is not None:
                player.program.get_ready()
        finally:
            player.close()


def _positions(comparison: Comparison, game: Game, count: int, seed: int) -> list[Position]:
    """Return different positions, cycling through the comparison's numbers of random plies.

    On a small board, numbers that few games reach are left out.
    """
    plies = [each for each in comparison.plies if 3 * each <= 2 * game.max_plies]
    found: dict[int, Position] = {}
    for number in range(10 * count):
        lot = random.Random(f"{seed} {number}")
        position = random_opening(game, plies[number % len(plies)], lot)
        found.setdefault(position.key, position)
        if len(found) == count:
            break
    return list(found.values())


def _compare(measured: Measured, game: Game, on_step: OnStep) -> None:
    """Search every position with every series, step by step until it would take too long."""
    comparison = measured.comparison
    for number, step in enumerate(comparison.steps):
        if _expected(measured) > ENOUGH:
            measured.left_out = comparison.steps[number:]
            return
        specs = [series.spec.format(step) for series in comparison.series]
        nodes, same = [0] * len(specs), [0] * len(specs)
        seconds = np.full((REPEATS, len(measured.positions), len(specs)), np.inf)
        for repeat in range(REPEATS):
            engines = [make_agent(spec, game) for spec in specs]  # new ones, with empty tables
            for place, position in enumerate(measured.positions):
                # In turn on each position, so that other load on the machine affects all alike.
                found = [engine.search(position) for engine in engines]
                for index, analysis in enumerate(found):
                    seconds[repeat, place, index] = analysis.seconds
                    if repeat == 0:
                        nodes[index] += analysis.nodes
                        same[index] += analysis.best == found[0].best
                on_step(f"{comparison.title}: {comparison.axis} {step}")
        best = seconds.min(axis=0).sum(axis=0)
        measured.efforts[step] = tuple(
            Effort(nodes[index], float(best[index]), same[index]) for index in range(len(specs))
        )


def _expected(measured: Measured) -> float:
    """Estimate the nodes of the next step's largest series, if growth continues."""
    most = [max(effort.nodes for effort in efforts) for efforts in measured.efforts.values()]
    if len(most) < 2 or most[-2] == 0:
        return 0.0
    return most[-1] ** 2 / most[-2]


def _match_json(match: Match) -> dict[str, Any]:
    low, high = match.interval
    return {**match.to_json(), "score_low": round(low, 4), "score_high": round(high, 4)}


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)
