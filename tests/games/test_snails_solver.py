"""The solver of Snails: against plain minimax, against the solver for any game, anywhere."""

from __future__ import annotations

import random

import numpy as np
import pytest

import plywise
from plywise import Game, Limits, Position
from plywise.core.analysis import Analysis, Stop
from plywise.engines.solve import GameSolver
from plywise.games.snails.board import QUIET
from plywise.games.snails.solver import SnailsSolver, solver
from plywise.games.snails.solver_board import Node, shape_of, spread_out, write_node
from plywise.games.snails.solver_kernel import solving
from plywise.games.snails.solver_race import race
from plywise.games.snails.solver_table import moving
from tests.oracle.snails import Snails
from tests.oracle.snails_outcomes import Outcomes

SIGNS = {"win": 1, "draw": 0, "loss": -1}


def solver_of(rows: int, cols: int) -> SnailsSolver:
    return SnailsSolver(plywise.game(f"snails:rows={rows},cols={cols}"))


def random_position(dice: random.Random, rows: int, cols: int, empty: int) -> Snails:
    """A position of a random game with at most so many empty cells, at any count of quiet plies.

    Some games slide a lot, so that the quiet plies matter.
    """
    while True:
        game, claims = Snails(rows, cols), dice.choice((0.3, 0.8, 1.0))
        while not game.over():
            if len(game.empty()) <= empty and dice.random() < 0.2:
                return game
            after = [game.play(move) for move in game.legal()]
            claiming = [each for each in after if each.quiet == 0]
            few = len(game.empty()) > empty
            if claiming and (few or dice.random() < claims):
                after = claiming
            game = dice.choice(after)


def check(own: SnailsSolver, outcomes: Outcomes, plain: Snails) -> None:
    """The outcome is the oracle's, and the move keeps it."""
    sign = 1 if plain.mover == "x" else -1
    found = own.solve(own.game.from_text(plain.text()))
    assert found.outcome is not None and found.best is not None
    assert SIGNS[found.outcome] == sign * outcomes.of(plain), plain.text()
    assert outcomes.of(plain.play(found.best)) == outcomes.of(plain), plain.text()


def test_the_oracle_knows_the_rules() -> None:
    dice = random.Random(2)
    for rows, cols in ((4, 4), (4, 5), (6, 4)) * 20:
        game, outcomes = Snails(rows, cols), Outcomes(rows, cols)
        while not game.over():
            after = [game.play(move) for move in game.legal()]
            assert outcomes.children(outcomes.place(game)) == [outcomes.place(x) for x in after]
            game = dice.choice(after)
            assert outcomes.over(outcomes.place(game)) == game.over()


@pytest.mark.parametrize(("rows", "cols", "empty"), [(4, 4, 5), (4, 5, 4), (5, 4, 4), (5, 5, 4)])
def test_plain_minimax_agrees(rows: int, cols: int, empty: int) -> None:
    dice, outcomes, own = random.Random(rows * 10 + cols), Outcomes(rows, cols), solver_of(rows, cols)
    for _ in range(60):
        check(own, outcomes, random_position(dice, rows, cols, empty))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "cols", "empty", "count"),
    [(4, 4, 7, 1500), (4, 5, 6, 600), (5, 4, 6, 600), (5, 5, 5, 300), (4, 7, 5, 300)],
)
def test_plain_minimax_agrees_on_thousands(rows: int, cols: int, empty: int, count: int) -> None:
    dice, outcomes, own = random.Random(cols), Outcomes(rows, cols), solver_of(rows, cols)
    for _ in range(count):
        check(own, outcomes, random_position(dice, rows, cols, empty))
