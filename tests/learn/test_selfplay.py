"""What a position of a game against itself turned out to be worth, on the awkward games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plywise import Game, Position
from plywise.engines.kernels.alphabeta import alphabeta_kernel
from plywise.engines.kernels.stack import WON
from plywise.errors import Unsupported
from plywise.learn.kernels import selfplay_kernel
from plywise.learn.learner import Learner, Settings
from tests.awkward import Awkward, every_awkward_game
from tests.oracle.minimax import Known, TooLarge, minimax, sign

POSITIONS = 16  #: of each game; without the compiler a search takes a hundredth of a second
SMALL = (
    "domineering",
    "dots",
    "hex",
    "othello",
)  #: something is soon proved


@pytest.mark.slow
@every_awkward_game
def test_what_is_proved_is_true(awkward: Awkward, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever moves, and twice in a row too: a proved value is that of plain minimax."""
    game = awkward.make()
    states: list[Any] = []
    proved: list[bool] = []

    def build(*verbs: Any, **more: Any) -> Any:
        search = alphabeta_kernel.plain(*verbs, **more)

        def watched(board: Any, stack: Any, common: Any, tasks: Any) -> None:
            states.append(stack.states[0].copy())
            search(board, stack, common, tasks)
            proved.append(bool(tasks[0].certain) or abs(tasks[0].value) > WON)

        return watched

    monkeypatch.setattr(alphabeta_kernel, "inner", build)
    monkeypatch.setattr(selfplay_kernel, "build", selfplay_kernel.plain)
    if game.type.look is None:
        with pytest.raises(Unsupported, match="give it a look"):
            Learner(game)
        return
    learner = Learner(game, Settings(positions=POSITIONS, hidden=2), threads=1)
    learner.run(rounds=1)
    samples = learner.replay[-1]
    assert samples.size == len(states) == len(proved)
    known: Known = {}
    checked = 0
    for state, certain, turn, value in zip(
        states, proved, samples.turns, samples.values, strict=True
    ):
        position = position_of(game, state)
        assert position.turn == turn
        assert -1.0 <= value <= 1.0
        if certain:
            try:
                margin = minimax(position, known, awkward.most).margin
            except TooLarge:
                continue
            worth = margin / learner.selfplay["gain"][0] if game.points else float(sign(margin))
            assert value == pytest.approx(max(-1.0, min(1.0, worth)))
            checked += 1
    assert checked or game.name not in SMALL


def position_of(game: Game, state: Any) -> Position:
    """Return the position of a state to which a net has added what it has seen."""
    states = np.zeros(1, game.type.state)
    for name in game.type.state.names:
        states[0][name] = state[name]
    return Position(game, states.view(np.recarray))
