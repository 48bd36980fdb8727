"""The evaluation for boards of up to 64 cells, where a set of cells is one word.

Both snails spread over the board move by move, a step or a slide each. A cell belongs to the snail
that reaches it first; if both need the same number of moves, to the side to move. Cells that only
one of them can ever reach are its own, as far as it can claim them: `filled` claims as many as a
simple rule can. That gives bounds that hold against any play, see `tally`.

What is counted is also what a net learns from, see `measures`. `evaluate_large` is the same for
larger boards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.board import LEFT, QUIET, RIGHT, UP
from plywise.games.snails.rules import sign
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, lowest, popcount

#: The weights, tuned by self-play: 3,000 nodes per move, hundreds of games per try.
CELL = 10  #: a cell that a snail has claimed, that only it can reach, or that it reaches first
CLOSE = 4  #: ... and this much less if it is first by only one ply

#: What a snail has: the cells that it can reach; those of them that it reaches first, and the
#: opponent later; those where it is first by one ply, and by three; the pairs of neighbours among
#: all that it reaches first; the claims that nobody can stop, where they may decide the game.
Tally = tuple[int, int, int, int, int, int]
KINDS = 6

#: Slides between two claims that are always safe. After a claim the opponent may slide, and once
#: more after each slide: 1 + 2 * 9 plies without a claim, and the next move claims.
GAP = (QUIET - 2) // 2


@rule
def gaps(quiet: int, waits: int) -> int:
    """Slides that a snail can afford before its first claim; `waits` is 1 if it is not to move."""
    return (QUIET - 1 - quiet - waits) // 2


@rule
def ends(b: Record, own: Any) -> tuple[Any, Any, Any, Any]:
    """The ends of slides over a trail: up, right, down and left."""
    n = b.shift[UP]
    return (
        own & ~(own >> n),
        own & ~((own >> ONE) & b.leave[RIGHT, 0]),
        own & ~(own << n),
        own & ~((own << ONE) & b.leave[LEFT, 0]),
    )


@rule
def slid(b: Record, own: Any, up: Any, right: Any, down: Any, left: Any, cells: Any) -> Any:
    """The cells one slide away from a set, from the given ends of the trail."""
    n = b.shift[UP]
    found = ZERO
    way = (cells << n) & own
    while way != ZERO:
        found |= way & up
        way = (way & ~up) << n
    way = ((cells & b.leave[RIGHT, 0]) << ONE) & own
    while way != ZERO:
        found |= way & right
        way = (way & ~right) << ONE
    way = (cells >> n) & own
    while way != ZERO:
        found |= way & down
        way = (way & ~down) >> n
    way = ((cells & b.leave[LEFT, 0]) >> ONE) & own
    while way != ZERO:
        found |= way & left
        way = (way & ~left) >> ONE
    return found


@rule
def beside(b: Record, cells: Any) -> Any:
    """The neighbours of a set of cells. Bits beyond the board may be among them."""
    n = b.shift[UP]
    found = (cells << n) | (cells >> n)
    return found | ((cells & b.leave[RIGHT, 0]) << ONE) | ((cells & b.leave[LEFT, 0]) >> ONE)


@rule
def shares(b: Record, s: Record) -> tuple[Any, Any, Any, Any, Any, Any, Any, Any]:
    """For the mover, then for the opponent: the empty cells that it can reach, ...

    ... those that it reaches first, and those of them where it is first by one ply, and by three.
    """
    me = s.turn
    free = s.free[0]
    mine, theirs = s.own[me, 0], s.own[1 - me, 0]
    up, right, down, left = ends(b, mine)
    their_up, their_right, their_down, their_left = ends(b, theirs)
    stops = up | right | down | left
    their_stops = their_up | their_right | their_down | their_left
    here, there = ONE << np.uint64(s.at[me]), ONE << np.uint64(s.at[1 - me])
    reached, their_reached = here, there
    first, their_first = ZERO, ZERO
    close, their_close = ZERO, ZERO
    ahead, their_ahead = ZERO, ZERO
    there_before = ZERO
    while here | there != ZERO:
        here_before = here
        if here != ZERO:
            near = beside(b, here)
            found = near & free
            if near & mine != ZERO and stops & ~reached != ZERO:
                found |= slid(b, mine, up, right, down, left, here)
            here = found & ~reached
            reached |= here
            first |= here & ~their_reached
            their_close |= here & there
            their_ahead |= here & there_before
        there_before = there
        if there != ZERO:
            near = beside(b, there)
            found = near & free
            if near & theirs != ZERO and their_stops & ~their_reached != ZERO:
                found |= slid(b, theirs, their_up, their_right, their_down, their_left, there)
            there = found & ~their_reached
            their_reached |= there
            their_first |= there & ~reached
            close |= there & here
            ahead |= there & here_before
    reached &= free
    their_reached &= free
    return (
        reached,
        first & free,
        close & free,
        ahead & free,
        their_reached,
        their_first & free,
        their_close & free,
        their_ahead & free,
    )


@rule
def filled(b: Record, own: Any, region: Any, at: int, first: int) -> int:
    """How many cells of a region a snail claims by always taking the nearest with the fewest exits.

    At most so many slides before the first claim, and GAP before each later one.
    """
    here = ONE << np.uint64(at)
    seen = here
    limit, slides, claims = first, 0, 0
    while slides <= limit:
        near = beside(b, here) & region
        if near != ZERO:
            best, fewest = ZERO, 5
            while near != ZERO:
                cell = lowest(near)
                near ^= cell
                ways = popcount(beside(b, cell) & region)
                if ways < fewest:
                    best, fewest = cell, ways
            own |= best
            region ^= best
            here = best
            seen = best
            limit = GAP
            slides = 0
            claims += 1
            continue
        up, right, down, left = ends(b, own)
        here = slid(b, own, up, right, down, left, here) & ~seen
        if here == ZERO:
            break
        seen |= here
        slides += 1
    return claims


@rule
def bounds(
    lead: int, most: int, their_most: int, claims: int, their_claims: int
) -> tuple[int, int]:
    """The lowest and the highest result still possible, for the player who leads by `lead`.

    A snail can claim no cell that it cannot reach now, see `reach`; `most` is what it can. So a
    player wins whose safe `claims` plus lead exceed everything the opponent can still reach: these
    claims cannot be stopped, not even by sliding until the game ends.
    """
    return sign(lead + claims - their_most), sign(lead + most - their_claims)


@rule
def worth(lead: int, safe: int, first: int, close: int) -> int:
    """The estimate, from the differences in each kind of cells."""
    return CELL * (lead + safe + first) - CLOSE * close


@rule
def pairs(b: Record, cells: Any) -> int:
    """Count the pairs of neighbours in a set of cells."""
    right = (cells & b.leave[RIGHT, 0]) << ONE
    return popcount(cells & (cells << b.shift[UP])) + popcount(cells & right)


@rule
def tally(b: Record, s: Record) -> tuple[Tally, Tally]:
    """Count what the mover has, and what the opponent has."""
    me = s.turn
    reached, first, close, ahead, their_reached, their_first, their_close, their_ahead = shares(
        b, s
    )
    lead = s.score[me] - s.score[1 - me]
    most, their_most = popcount(reached), popcount(their_reached)
    both = popcount(reached & their_reached)
    claims, their_claims = 0, 0
    if lead + most - both >= their_most:
        safe = reached & ~their_reached
        claims = filled(b, s.own[me, 0], safe, s.at[me], gaps(s.quiet, 0))
    if lead + most <= their_most - both:
        safe = their_reached & ~reached
        their_claims = filled(b, s.own[1 - me, 0], safe, s.at[1 - me], gaps(s.quiet, 1))
    land, their_land = popcount(first & their_reached), popcount(their_first & reached)
    mine = most, land, popcount(close), popcount(ahead), pairs(b, first), claims
    theirs = (
        their_most,
        their_land,
        popcount(their_close),
        popcount(their_ahead),
        pairs(b, their_first),
        their_claims,
    )
    return mine, theirs


@rule
def judged(lead: int, mine: Tally, theirs: Tally) -> tuple[int, int, int]:
    """For the mover: an estimate, and the lowest and the highest result still possible."""
    most, land, close, _, _, claims = mine
    their_most, their_land, their_close, _, _, their_claims = theirs
    low, high = bounds(lead, most, their_most, claims, their_claims)
    return worth(lead, most - their_most, land - their_land, close - their_close), low, high


@rule
def assess(b: Record, s: Record) -> tuple[int, int, int]:
    """For the mover: an estimate, and the lowest and the highest result still possible."""
    mine, theirs = tally(b, s)
    return judged(s.score[s.turn] - s.score[1 - s.turn], mine, theirs)


@rule
def measures(b: Record, s: Record, out: Record) -> None:
    """Write what a net learns from: the lead, the empty cells, what player 0 has, then player 1."""
    mine, theirs = tally(b, s)
    write(s, out, mine, theirs)


@rule
def write(s: Record, out: Record, mine: Tally, theirs: Tally) -> None:
    """Write the measures."""
    out[0] = s.score[0] - s.score[1]
    out[1] = s.left
    for i in range(KINDS):
        out[2 + KINDS * s.turn + i] = mine[i]
        out[2 + KINDS * (1 - s.turn) + i] = theirs[i]


@rule
def weigh(b: Record, s: Record, measures: Record) -> tuple[int, int, int]:
    """Return what `assess` does, from the measures."""
    lead = measures[0] if s.turn == 0 else -measures[0]
    at, there = 2 + KINDS * s.turn, 2 + KINDS * (1 - s.turn)
    return judged(lead, read(measures, at), read(measures, there))


@rule
def read(measures: Record, at: int) -> Tally:
    """Return what one player has."""
    return (
        measures[at],
        measures[at + 1],
        measures[at + 2],
        measures[at + 3],
        measures[at + 4],
        measures[at + 5],
    )
