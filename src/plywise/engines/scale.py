"""From what searches count in to what people read: the one scale of values."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plywise.core.analysis import Analysis, Outcome, ScoreKind, outcome_of
from plywise.core.position import Position

#: What one point of a margin counts in the evaluation of a game of points.
UNIT = 100


@dataclass(frozen=True)
class Verdict:
    """What is thought or known of a position, seen by the side to move."""

    value: float
    score: float
    score_kind: ScoreKind
    outcome: Outcome | None = None
    plies_to_end: int | None = None


def analysis_of(best: str | None, seen: Verdict) -> Analysis:
    """The Analysis of a position whose best move this is; None where the game is over."""
    return Analysis(
        best,
        seen.value,
        seen.score,
        seen.score_kind,
        seen.outcome,
        seen.plies_to_end,
        () if best is None else (best,),
    )


def finished(position: Position) -> Analysis | None:
    """The Analysis of a position in which the game is over; None where it is not."""
    margin = position.own_margin
    return None if margin is None else analysis_of(None, proved(position, margin, 0))


def estimated(position: Position, score: float) -> Verdict:
    """Nothing is proved: an evaluation, squashed so that the game's `scale` gives 0.5."""
    value = math.tanh(math.atanh(0.5) * score / position.game.type.scale)
    return Verdict(max(-0.999, min(0.999, value)), score, "estimate")


def proved(position: Position, margin: int, plies: int | None) -> Verdict:
    """The side to move ends with this margin, after so many plies where that is known."""
    outcome = outcome_of(margin)
    score, kind = _exact(position, outcome, margin, plies)
    return Verdict(float((margin > 0) - (margin < 0)), score, kind, outcome, plies)


def _exact(
    position: Position, outcome: Outcome, margin: int, plies: int | None
) -> tuple[int, ScoreKind]:
    exact = position.game.type.exact
    if exact is None:
        return margin, "points"
    return exact(position.game.board, position.state, outcome, plies)
