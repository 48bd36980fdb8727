"""The rules of a game with a net in place of its evaluation.

The board record carries the weights, the state record what the net has seen and the sums of its
first layer. These are brought up to date from the places that differ, when a position is evaluated
or its moves are listed: a search pays for the places that a move changes, and not for the board.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from plywise.core.game import Record, Rules, Verb
from plywise.core.record import quick
from plywise.engines.net.shape import Array, Shape
from plywise.engines.scale import UNIT
from plywise.jit import rule

FINE = 128  #: a weight of 1
SHIFT = 7  #: ... as a shift
MOST = 8  #: the largest output of a unit of the first layer
TOP = np.int64(MOST * FINE)
LANES = 4  #: sums of units in one word, 16 bits each
LANE = np.uint64(16)
MASK = np.uint64(0xFFFF)
MIDDLE = 1 << 15  #: a sum of 0 in its lane
ZEROS = np.uint64(0x8000_8000_8000_8000)  #: ... in all four
WORD = 8  #: places that are compared at once


def state_type(base: np.dtype[Any], shape: Shape, units: int, hidden: int) -> np.dtype[Any]:
    """Return a game's state record with what the net has seen."""
    room = -(-shape.cells // WORD) * WORD
    extra = [
        ("net_fresh", "u1", (room,)),
        ("net_seen", "u1", (room,)),
        ("net_sums", "u8", (units // LANES,)),
        ("net_hidden", "i4", (hidden,)),
        ("net_index", "u2", (len(shape.patterns),)),  # the row of each pattern in its table
    ]
    return _with(base, extra, front=True)


def board_type(base: np.dtype[Any], shape: Shape, units: int, hidden: int) -> np.dtype[Any]:
    """Return a game's board record with the weights."""
    most = shape.uses[1].shape[1]
    extra = [
        ("net_gain", "f4"),  # from the output to the score; 0 in a game of points
        ("net_margin", "f4"),  # the largest margin
        ("net_places", "i2"),
        ("net_below", "i2", (shape.cells,)),
        ("net_count", "i2", (shape.cells,)),  # how many patterns hold a place ...
        ("net_which", "i2", (shape.cells, most)),  # ... which ...
        ("net_worth", "i4", (shape.cells, most)),  # ... and what it counts in their rows
        ("net_first", "i4", (shape.cells, most)),  # ... and the first row of their tables
        ("net_bias", "i4", (2, units)),
        ("net_inner", "i2", (2, units, hidden)),
        ("net_inner_bias", "i4", (2, hidden)),
        ("net_outer", "i4", (2, hidden)),
        ("net_outer_bias", "i4", (2,)),
        ("net_rows", "u8", (shape.rows, units // LANES)),
    ]
    return _with(base, extra, front=False)


def _with(base: np.dtype[Any], extra: list[Any], *, front: bool) -> np.dtype[Any]:
    """Return a record with further fields; in front they are aligned for whole words."""
    own: list[Any] = [
        (name, base[name].base, base[name].shape) if base[name].shape else (name, base[name])
        for name in base.names or ()
    ]
    return quick(np.dtype([*extra, *own] if front else [*own, *extra], align=True))


def packed(rows: Array) -> Array:
    """Return rows of whole numbers with four in a word, each times 2 ** 16 more than the last.

    Words are added and subtracted as they are: what a negative number borrows from its neighbour
    comes back in the end, because the sum of each lane fits into it.
    """
    lanes = rows.astype(np.int64).reshape(len(rows), -1, LANES)
    return np.asarray((lanes << (16 * np.arange(LANES))).sum(2).astype(np.uint64))


def widen(records: Array, kind: np.dtype[Any]) -> Array:
    """Return the records with further fields, all zero."""
    found = np.zeros(len(records), kind)
    for name in records.dtype.names or ():
        found[name] = records[name]
    return found


@cache
def net_rules(rules: Rules, read: Verb, codes: int, playable: int, points: bool) -> Rules:
    """Return the rules with a net as `evaluate`, over the wider records.

    `read` writes what stands on the places; a number of `codes` or more counts as the largest.
    Where pieces fall, `playable` is the number of an empty place on which one would come to rest;
    else it is 0. A game of points is estimated in points.
    """
    list_moves, turn, assess = rules.moves, rules.turn, rules.assess

    @rule
    def change(b: Record, s: Record, place: int, code: int) -> None:
        """Put something else on a place."""
        index, sums, rows = s.net_index, s.net_sums, b.net_rows
        step = np.int64(code) - np.int64(s.net_seen[place])
        for use in range(b.net_count[place]):
            pattern = np.uint64(b.net_which[place, use])
            row = np.int64(index[pattern])
            other = row + step * b.net_worth[place, use]
            index[pattern] = other
            before = rows[np.uint64(b.net_first[place, use] + row)]
            after = rows[np.uint64(b.net_first[place, use] + other)]
            for word in range(sums.size):
                sums[word] += after[word] - before[word]
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
        """Bring the sums of the first layer up to date."""
        read(b, s, s.net_fresh[: b.net_places])
        if playable != 0:
            settle(b, s)
        there, known = s.net_fresh.view(np.uint64), s.net_seen.view(np.uint64)
        for word in range(there.size):
            if there[word] != known[word]:
                for place in range(WORD * word, min(WORD * word + WORD, b.net_places)):
                    if s.net_fresh[place] != s.net_seen[place]:
                        change(b, s, place, min(s.net_fresh[place], codes - 1))

    @rule
    def output(b: Record, s: Record) -> Any:
        """Return what the net thinks of player 0's chances, in units of 1 / FINE."""
        refresh(b, s)
        me = turn(b, s)
        sums, hidden = s.net_sums, s.net_hidden
        for to in range(hidden.size):
            hidden[to] = b.net_inner_bias[me, to]
        for word in range(sums.size):
            rest = sums[word] + ZEROS
            for lane in range(LANES):
                unit = LANES * word + lane
                value = np.int64(rest & MASK) - MIDDLE + b.net_bias[me, unit]
                rest >>= LANE
                if value > 0:
                    value = min(value, TOP)
                    inner = b.net_inner[me, unit]
                    for to in range(hidden.size):
                        hidden[to] += inner[to] * value
        total = np.int64(b.net_outer_bias[me])
        for to in range(hidden.size):
            total += max(0, np.int64(hidden[to]) >> SHIFT) * b.net_outer[me, to]
        return total / FINE

    @rule
    def evaluate(b: Record, s: Record) -> Any:
        """Return the net's estimate for the side to move."""
        found = output(b, s)
        if points:
            found = UNIT * b.net_margin * math.tanh(found / FINE)
        else:
            found *= b.net_gain
        score = np.int64(round(found))
        return score if turn(b, s) == 0 else -score

    @rule
    def outlook(b: Record, s: Record) -> float:
        """Return what player 0 can expect, from -1 to 1."""
        return math.tanh(output(b, s) / FINE)

    @rule
    def moves(b: Record, s: Record, out: Record) -> Any:
        """List the legal moves; the positions after them start from the sums of this one."""
        refresh(b, s)
        return list_moves(b, s, out)

    known = replace(rules, moves=moves, evaluate=evaluate, outlook=outlook)
    if assess is None:
        return known

    @rule
    def assess_too(b: Record, s: Record) -> tuple[int, int, int]:
        """Return the net's estimate with the bounds that the game knows."""
        _, least, most = assess(b, s)
        return evaluate(b, s), least, most

    return replace(known, assess=assess_too)
