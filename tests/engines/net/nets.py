"""Nets with random weights, and what they say by the plain formula."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

import plywise
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.rules import MEASURES
from plywise.engines.net import Inputs, Net
from plywise.engines.net.verbs import FINE, MOST, SHIFT
from plywise.engines.net.weights import sight
from plywise.learn.kernels import Layers
from plywise.learn.weights import Weights, usual_sizes

HEX = "examples/hex.py:size=5"
MEASURED = "examples/domineering.py:rows=5,cols=4"  #: its rules have measures
GAMES = ("tictactoe", "connect4", "andantino:side=5", HEX, "examples/othello.py:side=6", MEASURED)


@cache
def random_net(spec: str, patterns: bool = True) -> tuple[Net, Weights]:
    """A net with random weights, as whole numbers and as fractions."""
    game = plywise.game(spec)
    scales = usual_sizes(game, game.rules)
    inputs = Inputs.blind(len(scales))
    if patterns:
        inputs = replace(sight(game).inputs, measures=len(scales))
    weights = Weights(inputs, hidden=8, seed=3, scales=scales)
    rng = np.random.default_rng(5)
    rows = weights.arrays["rows"]
    rows[:] = rng.normal(0, 0.2, rows.shape)
    rows[weights.inputs.first] = 0
    for name in Layers._fields:
        weights.arrays[name][:] = rng.normal(0, 0.5, weights.arrays[name].shape)
    return weights.net(game), weights


def rows_of(net: Net, position: Position) -> Any:
    """The row of every pattern."""
    inputs = net.inputs
    if not inputs.cells:
        return np.zeros(0, np.int64)
    seen = np.zeros(inputs.cells + 1, np.int64)
    seen[:-1] = contents(net, position)
    return inputs.first + (seen[inputs.patterns] * inputs.powers).sum(1)


def whole_output(net: Net, position: Position) -> float:
    """The output for player 0 by the plain formula in whole numbers."""
    given, me = net.weights, position.turn
    sums = given["rows"][rows_of(net, position)].astype(np.int64).sum(0) + given["bias"][me]
    sums += (measured(net, position) @ given["gauges"].astype(np.int64)) >> SHIFT
    inner = np.clip(sums, 0, MOST * FINE) @ given["inner"][me].astype(np.int64)
    hidden = np.maximum((inner + given["inner_bias"][me]) >> SHIFT, 0)
    return float(hidden @ given["outer"][me] + given["outer_bias"][me]) / FINE**2


def output(weights: Weights, net: Net, position: Position) -> float:
    """The same in fractions, as it is learned."""
    arrays, me = weights.arrays, position.turn
    sums = arrays["rows"][rows_of(net, position)].sum(0) + arrays["bias"][me]
    sums = sums + (measured(net, position) / weights.scales) @ arrays["gauges"]
    inner = np.clip(sums, 0, MOST) @ arrays["inner"][me] + arrays["inner_bias"][me]
    return float(np.maximum(inner, 0) @ arrays["outer"][me] + arrays["outer_bias"][me])


def measured(net: Net, position: Position) -> Any:
    """The measures of the rules."""
    out = np.zeros(MEASURES, np.int64)
    if net.inputs.measures:
        assert net.game.rules.measures is not None
        net.game.rules.measures(net.game.board, position.state.copy(), out)
    return out[: net.inputs.measures]


def contents(net: Net, position: Position) -> Any:
    """What stands on the places, with those on which a piece would come to rest."""
    game, inputs = net.game, net.inputs
    out = np.zeros(inputs.cells, np.uint8)
    sight(game).read(game.board, position.state.copy(), out)
    if inputs.playable:
        free = (out == 0) & ((inputs.below < 0) | (out[inputs.below] != 0))
        out[free] = inputs.playable
    return out


def random_line(game: Game, seed: int) -> list[Position]:
    """The positions of a random game, without the last one."""
    rng, line = random.Random(seed), [game.start()]
    while not line[-1].over:
        line.append(line[-1].play_code(rng.choice(line[-1].legal_codes)))
    return line[:-1]
