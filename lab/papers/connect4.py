"""What the paper says about its agent, measured again: levels, ideas, order of columns."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from lab.papers.report.plans import Claim, Comparison, Effort, ReportPlan, Row, Series, Table
from plywise import engines
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.games.connect4.solver import Solver
from plywise.kit.words import listing
from plywise.play.series import openings, play_series, random_opening
from plywise.play.statistics import Share

LEVELS = ("seed:level=1", "seed:level=2", "seed:level=3", "seed:level=4")
OURS = ("auto:level=2", "auto:level=5", "auto:level=8", "auto:level=10")

# ---- the paper's ideas, one by one ------------------------------------------------------------

OPENINGS, FEW_OPENINGS = 200, 10  #: of four random plies, each played from both sides; if quick


@dataclass(frozen=True)
class Points:
    """The points of `seed` with some options against `seed` with others, at one level."""

    with_it: str
    without: str

    def __call__(self, game: Game, case: str, quick: bool) -> Row:
        """Play the games of one row."""
        starts = openings(game, FEW_OPENINGS if quick else OPENINGS, 4)
        agents = f"{case}{self.with_it}", f"{case}{self.without}"
        return [play_series(game, *agents, starts).share]


def idea(title: str, claim: str, with_it: str, without: str) -> Table:
    """Make a table: `seed` with these options against `seed` with those, at every level."""
    row = Points(with_it, without)
    shown = "points with it against without"
    columns = "level", shown
    return Table(title, columns, LEVELS, row, claim, {shown: "share"}, worth)


def worth(rows: Sequence[Row]) -> str:
    """Say at which levels an idea helps, and at which it harms."""
    levels: dict[str, list[str]] = {"helps": [], "harms": [], "undecided": []}
    for case, cell in rows:
        assert isinstance(cell, Share)
        low, high = cell.interval
        word = "helps" if low > 0.5 else "harms" if high < 0.5 else "undecided"
        levels[word].append(str(case).rpartition("=")[2])
    return ", ".join(f"{word} at {_levels(found)}" for word, found in levels.items() if found)


def _levels(found: Sequence[str]) -> str:
    return f"level{'s' if len(found) > 1 else ''} {listing(found)}"


WORTH = (
    idea(
        "the opponent's threes count twice",
        "I used to twice the player count because the main aim of our game is not to win but not "
        "to lose",
        "",
        ",factor=1",
    ),
    # The half point came later in the paper, so these two are played without it.
    idea(
        "ties to the middle, not to the first column",
        "instead of putting the disc in 1st column ... put it in the inner column",
        ",row=no",
        ",row=no,ties=left",
    ),
    idea(
        "ties to the middle, not to a random column",
        "instead of putting the disc ... randomly in any column put it in the inner column",
        ",row=no",
        ",row=no,ties=random",
    ),
    idea(
        "half a point for odd or even rows",
        "it is beneficial to put discs in odd rows if given first chance and otherwise if given "
        "second chance",
        "",
        ",row=no",
    ),
)

# ---- almost perfect? --------------------------------------------------------------------------

PLIES = range(6, 22)  #: random plies before a position
EACH, FEW = 25, 3  #: positions of each; if quick


def kept(game: Game, case: str, quick: bool) -> Row:
    """Count how often an agent's move keeps the result, and how often a random one would."""
    if game.spec != game.name:  # without the opening book, results take too long
        return []
    agent = engines.make(case, game)
    choices = _choices(game, FEW if quick else EACH)
    good = sum(agent.search(position).best in keeping for position, keeping in choices)
    by_chance = sum(len(keeping) / len(position.legal) for position, keeping in choices)
    return [Share(good, len(choices)), f"{100 * by_chance / len(choices):.0f} %"]


@cache
def _choices(game: Game, each: int) -> list[tuple[Position, set[str]]]:
    """Return random positions whose result depends on the move, with the moves that keep it."""
    exact = Solver(game, book=True)
    found: list[tuple[Position, set[str]]] = []
    for plies in PLIES:
        wanted = len(found) + each
        rng = random.Random(plies)
        while len(found) < wanted:
            position = random_opening(game, plies, rng)
            analysis = exact.solve(position, weak=True, lines=True)
            keeping = {line.move for line in analysis.lines if line.outcome == analysis.outcome}
            if len(keeping) < len(position.legal):
                found.append((position, keeping))
    return found


def perfect(rows: Sequence[Row]) -> str:
    """Say whether the top level is almost perfect: whether it errs less than once in twenty."""
    top = rows[: len(LEVELS)][-1][1]
    assert isinstance(top, Share)
    low, high = top.interval
    held = "confirmed" if low > 0.95 else "refuted" if high < 0.95 else "undecided"
    return f"{held}: the top level misses {100 * (1 - top.value):.0f} % of them"


PERFECT = Table(
    title=f"{EACH * len(PLIES)} positions in which only some moves keep the result",
    claim="Our game is almost perfect",
    columns=("agent", "keeps the result", "a random move"),
    cases=(*LEVELS, "auto:level=5"),
    row=kept,
    drawn={"keeps the result": "share"},
    verdict=perfect,
)

# ---- the order of columns ---------------------------------------------------------------------

DOUBLED = 1.7  #: times as many nodes count as "almost double"


def speed(efforts: Mapping[int, Sequence[Effort]]) -> str:
    """Say at which levels the order from the middle out nearly halves the nodes."""
    saved = {level: left.nodes / middle.nodes for level, (middle, left) in efforts.items()}
    held = [level for level, times in saved.items() if times >= DOUBLED]
    if not held:
        return "refuted: the nodes are not nearly halved"
    below = " only" if len(held) < len(saved) else ""
    return f"confirmed at {_levels([str(level) for level in held])}{below}, in nodes"


# ---- the plan ---------------------------------------------------------------------------------

REPORT = ReportPlan(
    title="the paper's four levels and ours",
    agents=(*LEVELS, *OURS),
    opening_plies=4,
    claims=(
        Claim(
            "Different level refers to different depth i.e 2,4,6,8 up-to which computer "
            "anticipates its next moves",
            tuple(zip(LEVELS[1:], LEVELS[:-1], strict=True)),
        ),
        Claim("it wins in most of the cases", tuple((LEVELS[-1], agent) for agent in OURS)),
    ),
    comparisons=(
        Comparison(
            title="columns from the middle out, or from the left",
            claim="put from 4 then 3,5 then 2,6 then 1,7. This almost doubles up the speed.",
            series=(
                Series("middle first", "seed:level={}"),
                Series("left to right", "seed:level={},order=left"),
            ),
            axis="level",
            steps=(1, 2, 3, 4),
            plies=tuple(range(0, 28, 3)),
            published=dict.fromkeys((1, 2, 3, 4), "almost 2 x"),
            verdict=speed,
        ),
    ),
    tables=(*WORTH, PERFECT),
)
