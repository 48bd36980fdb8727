"""The evaluation for boards of more than 64 cells: `evaluate` with three words per set."""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.games.snails.board import RIGHT, UP, Words, count, moved, only
from plywise.games.snails.distance import first_of
from plywise.games.snails.expert.evaluate import GAP, Tally, gaps, judged, write
from plywise.games.snails.reach import next_stops
from plywise.jit import rule
from plywise.jit.bits import ZERO


@rule
def shares(b: Record, s: Record) -> tuple[Words, Words, Words, Words, Words, Words, Words, Words]:
    """For the mover, then for the opponent: the empty cells that it can reach, ...

    ... those that it reaches first, and those of them where it is first by one ply, and by three.
    """
    me = s.turn
    x0, x1, x2 = only(s.at[me])
    y0, y1, y2 = only(s.at[1 - me])
    v0, v1, v2 = x0, x1, x2
    w0, w1, w2 = y0, y1, y2
    m0, m1, m2 = ZERO, ZERO, ZERO
    t0, t1, t2 = ZERO, ZERO, ZERO
    c0, c1, c2 = ZERO, ZERO, ZERO
    d0, d1, d2 = ZERO, ZERO, ZERO
    a0, a1, a2 = ZERO, ZERO, ZERO
    e0, e1, e2 = ZERO, ZERO, ZERO
    q0, q1, q2 = ZERO, ZERO, ZERO  # y in the round before
    while x0 | x1 | x2 | y0 | y1 | y2 != ZERO:
        p0, p1, p2 = x0, x1, x2
        if x0 | x1 | x2 != ZERO:
            x0, x1, x2 = next_stops(b, s, me, x0, x1, x2)
            x0 &= ~v0
            x1 &= ~v1
            x2 &= ~v2
            v0 |= x0
            v1 |= x1
            v2 |= x2
            m0 |= x0 & ~w0
            m1 |= x1 & ~w1
            m2 |= x2 & ~w2
            d0 |= x0 & y0
            d1 |= x1 & y1
            d2 |= x2 & y2
            e0 |= x0 & q0
            e1 |= x1 & q1
            e2 |= x2 & q2
        q0, q1, q2 = y0, y1, y2
        if y0 | y1 | y2 != ZERO:
            y0, y1, y2 = next_stops(b, s, 1 - me, y0, y1, y2)
            y0 &= ~w0
            y1 &= ~w1
            y2 &= ~w2
            w0 |= y0
            w1 |= y1
            w2 |= y2
            t0 |= y0 & ~v0
            t1 |= y1 & ~v1
            t2 |= y2 & ~v2
            c0 |= x0 & y0
            c1 |= x1 & y1
            c2 |= x2 & y2
            a0 |= p0 & y0
            a1 |= p1 & y1
            a2 |= p2 & y2
    f0, f1, f2 = s.free[0], s.free[1], s.free[2]
    return (
        (v0 & f0, v1 & f1, v2 & f2),
        (m0 & f0, m1 & f1, m2 & f2),
        (c0 & f0, c1 & f1, c2 & f2),
        (a0 & f0, a1 & f1, a2 & f2),
        (w0 & f0, w1 & f1, w2 & f2),
        (t0 & f0, t1 & f1, t2 & f2),
        (d0 & f0, d1 & f1, d2 & f2),
        (e0 & f0, e1 & f1, e2 & f2),
    )


@rule
def beside(b: Record, x0: Any, x1: Any, x2: Any) -> Words:
    """The neighbours of a set of cells. Bits beyond the board may be among them."""
    n0, n1, n2 = ZERO, ZERO, ZERO
    for direction in range(4):
        y0, y1, y2 = moved(b, direction, x0, x1, x2)
        n0 |= y0
        n1 |= y1
        n2 |= y2
    return n0, n1, n2


@rule
def slid(b: Record, t0: Any, t1: Any, t2: Any, x0: Any, x1: Any, x2: Any) -> Words:
    """The cells one slide over a trail away from a set."""
    n0, n1, n2 = ZERO, ZERO, ZERO
    for direction in range(4):
        y0, y1, y2 = moved(b, direction, x0, x1, x2)
        g0, g1, g2 = moved(b, direction ^ 2, t0, t1, t2)  # from here the slide continues
        y0 &= t0
        y1 &= t1
        y2 &= t2
        while y0 | y1 | y2 != ZERO:
            n0 |= y0 & ~g0
            n1 |= y1 & ~g1
            n2 |= y2 & ~g2
            y0, y1, y2 = moved(b, direction, y0 & g0, y1 & g1, y2 & g2)
    return n0, n1, n2


@rule
def filled(b: Record, own: Record, region: Words, at: int, first: int) -> int:
    """How many cells of a region a snail claims by always taking the nearest with the fewest exits.

    At most so many slides before the first claim, and GAP before each later one.
    """
    t0, t1, t2 = own[0], own[1], own[2]
    r0, r1, r2 = region
    x0, x1, x2 = only(at)
    v0, v1, v2 = x0, x1, x2
    limit, slides, claims = first, 0, 0
    while slides <= limit:
        n0, n1, n2 = beside(b, x0, x1, x2)
        n0 &= r0
        n1 &= r1
        n2 &= r2
        if n0 | n1 | n2 != ZERO:
            fewest = 5
            while n0 | n1 | n2 != ZERO:
                k0, k1, k2 = only(first_of(n0, n1, n2))
                n0 ^= k0
                n1 ^= k1
                n2 ^= k2
                w0, w1, w2 = beside(b, k0, k1, k2)
                ways = count(w0 & r0, w1 & r1, w2 & r2)
                if ways < fewest:
                    x0, x1, x2 = k0, k1, k2
                    fewest = ways
            t0 |= x0
            t1 |= x1
            t2 |= x2
            r0 ^= x0
            r1 ^= x1
            r2 ^= x2
            v0, v1, v2 = x0, x1, x2
            limit = GAP
            slides = 0
            claims += 1
            continue
        x0, x1, x2 = slid(b, t0, t1, t2, x0, x1, x2)
        x0 &= ~v0
        x1 &= ~v1
        x2 &= ~v2
        if x0 | x1 | x2 == ZERO:
            break
        v0 |= x0
        v1 |= x1
        v2 |= x2
        slides += 1
    return claims


@rule
def pairs(b: Record, cells: Words) -> int:
    """Count the pairs of neighbours in a set of cells."""
    return common(cells, moved(b, UP, *cells)) + common(cells, moved(b, RIGHT, *cells))


@rule
def common(one: Words, two: Words) -> int:
    """Count the cells of two sets."""
    return count(one[0] & two[0], one[1] & two[1], one[2] & two[2])


@rule
def without(one: Words, two: Words) -> Words:
    """The cells of a set that are not in another."""
    return one[0] & ~two[0], one[1] & ~two[1], one[2] & ~two[2]


@rule
def tally(b: Record, s: Record) -> tuple[Tally, Tally]:
    """Count what the mover has, and what the opponent has."""
    me = s.turn
    reached, first, close, ahead, their_reached, their_first, their_close, their_ahead = shares(
        b, s
    )
    lead = s.score[me] - s.score[1 - me]
    most, their_most = common(reached, reached), common(their_reached, their_reached)
    both = common(reached, their_reached)
    claims, their_claims = 0, 0
    if lead + most - both >= their_most:
        safe = without(reached, their_reached)
        claims = filled(b, s.own[me], safe, s.at[me], gaps(s.quiet, 0))
    if lead + most <= their_most - both:
        safe = without(their_reached, reached)
        their_claims = filled(b, s.own[1 - me], safe, s.at[1 - me], gaps(s.quiet, 1))
    land, their_land = common(first, their_reached), common(their_first, reached)
    mine = most, land, common(close, close), common(ahead, ahead), pairs(b, first), claims
    theirs = (
        their_most,
        their_land,
        common(their_close, their_close),
        common(their_ahead, their_ahead),
        pairs(b, their_first),
        their_claims,
    )
    return mine, theirs


@rule
def assess(b: Record, s: Record) -> tuple[int, int, int]:
    """For the mover: an estimate, and the lowest and the highest result still possible."""
    mine, theirs = tally(b, s)
    return judged(s.score[s.turn] - s.score[1 - s.turn], mine, theirs)


@rule
def measures(b: Record, s: Record, out: Record) -> None:
    """Write what a net learns from, as `evaluate.measures` does."""
    mine, theirs = tally(b, s)
    write(s, out, mine, theirs)
