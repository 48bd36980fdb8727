"""Compiled rules that return an impossible number of moves: an error, and no damage."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import plywise
from plywise import trial
from plywise.core.game import Game, Record
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.net import Sight
from plywise.engines.perft import perft
from plywise.engines.random import playouts
from plywise.errors import RulesError
from plywise.jit import rule
from plywise.jit.kernels import SPARE, roomy
from plywise.learn.weights import Weights
from tests.trial.broken import broken

SAYS = "found no move in a position that is not over, or more moves than max_moves"
SEARCHES = {
    "alphabeta": lambda game: plywise.engine("alphabeta", game).search(game.start()),
    "mcts": lambda game: plywise.engine("mcts", game).search(game.start()),
    "minimax": lambda game: plywise.engine("minimax:depth=9", game).search(game.start()),
    "proof": lambda game: plywise.engine("proof", game).search(game.start()),
    "solve": lambda game: plywise.solve(game.start()),
    "perft": lambda game: perft(game.start(), 8),
    "playouts": lambda game: playouts(game.start(), 100),
}


@pytest.fixture(params=["too few moves in sizes", "no moves, but not over"], scope="module")
def unlucky(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game whose mistake the trial did not meet."""
    file: Path = tmp_path_factory.mktemp("unlucky") / "broken.py"
    text = broken(request.param).replace("lambda b: (4, b.cells)", "lambda b: (4, 9)")
    file.write_text(text.replace("lambda b: (b.cells, b.cells)", "lambda b: (b.cells, 9)"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(trial, "has_passed", lambda mark: True)
        game = plywise.game(str(file))
    return game


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if name == "perft" else pytest.mark.long)
        for name in SEARCHES
    ],
)
def test_a_search_raises(name: str, unlucky: Game) -> None:
    # The interpreted list of moves would raise as well, but not as a RulesError.
    vars(unlucky).setdefault("start", lambda: _start(unlucky))
    with pytest.raises(RulesError, match=SAYS):
        SEARCHES[name](unlucky)


@rule
def see_nothing(b: Record, s: Record, out: Record) -> None:
    """Leave every place empty."""


@pytest.mark.long
def test_a_search_with_a_net_raises(unlucky: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The net lists the moves by a rule of its own, which calls the author's."""
    vars(unlucky).setdefault("start", lambda: _start(unlucky))
    patterns = np.array([[0, 1], [1, 2]], np.int16)
    below = np.full(4, -1, np.int16)
    sight = Sight(see_nothing, 4, 3, below, 0, lambda: (patterns, np.array([0, 0])))
    monkeypatch.setattr("plywise.engines.net.weights.sight", lambda game: sight)
    net = Weights(sight.inputs, hidden=4, seed=1).net(unlucky)
    with pytest.raises(RulesError, match=SAYS):
        AlphaBeta(unlucky, net=net).search(unlucky.start())


def _start(game: Game) -> plywise.Position:
    position = type(game).start(game)
    vars(position)["legal_codes"] = (0, 1, 2, 3)
    return position


DEBUG = """
import numpy as np
from plywise import rule
from plywise.jit import kernel

@rule
def turn(b, s):
    return s[b]

@kernel
def tiny(turn):
    def loop(b, s):
        return turn(b, s)
    return loop

tiny.build(turn=turn)(2000, np.zeros(9000, np.int64)[:1000])
"""


@pytest.mark.slow
@pytest.mark.parametrize("debug", ["", "1"])
def test_debug_checks_every_index(debug: str, tmp_path: Path) -> None:
    environment = {**os.environ, "PLYWISE_CACHE": str(tmp_path), "PLYWISE_DEBUG": debug}
    file = tmp_path / "tiny.py"
    file.write_text(DEBUG)
    done = subprocess.run(
        [sys.executable, str(file)], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode != 0) is ("IndexError" in done.stderr) is bool(debug), done.stderr


def test_room_to_spare() -> None:
    array = roomy((3, 5), np.int32)
    assert (array.shape, array.dtype, array.flags.c_contiguous) == ((3, 5), np.int32, True)
    assert array.flags.writeable
    memory = np.asarray(array.base.obj) if isinstance(array.base, memoryview) else array.base
    assert memory.nbytes == array.nbytes + 2 * SPARE
