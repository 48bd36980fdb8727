"""Shares and means, written with their 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any

_95 = 1.96  #: standard deviations either side that hold 95 % of a normal distribution


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
        low, high = self.interval
        figures = {"share": self.value, "low": low, "high": high}
        return {"points": self.points, "count": self.count} | {
            name: round(figure, 4) for name, figure in figures.items()
        }


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

    def __neg__(self) -> Mean:
        return Mean(-self.value, self.error, self.count)

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
