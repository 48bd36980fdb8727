"""Tunes Andantino's `seed-tuned` weights: `python -m bench.andantino_seed --games N --rounds N`.

Two searches of depth 2, like the paper's, play each other from random openings, each from both
sides. Each weight in turn is tried at other values, and a value is kept if it wins more games
against the paper's agent and against the best so far.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import plywise
from plywise.core.game import Record, Verb
from plywise.games.andantino.agents import WIN, side
from plywise.jit import kernel
from plywise.jit.rng import below, generator

OPENING = 5  #: random plies before a game
NAMES = ("two", "three", "four", "ring")
SEED = np.array([[1.0, 10.0, 100.0, 0.0], [0.0, 0.0, 0.0, 0.0]])  #: own, the opponent's
VALUES = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 70.0, 100.0, 150.0, 250.0)


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
                while True:
                    setup(b, states[3])
                    for _ in range(OPENING):
                        n = moves(b, states[3], lists[0])
                        play(b, states[3], lists[0, below(rng, n)])
                    if not over(b, states[3]):
                        break
            states[0] = states[3]
            while not over(b, states[0]):
                me = states[0].turn
                w = weights[(me + number) % 2]
                own = (w[0, 0], w[0, 1], w[0, 2], w[0, 3])
                other = (w[1, 0], w[1, 1], w[1, 2], w[1, 3])
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
                                value = side(b, states[2], me, own)
                                value -= side(b, states[2], 1 - me, other)
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

    def __init__(self, games: int) -> None:
        self.game = plywise.game("andantino")
        self.kernel = duel_kernel.build(self.game.rules)
        self.states = np.zeros(4, self.game.type.state)
        self.lists = np.zeros((2, self.game.max_moves), np.int32)
        self.games = games

    def share(self, one: Any, two: Any, seed: int) -> float:
        """Return the share of games that the first wins."""
        weights = np.stack([one, two])
        won = self.kernel(
            self.game.boards, self.states, self.lists, weights, self.games, generator(seed)
        )
        return int(won) / self.games


def main() -> None:
    """Climb uphill, and print every step."""
    parser = argparse.ArgumentParser(prog="python -m bench.andantino_seed", description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="games per match")
    parser.add_argument("--rounds", type=int, default=2)
    given = parser.parse_args()
    duels = Duels(given.games)
    best = SEED.copy()
    best[0, 3] = 100.0
    score = 0.5
    for number in range(given.rounds):
        for who in range(2):
            for kind in range(4):
                for value in VALUES:
                    if value == best[who, kind]:
                        continue
                    tried = best.copy()
                    tried[who, kind] = value
                    against = duels.share(tried, SEED, 7), duels.share(tried, best, 8)
                    if against[0] + against[1] > score + 0.5 + 0.02:
                        score, best = against[0], tried
                        name = f"{('own', 'other')[who]} {NAMES[kind]} = {value:g}"
                        print(f"round {number + 1}: {name}: {against[0]:.1%} against seed, "
                              f"{against[1]:.1%} against the last", flush=True)  # fmt: skip
    print("own", best[0].tolist(), "other", best[1].tolist())
    fresh = duels.share(best, SEED, 1234)
    print(f"in new games: {fresh:.1%} against seed")


if __name__ == "__main__":
    main()
