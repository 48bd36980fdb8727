"""The levels of `auto`: each plays the one below it, and exact values grade them all."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean

import plywise
from bench.measure import Bench, Quantity, Row
from plywise.core.analysis import Limits
from plywise.engines.auto import FULL
from plywise.learn.strength import even_openings
from plywise.play.grade import grade, labelled
from plywise.play.series import play_series
from plywise.play.statistics import Share, elo

GAMES = ("connect4", "makeway", "snails", "align", "andantino", "tictactoe:rows=6,cols=6,k=5")
PAIRS = 25  #: of games between two levels
FULL_TIME = 0.1  #: seconds for a move of level 10
SEED = 28
STEP = 50.0  #: the least that a level scores against the one below it, in per cent
POSITIONS = 1000  #: with known values
GRADED = "connect4"


def by_opening(number: int, _: str) -> int:
    """The seed of both agents in a game."""
    return number // 2


def steps(spec: str, pairs: int) -> list[Share]:
    """Return the score of every level from 2 on against the one below it."""
    game = plywise.game(spec)
    starts = even_openings(game, pairs)
    limits = Limits(time=FULL_TIME)
    agents = [f"auto:level={level}" for level in range(1, FULL + 1)]
    return [
        play_series(game, two, one, starts, seeds=by_opening, limits=limits).share
        for one, two in pairwise(agents)
    ]


def levels_rows(quick: bool) -> Iterator[Row]:
    """Play the levels of some games, and grade those of one."""
    for spec in GAMES[:1] if quick else GAMES:
        shares = steps(spec, 4 if quick else PAIRS)
        points = [f"{100 * share.value:.0f}" for share in shares]
        print(f"{spec}: each level against the one below: {', '.join(points)} %", file=sys.stderr)
        together = fmean(share.value for share in shares)
        least = min(share.value for share in shares)
        yield Row(
            f"{spec}, the smallest step",
            f"{100 * together:.0f} % on average, {elo(together) or 0:+.0f} Elo",
            "",
            Quantity(100 * least, "%"),
            at_least=STEP,
            right=None if quick else True,
        )
    game, plies = plywise.game(GRADED), (4, 30)
    asked = labelled(game, 100 if quick else POSITIONS, SEED, plies)
    agents = [f"auto:level={level}" for level in range(1, FULL)]
    kept = [100 * grade(game, agent, asked, plies).total.kept for agent in agents]
    yield Row(
        f"{GRADED}, levels 1 to {FULL - 1}",
        f"{', '.join(f'{each:.0f}' for each in kept)} % value kept",
        "",
        Quantity(kept[-1] - kept[0], "points"),
    )


LEVELS = Bench(
    "levels",
    "The levels of auto",
    "Each level plays the one below it from even openings, from both sides; then all below 10 "
    "choose moves in positions with exact values.",
    "",
    levels_rows,
    only_named=True,
)
