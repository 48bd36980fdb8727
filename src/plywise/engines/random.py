"""Random moves: the agent that any other should beat, and games counted inside a kernel."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop
from plywise.core.game import AgentType, Game, Record, Verb
from plywise.core.position import Position
from plywise.core.spec import Parameter
from plywise.engines.driver import NO_LIMITS, GameAgent, Run
from plywise.jit import kernel
from plywise.jit.bits import below, generator
from plywise.jit.kernels import roomy
from plywise.trial import ensure_tried


class RandomMover(GameAgent):
    """Plays every legal move with the same chance. The seed determines the sequence of moves."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Choose a move at random; all moves get the same score."""
        best = self.random.choice(position.legal)
        every = tuple(Line(move, 0.0, 0.0, pv=(move,)) for move in position.legal)
        return Analysis(best, 0.0, 0.0, pv=(best,), lines=every if lines else ())


RANDOM = AgentType(
    RandomMover,
    (Parameter("seed", 0, "random seed"),),
    "a random legal move",
)


def wander(game: Game, plies: int, rng: random.Random) -> Position:
    """Return the position after some random plies, or after fewer if the game would be over."""
    position = game.start()
    for _ in range(plies):
        after = position.play_code(rng.choice(position.legal_codes))
        if after.over:
            break
        position = after
    return position


# ---- playouts -----------------------------------------------------------------------------------


class Tally(NamedTuple):
    """The results of random games, and their total number of moves."""

    first: int  #: won by player 1, who is number 0 in the rules
    draws: int
    second: int
    plies: int


def playouts(position: Position, count: int, seed: int = 0) -> Tally:
    """Play `count` random games."""
    ensure_tried(position.game)
    loop = playout_kernel.build(position.game.rules)
    states = position.states.repeat(2)
    out = roomy(position.game.max_moves, np.int32)
    tally = np.zeros(len(Tally._fields), np.int64)
    rng, run = generator(seed), Run(NO_LIMITS)
    boards = position.game.boards
    run.call([lambda: loop(boards, states, out, rng, count, tally, run.stop, run.halt)])
    return Tally(*tally.tolist())


@kernel
def playout_kernel(moves: Verb, play: Verb, over: Verb, margin: Verb) -> Verb:
    """Play `count` games from `states[0]` in `states[1]`; `tally` has the layout of `Tally`."""

    def playout(
        board: Record,
        states: Record,
        out: Record,
        rng: Record,
        count: int,
        tally: Record,
        stop: Record,
        halt: Record,
    ) -> None:
        b = board[0]
        s = states[1]
        for _ in range(count):
            if stop[0] | halt[0] != 0:
                break
            states[1] = states[0]
            while not over(b, s):
                found = moves(b, s, out)
                play(b, s, out[below(rng, found)])
                tally[3] += 1
            result = margin(b, s)
            tally[0 if result > 0 else 2 if result < 0 else 1] += 1

    return playout
