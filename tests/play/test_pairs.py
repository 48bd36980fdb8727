"""Statistics of games in pairs, and the sequential test."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from bench.sprt import apart, forced, simulate

from plywise.errors import SpecError
from plywise.play.pairs import VALUES, Pairs, Sprt, expected, likelihood_ratio


def test_pairs_of_points() -> None:
    pairs = Pairs.of([0, 0.5, 1, 1, 1.5, 2, 2])
    assert pairs.counts == (1, 1, 2, 1, 2)
    assert pairs.score == 8 / 14
    assert pairs.reversed().counts == (2, 1, 2, 1, 1)
    assert (pairs + pairs.reversed()).score == 0.5


def test_nothing_is_known_before_the_first_pair() -> None:
    assert Pairs().score is None
    assert Pairs().elo == (None, None, None)
    assert Pairs().superiority == 0.5
    assert Sprt(0, 10).verdict(Pairs()) is None


def test_split_pairs_say_more_than_single_games() -> None:
    """Where player 1 always wins, a hundred split pairs leave little doubt."""
    low, high = Pairs((0, 0, 100, 0, 0)).interval
    assert high - low < 0.04
    low, high = Pairs((25, 0, 50, 0, 25)).interval  # the same score, with chance in it
    assert high - low > 0.12


@pytest.mark.parametrize("counts", [(3, 1, 4, 1, 5), (0, 0, 7, 0, 0), (0, 0, 0, 0, 2)])
@pytest.mark.parametrize("score", [0.3, 0.5, 0.64])
def test_the_ratio_compares_the_most_likely_chances(counts: tuple[int, ...], score: float) -> None:
    """No chances with the right mean, tried on a grid, fit the counts better."""
    seen = np.array(counts) + 0.25
    own = seen / seen.sum()
    found = float(likelihood_ratio(np.array(counts, float), score, float(own @ VALUES)))
    best = -np.inf
    steps = np.linspace(0.001, 0.997, 25)
    for b, c, d in product(steps, repeat=3):
        rest = 1 - b - c - d
        last = score - (b * 0.25 + c * 0.5 + d * 0.75)
        if 0 < last < rest:
            chances = np.array([rest - last, b, c, d, last])
            best = max(best, float(seen @ (np.log(chances) - np.log(own))))
    assert -found >= best - 1e-9


@pytest.mark.parametrize(
    "chances",
    [lambda elo: apart(elo, 0.3), lambda elo: forced(elo, 0.9)],
    ids=["with draws", "player 1 wins 90 %"],
)
def test_one_test_in_twenty_is_wrong(chances: Any) -> None:
    """`python -m bench sprt` has ten thousand tests of each kind."""
    test, lot = Sprt(0, 120), np.random.default_rng(3)
    for truth, wrong in ((0.0, 1), (120.0, -1)):
        verdicts, lengths = simulate(test, chances(truth), 1000, lot)
        assert (verdicts == wrong).mean() < 0.065
        assert (verdicts == 0).sum() == 0
        assert lengths.mean() < 2 * test.length(chances(truth), better=truth > 0)


@pytest.mark.slow
def test_pairs_need_fewer_games() -> None:
    test, lot = Sprt(0, 50), np.random.default_rng(4)
    lengths = [
        simulate(test, forced(50.0, 0.9), 100, lot, paired=paired)[1].mean()
        for paired in (True, False)
    ]
    assert lengths[0] <= lengths[1] / 2


@pytest.mark.parametrize(
    ("test", "verdict"),
    [
        (Sprt(0, 10), "not better"),
        (Sprt(-10, 0), "better"),
        (Sprt(-5, 5), "no difference"),
    ],
    ids=str,
)
def test_if_every_pair_is_split_the_test_ends(test: Sprt, verdict: str) -> None:
    found = [test.verdict(Pairs((0, 0, count, 0, 0))) for count in range(0, 2000, 100)]
    assert found[-1] == verdict
    assert set(found) == {None, verdict}


def test_pairs_that_decide() -> None:
    assert Sprt(0, 100).verdict(Pairs((0, 0, 2, 0, 20))) == "better"
    assert Sprt(0, 100).verdict(Pairs((20, 0, 2, 0, 0))) == "not better"
    assert Sprt(0, 100).verdict(Pairs((1, 0, 2, 0, 2))) is None


@pytest.mark.parametrize(
    "text", ["", "5", "a,b", "10,0", "0,0", "0,10,0.05", "0,nan", "0,10,0.7,0.05", "0,2000"]
)
def test_what_is_not_a_test(text: str) -> None:
    with pytest.raises(SpecError):
        Sprt.parse(text)


def test_expected_is_the_inverse_of_elo() -> None:
    assert expected(-200) == pytest.approx(1 - expected(200))
    assert Pairs((0, 0, 36, 0, 64)).elo[0] == pytest.approx(263.4, abs=0.1)
