"""Andantino weights from self-play: `python -m bench.andantino_tuning [--games N] [--nodes N]`.

The expert plays itself from random openings. For every position, the features of the evaluation
and the winner of the game are recorded, and a logistic regression finds the most likely weights.
Weights are in the game's units: a score of 60 means odds of 3 : 1.
"""

from __future__ import annotations

import argparse
import random
from typing import Any

import numpy as np

import plywise
from plywise.core.game import Record, Verb
from plywise.core.position import Position
from plywise.engines import make
from plywise.games.andantino import rules
from plywise.jit import kernel

UNIT = 60.0 / np.log(3.0)  #: score per unit of log odds
QUIET = ("2 stones", "3 stones", "4 stones", "3 around", "4, 5 around")
RIDGE = 2.0  #: strength of the ridge penalty, which matters where there is little data


@kernel
def feature_kernel() -> Verb:
    """Compute the features of the evaluation, for the side to move and for the opponent."""

    def features(states: Record, quiet: Record) -> None:
        for i in range(states.size):
            s = states[i]
            for side in range(2):
                player = s.turn if side == 0 else 1 - s.turn
                for stones in range(2, 5):
                    quiet[i, side, stones - 2] = s.count[player, stones]
                quiet[i, side, 3] = s.hug[player, 3]
                quiet[i, side, 4] = s.hug[player, 4] + s.hug[player, 5]

    return features


def self_play(games: int, nodes: int, seed: int) -> list[tuple[Position, int]]:
    """Play games between equals; return their positions, each with the winner (0 or 1)."""
    game = plywise.game("andantino")
    engine = make("expert:net=no", game)
    rng = random.Random(seed)
    found: list[tuple[Position, int]] = []
    for _ in range(games):
        position, seen = game.start(), []
        opening = rng.randrange(3, 12)
        while not position.over:
            if len(position.moves) < opening or rng.random() < 0.03:
                position = position.play_code(rng.choice(position.legal_codes))
                continue
            seen.append(position)
            analysis = engine.search(position, plywise.Limits(nodes=nodes))
            assert analysis.best is not None
            position = position.play(analysis.best)
        if position.winner:
            found += [(each, position.winner - 1) for each in seen]
    return found


def fit(counts: Any, won: Any) -> Any:
    """Fit the weights, own and the opponent's, by maximum likelihood (Newton's method)."""
    columns = np.concatenate([counts[:, 0], -counts[:, 1]], axis=1).astype(float)
    columns = np.concatenate([columns, np.ones((len(columns), 1))], axis=1)  # the move itself
    weights = np.zeros(columns.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (won - chance) - RIDGE * weights
        bend = (columns * (chance * (1 - chance))[:, None]).T @ columns
        weights += np.linalg.solve(bend + RIDGE * np.eye(len(weights)), slope)
    return weights * UNIT


def tell(names: tuple[str, ...], weights: Any) -> None:
    """Print a table of weights."""
    for number, name in enumerate(names):
        print(
            f"  {name:<14} own {weights[number]:7.1f}   other {weights[number + len(names)]:7.1f}"
        )
    print(f"  the move itself {weights[-1]:6.1f}")


def main() -> None:
    """Play, fit, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.andantino_tuning", description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=3000, help="nodes per move")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    played = self_play(given.games, given.nodes, given.seed)
    states = np.concatenate([position.states for position, _ in played])
    won = np.array([float(winner == position.turn) for position, winner in played])
    quiet = np.zeros((len(states), 2, len(QUIET)))
    game = played[0][0].game
    feature_kernel.build(game.rules)(states, quiet)
    calm = np.array([is_quiet(position) for position, _ in played])
    first = np.mean([winner == 0 for _, winner in played])
    print(f"{given.games} games, {len(won)} positions, {int(calm.sum())} of them quiet; ", end="")
    print(f"black won {first:.0%}")
    print("the expert, from quiet positions:")
    tell(QUIET, fit(quiet[calm], won[calm]))


def is_quiet(position: Position) -> bool:
    """Return True if neither side has a cell that wins at once."""
    board, state = position.game.board, position.state
    return not any(rules.winning(board, state, player)[0] for player in range(2))


if __name__ == "__main__":
    main()
