"""The compiled loops of learning: games against itself, and gradient descent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.engines.kernels.stack import INFINITE, WON
from plywise.engines.net.verbs import FINE, LARGE, MOST
from plywise.engines.scale import UNIT
from plywise.jit import kernel, rule
from plywise.jit.hashing import spread
from plywise.jit.rng import below

HELD = np.uint64(15)  #: one position in sixteen is never learned from
CERTAIN, EXPLORED = 1, 2  #: what is known of a move in a game: its result is proved; it is random
PER_THOUSAND = 1000
VAIN = 20  #: games for a position that is wanted; then a game has too few to learn from
FIRST, SECOND, TINY = 0.9, 0.999, 1e-6  #: of Adam, which moves the weights of the two layers
COLD = 1e-4  #: the heat of a row that has not been learned from

#: How games are played.
Habits = np.dtype(
    (
        np.record,
        [
            ("random", "i8"),  # the most random plies before a game ...
            ("opening", "i8"),  # ... and in every other game
            ("depth", "i8"),  # of the searches
            ("nodes", "i8"),  # ... and their most nodes
            ("explore", "i8"),  # random moves, of a thousand
            ("trust", "f8"),  # in what comes later, against what a search says now
            ("gain", "f8"),  # the score with the value tanh(1); in a game of points the margin of 1
            ("points", "?"),
        ],
    )
)


@rule
def is_held(key: Any, unseen: Record) -> Any:
    """Return True if a position is never learned from: by its hash, or because it is in a list.

    The list of keys must be sorted.
    """
    if spread(key) & HELD == 0:
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

    A position is worth what a search says of it, and what its successor in the game is worth: the
    more `trust`, the more. Where the result is proved, or the next move is random, it is worth what
    the search says. Returns the number of games and of positions.
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
        habits: Record,
        unseen: Record,
        marks: Record,
        seen: Record,
        turns: Record,
        held: Record,
        owns: Record,
        measured: Record,
        values: Record,
    ) -> tuple[int, int]:
        b, how, task, s = board[0], habits[0], tasks[0], games[0]
        number = 0
        played = 0
        while number < values.size and played < VAIN * values.size and common.stop[0] == 0:
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
                    seen[number, place] = s.net_seen[place]
                for i in range(measured.shape[1]):
                    measured[number, i] = max(-LARGE, min(LARGE, s.net_measures[i]))
                turns[number] = mover
                owns[number] = s.net_own / FINE
                held[number] = is_held(key(b, s), unseen)
                stack.states[0] = s
                task.depth, task.budget = how.depth, how.nodes
                task.alpha, task.beta = -INFINITE, INFINITE
                search(board, stack, common, tasks)
                certain = task.certain or abs(task.value) > WON
                value = worth_of(task.value, certain, how.gain, how.points)
                values[number] = value if mover == 0 else -value
                best = stack.frames[0].move
                mark = CERTAIN if certain else 0
                if below(rng, PER_THOUSAND) < how.explore or task.aborted:
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
                    worth = how.trust * worth + (1.0 - how.trust) * values[i]
                    values[i] = worth
        return played, number

    return selfplay


@kernel
def train_kernel() -> Verb:
    """Learn from positions in a given order; return squared errors, and those of held positions.

    The rows of patterns move after every position, the slower the more they have moved before; the
    two layers move after a batch. The arrays are those of `Learner`.
    """

    def train(
        patterns: Record,
        lengths: Record,
        first: Record,
        powers: Record,
        scales: Record,
        rows: Record,
        heat: Record,
        layers: Any,
        slopes: Any,
        adam: Any,
        clock: Record,
        seen: Record,
        turns: Record,
        held: Record,
        owns: Record,
        measured: Record,
        values: Record,
        order: Record,
        rate: float,
        layer_rate: float,
        batch: int,
        scratch: Record,
        active: Record,
    ) -> Any:
        bias, inner, inner_bias, outer, outer_bias, gauges = layers
        d_bias, d_inner, d_inner_bias, d_outer, d_outer_bias, d_gauges = slopes
        units, hidden = rows.shape[1], outer.shape[1]
        sums, back, z, dz = scratch[0], scratch[1], scratch[2], scratch[3]
        zero, most = np.float32(0), np.float32(MOST)
        error, held_error = 0.0, 0.0
        count, held_count = 0, 0
        for i in order:
            me = np.int64(turns[i])
            what = seen[i]
            # Step 1: forward.
            for unit in range(units):
                sums[unit] = bias[me, unit]
            used = 0
            for p in range(patterns.shape[0]):
                row = np.int64(first[p])
                for at in range(lengths[p]):
                    row += what[patterns[p, at]] * powers[at]
                if row != first[p]:  # the row of an empty pattern stays 0
                    active[used] = row
                    used += 1
                    weights = rows[row]
                    for unit in range(units):
                        sums[unit] += weights[unit]
            for each in range(scales.size):
                number = measured[i, each] / scales[each]
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
            total = owns[i] + outer_bias[me]
            for to in range(hidden):
                total += max(z[to], zero) * outer[me, to]
            miss = np.float32(math.tanh(total)) - values[i]
            if held[i]:
                held_error += miss * miss
                held_count += 1
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
                number = measured[i, each] / scales[each]
                for unit in range(units):
                    d_gauges[each, unit] += back[unit] * number
            size /= np.float32(units)
            if size > zero:
                step = np.float32(rate / math.sqrt(used + 1.0))
                for k in range(used):
                    row = active[k]
                    heat[row] += size
                    pace = step / np.float32(math.sqrt(heat[row] + COLD))
                    weights = rows[row]
                    for unit in range(units):
                        weights[unit] -= pace * back[unit]
            # Step 3: the layers, after a batch.
            if count % batch == 0:
                clock[0] += 1
                fix = math.sqrt(1 - SECOND ** clock[0]) / (1 - FIRST ** clock[0])
                pace = layer_rate * fix
                follow(bias.ravel(), d_bias.ravel(), adam[0], pace, batch)
                follow(inner.ravel(), d_inner.ravel(), adam[1], pace, batch)
                follow(inner_bias.ravel(), d_inner_bias.ravel(), adam[2], pace, batch)
                follow(outer.ravel(), d_outer.ravel(), adam[3], pace, batch)
                follow(outer_bias.ravel(), d_outer_bias.ravel(), adam[4], pace, batch)
                follow(gauges.ravel(), d_gauges.ravel(), adam[5], pace, batch)
        return error, count, held_error, held_count

    return train


@rule
def follow(layer: Record, slopes: Record, moments: Record, pace: float, batch: int) -> None:
    """Move the weights of a layer against their slopes, by Adam's rule, and clear the slopes."""
    one, two = np.float32(FIRST), np.float32(SECOND)
    rest, rest_two = np.float32(1 - FIRST), np.float32(1 - SECOND)
    pace32, share, tiny = np.float32(pace), np.float32(1.0 / batch), np.float32(TINY)
    for k in range(layer.size):
        slope = slopes[k] * share
        slopes[k] = 0
        moments[0, k] = one * moments[0, k] + rest * slope
        moments[1, k] = two * moments[1, k] + rest_two * slope * slope
        layer[k] -= pace32 * moments[0, k] / (np.sqrt(moments[1, k]) + tiny)
