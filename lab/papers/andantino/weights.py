"""Other weights and other terms of the paper's evaluation, in games against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lab.papers.andantino.duels import (
    CHAINS,
    OPPOSED,
    OWNED,
    RING,
    ROW,
    SEED,
    TUNED,
    duels,
)
from lab.papers.report.plans import Row, Table
from plywise.core.game import Game
from plywise.play.statistics import Share

GAMES, FEW = 2000, 200  #: of each row, in a report and in a quick one
RANDOM_SEED = 2024  #: of the openings; the tuning used others

NAMES = ("two", "three", "four")
FACTORS = (0.0, 0.5, 2.0, 4.0)  #: each of the paper's weights is multiplied by these


def changed(case: str) -> Any:
    """The paper's weights with one of them changed: `three = 20`."""
    name, value = case.split(" = ")
    weights, first = SEED.copy(), ROW * NAMES.index(name)
    weights[OWNED, first : first + 2] = float(value)
    return weights


def played(game: Game, case: str, quick: bool) -> Row:
    """Play the changed weights against the paper's."""
    return (duels(game).share(changed(case), SEED, FEW if quick else GAMES, RANDOM_SEED),)


def best_of(rows: Sequence[Row]) -> str:
    """Say whether any change wins more than half of its games."""
    shares = [(str(case), share) for case, share in rows if isinstance(share, Share)]
    better = [case for case, share in shares if share.interval[0] > 0.5]
    if better:
        return f"confirmed: better than the paper's weights with {' or '.join(better)}"
    return f"refuted: none of {len(shares)} other weights wins more than half of its games"


WEIGHTS = Table(
    title=f"one of the paper's weights changed, {GAMES:,} games against it ({FEW} if quick)",
    columns=("changed", "share against seed"),
    cases=tuple(
        f"{name} = {factor * float(SEED[OWNED, ROW * place]):g}"
        for place, name in enumerate(NAMES)
        for factor in FACTORS
    ),
    row=played,
    claim="Possible reason for the bad performance is the weights. ... Further test and calibrate "
    "should be done about the weights",
    drawn={"share against seed": "share"},
    verdict=best_of,
)

ROWS, RINGS, BOTH, ALL = (
    "the opponent's rows",
    "rings",
    "both",
    "both, and kinds of rows",
)


def extended(case: str) -> Any:
    """The evaluation with more terms than the paper's; the weights come from tuning.

    The kinds of rows are open, half-open and broken.
    """
    if case == ALL:
        return TUNED
    weights = CHAINS.copy()
    if case == ROWS:
        weights[:, RING] = 0.0
    elif case == RINGS:
        weights[OPPOSED, :RING] = 0.0
    return weights


def compared(game: Game, case: str, quick: bool) -> Row:
    """Play an evaluation with more terms against the paper's, and against `seed-tuned`."""
    games = FEW if quick else GAMES
    shares = [
        duels(game).share(extended(case), other, games, RANDOM_SEED) for other in (SEED, TUNED)
    ]
    return tuple(shares)


def helpful(rows: Sequence[Row]) -> str:
    """Say whether all terms together win more than half of the games against the paper's."""
    share = rows[-1][1]
    assert isinstance(share, Share)
    low, high = share.interval
    answer = "confirmed" if low > 0.5 else "refuted" if high < 0.5 else "undecided"
    return f"{answer}: all together win {share} against seed"


TERMS = Table(
    title=f"terms added to the paper's evaluation, {GAMES:,} games in each cell ({FEW} if quick)",
    columns=("added", "against seed", "against seed-tuned"),
    cases=(ROWS, RINGS, BOTH, ALL),
    row=compared,
    claim="the evaluation function need updates by adding parameters that covers other threats in "
    "five-in-a-row winning condition and considers the fully-enclosed winning condition",
    drawn={"against seed": "share", "against seed-tuned": "share"},
    verdict=helpful,
)
