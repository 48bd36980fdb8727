"""Every engine finds what plain minimax in Python finds, in every game: the one test to trust.

The positions are late ones of random games, so that the whole truth about them is known. In
`make test` the shipped games are compiled, since their kernels are there anyway, and so is one set
of rules with all shapes of tangles; the others are interpreted, which takes the same steps.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

import plywise
from plywise import Analysis, Game, Limits, Position
from plywise.core.analysis import outcome_of
from plywise.core.spec import Spec
from plywise.engines.auto import is_open
from plywise.engines.solve import solver
from plywise.jit.kernels import KernelFactory
from tests.awkward import LIST, SHIPPED, Awkward
from tests.oracle.minimax import Known, margin_of, margins, minimax, sign
from tests.positions import endings

Search = Callable[[Position], Analysis]

TANGLES = [each for each in LIST if each.name.startswith("tangle")]
OTHERS = [each for each in LIST if each not in TANGLES]

#: Every way to a result, with limits that let it come to its end.
AGENTS = {
    "minimax": Limits(depth=1000),
    "textbook:order=promise": Limits(depth=1000),
    "alphabeta:memory=1": Limits(depth=1000),
    "alphabeta:memory=1,threads=3": Limits(depth=1000),
    "mcts:memory=4": Limits(nodes=1_000_000),
    "proof:memory=1": Limits(),
    "auto:memory=1": Limits(depth=1000, nodes=1_000_000),
}


def searches(game: Game, compiled: bool = True) -> dict[str, Search]:
    """Every engine, and the solver."""
    found: dict[str, Search] = {}
    for agent, limits in AGENTS.items():
        if agent.startswith("auto") and is_open(game) and not compiled:
            continue  # it would play games against itself first, to find out what it is
        engine = plywise.engine(agent, game)
        found[agent] = lambda position, by=engine, within=limits: by.search(position, within)
    return {**found, "solve": solver(game).solve}


def check(position: Position, known: Known, found: Analysis, who: str) -> None:
    """Compare a result with the truth: who wins, by how much, how soon, and by which move."""
    game, best, each = position.game, margin_of(position, known), margins(position, known)
    where = f"{who}: {position!r}, {known[position]}, {each}, {found}"
    assert found.outcome == outcome_of(best), where
    assert found.value == sign(best), where
    assert found.best is not None
    if game.points and found.score_kind == "points":
        assert (found.score, each[found.best]) == (best, best), where
    assert sign(each[found.best]) == sign(best), where
    if found.plies_to_end is not None and best and not game.points:
        assert found.plies_to_end == minimax(position, known).plies, where
    if game.points and not who.startswith("proof"):
        assert found.score_kind == "points", where
    if game.type.has_own_score and who == "solve":
        plies = minimax(position, known).plies
        exact = game.type.exact(game.board, position.state, best, plies)
        assert (found.score, found.score_kind) == exact, where


def agree(game: Game, count: int, most: int, seed: int, compiled: bool = True) -> None:
    engines = searches(game, compiled)
    for position, known in endings(game, count, seed, most):
        for who, search in engines.items():
            check(position, known, search(position), who)


@pytest.mark.slow
@pytest.mark.parametrize("count", [150, pytest.param(1500, marks=pytest.mark.long)])
@pytest.mark.parametrize("spec", SHIPPED)
def test_shipped_games(spec: str, count: int) -> None:
    agree(plywise.game(spec), count, SHIPPED[spec], seed=count)


@pytest.mark.slow
@pytest.mark.parametrize("maps", [3, pytest.param(100, marks=pytest.mark.long)])
@pytest.mark.parametrize("awkward", TANGLES, ids=lambda each: each.name)
def test_tangles(awkward: Awkward, maps: int) -> None:
    """The one of the list, and others of its shape."""
    game = awkward.make()
    wide = awkward.most > 1000
    agree(game, 10 if wide else 60, awkward.most, seed=1)
    for seed in () if wide else range(1, maps):
        other = game.type(Spec("tangle", {**_texts(game), "seed": str(100 * seed)}))
        agree(other, 20, awkward.most, seed=seed)


def _texts(game: Game) -> dict[str, str]:
    return {name: str(value) for name, value in game.params.items()}


@pytest.mark.slow
@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("awkward", OTHERS, ids=lambda each: each.name)
def test_the_other_awkward_games(
    awkward: Awkward, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not compiled:
        monkeypatch.setattr(KernelFactory, "build", KernelFactory.plain)
    agree(awkward.make(), 200 if compiled else 15, awkward.most, seed=2, compiled=compiled)
