"""Statistics of results: Elo differences, ratings of a round robin."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

_95 = 1.96  #: standard deviations either side that hold 95 % of a normal distribution
_SCALE = 400 / math.log(10)  #: Elo points for a factor of e in the odds
_STEPS = 100  #: of Newton's method; a handful is enough
_CLOSE = 1e-9


def elo(share: float) -> float | None:
    """Return the Elo difference that gives this share of the points; None if it is infinite."""
    if not _CLOSE < share < 1 - _CLOSE:
        return None
    return round(400 * math.log10(share / (1 - share)), 1) + 0.0  # no -0.0


def elo_words(difference: float | None, low: float | None, high: float | None) -> str:
    """Write an Elo difference with its interval; None is without limit."""
    if low is None and high is None:
        return "Elo unknown" if difference is None else f"Elo {difference:+.0f} (95 %: anything)"
    if high is None:
        span = f"at least {low:+.0f}"
    elif low is None:
        span = f"at most {high:+.0f}"
    else:
        span = f"{low:+.0f} to {high:+.0f}"
    return f"Elo {span} (95 %)" if difference is None else f"Elo {difference:+.0f} (95 %: {span})"


def fitted(
    results: Mapping[tuple[str, str], tuple[float, int] | tuple[float, int, float]],
) -> dict[str, tuple[float, float]]:
    """Return the ratings that best explain all results, each with its error (95 %).

    `results` has the first agent's points and the number of games for each pair, and how many
    independent games these are worth, if that is another number (`Pairs.worth`). Ratings are
    Elo points around a mean of 0, by the Bradley-Terry model. One drawn game is added to each
    pair, so that an agent that won all its games has a rating too.

    >>> fitted({("a", "b"): (15.0, 20)})
    {'a': (90.0, 84.5), 'b': (-90.0, 84.5)}
    """
    if not results:
        return {}
    names = list(dict.fromkeys(name for pair in results for name in pair))
    place = {name: index for index, name in enumerate(names)}
    strength = np.zeros(len(names))
    errors = np.zeros(len(names))
    for _ in range(_STEPS):
        slope = np.zeros(len(names))
        bend = np.zeros((len(names), len(names)))
        for (a, b), (points, games, *worth) in results.items():
            i, j = place[a], place[b]
            sure = worth[0] / games if worth else 1.0
            expected = 1 / (1 + math.exp(strength[j] - strength[i]))
            missing = sure * points + 0.5 - (sure * games + 1) * expected
            weight = (sure * games + 1) * expected * (1 - expected)
            slope[i] += missing
            slope[j] -= missing
            bend[i, i] += weight
            bend[j, j] += weight
            bend[i, j] -= weight
            bend[j, i] -= weight
        inverse = np.linalg.pinv(bend)
        errors = np.sqrt(np.diag(inverse))
        step = np.clip(inverse @ slope, -2.0, 2.0)
        strength += step
        strength -= strength.mean()
        if np.abs(step).max() < _CLOSE:
            break
    rated = zip(names, _SCALE * strength, _95 * _SCALE * errors, strict=True)
    return {name: (round(float(r), 1) + 0.0, round(float(e), 1)) for name, r, e in rated}
