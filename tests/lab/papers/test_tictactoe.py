"""The report on Tic-Tac-Toe: every position, exact results by plain recursion, verdicts."""

from __future__ import annotations

import pytest

import plywise
from lab.papers.report.plans import Effort
from lab.papers.tictactoe import always, every_position, exact, optimal, pruning
from plywise.play.statistics import Share


def test_every_position_is_there() -> None:
    """765 positions up to symmetry, of which 138 are over (91 won by X, 44 by O, 3 drawn)."""
    positions = every_position(plywise.game("tictactoe"))
    assert len(positions) == 765 - 138
    assert not any(position.over for position in positions)


@pytest.mark.parametrize(
    ("moves", "expected"),
    [("", (0, 9)), ("a1 b1 a2 b2", (1, 1)), ("a1 b1 b2", (-1, 4)), ("a1 b2 c3 a3", (1, 3))],
)
def test_exact_results(moves: str, expected: tuple[int, int]) -> None:
    assert exact(plywise.game("tictactoe").position(moves)) == expected


def test_the_whole_search_is_optimal_and_a_short_one_is_not() -> None:
    game = plywise.game("tictactoe")
    for cell in optimal(game, "seed:depth=9", True):
        assert isinstance(cell, Share)
        assert cell.points == cell.count
    kept, _ = optimal(game, "seed:depth=1", True)
    assert isinstance(kept, Share)
    assert kept.points < kept.count == 627
    assert optimal(plywise.game("tictactoe:rows=4"), "seed:depth=2", True) == []


def test_verdicts() -> None:
    all_of_them = ("seed:depth=9", Share(627, 627), Share(9, 9))
    assert always([all_of_them]).startswith("confirmed: to the end of the game, all 627")
    assert always([("seed:depth=9", Share(626, 627), Share(9, 9))]).startswith("refuted: 1 of 627")
    same = {9: (Effort(10, 1.0, 24), Effort(178, 1.0, 24))}
    assert pruning(same) == "confirmed: the same moves, with 17.8 times fewer nodes at depth 9"
    assert pruning({9: (Effort(10, 1.0, 24), Effort(178, 1.0, 23))}).startswith("refuted")
