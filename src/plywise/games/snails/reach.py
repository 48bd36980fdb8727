"""Which cells a snail can reach: sets of cells that grow by one move at a time.

A move is a step to an empty neighbour, or a slide over the snail's own trail as it is now. Cells
stepped on along the way do not change later slides. So the number of moves is an estimate, but no
cell that the snail can claim in the real game is missed: a slide over newly claimed cells ends
where a slide from the last of them would, and that slide is included.
"""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.games.snails.board import Words, count, moved, only
from plywise.jit import rule
from plywise.jit.bits import ZERO


@rule
def next_stops(b: Record, s: Record, player: int, x0: Any, x1: Any, x2: Any) -> Words:
    """The cells one move away from a set: empty neighbours, and the ends of slides."""
    t0, t1, t2 = s.own[player, 0], s.own[player, 1], s.own[player, 2]
    n0 = n1 = n2 = ZERO
    for direction in range(4):
        y0, y1, y2 = moved(b, direction, x0, x1, x2)
        n0 |= y0 & s.free[0]
        n1 |= y1 & s.free[1]
        n2 |= y2 & s.free[2]
        y0 &= t0
        y1 &= t1
        y2 &= t2
        if y0 | y1 | y2 != ZERO:
            # The cells behind the trail's cells, from which the slide continues.
            g0, g1, g2 = moved(b, direction ^ 2, t0, t1, t2)
            while y0 | y1 | y2 != ZERO:
                n0 |= y0 & ~g0
                n1 |= y1 & ~g1
                n2 |= y2 & ~g2
                y0, y1, y2 = moved(b, direction, y0 & g0, y1 & g1, y2 & g2)
    return n0, n1, n2


@rule
def reach(b: Record, s: Record, player: int, enough: int) -> Words:
    """The empty cells a snail can reach, or at least `enough` of them."""
    f0, f1, f2 = only(s.at[player])
    v0, v1, v2 = f0, f1, f2
    while f0 | f1 | f2 != ZERO:
        f0, f1, f2 = next_stops(b, s, player, f0, f1, f2)
        f0 &= ~v0
        f1 &= ~v1
        f2 &= ~v2
        v0 |= f0
        v1 |= f1
        v2 |= f2
        if count(v0 & s.free[0], v1 & s.free[1], v2 & s.free[2]) >= enough:
            break
    return v0 & s.free[0], v1 & s.free[1], v2 & s.free[2]


@rule
def reached_first(b: Record, s: Record) -> int:
    """Empty cells that player 0 reaches in fewer moves than player 1, less the opposite."""
    f0, f1, f2 = only(s.at[0])
    g0, g1, g2 = only(s.at[1])
    v0, v1, v2 = f0, f1, f2
    w0, w1, w2 = g0, g1, g2
    lead = 0
    while f0 | f1 | f2 | g0 | g1 | g2 != ZERO:
        f0, f1, f2 = next_stops(b, s, 0, f0, f1, f2)
        g0, g1, g2 = next_stops(b, s, 1, g0, g1, g2)
        f0 &= ~v0
        f1 &= ~v1
        f2 &= ~v2
        g0 &= ~w0
        g1 &= ~w1
        g2 &= ~w2
        lead += count(f0 & s.free[0] & ~w0, f1 & s.free[1] & ~w1, f2 & s.free[2] & ~w2)
        lead -= count(g0 & s.free[0] & ~v0, g1 & s.free[1] & ~v1, g2 & s.free[2] & ~v2)
        v0 |= f0
        v1 |= f1
        v2 |= f2
        w0 |= g0
        w1 |= g1
        w2 |= g2
    return lead
