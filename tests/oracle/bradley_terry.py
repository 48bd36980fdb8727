"""Ratings from results by another way: Zermelo's iteration of 1929, in plain Python.

It shares no code with `plywise.play.statistics`. `points[i][j]` is what agent i got against agent j
in `games[i][j]` games. One drawn game is added to each pair that has met.
"""

from __future__ import annotations

import math

Matrix = list[list[float]]
ELO = 400 / math.log(10)  #: Elo points for a factor of e


def ratings(points: Matrix, games: Matrix, rounds: int = 20_000) -> list[float]:
    """Return Elo points around a mean of 0.

    The strength of an agent is its points over the sum of games / (both strengths): at the maximum
    of the likelihood this holds for all of them, and repeating it leads there.
    """
    count = len(points)
    points, games = _with_draws(points, games)
    strength = [1.0] * count
    for _ in range(rounds):
        new = []
        for i in range(count):
            met = [j for j in range(count) if games[i][j]]
            shared = sum(games[i][j] / (strength[i] + strength[j]) for j in met)
            new.append(sum(points[i][j] for j in met) / shared)
        middle = math.exp(sum(map(math.log, new)) / count)
        new = [each / middle for each in new]
        settled = max(abs(a / b - 1) for a, b in zip(new, strength, strict=True)) < 1e-13
        strength = new
        if settled:
            break
    return [ELO * math.log(each) for each in strength]


def log_likelihood(points: Matrix, games: Matrix, elo: list[float]) -> float:
    """Return the logarithm of the probability of the results, but for a constant."""
    points, games = _with_draws(points, games)
    total = 0.0
    for i in range(len(points)):
        for j in range(len(points)):
            if games[i][j]:
                total -= points[i][j] * math.log1p(10 ** ((elo[j] - elo[i]) / 400))
    return total


def _with_draws(points: Matrix, games: Matrix) -> tuple[Matrix, Matrix]:
    met = [[1.0 if each else 0.0 for each in row] for row in games]
    more = [
        [p + m / 2 for p, m in zip(*rows, strict=True)] for rows in zip(points, met, strict=True)
    ]
    return more, [
        [g + m for g, m in zip(*rows, strict=True)] for rows in zip(games, met, strict=True)
    ]
