"""Statistics of results: pairs of games, the sequential test, and ratings with honest errors."""

from __future__ import annotations

import math
import random
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from bench.sprt import apart, forced, simulate, wald_length

from plywise.errors import SpecError
from plywise.play.match import Match
from plywise.play.statistics import (
    VALUES,
    Mean,
    Pairs,
    Sprt,
    elo,
    expected,
    fitted,
    likelihood_ratio,
    wilson,
)
from tests.oracle.bradley_terry import Matrix, log_likelihood, ratings

Results = dict[tuple[str, str], tuple[float, int]]

# ---- shares and means -----------------------------------------------------------------------


def test_a_mean_has_an_interval() -> None:
    """Student's: with 9 degrees of freedom 2.262 standard errors, with one 12.7."""
    found = Mean.of([4.0, 6.0] * 5)
    assert found.value == 5
    assert found.error == pytest.approx(2.262 * (10 / 9) ** 0.5 / 10**0.5, rel=0.001)
    assert str(found) == "5.0 (4.2 to 5.8)"
    assert found.to_json() == {"count": 10, "mean": 5.0, "low": 4.246, "high": 5.754}
    assert Mean.of([3]).to_json() == {"count": 1, "mean": 3, "low": None, "high": None}


def test_wilson_holds_the_share() -> None:
    for count in (1, 5, 100):
        for wins in range(count + 1):
            low, high = wilson(wins / count, count)
            assert -1e-9 <= low <= wins / count + 1e-9
            assert wins / count - 1e-9 <= high <= 1 + 1e-9
    assert wilson(0.7, 10) == pytest.approx((0.397, 0.892), abs=0.001)


# ---- pairs, and the sequential test ----------------------------------------------------------


def test_pairs_of_points() -> None:
    pairs = Pairs.of([0, 0.5, 1, 1, 1.5, 2, 2])
    assert pairs.counts == (1, 1, 2, 1, 2)
    assert pairs.score == 8 / 14


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
    test, rng = Sprt(0, 120), np.random.default_rng(3)
    for truth, wrong in ((0.0, 1), (120.0, -1)):
        verdicts, lengths = simulate(test, chances(truth), 1000, rng)
        assert (verdicts == wrong).mean() < 0.065
        assert (verdicts == 0).sum() == 0
        assert lengths.mean() < 2 * wald_length(test, chances(truth), better=truth > 0)


@pytest.mark.slow
def test_pairs_need_fewer_games() -> None:
    test, rng = Sprt(0, 50), np.random.default_rng(4)
    lengths = [
        simulate(test, forced(50.0, 0.9), 100, rng, paired=paired)[1].mean()
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


@pytest.mark.parametrize("counts", [(3, 0, 5, 1, 3), (0, 2, 7, 2, 9), (1, 1, 1, 1, 1)])
def test_who_plays_whom_changes_only_the_sign_of_the_ratio(counts: tuple[int, ...]) -> None:
    found = Sprt(-10, 30).ratio(Pairs(counts))
    assert Sprt(-30, 10).ratio(Pairs(counts[::-1])) == pytest.approx(-found)


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


# ---- ratings --------------------------------------------------------------------------------


def played(truth: list[float], games: int, rng: random.Random, meet: float = 1.0) -> Results:
    """Results of agents with these ratings; some pairs never meet, but neighbours always do."""
    found: Results = {}
    for i, j in combinations(range(len(truth)), 2):
        if j > i + 1 and rng.random() > meet:
            continue
        share = 1 / (1 + 10 ** ((truth[j] - truth[i]) / 400))
        points = sum(rng.random() < share for _ in range(games))
        found[str(i), str(j)] = float(points), games
    return found


def matrices(results: Results, count: int) -> tuple[Matrix, Matrix]:
    points, games = ([[0.0] * count for _ in range(count)] for _ in range(2))
    for (a, b), (won, of) in results.items():
        i, j = int(a), int(b)
        points[i][j], points[j][i] = won, of - won
        games[i][j] = games[j][i] = of
    return points, games


@pytest.mark.parametrize("count", [2, 5, 9])
@pytest.mark.parametrize("meet", [1.0, 0.3])
def test_they_are_the_most_likely_ones(count: int, meet: float) -> None:
    rng = random.Random(f"ratings {count} {meet}")
    truth = [rng.uniform(-400, 400) for _ in range(count)]
    results = played(truth, 10, rng, meet)
    expected = ratings(*matrices(results, count))
    found = fitted(results)
    assert [found[str(i)][0] for i in range(count)] == pytest.approx(expected, abs=0.06)


def test_their_errors_are_the_curvature_of_the_likelihood() -> None:
    """For two agents: the second difference along the only direction there is."""
    results: Results = {("0", "1"): (13.0, 20)}
    points, games = matrices(results, 2)
    (one, error), (two, same) = fitted(results).values()
    step = 1.0

    def at(away: float) -> float:
        return log_likelihood(points, games, [one + away, two - away])

    bend = -(at(step) - 2 * at(0.0) + at(-step)) / step**2
    assert error == same == pytest.approx(1.96 / math.sqrt(bend), rel=0.01)


def test_pairs_that_are_worth_more_count_for_more() -> None:
    """An agent's results against one opponent weigh as many games as they are worth."""
    plain = fitted({("a", "b"): (15.0, 20), ("b", "c"): (10.0, 20), ("a", "c"): (12.0, 20)})
    worth = fitted(
        {("a", "b"): (15.0, 20, 80.0), ("b", "c"): (10.0, 20), ("a", "c"): (12.0, 20, 20.0)}
    )
    often = fitted({("a", "b"): (60.0, 80), ("b", "c"): (10.0, 20), ("a", "c"): (12.0, 20)})
    assert worth == often
    assert worth != plain


@pytest.mark.slow
def test_nineteen_intervals_in_twenty_hold_the_truth() -> None:
    """Over many tournaments: a little more, since a drawn game is added to each pair."""
    rng = random.Random(5)
    inside = outside = 0
    for _ in range(150):
        truth = [rng.uniform(-150, 150) for _ in range(5)]
        middle = sum(truth) / len(truth)
        for name, (rating, error) in fitted(played(truth, 20, rng)).items():
            if abs(rating - (truth[int(name)] - middle)) <= error:
                inside += 1
            else:
                outside += 1
    share = inside / (inside + outside)
    assert 0.93 <= share <= 0.98, share


def test_ratings_give_back_what_they_predict() -> None:
    """Results that ratings of 200, 0 and -200 would bring on average, many of them."""
    truth = {"a": 200.0, "b": 0.0, "c": -200.0}
    results = {}
    for one, two in combinations(truth, 2):
        share = 1 / (1 + 10 ** ((truth[two] - truth[one]) / 400))
        results[one, two] = (100_000 * share, 100_000)
    for name, (rating, error) in fitted(results).items():
        assert rating == pytest.approx(truth[name], abs=0.2)
        assert 0 < error < 5


def test_ratings_of_those_who_always_win() -> None:
    ratings = fitted({("a", "b"): (20.0, 20), ("a", "c"): (20.0, 20), ("b", "c"): (10.0, 20)})
    assert ratings["a"][0] > 300 > 0 > ratings["b"][0]
    assert ratings["b"] == ratings["c"]
    assert fitted({}) == {}


def test_no_rating_without_a_bound() -> None:
    assert Match("", "", "", 0).interval == (0.0, 1.0)
    assert elo(1.0) is None
