"""Black's win in Andantino, by the book and by two searches."""

from __future__ import annotations

import pytest
from bench.andantino_triangle import steps

import plywise
from plywise import Limits
from plywise.engines.book import shipped
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.proof import Prover
from plywise.games.andantino.solver import Solver
from tests.positions import random_positions

GAME = plywise.game("andantino")


@pytest.mark.slow
def test_black_wins() -> None:
    for moves in ("", "j10 k10", "j10 k10 j11 i11"):
        assert plywise.solve(GAME.position(moves)).outcome == "win"
    for moves in ("j10", "j10 k10 j11", "j10 k10 j11 i11 k9"):
        assert plywise.solve(GAME.position(moves)).outcome == "loss"
    assert plywise.solve(GAME.start(), Limits(nodes=10_000), book=False).outcome is None
    assert shipped(plywise.game("andantino:side=9")) is None


def test_the_expert_plays_by_the_book() -> None:
    expert = plywise.engine("expert:time=0.02", GAME)
    position = GAME.position("j10 k10 j11 i11 k9 j9")
    found = expert.search(position)
    assert found.outcome == "win"
    assert plywise.solve(position.play(str(found.best))).outcome == "loss"


@pytest.mark.slow
def test_proof_numbers_and_longer_and_longer_wins_agree() -> None:
    """Two searches that share only the rules."""
    solver, prover = Solver(GAME, memory=16.0), Prover(GAME, 16.0)
    decided = 0
    for position in random_positions(GAME, 60, range(8, 24), seed=5):
        found = solver.deepen(position, Limits(nodes=100_000), Run(NO_LIMITS), None)
        if found.outcome is None:
            continue
        decided += 1
        winner = position.turn if found.outcome == "win" else 1 - position.turn
        prover.forget()
        assert prover.ask(position, winner, Run(NO_LIMITS)).settled is True
        assert prover.ask(position, 1 - winner, Run(NO_LIMITS), 100_000).settled is not True
    assert decided > 20


@pytest.mark.slow
def test_the_win_is_long() -> None:
    """White can hold out past move 23, as docs/games/andantino.md says."""
    found = list(steps(23))
    assert [step.through for step in found] == [*range(5, 24, 2)]
    assert not any(step.wins for step in found)


def test_a_win_by_proof_numbers_has_a_sequence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plywise.games.andantino.solver.FIRST_TURN", 200)
    position = GAME.position("j10 j11 i11 i10 i12 h11 j12 h12 i13 j13")
    found = Solver(GAME, memory=8.0).solve(position)
    assert found.outcome == "win"
    assert found.plies_to_end is None
    for move in found.pv:
        position = position.play(move)
    assert position.winner == 1
