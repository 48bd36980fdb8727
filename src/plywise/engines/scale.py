"""Converts search scores to the values that users see, on one scale for all games."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from plywise.core.analysis import Analysis, Line, Outcome, ScoreKind, outcome_of
from plywise.core.position import Position

#: The score of one point in a game of points.
UNIT = 100


@dataclass(frozen=True)
class Verdict:
    """The estimate or exact result of a position, from the point of view of the side to move."""

    value: float
    score: float
    score_kind: ScoreKind
    outcome: Outcome | None = None
    plies_to_end: int | None = None


def analysis_of(pv: tuple[str, ...], seen: Verdict, **more: Any) -> Analysis:
    """Make an Analysis of the best play, which has no moves if the game is over."""
    return Analysis(pv[0] if pv else None, pv=pv, **vars(seen), **more)


def line_of(pv: tuple[str, ...], seen: Verdict) -> Line:
    """Make the Line of a move and what follows it."""
    return Line(pv[0], pv=pv, **vars(seen))


def led_by(line: Line, analysis: Analysis, **more: Any) -> Analysis:
    """Return an Analysis with another best move, and the figures of its line."""
    figures = {name: figure for name, figure in vars(line).items() if name != "move"}
    return replace(analysis, best=line.move, **figures, **more)


def finished(position: Position) -> Analysis | None:
    """Return the Analysis of a finished game, or None if it is not over."""
    margin = position.own_margin
    return None if margin is None else analysis_of((), proved(position, margin, 0))


def estimated(position: Position, score: float) -> Verdict:
    """Turn an evaluation into a verdict; a score equal to the game's `scale` has value 0.5."""
    value = math.tanh(math.atanh(0.5) * score / position.game.type.strength.scale)
    return Verdict(max(-0.999, min(0.999, value)), score, "estimate")


def proved(position: Position, margin: int, plies: int | None) -> Verdict:
    """Return the verdict for a proved margin of the side to move, after `plies` if known."""
    outcome = outcome_of(margin)
    score, kind = position.game.type.exact(position.game.board, position.state, margin, plies)
    return Verdict(float((margin > 0) - (margin < 0)), score, kind, outcome, plies)


def decided(position: Position, sign: int) -> Verdict:
    """Return the verdict for a proved win (1), draw (0) or loss (-1) of the side to move.

    In a game of points this does not say by how much: the score is an estimate of one point.
    """
    if sign == 0 or not position.game.points:
        return proved(position, sign, None)
    return Verdict(float(sign), float(sign * UNIT), "estimate", outcome_of(sign))
