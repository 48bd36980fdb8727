"""What a position is worth, on boards of up to 64 cells: a set of cells is one word.

Both snails spread over the board move by move, a step or a slide each. Whoever gets to a cell
first, has it; of two that need as many moves, the one to move is first. What only one of them can
ever reach is its own as far as slides let it claim it all: `filled` claims as much as a simple
rule can. That gives bounds that hold against any play, see `assess`.

`evaluate_large` is the same for larger boards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.board import LEFT, QUIET, RIGHT, UP
from plywise.games.snails.rules import sign
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, lowest, popcount

CELL = 10  #: what a claimed cell counts
SAFE = 10  #: an empty cell that only one snail can reach
FIRST = 8  #: an empty cell that both can reach, for the one that is there first
TEMPO = 4  #: the turn

#: Slides between two claims that nobody can spoil. After a claim the other may slide, and once
#: more after each slide: 1 + 2 * 9 plies without a claim, and the next move claims.
GAP = (QUIET - 2) // 2


@rule
def gaps(quiet: int, waits: int) -> int:
    """Slides that a snail can afford before its first claim; `waits` is 1 if the other moves."""
    return (QUIET - 1 - quiet - waits) // 2


@rule
def ends(b: Record, own: Any) -> tuple[Any, Any, Any, Any]:
    """Where slides over a trail end that go up, right, down, left."""
    n = b.shift[UP]
    return (
        own & ~(own >> n),
        own & ~((own >> ONE) & b.leave[RIGHT, 0]),
        own & ~(own << n),
        own & ~((own << ONE) & b.leave[LEFT, 0]),
    )


@rule
def slid(
    b: Record, own: Any, up: Any, right: Any, down: Any, left: Any, cells: Any
) -> Any:
    """Where one slide leads from a set of cells. The ends of the trail are given."""
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
def shares(b: Record, s: Record) -> tuple[Any, Any, Any, Any]:
    """The empty cells that the mover can reach and gets to first, and the same for the other."""
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
    while here | there != ZERO:
        if here != ZERO:
            found = beside(b, here) & free
            if stops & ~reached != ZERO:
                found |= slid(b, mine, up, right, down, left, here)
            here = found & ~reached
            reached |= here
            first |= here & ~their_reached
        if there != ZERO:
            found = beside(b, there) & free
            if their_stops & ~their_reached != ZERO:
                found |= slid(b, theirs, their_up, their_right, their_down, their_left, there)
            there = found & ~their_reached
            their_reached |= there
            their_first |= there & ~reached
    return reached & free, first & free, their_reached & free, their_first & free


@rule
def filled(b: Record, own: Any, region: Any, at: int, first: int) -> int:
    """How many cells of a region a snail claims that takes the nearest with the fewest ways on.

    So many slides at most before the first claim, GAP before each of the others.
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
def judge(
    lead: int,
    most: int,
    their_most: int,
    both: int,
    first: int,
    claims: int,
    their_claims: int,
) -> tuple[int, int, int]:
    """For the mover: an estimate, and the lowest and the highest result that can still come.

    A snail can claim no cell that it cannot reach now, see `reach`. So who claims more cells
    where the other never gets than the other can reach at all, and is not behind by more, wins:
    its claims cannot be stopped, not even by sliding until the game ends. `most` is what each can
    reach, `both` of them are the same; `first` is how many more of these are the mover's.
    `claims` are certain.
    """
    low, high = sign(lead + claims - their_most), sign(lead + most - their_claims)
    value = CELL * lead + SAFE * (most - their_most) + FIRST * first + TEMPO
    return value, low, high


@rule
def assess(b: Record, s: Record) -> tuple[int, int, int]:
    """For the mover: an estimate, and the lowest and the highest result that can still come."""
    me = s.turn
    reached, first, their_reached, their_first = shares(b, s)
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
    shared = popcount(first & their_reached) - popcount(their_first & reached)
    return judge(lead, most, their_most, both, shared, claims, their_claims)
