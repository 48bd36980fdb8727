"""The compiled loops of learning: games against itself, and gradient descent."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.kernels.stack import INFINITE, WON
from plywise.engines.net import Inputs
from plywise.engines.net.verbs import FINE, LARGE, MOST
from plywise.engines.scale import UNIT
from plywise.jit import kernel, rule
from plywise.jit.bits import below, spread

VALIDATION = np.uint64(15)  #: one position in sixteen is in the validation set
CERTAIN, EXPLORED = 1, 2  #: what is known of a move in a game: its result is proved; it is random
PER_THOUSAND = 1000
MOST_GAMES = 20  #: for each position that is wanted; then a game has too few to learn from
ADAM_BETA1, ADAM_BETA2, ADAM_EPSILON = 0.9, 0.999, 1e-6
ADAGRAD_EPSILON = 1e-4

#: How games are played.
SelfPlay = np.dtype(
    (
        np.record,
        [
            ("random", "i8"),  # the most random plies before a game ...
            ("opening", "i8"),  # ... and in every other game
            ("depth", "i8"),  # of the searches
            ("nodes", "i8"),  # ... and their most nodes
            ("exploration", "i8"),  # random moves, of a thousand
            ("td_lambda", "f8"),  # the share of what comes later; the rest is what a search says
            ("gain", "f8"),  # the score with the value tanh(1); in a game of points the margin of 1
            ("points", "?"),
        ],
    )
)


class Samples(NamedTuple):
    """Positions to learn from: each array has an entry for each of them."""

    contents: Record  #: of the places, as the net sees them
    turns: Record  #: the player to move, 0 or 1
    validation: Record  #: True if it is never learned from
    own: Record  #: the game's own evaluation, if the net is added to it; otherwise 0
    measures: Record
    values: Record  #: what the position turned out to be worth to player 0, from -1 to 1

    @classmethod
    def room(cls, count: int, inputs: Inputs) -> Samples:
        """Return room for some positions."""
        return cls(
            np.zeros((count, inputs.cells + 1), np.uint8),
            np.zeros(count, np.uint8),
            np.zeros(count, np.bool_),
            np.zeros(count, np.float32),
            np.zeros((count, inputs.measures), np.float32),
            np.zeros(count, np.float32),
        )

    @classmethod
    def joined(cls, parts: Iterable[Samples]) -> Samples:
        """Return all positions of some parts."""
        return cls(*map(np.concatenate, zip(*parts, strict=True)))

    @property
    def size(self) -> int:
        """The number of positions."""
        return len(self.values)


class Patterns(NamedTuple):
    """How the contents of places select rows of the tables, see `Inputs`."""

    places: Record
    lengths: Record
    first: Record
    powers: Record


class Layers(NamedTuple):
    """The layers of a net, or something about each of their weights."""

    bias: Record
    inner: Record
    inner_bias: Record
    outer: Record
    outer_bias: Record
    gauges: Record  #: the weights of the measures


class Parameters(NamedTuple):
    """What is learned, and what gradient descent remembers of it."""

    rows: Record  #: of the tables of patterns
    row_squares: Record  #: Adagrad: for each row the sum of its squared gradients
    layers: Layers
    gradients: Layers  #: of the present batch
    moments: Layers  #: Adam: for each weight the mean gradient, and the mean squared one
    steps: Record  #: Adam: the number of batches so far


class Rates(NamedTuple):
    """How fast a net learns."""

    rows: float
    layers: float
    batch: int  #: positions after which the layers move


class Scratch(NamedTuple):
    """Memory for one position: both layers, their gradients, and the rows in use."""

    sums: Record
    sums_gradient: Record
    hidden: Record
    hidden_gradient: Record
    active: Record


class Errors(NamedTuple):
    """Sums of squared errors, and the number of positions in each."""

    training: float
    trained: int
    validation: float
    validated: int


@rule
def in_validation_set(key: Any, unseen: Record) -> Any:
    """Return True if a position is never learned from: by its hash, or because it is in a list.

    The list of keys must be sorted.
    """
    if spread(key) & VALIDATION == 0:
        return True
    low, high = 0, unseen.size
    while low < high:
        middle = (low + high) // 2
        if unseen[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < unseen.size and unseen[low] == key


@rule
def worth_of(score: int, certain: bool, gain: float, points: bool) -> float:
    """Turn the score of a search into a value from -1 to 1."""
    if points:
        return max(-1.0, min(1.0, score / (UNIT * gain)))
    if score > WON:
        return 1.0
    if score < -WON:
        return -1.0
    return 0.0 if certain else math.tanh(score / gain)


@kernel
def selfplay_kernel(
    moves: Verb,
    play: Verb,
    turn: Verb,
    over: Verb,
    margin: Verb,
    key: Verb,
    evaluate: Verb,
    search: Verb,
) -> Verb:
    """Play games and write down positions with what they turned out to be worth to player 0.

    A position is worth what a search says of it, and what its successor in the game is worth, the
    latter with the weight lambda, as in TD(lambda). Where the result is proved, or the next move is
    random, it is worth what the search says. Returns the number of games and of positions.
    """

    def selfplay(
        board: Record,
        start: Record,
        games: Record,
        stack: Any,
        common: Any,
        tasks: Record,
        out: Record,
        rng: Record,
        settings: Record,
        unseen: Record,
        marks: Record,
        samples: Samples,
    ) -> tuple[int, int]:
        b, how, task, s = board[0], settings[0], tasks[0], games[0]
        values, measures = samples.values, samples.measures
        number = 0
        played = 0
        while number < values.size and played < MOST_GAMES * values.size and common.stop[0] == 0:
            # Step 1: some random moves.
            games[0] = start[0]
            plies = how.random if played & 1 == 0 else how.opening
            for _ in range(below(rng, plies + 1)):
                if over(b, s):
                    break
                n = moves(b, s, out)
                play(b, s, out[below(rng, n)])
            played += 1
            if over(b, s):
                continue
            # Step 2: a game between shallow searches, until its result is proved.
            first = number
            mark = 0
            worth = 0.0
            while number < values.size and mark & CERTAIN == 0 and not over(b, s):
                mover = turn(b, s) & 1
                evaluate(b, s)  # so that the net has seen the position
                for place in range(b.net_places):
                    samples.contents[number, place] = s.net_seen[place]
                for i in range(measures.shape[1]):
                    measures[number, i] = max(-LARGE, min(LARGE, s.net_measures[i]))
                samples.turns[number] = mover
                samples.own[number] = s.net_own / FINE
                samples.validation[number] = in_validation_set(key(b, s), unseen)
                stack.states[0] = s
                task.depth, task.budget = how.depth, how.nodes
                task.alpha, task.beta = -INFINITE, INFINITE
                search(board, stack, common, tasks)
                certain = task.certain or abs(task.value) > WON
                value = worth_of(task.value, certain, how.gain, how.points)
                values[number] = value if mover == 0 else -value
                best = stack.frames[0].move
                mark = CERTAIN if certain else 0
                if below(rng, PER_THOUSAND) < how.exploration or task.aborted:
                    n = moves(b, s, out)
                    best = out[below(rng, n)]
                    mark |= EXPLORED
                marks[number - first] = mark
                play(b, s, best)
                number += 1
            # Step 3: back from the end.
            known = over(b, s)
            if known:
                worth = margin(b, s) / how.gain if how.points else float(np.sign(margin(b, s)))
            for i in range(number - 1, first - 1, -1):
                if marks[i - first] != 0 or (i == number - 1 and not known):
                    worth = values[i]
                else:
                    worth = how.td_lambda * worth + (1.0 - how.td_lambda) * values[i]
                    values[i] = worth
        return played, number

    return selfplay


@kernel
def train_kernel() -> Verb:
    """Learn from samples in a given order; return squared errors, see `Errors`.

    The rows of patterns move after every position, by Adagrad; the layers after a batch, by Adam.
    """

    def train(
        patterns: Patterns,
        scales: Record,
        parameters: Parameters,
        samples: Samples,
        order: Record,
        rates: Rates,
        scratch: Scratch,
    ) -> Any:
        bias, inner, inner_bias, outer, outer_bias, gauges = parameters.layers
        d_bias, d_inner, d_inner_bias, d_outer, d_outer_bias, d_gauges = parameters.gradients
        rows, row_squares, steps = parameters.rows, parameters.row_squares, parameters.steps
        moments, measures, first = parameters.moments, samples.measures, patterns.first
        units, hidden, batch = rows.shape[1], outer.shape[1], rates.batch
        sums, back, active = scratch.sums, scratch.sums_gradient, scratch.active
        z, dz = scratch.hidden, scratch.hidden_gradient
        zero, most = np.float32(0), np.float32(MOST)
        error, validation_error = 0.0, 0.0
        count, validated = 0, 0
        for i in order:
            me = np.int64(samples.turns[i])
            contents = samples.contents[i]
            # Step 1: forward.
            for unit in range(units):
                sums[unit] = bias[me, unit]
            used = 0
            for p in range(patterns.places.shape[0]):
                row = np.int64(first[p])
                for at in range(patterns.lengths[p]):
                    row += contents[patterns.places[p, at]] * patterns.powers[at]
                if row != first[p]:  # the row of an empty pattern stays 0
                    active[used] = row
                    used += 1
                    weights = rows[row]
                    for unit in range(units):
                        sums[unit] += weights[unit]
            for each in range(scales.size):
                number = measures[i, each] / scales[each]
                for unit in range(units):
                    sums[unit] += gauges[each, unit] * number
            for to in range(hidden):
                z[to] = inner_bias[me, to]
            for unit in range(units):
                value = min(sums[unit], most)
                if value > zero:
                    weights = inner[me, unit]
                    for to in range(hidden):
                        z[to] += weights[to] * value
            total = samples.own[i] + outer_bias[me]
            for to in range(hidden):
                total += max(z[to], zero) * outer[me, to]
            miss = np.float32(math.tanh(total)) - samples.values[i]
            if samples.validation[i]:
                validation_error += miss * miss
                validated += 1
                continue
            error += miss * miss
            count += 1
            # Step 2: backward.
            for to in range(hidden):
                dz[to] = miss * outer[me, to] if z[to] > zero else zero
                d_inner_bias[me, to] += dz[to]
                d_outer[me, to] += miss * max(z[to], zero)
            d_outer_bias[me] += miss
            size = zero
            for unit in range(units):
                value = min(sums[unit], most)
                slope = zero
                if value > zero:
                    weights, d_weights = inner[me, unit], d_inner[me, unit]
                    for to in range(hidden):
                        slope += weights[to] * dz[to]
                        d_weights[to] += dz[to] * value
                    if sums[unit] >= most:
                        slope = max(slope, zero)
                back[unit] = slope
                d_bias[me, unit] += slope
                size += slope * slope
            for each in range(scales.size):
                number = measures[i, each] / scales[each]
                for unit in range(units):
                    d_gauges[each, unit] += back[unit] * number
            size /= np.float32(units)
            if size > zero:
                step = np.float32(rates.rows / math.sqrt(used + 1.0))
                for k in range(used):
                    row = active[k]
                    row_squares[row] += size
                    rate = step / np.float32(math.sqrt(row_squares[row] + ADAGRAD_EPSILON))
                    weights = rows[row]
                    for unit in range(units):
                        weights[unit] -= rate * back[unit]
            # Step 3: the layers, after a batch.
            if count % batch == 0:
                steps[0] += 1
                fix = math.sqrt(1 - ADAM_BETA2 ** steps[0]) / (1 - ADAM_BETA1 ** steps[0])
                pace = rates.layers * fix
                adam(bias.ravel(), d_bias.ravel(), moments.bias, pace, batch)
                adam(inner.ravel(), d_inner.ravel(), moments.inner, pace, batch)
                adam(inner_bias.ravel(), d_inner_bias.ravel(), moments.inner_bias, pace, batch)
                adam(outer.ravel(), d_outer.ravel(), moments.outer, pace, batch)
                adam(outer_bias.ravel(), d_outer_bias.ravel(), moments.outer_bias, pace, batch)
                adam(gauges.ravel(), d_gauges.ravel(), moments.gauges, pace, batch)
        return error, count, validation_error, validated

    return train


@rule
def adam(layer: Record, gradient: Record, moments: Record, rate: float, batch: int) -> None:
    """Move the weights of a layer against their gradient, by Adam's rule, and clear it."""
    one, two = np.float32(ADAM_BETA1), np.float32(ADAM_BETA2)
    rest, rest_two = np.float32(1 - ADAM_BETA1), np.float32(1 - ADAM_BETA2)
    rate32, share, epsilon = np.float32(rate), np.float32(1.0 / batch), np.float32(ADAM_EPSILON)
    for k in range(layer.size):
        slope = gradient[k] * share
        gradient[k] = 0
        moments[0, k] = one * moments[0, k] + rest * slope
        moments[1, k] = two * moments[1, k] + rest_two * slope * slope
        layer[k] -= rate32 * moments[0, k] / (np.sqrt(moments[1, k]) + epsilon)
