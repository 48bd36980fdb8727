"""Every way to an exact result agrees with plain minimax: the one test to trust."""

from __future__ import annotations

import pytest

import plywise
from plywise import Limits
from plywise.engines.solve import solver
from tests.positions import random_positions

SMALL = [
    ("tictactoe", range(9), 700),
    ("tictactoe:rows=3,cols=4,k=3", range(4, 11), 400),
    ("tictactoe:rows=4,cols=4,k=3", range(8, 15), 250),
    ("tictactoe:rows=4,cols=4", range(8, 15), 250),
    ("connect4:rows=4,cols=4", range(5, 15), 500),
    ("connect4:rows=4,cols=5", range(9, 19), 300),
    ("connect4", range(32, 41), 200),
]


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.2, pytest.param(1.0, marks=pytest.mark.long)])
@pytest.mark.parametrize(("spec", "plies", "count"), SMALL)
def test_all_engines_agree(spec: str, plies: range, count: int, share: float) -> None:
    game = plywise.game(spec)
    whole = Limits(depth=game.max_plies)
    minimax = plywise.engine("minimax", game)
    textbook = plywise.engine("textbook:order=promise", game)
    alphabeta = plywise.engine("alphabeta:memory=1", game)
    proof = plywise.engine("proof:memory=1,nodes=10000000", game)
    mcts = plywise.engine("mcts:memory=64", game)
    exact = solver(game)
    for position in random_positions(game, int(share * count), plies, seed=7):
        truth = minimax.search(position, whole, lines=True)
        assert truth.outcome is not None
        kept = {line.move for line in truth.lines if line.outcome == truth.outcome}
        for engine, limits in (
            (textbook, whole),
            (alphabeta, whole),
            (proof, Limits()),
            (mcts, Limits(nodes=3_000_000)),
        ):
            found = engine.search(position, limits)
            assert found.outcome == truth.outcome, (engine.name, position)
            assert found.best in kept, (engine.name, position)
            assert found.value == truth.value, (engine.name, position)
        solved = exact.solve(position)
        assert (solved.outcome, solved.best in kept) == (truth.outcome, True), position
        if game.type.exact is not None:
            assert (solved.score, solved.score_kind) == (truth.score, truth.score_kind), position
