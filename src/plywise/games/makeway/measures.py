"""What a learned evaluation knows of a position: how far each player is, and by how many ways.

The distance of a dot is the number of free lines on the way there; own lines cost nothing, the
opponent's cannot be used. A set of dots is a word, so distances are kept as four sets: those dots
whose distance has the bit 1, 2, 4 or 8.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.makeway.board import WORDS, bit_of
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, has, index_of, lowest

FARTHEST = 15  #: also stands for a dot that cannot be reached
NIBBLE, FULL = np.uint64(4), np.uint64(15)

Planes = tuple[Any, Any, Any, Any]  #: distances


@rule
def distances(b: Record, s: Record, player: int, start: int) -> Planes:
    """Return the distances of all dots from one of them, for a player."""
    other = 1 - player
    one, two, four, eight = ~ZERO, ~ZERO, ~ZERO, ~ZERO
    fresh = bit_of(start)
    seen = fresh
    for steps in range(FARTHEST):
        beyond, waiting = ZERO, fresh
        while waiting != ZERO:
            bit = lowest(waiting)
            waiting ^= bit
            dot = index_of(bit)
            for slot in range(b.first[dot], b.first[dot + 1]):
                line = b.by[slot]
                if has(s.own[other], line):
                    continue
                near = bit_of(b.near[slot])
                if seen & near != ZERO:
                    continue
                if has(s.own[player], line):
                    seen |= near
                    fresh |= near
                    waiting |= near
                else:
                    beyond |= near
        if steps & 1 == 0:
            one &= ~fresh
        if steps & 2 == 0:
            two &= ~fresh
        if steps & 4 == 0:
            four &= ~fresh
        if steps & 8 == 0:
            eight &= ~fresh
        fresh = beyond & ~seen
        if fresh == ZERO:
            break
        seen |= fresh
    return one, two, four, eight


@rule
def distance_of(planes: Planes, dot: int) -> Any:
    """Read the distance of a dot."""
    one, two, four, eight = planes
    at = np.uint64(dot)
    low = (one >> at) & ONE | ((two >> at) & ONE) << ONE
    return np.int64(low) + 4 * np.int64((four >> at) & ONE) + 8 * np.int64((eight >> at) & ONE)


@rule
def measures(b: Record, s: Record, out: Record) -> None:
    """Write the lines left, then for each player five numbers; 0 for one who is cut off.

    How few lines are missing; how many lines are on a shortest way, or on one that is longer by
    one; how many steps of the way depend on a single line, and on two.
    """
    out[0] = s.left
    for player in range(2):
        if s.cut[player] != 0:
            continue
        first = 1 + 5 * player
        there = distances(b, s, player, 0)
        back = distances(b, s, player, b.dots - 1)
        way = distance_of(there, b.dots - 1)
        widths = ZERO  # of each step, four bits each
        shortest, longer = 0, 0
        for word in range(WORDS):
            free = b.full[word] & ~(s.own[0, word] | s.own[1, word])
            while free != ZERO:
                bit = lowest(free)
                free ^= bit
                line = 64 * word + index_of(bit)
                low, high = b.ends[line, 0], b.ends[line, 1]
                near, far = distance_of(there, low), distance_of(back, high)
                other_near, other_far = distance_of(there, high), distance_of(back, low)
                if other_near + other_far < near + far:
                    near, far = other_near, other_far
                if near + far + 1 == way:
                    shortest += 1
                    at = NIBBLE * np.uint64(near)
                    if (widths >> at) & FULL != FULL:
                        widths += ONE << at
                elif near + far == way:
                    longer += 1
        single, double = 0, 0
        for step in range(way):
            width = (widths >> (NIBBLE * np.uint64(step))) & FULL
            single += width == 1
            double += width == 2
        out[first] = way
        out[first + 1] = shortest
        out[first + 2] = longer
        out[first + 3] = single
        out[first + 4] = double
