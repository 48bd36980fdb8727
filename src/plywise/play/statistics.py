"""Statistics of results: 95 % intervals, Elo differences, pairs, sequential tests, and ratings.

Two games from one opening are not independent: in a game that the first player wins by force,
almost every pair is split, and says that the agents are equal with more certainty than two single
games could. So the unit here is the pair, in which an agent gets 0, 1/2, 1, 1 1/2 or 2 points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any, Literal, TypeVar

import numpy as np

from plywise.errors import SpecError

_95 = 1.96  #: standard deviations either side that hold 95 % of a normal distribution
_SCALE = 400 / math.log(10)  #: Elo points for a factor of e in the odds
_NEWTON = 100  #: of Newton's method; a handful is enough
_CLOSE = 1e-9
VALUES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])  #: the share of the points, by the result of a pair
SPLIT = 2  #: the index of a pair in which both got one point
_UNSEEN = 0.25  #: added to the count of each result, so that none is impossible
_PRIOR = 5.0  #: pairs of independent games that are added to what was seen of their variance
_HALVINGS = 60  #: of an interval, to find a root in it

Verdict = Literal["better", "not better", "no difference"]
Name = TypeVar("Name")  #: whatever tells agents apart

# ---- shares and means -----------------------------------------------------------------------


def wilson(share: float, count: float) -> tuple[float, float]:
    """Return both ends of the 95 % interval for a share of the points.

    Draws count as half a point; many draws make the interval wider than necessary.

    >>> [round(end, 3) for end in wilson(0.5, 20)]
    [0.299, 0.701]
    """
    spread = _95**2 / count
    middle = share + spread / 2
    half = math.sqrt(spread * share * (1 - share) + spread**2 / 4)
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


@dataclass(frozen=True)
class Share:
    """A share of the points or of the cases, which is written with its 95 % interval.

    >>> print(Share(15, 20))
    75 % (53 to 89)
    """

    points: float
    count: int  #: at least 1

    @property
    def value(self) -> float:
        """The share, from 0 to 1."""
        return self.points / self.count

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of its 95 % interval."""
        return wilson(self.value, self.count)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:.0f} % ({100 * low:.0f} to {100 * high:.0f})"

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        share, low, high = (round(each, 4) for each in (self.value, *self.interval))
        return {**vars(self), "share": share, "low": low, "high": high}


@dataclass(frozen=True)
class Mean:
    """The mean of some figures, which is written with its 95 % interval.

    >>> print(Mean.of([3, 5, 4, 6, 2]))
    4.0 (2.0 to 6.0)
    """

    value: float
    error: float  #: half of the interval; infinite for a single figure
    count: int

    @classmethod
    def of(cls, figures: Sequence[float]) -> Mean:
        """Return the mean of at least one figure."""
        count = len(figures)
        if count == 1:
            return cls(figures[0], math.inf, 1)
        return cls(mean(figures), _student(count - 1) * stdev(figures) / math.sqrt(count), count)

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of its 95 % interval."""
        return self.value - self.error, self.value + self.error

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.value:.1f} ({low:.1f} to {high:.1f})"

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json`."""
        low, high = (round(end, 4) if math.isfinite(end) else None for end in self.interval)
        return {"count": self.count, "mean": round(self.value, 4), "low": low, "high": high}


def _student(freedom: int) -> float:
    """Return how many standard errors hold 95 % of Student's distribution.

    The usual series in 1 / freedom: 1 % too small at 4 degrees of freedom, exact at many.
    """
    first = (_95**3 + _95) / 4
    second = (5 * _95**5 + 16 * _95**3 + 3 * _95) / 96
    third = (3 * _95**7 + 19 * _95**5 + 17 * _95**3 - 15 * _95) / 384
    return _95 + first / freedom + second / freedom**2 + third / freedom**3


# ---- Elo ------------------------------------------------------------------------------------


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


# ---- pairs ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairs:
    """How often an agent got 0, 1/2, 1, 1 1/2 and 2 points in a pair of games.

    >>> pairs = Pairs.of([2.0, 1.0, 1.0, 0.5])
    >>> pairs.counts, pairs.score
    ((0, 1, 2, 0, 1), 0.5625)
    """

    counts: tuple[int, ...] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> Pairs:
        """Count the points of pairs."""
        seen = [round(2 * each) for each in points]
        return cls(tuple(map(seen.count, range(len(VALUES)))))

    @property
    def count(self) -> int:
        """The number of pairs."""
        return sum(self.counts)

    @property
    def score(self) -> float | None:
        """The share of the points; None before the first pair."""
        return float(np.dot(self.counts, VALUES)) / self.count if self.count else None

    @property
    def worth(self) -> float:
        """How many independent games would be as certain as these pairs: usually two a pair.

        The variance of the pairs is compared with that of independent games. A few pairs of those
        are added, so that equal pairs do not make it certain.

        >>> [round(Pairs(counts).worth) for counts in ((25, 0, 50, 0, 25), (1, 0, 98, 0, 1))]
        [200, 2333]
        """
        if not self.count:
            return 0.0
        mean, variance = moments(np.array(self.counts, float))
        apart = self.count * float(mean * (1 - mean)) / 2 + _PRIOR / 8
        return 2 * self.count * apart / (self.count * float(variance) + _PRIOR / 8)

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the 95 % interval of the score; anything from 0 to 1 before a pair.

        >>> [round(end, 3) for end in Pairs((0, 0, 100, 0, 0)).interval]
        [0.485, 0.515]
        """
        return (0.0, 1.0) if self.score is None else wilson(self.score, self.worth)

    @property
    def elo(self) -> tuple[float | None, float | None, float | None]:
        """The difference in Elo points and both ends of its 95 % interval; None is unbounded."""
        if self.score is None:
            return None, None, None
        low, high = self.interval
        return elo(self.score), elo(low), elo(high)

    @property
    def superiority(self) -> float:
        """The likelihood that this agent is the better one.

        >>> round(Pairs((5, 0, 10, 0, 12)).superiority, 3)
        0.961
        """
        away = 0.0 if self.score is None else self.score - 0.5
        return (1 + math.erf(away * math.sqrt(2 * self.worth))) / 2

    def to_json(self) -> dict[str, Any]:
        """Return plain data for `--json` and the web."""
        difference, low, high = self.elo
        return {
            "pairs": list(self.counts),
            "score": None if self.score is None else round(self.score, 4),
            "elo": difference,
            "elo_low": low,
            "elo_high": high,
            "superiority": round(self.superiority, 4),
        }


def moments(counts: np.ndarray[Any, Any]) -> tuple[Any, Any]:
    """Return the mean and the variance of the share of the points in a pair."""
    shares = counts / counts.sum(-1, keepdims=True)
    mean = shares @ VALUES
    return mean, shares @ VALUES**2 - mean**2


@dataclass(frozen=True)
class Sprt:
    """A sequential test: is an agent better by `elo1` points, or only by `elo0`?

    It ends as soon as one of the two is clear enough: with the usual `alpha` and `beta`, one test
    in twenty is wrong when the truth is exactly `elo0` or `elo1`, and fewer beyond.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05  #: the chance to call an agent better that is better by `elo0` only
    beta: float = 0.05  #: the chance to miss one that is better by `elo1`

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise SpecError(f"elo0 must be below elo1, not {self.elo0:g},{self.elo1:g}")
        if not (self.elo0 >= -1000 and self.elo1 <= 1000):
            raise SpecError("Elo differences of a test lie between -1000 and 1000")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise SpecError("alpha and beta must be above 0 and below 0.5")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """Read `0,10`, or `0,10,0.01,0.01` with alpha and beta.

        >>> Sprt.parse("0,10")
        Sprt(elo0=0.0, elo1=10.0, alpha=0.05, beta=0.05)
        """
        try:
            figures = [float(each) for each in text.split(",")]
        except ValueError:
            figures = []
        if len(figures) not in (2, 4) or not all(map(math.isfinite, figures)):
            raise SpecError(
                f"{text!r} is not a test: write elo0,elo1, such as 0,10, or with alpha and beta, "
                "0,10,0.05,0.05"
            )
        return cls(*figures)

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratio at which the test ends: below the first, above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    @property
    def scores(self) -> tuple[float, float]:
        """The shares of the points that the two differences stand for."""
        return expected(self.elo0), expected(self.elo1)

    def ratio(self, pairs: Pairs) -> float:
        """Return the log-likelihood ratio of `elo1` to `elo0`, given what was played."""
        return float(likelihood_ratio(np.array(pairs.counts, float), *self.scores))

    def verdict(self, pairs: Pairs) -> Verdict | None:
        """Return what is known by now; None if more games are needed.

        If every pair is split, the truth may lie between both differences, where the ratio stays
        near 0 for ever: then the test ends once both of them are too unlikely.
        """
        if not pairs.count:
            return None
        ratio = self.ratio(pairs)
        low, high = self.bounds
        if ratio <= low:
            return "not better"
        if ratio >= high:
            return "better"
        if pairs.counts[SPLIT] == pairs.count:
            counts = np.array(pairs.counts, float)
            if all(float(likelihood_ratio(counts, score, 0.5)) >= high for score in self.scores):
                return "no difference"
        return None

    def to_json(self, pairs: Pairs) -> dict[str, Any]:
        """Return plain data for `--json`: the test, and what it says about these pairs."""
        low, high = self.bounds
        return {
            **vars(self),
            "low": round(low, 4),
            "high": round(high, 4),
            "ratio": round(self.ratio(pairs), 4),
            "verdict": self.verdict(pairs),
        }


def expected(difference: float) -> float:
    """Return the share of the points that an Elo difference stands for.

    >>> expected(0.0), round(expected(100.0), 3)
    (0.5, 0.64)
    """
    return 1 / (1 + 10 ** (-difference / 400))


def likelihood_ratio(counts: np.ndarray[Any, Any], score0: float, score1: float) -> Any:
    """Return the generalised log-likelihood ratio of two expected scores.

    For each, the results have the probabilities with this mean that fit the counts best. Works on
    many tests at once: the last axis has the five results.
    """
    seen = counts + _UNSEEN
    return (seen * (_log_fit(seen, score1) - _log_fit(seen, score0))).sum(-1)


def _log_fit(counts: np.ndarray[Any, Any], score: float) -> Any:
    """Return the logarithms of the most likely probabilities, relative to the frequencies.

    These are 1 / (1 + t (value - score)), where t is such that the mean is the score.
    """
    shares = counts / counts.sum(-1, keepdims=True)
    away = VALUES - score
    low = np.full((*counts.shape[:-1], 1), -1 / away.max())
    high = np.full((*counts.shape[:-1], 1), -1 / away.min())
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        rises = (shares * away / (1 + middle * away)).sum(-1, keepdims=True) > 0
        low, high = np.where(rises, middle, low), np.where(rises, high, middle)
    return -np.log1p((low + high) / 2 * away)


# ---- ratings --------------------------------------------------------------------------------


def fitted(
    results: Mapping[tuple[Name, Name], tuple[float, int] | tuple[float, int, float]],
) -> dict[Name, tuple[float, float]]:
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
    for _ in range(_NEWTON):
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
