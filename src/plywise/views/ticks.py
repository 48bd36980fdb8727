"""The ticks of a chart's axis."""

from __future__ import annotations

import math
from collections.abc import Sequence


def decades(values: Sequence[float]) -> list[float]:
    """Return the powers of ten that enclose all values; at least two."""
    some = [value for value in values if value > 0] or [1.0]
    low = math.floor(math.log10(min(some)))
    high = max(low + 1, math.ceil(math.log10(max(some))))
    return [10.0**power for power in range(low, high + 1)]


def even(values: Sequence[float]) -> list[float]:
    """Return ticks from 0 to above the largest value, with room for a note, in up to five steps."""
    most = 1.12 * max([*values, 1e-6])
    power = 10.0 ** math.floor(math.log10(most / 5))
    step = next(factor * power for factor in (1, 2, 5, 10) if most <= 5 * factor * power)
    return [number * step for number in range(math.ceil(most / step - 1e-9) + 1)]
