"""The rules of a game with a net in place of its evaluation.

The board record carries the weights, the state record what the net has seen and the sums of its
first layer. These are brought up to date from the places that differ, when a position is evaluated
or its moves are listed: a search pays for the places that a move changes, and not for the board.
Measures are computed and added when a position is evaluated.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from plywise.core.game import Record, Rules, Verb
from plywise.core.rules import MEASURES, quick
from plywise.engines.hooks import SearchRules
from plywise.engines.net.inputs import Array, Inputs
from plywise.engines.scale import UNIT
from plywise.errors import Unsupported
from plywise.jit import defaults, guarded, rule
from plywise.jit.bits import ZERO

FINE = 128  #: a weight of 1
SHIFT = 7  #: ... as a shift
MOST = 8  #: the largest output of a unit of the first layer
TOP = np.int64(MOST * FINE)
UNITS = 16  #: of the first layer
LANES = 4  #: sums of the first layer in one word, 16 bits each
LANE, LANE_MASK = np.uint64(16), np.uint64(0xFFFF)
MIDDLE = 1 << 15  #: a sum of 0 in its lane
ZEROS = np.uint64(0x8000_8000_8000_8000)  #: ... in all four
HALF, HALF_MASK = np.uint64(32), np.uint64(0xFFFF_FFFF)  #: the second layer has two in a word
HALF_ZERO = 1 << 31
HALVES = np.uint64(0x8000_0000_8000_0000)
SURE = 0.99  #: the largest share of the points that the game's own evaluation may promise
WORD = 8  #: places that are compared at once
LARGE = 1 << 12  #: a measure beyond this counts as this


def state_type(base: np.dtype[Any], inputs: Inputs) -> np.dtype[Any]:
    """Return a game's state record with what the net has seen."""
    room = max(1, -(-inputs.cells // WORD)) * WORD
    extra = [
        ("net_fresh", "u1", (room,)),
        ("net_seen", "u1", (room,)),
        ("net_sums", "u8", (UNITS // LANES,)),
        ("net_values", "u8", (UNITS,)),  # what the first layer puts out
        ("net_measures", "i4", (MEASURES if inputs.measures else 1,)),
        ("net_index", "u2", (max(1, len(inputs.patterns)),)),  # each pattern's row in its table
        ("net_known", "u1"),  # 1 if the sums are up to date
        ("net_own", "f4"),  # the game's own evaluation for player 0, as an output; 0 without one
    ]
    return _with(base, extra, front=True)


def board_type(base: np.dtype[Any], inputs: Inputs, hidden: int) -> np.dtype[Any]:
    """Return a game's board record with the weights."""
    cells, most = max(1, inputs.cells), max(1, inputs.uses[1].shape[1])
    extra = [
        ("net_gain", "f4"),  # from the output to the score, unless the game is won by points
        ("net_margin", "f4"),  # the largest margin
        ("net_places", "i2"),
        ("net_below", "i2", (cells,)),
        ("net_count", "i2", (cells,)),  # how many patterns hold a place ...
        ("net_which", "i2", (cells, most)),  # ... which ...
        ("net_worth", "i4", (cells, most)),  # ... and what it counts in their rows
        ("net_first", "i4", (cells, most)),  # ... and the first row of their tables
        ("net_gauges", "u8", (max(1, inputs.measures), UNITS // 2)),  # the weights of measures
        ("net_bias", "i4", (2, UNITS)),
        ("net_inner", "u8", (2, hidden // 2, UNITS)),
        ("net_inner_bias", "u8", (2, hidden // 2)),
        ("net_outer", "i4", (2, hidden)),
        ("net_outer_bias", "i4", (2,)),
        ("net_rows", "u8", (max(1, inputs.rows), UNITS // LANES)),
    ]
    return _with(base, extra, front=False)


def _with(base: np.dtype[Any], extra: list[Any], *, front: bool) -> np.dtype[Any]:
    """Return a record with further fields; in front they are aligned for whole words."""
    own: list[Any] = [
        (name, base[name].base, base[name].shape) if base[name].shape else (name, base[name])
        for name in base.names or ()
    ]
    return quick(np.dtype([*extra, *own] if front else [*own, *extra], align=True))


def packed(numbers: Array, lanes: int) -> Array:
    """Return whole numbers packed into words; `lanes` numbers of the last axis share one.

    Words are added, subtracted and multiplied as they are: what a negative number borrows from its
    neighbour comes back in the end, if every sum fits into its lane.
    """
    split = numbers.astype(np.int64).reshape(*numbers.shape[:-1], -1, lanes)
    return np.asarray((split << (64 // lanes * np.arange(lanes))).sum(-1).astype(np.uint64))


def widen(records: Array, kind: np.dtype[Any]) -> Array:
    """Return the records with further fields, all zero."""
    found = np.zeros(len(records), kind)
    for name in records.dtype.names or ():
        found[name] = records[name]
    return found


@rule
def nothing(b: Record, s: Record, out: Record) -> None:
    """Stand for what a net without measures or patterns does not call."""


@cache
def net_rules(
    rules: Rules,
    read: Verb | None,
    codes: int,
    playable: int,
    points: bool,
    added: bool,
    measures: int,
) -> SearchRules:
    """Return the rules with a net as `evaluate`, over the wider records.

    `read` writes what stands on the places, None for a net without patterns; a number of `codes` or
    more counts as the largest. Where pieces fall, `playable` is the number of an empty place on
    which one would come to rest; else it is 0. A game of points is estimated in points. If it is
    `added`, the net is a correction to the evaluation that the rules have. `measures` is how many
    measures it has.
    """
    # A rule that is called from here is not seen by the kernel, which would guard it.
    list_moves, make = guarded("moves", rules.moves), rules.play
    rules = SearchRules.extending(rules)
    turn = rules.turn
    if measures and rules.measures is None:
        raise Unsupported("this net needs `measures`, which the rules of this search do not have")
    take, look, sees = rules.measures or nothing, read or nothing, read is not None
    weigh = rules.weigh if measures else None
    assess = rules.assess if weigh is None else weighed(weigh)
    own = own_estimate(rules.evaluate, assess) if added else defaults.evaluate

    @rule
    def change(b: Record, s: Record, place: int, code: int) -> None:
        """Put something else on a place."""
        index, sums, rows = s.net_index, s.net_sums, b.net_rows
        step = np.int64(code) - np.int64(s.net_seen[place])
        one, two, three, four = sums[0], sums[1], sums[2], sums[3]
        for use in range(b.net_count[place]):
            pattern = np.uint64(b.net_which[place, use])
            row = np.int64(index[pattern])
            other = row + step * b.net_worth[place, use]
            index[pattern] = other
            before = rows[np.uint64(b.net_first[place, use] + row)]
            after = rows[np.uint64(b.net_first[place, use] + other)]
            one += after[0] - before[0]
            two += after[1] - before[1]
            three += after[2] - before[2]
            four += after[3] - before[3]
        sums[0], sums[1], sums[2], sums[3] = one, two, three, four
        s.net_seen[place] = code

    @rule
    def settle(b: Record, s: Record) -> None:
        """Mark the empty places on which a piece would come to rest."""
        fresh = s.net_fresh
        for place in range(b.net_places - 1, -1, -1):
            under = b.net_below[place]
            if fresh[place] == 0 and (under < 0 or fresh[under] != 0):
                fresh[place] = playable

    @rule
    def refresh(b: Record, s: Record) -> None:
        """Bring the sums of the first layer up to date, if the net has patterns."""
        if not sees or s.net_known != 0:
            return
        s.net_known = 1
        look(b, s, s.net_fresh[: b.net_places])
        if playable != 0:
            settle(b, s)
        there, known = s.net_fresh.view(np.uint64), s.net_seen.view(np.uint64)
        for word in range(there.size):
            if there[word] != known[word]:
                for place in range(WORD * word, min(WORD * word + WORD, b.net_places)):
                    if s.net_fresh[place] != s.net_seen[place]:
                        change(b, s, place, min(s.net_fresh[place], codes - 1))

    @rule
    def measure(b: Record, s: Record) -> None:
        """Take the measures of a position, if the net has any."""
        if measures > 0:
            for i in range(MEASURES):
                s.net_measures[i] = 0
            take(b, s, s.net_measures)

    @rule
    def gauge(b: Record, s: Record, unit: int) -> Any:
        """Return what the measures add to two units of the first layer."""
        both = ZERO
        for i in range(measures):
            number = np.int64(min(LARGE, max(-LARGE, s.net_measures[i])))
            both += b.net_gauges[i, unit >> 1] * np.uint64(number)
        both += HALVES
        low, high = np.int64(both & HALF_MASK) - HALF_ZERO, np.int64(both >> HALF) - HALF_ZERO
        return low >> SHIFT, high >> SHIFT

    @rule
    def output(b: Record, s: Record) -> Any:
        """Return what the net thinks of player 0's chances, in units of 1 / FINE."""
        refresh(b, s)
        me = turn(b, s) & 1
        values = s.net_values
        for word in range(s.net_sums.size):
            rest = s.net_sums[word] + ZEROS
            for unit in range(LANES * word, LANES * word + LANES, 2):
                more = gauge(b, s, unit)
                value = np.int64(rest & LANE_MASK) - MIDDLE + b.net_bias[me, unit] + more[0]
                values[unit] = max(np.int64(0), min(value, TOP))
                rest >>= LANE
                value = np.int64(rest & LANE_MASK) - MIDDLE + b.net_bias[me, unit + 1] + more[1]
                values[unit + 1] = max(np.int64(0), min(value, TOP))
                rest >>= LANE
        total = np.int64(b.net_outer_bias[me])
        for pair in range(b.net_inner.shape[1]):
            inner = b.net_inner[me, pair]
            both = b.net_inner_bias[me, pair]
            for unit in range(values.size):
                both += inner[unit] * values[unit]
            both += HALVES
            low, high = np.int64(both & HALF_MASK) - HALF_ZERO, np.int64(both >> HALF) - HALF_ZERO
            total += max(0, low >> SHIFT) * b.net_outer[me, 2 * pair]
            total += max(0, high >> SHIFT) * b.net_outer[me, 2 * pair + 1]
        return total / FINE + s.net_own

    @rule
    def scored(b: Record, s: Record, seen: float) -> Any:
        """Turn an output into a score for the side to move."""
        if points:
            seen = UNIT * b.net_margin * math.tanh(seen / FINE)
        else:
            seen *= b.net_gain
        score = np.int64(round(seen))
        return score if turn(b, s) == 0 else -score

    @rule
    def note(b: Record, s: Record, score: int) -> None:
        """Keep what the game's own evaluation says for the side to move, as an output."""
        mine = score if turn(b, s) == 0 else -score
        if points:
            s.net_own = FINE * math.atanh(max(-SURE, min(SURE, mine / (UNIT * b.net_margin))))
        else:
            s.net_own = mine / b.net_gain

    @rule
    def found(b: Record, s: Record) -> Any:
        """Return the output, to which the game's own evaluation may belong."""
        measure(b, s)
        if added:
            note(b, s, own(b, s))
        return output(b, s)

    @rule
    def evaluate(b: Record, s: Record) -> Any:
        """Return the net's estimate for the side to move."""
        return scored(b, s, found(b, s))

    @rule
    def outlook(b: Record, s: Record) -> float:
        """Return what player 0 can expect, from -1 to 1."""
        return math.tanh(found(b, s) / FINE)

    @rule
    def moves(b: Record, s: Record, out: Record) -> Any:
        """List the legal moves; the positions after them start from the sums of this one."""
        refresh(b, s)
        return list_moves(b, s, out)

    @rule
    def play(b: Record, s: Record, move: int) -> None:
        """Play a move; the sums fall behind."""
        make(b, s, move)
        s.net_known = 0

    known = replace(rules, moves=moves, play=play, evaluate=evaluate, outlook=outlook)
    if assess is None:
        return known

    @rule
    def assess_too(b: Record, s: Record) -> tuple[int, int, int]:
        """Return the net's estimate with the bounds that the game knows."""
        measure(b, s)
        estimate, least, most = assess(b, s)
        if added:
            note(b, s, estimate)
        return scored(b, s, output(b, s)), least, most

    return replace(known, assess=assess_too)


@cache
def weighed(weigh: Verb) -> Verb:
    """Return an `assess` that weighs the measures that were taken."""

    @rule
    def assess(b: Record, s: Record) -> tuple[int, int, int]:
        return weigh(b, s, s.net_measures)  # type: ignore[no-any-return]

    return assess


@cache
def own_estimate(evaluate: Verb | None, assess: Verb | None) -> Verb:
    """Return the evaluation that rules have, as a part of `assess` if they have that."""
    if assess is None:
        if evaluate is None:
            raise Unsupported("a net that is added needs an evaluation of the game's own")
        return evaluate

    @rule
    def estimate(b: Record, s: Record) -> Any:
        return assess(b, s)[0]

    return estimate
