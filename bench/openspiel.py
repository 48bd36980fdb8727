"""OpenSpiel, used as its documentation shows: alpha-beta, MCTS and random games."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import pyspiel
from open_spiel.python.algorithms import minimax

import plywise

GAME = pyspiel.load_game("connect_four")
ROWS, COLUMNS = 6, 7

#: Makes the value function of a player.
Evaluation = Callable[[int], Callable[[Any], float]]


def state(moves: str) -> Any:
    """Return the position after moves in plywise's notation, columns from 1."""
    position = GAME.new_initial_state()
    for column in moves:
        position.apply_action(int(column) - 1)
    return position


def nothing(player: int) -> Callable[[Any], float]:
    """Return the cheapest possible value function: every position is equal."""
    return lambda position: 0.0


def fours_in_reach(player: int) -> Callable[[Any], float]:
    """Count the fours through a player's discs minus the opponent's, scaled below a win.

    It is the cheap half of plywise's own evaluation: a weighted sum over the observation, whose
    planes are the first player's discs, the second's and the empty cells, rows from the bottom.
    """
    through = plywise.game("connect4").board.through  # column by column, a spare bit on each
    fours = np.array([through[c * (ROWS + 1) + r] for r in range(ROWS) for c in range(COLUMNS)])
    planes = (fours, -fours) if player == 0 else (-fours, fours)
    weights = np.concatenate([*planes, np.zeros(ROWS * COLUMNS)]) / 1000

    def value(position: Any) -> float:
        return float(weights.dot(position.observation_tensor(0)))

    return value


def alphabeta(moves: str, depth: int, evaluation: Evaluation) -> Callable[[], Any]:
    """Return its Python alpha-beta to a depth, ready to run."""
    return alphabeta_from(state(moves), depth, evaluation)


def alphabeta_from(root: Any, depth: int, evaluation: Evaluation = nothing) -> Callable[[], Any]:
    """Return its Python alpha-beta from a position of any game."""
    value = evaluation(root.current_player())
    return partial(
        minimax.alpha_beta_search,
        root.get_game(),
        state=root,
        value_function=value,
        maximum_depth=depth,
    )


def nodes_of(search: Callable[[], Any]) -> int:
    """Count the positions that a search visits: the calls of its recursive function.

    Count apart from the timed runs, as counting slows them down.
    """
    nodes = 0
    visit = minimax._alpha_beta

    def counting(*given: Any, **named: Any) -> Any:
        nonlocal nodes
        nodes += 1
        return visit(*given, **named)

    with mock.patch.object(minimax, "_alpha_beta", counting):
        search()
    return nodes


def mcts(moves: str, playouts: int, seed: int = 1) -> Callable[[], Any]:
    """Return its C++ MCTS with one random playout per simulation and proved results backed up."""
    return partial(mcts_bot(GAME, playouts, seed).mcts_search, state(moves))


def mcts_bot(game: Any, playouts: int, seed: int) -> Any:
    """Return its bot for a game."""
    return pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed),
        uct_c=2.0,
        max_simulations=playouts,
        max_memory_mb=1000,
        solve=True,
        seed=seed,
        verbose=False,
    )


def random_games(count: int, seed: int = 1) -> int:
    """Play random games, driven from Python; return the total number of plies."""
    rng = random.Random(seed)
    plies = 0
    for _ in range(count):
        position = GAME.new_initial_state()
        while not position.is_terminal():
            position.apply_action(rng.choice(position.legal_actions()))
            plies += 1
    return plies
