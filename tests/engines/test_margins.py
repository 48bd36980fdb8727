"""In games of points: what an engine says about the end is true, and a margin is a margin."""

from __future__ import annotations

import pytest

import plywise
from plywise import Limits, Position
from plywise.core.analysis import Line, outcome_of
from plywise.engines.scale import UNIT
from plywise.jit.kernels import KernelFactory
from tests.awkward import LIST
from tests.oracle.minimax import Known, margins
from tests.positions import endings

AGENTS = ("alphabeta", "minimax", "textbook", "mcts", "mcts:playouts=40", "proof", "auto:level=3")
POINTS = [each for each in LIST if "points" in each.kinds]


def check(position: Position, known: Known, line: Line) -> None:
    real = margins(position, known)[line.move]
    if line.outcome is not None:
        assert line.outcome == outcome_of(real), (position, line)
    if line.margin is not None:
        assert line.margin == real, (position, line)


@pytest.fixture(params=[False, pytest.param(True, marks=pytest.mark.long)])
def compiled(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Small searches are interpreted: the compiler takes seconds for each set of rules."""
    if not request.param:
        monkeypatch.setattr(KernelFactory, "build", KernelFactory.plain)
    return bool(request.param)


@pytest.mark.slow
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("awkward", POINTS, ids=lambda each: each.name)
def test_what_is_said_to_be_proved_is_true(awkward, agent: str, compiled: bool) -> None:  # type: ignore[no-untyped-def]
    engine = plywise.engine(agent, awkward.make())
    count = 200 if compiled else 12
    for position, known in endings(awkward.make(), count, 3, 100):
        for nodes in (20, 2_000):
            analysis = engine.search(position, Limits(nodes=nodes), lines=True)
            check(position, known, analysis.line)
            for line in analysis.lines:
                check(position, known, line)


def test_a_proof_says_who_wins_but_not_by_how_much() -> None:
    game = plywise.game("align:size=3")
    found = plywise.engine("proof", game).search(game.start())
    assert (found.outcome, found.value, found.line.margin) == ("win", 1.0, None)
    assert (found.score, found.score_kind) == (UNIT, "estimate")
    assert plywise.solve(game.start()).line.margin == 6
