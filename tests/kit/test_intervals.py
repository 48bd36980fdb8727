"""Shares and means: their 95 % intervals."""

from __future__ import annotations

import pytest

from plywise.kit.intervals import Mean, wilson


def test_a_mean_has_an_interval() -> None:
    """Student's: with 9 degrees of freedom 2.262 standard errors, with one 12.7."""
    found = Mean.of([4.0, 6.0] * 5)
    assert found.value == 5
    assert found.error == pytest.approx(2.262 * (10 / 9) ** 0.5 / 10**0.5, rel=0.001)
    assert str(-found) == "-5.0 (-5.8 to -4.2)"
    assert found.to_json() == {"count": 10, "mean": 5.0, "low": 4.246, "high": 5.754}
    assert Mean.of([3]).to_json() == {"count": 1, "mean": 3, "low": None, "high": None}


def test_wilson_holds_the_share() -> None:
    for count in (1, 5, 100):
        for wins in range(count + 1):
            low, high = wilson(wins / count, count)
            assert -1e-9 <= low <= wins / count + 1e-9
            assert wins / count - 1e-9 <= high <= 1 + 1e-9
    assert wilson(0.7, 10) == pytest.approx((0.397, 0.892), abs=0.001)
