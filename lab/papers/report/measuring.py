"""Prepares a report and measures it: plays the games, runs the searches, fills the tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations

import numpy as np

from lab.papers import plan_for
from lab.papers.report.plans import Comparison, Effort, ReportPlan
from lab.papers.report.results import REPEATS, Filled, Measured, Report
from plywise.core.analysis import Analysis
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.progress import progress
from plywise.core.spec import Spec
from plywise.core.workers import start_workers
from plywise.errors import SpecError
from plywise.games import make as make_game
from plywise.play.agents.process import OnOutput
from plywise.play.match import By, Match
from plywise.play.players import make_agent
from plywise.play.series import USUAL_TIME, new_player, play_match, random_opening

GAMES = 20  #: default number of games per pair
ROUND = 4  #: games of a pair before the next pair plays, so that all pairs meet early
QUICK = 4  #: games per pair in a quick report
QUICKER = 5  #: a quick comparison uses a fifth of the positions
#: Most nodes of a series at one step, over all positions: a step that is likely to need more,
#: judging by the growth so far, is skipped. About a minute of a plain search.
ENOUGH = 100_000_000

PARTS = ("games", "comparisons", "tables")  #: of a report

OnStep = Callable[[str], None]


def plan_of(game: Game) -> ReportPlan:
    """Return the plan of the game's paper, or one with its agents, `random` and `auto`."""
    plan = plan_for(game.type.name)
    if isinstance(plan, ReportPlan):
        return plan
    agents = (
        "random",
        *game.type.strength.agents,
        "auto:level=2",
        "auto:level=5",
        "auto:level=8",
        "auto",
    )
    return ReportPlan("its agents and ours", agents, min(4, game.max_plies // 4))


def prepare(
    game: Game,
    agents: Sequence[str] = (),
    *,
    plan: ReportPlan | None = None,
    games: int | None = None,
    seed: int = 1,
    opening_plies: int | None = None,
    quick: bool = False,
    parts: Collection[str] = PARTS,
) -> Report:
    """Prepare a report to be measured; refuse what cannot be measured.

    With `agents` it is a round robin alone, otherwise what the plan says, or some of its parts; by
    default that of the game's paper.
    """
    for part in parts:
        if part not in PARTS:
            raise SpecError(f"a report has no part {part!r}: choose from {', '.join(PARTS)}")
    if agents and "games" not in parts:
        raise SpecError("a list of agents plays games: leave out the agents or the parts")
    plan = plan or plan_of(game)
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
    for comparison in () if agents or "comparisons" not in parts else plan.comparisons:
        count = max(1, comparison.positions // (QUICKER if quick else 1))
        if positions := _positions(comparison, game, count, seed):
            measured.append(Measured(comparison, positions))
    met = set(names)
    claims = tuple(claim for claim in plan.claims if met >= {a for p in claim.pairs for a in p})
    return Report(
        game,
        "a round robin" if agents else plan.title,
        names,
        games if "games" in parts else 0,
        seed,
        plies,
        claims,
        measured,
        [Filled(table) for table in (() if agents or "tables" not in parts else plan.tables)],
        quick,
    )


@dataclass(frozen=True)
class Part:
    """Some games of a pair, which do not depend on any others."""

    game: str
    pair: tuple[str, str]
    first: int  #: the number of the first game
    games: int
    seed: int
    time: float
    opening_plies: int


Played = tuple[Match, dict[str, list[float]]]  #: the games, and the seconds of each agent's moves


def play_part(
    part: Part,
    game: Game | None = None,
    on_game: Callable[[Match], None] | None = None,
    on_output: OnOutput | None = None,
) -> Played:
    """Play some games of a pair, in any process; by default of the game that the part names."""
    seconds: dict[str, list[float]] = {}

    def on_move(by: By, _: Position, analysis: Analysis) -> None:
        seconds.setdefault(part.pair["ab".index(by)], []).append(analysis.seconds)

    match = play_match(
        game or _game_of(part.game),
        *part.pair,
        games=part.games,
        first=part.first,
        seed=part.seed,
        time=part.time,
        opening_plies=part.opening_plies,
        on_game=on_game,
        on_move=on_move,
        on_output=on_output,
    )
    return match, seconds


@cache
def _game_of(spec: str) -> Game:
    return make_game(spec)


def measure(
    report: Report,
    *,
    time: float = USUAL_TIME,
    workers: int = 1,
    ray: str | None = None,
    on_step: OnStep = lambda text: None,
    on_output: OnOutput | None = None,
) -> Report:
    """Play and search what the report asks for. `on_step` is called for each game and search.

    `time` is the time per move of an agent without a limit of its own. Games are played by
    `workers`; searches are timed, so they stay in this process, one after the other.
    """
    with progress("report", report.steps) as advance:

        def tell(text: str) -> None:
            advance(text)
            on_step(text)

        _play(report, time, workers, ray, tell, on_output)
        _search(report, tell)
    return report


def _play(
    report: Report,
    time: float,
    workers: int,
    ray: str | None,
    on_step: OnStep,
    on_output: OnOutput | None,
) -> None:
    """Play the games."""
    seed, plies = report.seed, report.opening_plies
    parts = (
        Part(report.game.spec, pair, first, min(ROUND, report.games - first), seed, time, plies)
        for first in range(0, report.games, ROUND)
        for pair in combinations(report.agents, 2)
    )
    before: dict[tuple[str, str], Match] = {}  # the parts that are complete

    def tell(match: Match) -> None:
        pair = match.a, match.b
        whole = report.matches[pair] = before[pair] + match if pair in before else match
        on_step(f"{match.a} +{whole.wins} ={whole.draws} -{whole.losses} {match.b}")

    alone = workers == 1 and ray is None
    work = partial(play_part, on_output=on_output)
    if alone:
        work = partial(work, game=report.game, on_game=tell)
    with start_workers(work, workers, ray) as playing:
        for match, seconds in playing.in_order(parts):
            for _ in range(0 if alone else match.games):
                tell(match)
            before[match.a, match.b] = report.matches[match.a, match.b]
            for agent, spent in seconds.items():
                report.seconds.setdefault(agent, []).extend(spent)


def _search(report: Report, on_step: OnStep) -> None:
    """Run the searches and fill in the tables."""
    for measured in report.measured:
        _compare(measured, report.game, on_step)
    for filled in report.tables:
        for case in filled.table.cases:
            row = filled.table.row(report.game, case, report.quick)
            if row:
                filled.rows.append((case, *row))
            on_step(f"{filled.table.title}: {case}")
        filled.complete = True


def _check(agents: Sequence[str], game: Game) -> None:
    """Refuse agents that cannot play, before the first game."""
    if len(agents) < 2:
        raise SpecError(f"a round robin needs two or more agents, not only {agents[0]}")
    for agent in agents:
        if agents.count(agent) > 1:
            raise SpecError(f"agent {agent} is listed twice: list each agent once")
        player = new_player(agent, game, "a report compares agents")
        try:
            player.get_ready()
        finally:
            player.close()


def _positions(comparison: Comparison, game: Game, count: int, seed: int) -> list[Position]:
    """Return different positions, cycling through the comparison's numbers of random plies.

    On a small board, numbers that few games reach are left out, if there are others; and numbers
    that no game reaches in any case.
    """
    reached = [each for each in comparison.plies if each < game.max_plies]
    plies = [each for each in reached if 3 * each <= 2 * game.max_plies] or reached
    found: dict[int, Position] = {}
    for number in range(10 * count if plies else 0):
        rng = random.Random(f"{seed} {number}")
        position = random_opening(game, plies[number % len(plies)], rng)
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
