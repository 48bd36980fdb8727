"""The sequential test of `plywise match --sprt`: errors and lengths over simulated matches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.measure import Bench, Quantity, Row
from plywise.play.statistics import Pairs, Sprt, expected, likelihood_ratio

TESTS, QUICK = 10_000, 1_000
MOST_PAIRS = 20_000
CASES = ((0.0, 30.0), (0.0, 100.0), (-20.0, 20.0))  #: elo0, elo1
Array = np.ndarray[Any, Any]


def apart(difference: float, draws: float) -> Array:
    """Chances of the five results of a pair whose games do not depend on each other."""
    won = expected(difference) - draws / 2
    one = np.array([1 - won - draws, draws, won])
    return np.convolve(one, one)


def forced(difference: float, first: float) -> Array:
    """... and of a game without draws that player 1 wins with chance `first` between equals."""
    lead, low, high = 400 * np.log10(first / (1 - first)), -4000.0, 4000.0
    for _ in range(60):
        strength = (low + high) / 2
        as_first, as_second = expected(strength + lead), expected(strength - lead)
        if (as_first + as_second) / 2 < expected(difference):
            low = strength
        else:
            high = strength
    lost = (1 - as_first) * (1 - as_second)
    both = as_first * as_second
    return np.array([lost, 0.0, 1 - lost - both, 0.0, both])


def simulate(
    test: Sprt, chances: Array, count: int, rng: np.random.Generator, *, paired: bool = True
) -> tuple[Array, Array]:
    """Run many tests at once: the verdicts (1 better, -1 not better) and how many pairs each took.

    Unless `paired`, the two games of a pair are counted as if they were independent; then no game
    may be drawn.
    """
    counts = np.zeros((count, 5))
    verdicts, lengths = np.zeros(count, int), np.full(count, MOST_PAIRS)
    running = np.arange(count)
    low, high = test.bounds
    for length in range(1, MOST_PAIRS + 1):
        drawn = rng.choice(5, size=len(running), p=chances)
        if paired:
            counts[running, drawn] += 1
        else:  # a split pair is a game won and a game lost
            counts[running, np.where(drawn < 4, 0, 4)] += 1
            counts[running, np.where(drawn < 2, 0, 4)] += 1
        ratio = likelihood_ratio(counts[running], *test.scores)
        for verdict, ended in ((1, ratio >= high), (-1, ratio <= low)):
            verdicts[running[ended]] = verdict
            lengths[running[ended]] = length
        running = running[(ratio < high) & (ratio > low)]
        if not len(running):
            break
    return verdicts, lengths


def wald_length(test: Sprt, chances: Array, *, better: bool) -> float:
    """Return how many pairs Wald expects the test to take, if pairs have these chances.

    `better` says whether their mean is that of `elo1`, otherwise it is that of `elo0`.
    """
    low, high = test.bounds
    gain = float(likelihood_ratio(chances * 1e9, *test.scores)) / 1e9
    ends = (test.beta, 1 - test.beta) if better else (1 - test.alpha, test.alpha)
    return (ends[0] * low + ends[1] * high) / gain


def sprt_rows(quick: bool) -> Iterator[Row]:
    """Errors of either kind, and the length beside Wald's."""
    count = QUICK if quick else TESTS
    rng = np.random.default_rng(1)
    kinds = (
        ("no draws", lambda difference: apart(difference, 0.0)),
        ("40 % draws", lambda difference: apart(difference, 0.4)),
        ("player 1 wins 90 %", lambda difference: forced(difference, 0.9)),
    )
    for elo0, elo1 in CASES:
        test = Sprt(elo0, elo1)
        for name, chances in kinds:
            for truth, wrong in ((elo0, 1), (elo1, -1)):
                verdicts, lengths = simulate(test, chances(truth), count, rng)
                wald = wald_length(test, chances(truth), better=truth == elo1)
                yield Row(
                    f"{elo0:g},{elo1:g}, {name}, truth {truth:g}: wrong verdicts",
                    f"{lengths.mean():.0f} pairs",
                    f"Wald {wald:.0f}",
                    Quantity(100 * float((verdicts == wrong).mean()), "%"),
                    at_most=5.5,
                )
    test = Sprt(0.0, 50.0)
    for truth in (0.0, 50.0):
        as_pairs, as_games = (
            simulate(test, forced(truth, 0.9), count // 10, rng, paired=paired)[1].mean()
            for paired in (True, False)
        )
        yield Row(
            f"player 1 wins 90 %, truth {truth:g}: length, pairs against single games",
            f"{as_pairs:.0f} pairs",
            f"{as_games:.0f} pairs",
            Quantity(float(as_pairs / as_games), "x"),
            at_most=0.5,
        )
    for test in (Sprt(0.0, 10.0), Sprt(-5.0, 5.0)):
        pairs = next(n for n in range(1, MOST_PAIRS) if test.verdict(Pairs((0, 0, n, 0, 0))))
        found = test.verdict(Pairs((0, 0, pairs, 0, 0)))
        what = f"{test.elo0:g},{test.elo1:g}, every pair split: ends with {found!r}"
        yield Row(what, "", "", Quantity(pairs, "pairs"), at_most=MOST_PAIRS)


SPRT = Bench(
    "sprt",
    "The sequential test of matches",
    f"{TESTS:,} simulated matches for each row: the share of wrong verdicts, and the mean length "
    "beside the one that Wald's formula gives.",
    "",
    sprt_rows,
    only_named=True,
)
