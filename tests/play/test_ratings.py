"""Ratings of many agents against another way to find them, and whether their errors are honest."""

from __future__ import annotations

import math
import random
from itertools import combinations

import pytest

from plywise.play.match import Match
from plywise.play.ratings import elo, fitted
from tests.oracle.bradley_terry import Matrix, log_likelihood, ratings

Results = dict[tuple[str, str], tuple[float, int]]


def played(truth: list[float], games: int, lot: random.Random, meet: float = 1.0) -> Results:
    """Results of agents with these ratings; some pairs never meet, but neighbours always do."""
    found: Results = {}
    for i, j in combinations(range(len(truth)), 2):
        if j > i + 1 and lot.random() > meet:
            continue
        share = 1 / (1 + 10 ** ((truth[j] - truth[i]) / 400))
        points = sum(lot.random() < share for _ in range(games))
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
    lot = random.Random(f"ratings {count} {meet}")
    truth = [lot.uniform(-400, 400) for _ in range(count)]
    results = played(truth, 10, lot, meet)
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
    lot = random.Random(5)
    inside = outside = 0
    for _ in range(150):
        truth = [lot.uniform(-150, 150) for _ in range(5)]
        middle = sum(truth) / len(truth)
        for name, (rating, error) in fitted(played(truth, 20, lot)).items():
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
