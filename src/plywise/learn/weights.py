"""The weights of a net while it is learned: in fractions, with what gradient descent remembers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from plywise.core.game import Game, Record, Rules, Verb
from plywise.core.rules import MEASURES
from plywise.engines.net import Inputs, Net
from plywise.engines.net.verbs import FINE, UNITS
from plywise.engines.net.weights import LARGEST, WEIGHTS, shapes
from plywise.jit import kernel
from plywise.jit.bits import below, generator
from plywise.jit.kernels import roomy
from plywise.learn.kernels import (
    Errors,
    Layers,
    Parameters,
    Patterns,
    Rates,
    Samples,
    Scratch,
    train_kernel,
)

Array = np.ndarray[Any, np.dtype[Any]]

POSITIONS = 4000  #: of random games, for the sizes of measures
FIRST_BIAS = 0.1  #: of the units: all of them take part from the start


class Weights:
    """What is learned. Everything in `arrays` is kept in a checkpoint.

    `scales` are the usual sizes of the measures, by which they are divided.
    """

    def __init__(
        self,
        inputs: Inputs,
        hidden: int,
        seed: int,
        added: bool = False,
        scales: Sequence[float] = (),
    ) -> None:
        self.inputs, self.added, units = inputs, added, UNITS
        self.scales = np.array(scales, np.float32)
        assert len(self.scales) == inputs.measures
        rng = np.random.default_rng(seed)
        inner = rng.normal(0, math.sqrt(2 / units), (units, hidden))
        outer = rng.normal(0, math.sqrt(1 / hidden), hidden)
        sizes = {**shapes(inputs, hidden), "row_squares": (inputs.rows,)}
        self.arrays = {name: np.zeros(size, np.float32) for name, size in sizes.items()}
        self.arrays["bias"][:] = FIRST_BIAS
        self.arrays["inner"][:], self.arrays["outer"][:] = inner, outer  # for either side to move
        size = math.sqrt(1 / max(1, inputs.measures))
        self.arrays["gauges"][:] = rng.normal(0, size, (inputs.measures, units))
        for name in Layers._fields:
            self.arrays[f"adam_{name}"] = np.zeros((2, self.arrays[name].size), np.float32)
        self.arrays["adam_steps"] = np.zeros(1, np.int64)
        self._patterns = Patterns(inputs.patterns, inputs.lengths, inputs.first, inputs.powers)
        layers = Layers(*(self.arrays[name] for name in Layers._fields))
        self._parameters = Parameters(
            self.arrays["rows"],
            self.arrays["row_squares"],
            layers,
            Layers(*map(np.zeros_like, layers)),
            Layers(*(self.arrays[f"adam_{name}"] for name in Layers._fields)),
            self.arrays["adam_steps"],
        )
        self._scratch = Scratch(
            sums=np.zeros(units, np.float32),
            sums_gradient=np.zeros(units, np.float32),
            hidden=np.zeros(hidden, np.float32),
            hidden_gradient=np.zeros(hidden, np.float32),
            active=np.zeros(max(1, len(inputs.patterns)), np.int64),
        )
        self._train = train_kernel.build()

    def restore(self, kept: Mapping[str, Array]) -> None:
        """Take the arrays of a checkpoint; ValueError if they are of another net."""
        for name, array in self.arrays.items():
            if kept[name].shape != array.shape:
                raise ValueError(name)
            array[:] = kept[name]

    def learn(self, samples: Samples, order: Array, rates: Rates) -> Errors:
        """Learn from samples in this order."""
        found = self._train(
            self._patterns, self.scales, self._parameters, samples, order, rates, self._scratch
        )
        return Errors(*found)

    def net(self, game: Game, about: Mapping[str, Any] | None = None) -> Net:
        """Return the weights in whole numbers."""
        units: dict[str, int | Array] = {
            "inner_bias": FINE * FINE,
            "outer_bias": FINE * FINE,
            "gauges": np.asarray(FINE * FINE / self.scales[:, None]),
        }
        weights = {}
        for name, kind in WEIGHTS.items():
            limits = np.iinfo(kind)
            whole: Array = np.rint(self.arrays[name] * units.get(name, FINE))
            weights[name] = whole.clip(limits.min + 1, limits.max).astype(kind)
        return Net(game, self.inputs, weights, about or {}, self.added)

    def packed(self, game: Game, about: Mapping[str, Any]) -> Net:
        """Return a net whose file is small enough: rows that hardly ever occurred are left out."""
        net = self.net(game, about)
        order = np.argsort(self.arrays["row_squares"])
        kept = int((self.arrays["row_squares"] > 0).sum())
        while len(net.to_bytes()) > LARGEST and kept > 0:
            kept = int(kept * 0.9)
            net.weights["rows"][order[: len(order) - kept]] = 0
        return net


# ---- the sizes of measures -----------------------------------------------------------------------


def usual_sizes(game: Game, rules: Rules) -> list[float]:
    """Return the size of each measure in random games: the root of its mean square, at least 1.

    Measures behind the last one that is ever different from 0 do not count.
    """
    if rules.measures is None:
        return []
    sample = sample_kernel.build(rules, measures=rules.measures)
    out, found = roomy(game.max_moves, np.int32), roomy((POSITIONS, MEASURES), np.int32)
    sample(game.boards, game.start().states, roomy(1, game.type.state), out, generator(1), found)
    sizes = np.sqrt(np.mean(np.square(found.astype(np.float64)), axis=0))
    count = int(np.flatnonzero(sizes)[-1]) + 1 if sizes.any() else 0
    return [max(1.0, float(size)) for size in sizes[:count]]


@kernel
def sample_kernel(moves: Verb, play: Verb, over: Verb, measures: Verb) -> Verb:
    """Play random games, and take the measures of every position."""

    def sample(
        board: Record, start: Record, games: Record, out: Record, rng: Record, found: Record
    ) -> None:
        b, s = board[0], games[0]
        games[0] = start[0]
        for number in range(found.shape[0]):
            if over(b, s):
                games[0] = start[0]
            measures(b, s, found[number])
            n = moves(b, s, out)
            play(b, s, out[below(rng, n)])

    return sample
