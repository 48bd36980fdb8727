"""Games between two sets of weights, in one compiled loop: hundreds of games a second.

Both sides search two plies like the paper's agent, and score the leaves with `agents.side`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from plywise.core.game import Game, Record, Verb
from plywise.games.andantino.agents import OTHER, OWN, PAPER, WIN, side
from plywise.jit import kernel
from plywise.jit.bits import below, generator
from plywise.play.statistics import Share

OPENING = 8  #: random plies before a game: 24,768 sequences, and none of them ends it
ROW, RING = 3, 9  #: the weights of a length are open, half-open and broken; a ring's cell is last
OWNED, OPPOSED = 0, 1  #: the weights of a player's own stones, and of the opponent's

NOTHING = (0.0,) * (RING + 1)
SEED = np.array([PAPER, NOTHING])
#: Tuned without telling open from half-open rows, and without broken ones.
CHAINS = np.array(
    [
        (1.0, 1.0, 0.0, 10.0, 10.0, 0.0, 50.0, 50.0, 0.0, 100.0),
        (0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 50.0, 50.0, 0.0, 100.0),
    ]
)
TUNED = np.array([OWN, OTHER])  #: `seed-tuned`, with all of them


@kernel
def duel_kernel(moves: Verb, play: Verb, over: Verb, setup: Verb) -> Verb:
    """Play games between two sets of weights; the first plays black in every other game."""

    def duel(
        board: Record, states: Record, lists: Record, weights: Record, games: int, rng: Record
    ) -> int:
        b = board[0]
        won = 0
        for number in range(games):
            if number % 2 == 0:  # a pair of games has the same opening
                setup(b, states[3])
                for _ in range(OPENING):
                    n = moves(b, states[3], lists[0])
                    play(b, states[3], lists[0, below(rng, n)])
            states[0] = states[3]
            while not over(b, states[0]):
                me = states[0].turn
                w = weights[(me + number) % 2]
                best, choice = -2.0 * WIN, 0
                n = moves(b, states[0], lists[0])
                for i in range(n):
                    states[1] = states[0]
                    play(b, states[1], lists[0, i])
                    worst = 2.0 * WIN
                    if over(b, states[1]):
                        worst = WIN if states[1].won == me + 1 else -WIN
                    else:
                        answers = moves(b, states[1], lists[1])
                        for k in range(answers):
                            states[2] = states[1]
                            play(b, states[2], lists[1, k])
                            if over(b, states[2]):
                                value = WIN - 2 if states[2].won == me + 1 else 2 - WIN
                            else:
                                value = side(b, states[2], me, w[OWNED])
                                value -= side(b, states[2], 1 - me, w[OPPOSED])
                            worst = min(worst, value)
                            if worst <= best:
                                break
                    if worst > best:
                        best, choice = worst, lists[0, i]
                play(b, states[0], choice)
            if states[0].won != 0 and (states[0].won - 1 + number) % 2 == 0:
                won += 1
        return won

    return duel


class Duels:
    """The board and the kernel's scratch memory."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = duel_kernel.build(game.rules)
        self.states = np.zeros(4, game.type.state)
        self.lists = np.zeros((2, game.max_moves), np.int32)

    def share(self, one: Any, two: Any, games: int, seed: int) -> Share:
        """Return the share of games that the first wins."""
        weights = np.stack([one, two])
        won = self.kernel(
            self.game.boards, self.states, self.lists, weights, games, generator(seed)
        )
        return Share(int(won), games)


@cache
def duels(game: Game) -> Duels:
    """The duels of a game, made once."""
    return Duels(game)
