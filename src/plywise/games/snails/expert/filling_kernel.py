"""How many cells a snail can claim in a region of its own: a depth-first search.

What can still be claimed depends on the empty cells and on which of them can be claimed next: after
a claim the snail is on that cell, wherever it came from. So a pair of these two sets is searched
only once. A branch ends when all cells in reach would not beat the best so far, and the search ends
when every reachable cell is claimed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record, Verb
from plywise.games.snails.board import CELLS
from plywise.games.snails.reach import beside, ends_of, next_stops, reach
from plywise.games.snails.words.three import (
    NONE,
    Words,
    cells_of,
    common,
    count,
    first_of,
    only,
    some,
    union,
    without,
)
from plywise.jit import kernel, rule
from plywise.jit.bits import exclude, include, spread

#: What `counts` holds afterwards (at the start NODES holds the budget).
NODES, CLAIMS, MOST = 0, 1, 2


@rule
def claimable(b: Record, s: Record, limit: int) -> tuple[Words, bool]:
    """The cells that snail 0 can claim next within so many slides, and whether more need longer."""
    own, empty = cells_of(s.own[0]), cells_of(s.free)
    ends = ends_of(b, own)
    cells = only(s.at[0])
    seen, claims = cells, NONE
    slides = 0
    more = False
    while some(cells):
        cells = next_stops(b, own, empty, ends, seen, cells)
        found = common(cells, empty)
        if slides <= limit:
            claims = union(claims, found)
        elif some(without(found, claims)):
            more = True
        cells = without(cells, empty)
        seen = union(seen, cells)
        slides += 1
    return claims, more


@rule
def claimed(s: Record, cell: int) -> None:
    """Move snail 0 onto a cell of the region and claim it."""
    include(s.own[0], cell)
    exclude(s.free, cell)
    s.at[0] = cell


@rule
def ways_on(b: Record, s: Record, cell: int) -> int:
    """Count the empty neighbours of a cell."""
    return count(common(beside(b, only(cell)), cells_of(s.free)))


@rule
def seen_before(seen: Any, key: Any) -> bool:
    """Store a key; True if it was there already. A new key may replace an old one."""
    at = np.int64(key & np.uint64(seen.size - 1))
    if seen[at] == key:
        return True
    seen[at] = key
    return False


@kernel
def filling_kernel() -> Verb:
    """fill(board, states, lists, ranks, tried, path, best, seen, first, then, counts, ...).

    `states[0]` has the region as its empty cells and the trail of snail 0. `first` and `then` are
    the slides allowed before the first claim and before the others. `best` gets the claims.
    """

    def fill(
        board: Record,
        states: Record,
        lists: Record,
        ranks: Record,
        tried: Record,
        path: Record,
        best: Record,
        seen: Record,
        first: int,
        then: int,
        counts: Record,
        stop: Record,
        halt: Record,
    ) -> bool:
        b = board[0]
        budget = counts[NODES]
        nodes = 0
        most_claims = 0
        ignored = False
        total = count(reach(b, states[0], 0, CELLS + 1))
        d = 0
        entering = True
        dived = False
        done = True
        while d >= 0 and most_claims < total:
            s = states[d]
            if entering:
                # Step 1: a new node, d claims on; stop if asked to, but not before the first
                # sequence has come to its end.
                if dived and (nodes >= budget or (nodes & 63 == 0 and stop[0] | halt[0] != 0)):
                    done = False
                    break
                nodes += 1
                if d > most_claims:
                    most_claims = d
                    for i in range(d):
                        best[i] = path[i]
                # Step 2: what can be claimed next; nothing if this was searched before.
                claims, more = claimable(b, s, then if d > 0 else first)
                ignored |= more
                key = spread(s.free[0] ^ spread(s.free[1] ^ spread(s.free[2] ^ spread(claims[0]))))
                key = spread(key ^ spread(claims[1] ^ spread(claims[2])))
                lists[d, 0] = 0
                tried[d] = 0
                if d == 0 or not seen_before(seen, key):
                    # Step 3: what would be in reach after each claim. Where all of it would not
                    # be more than the best so far, the claim is left out.
                    while some(claims):
                        cell = first_of(claims)
                        claims = without(claims, only(cell))
                        after = states[d + 1]
                        states[d + 1] = s
                        claimed(after, cell)
                        upper = d + 1 + count(reach(b, after, 0, CELLS + 1))
                        if upper > most_claims:
                            lists[d, 0] += 1
                            lists[d, lists[d, 0]] = cell
                            ranks[d, lists[d, 0]] = 8 * upper - ways_on(b, s, cell)
                entering = False
                continue
            # Step 4: the most promising claim left: much in reach afterwards, few exits.
            n, top = lists[d, 0], tried[d] + 1
            if top > n:
                dived = True
                d -= 1
                continue
            for i in range(top + 1, n + 1):
                if ranks[d, i] > ranks[d, top]:
                    top = i
            cell, rank = lists[d, top], ranks[d, top]
            tried[d] += 1
            lists[d, top], ranks[d, top] = lists[d, tried[d]], ranks[d, tried[d]]
            if (rank + 4) // 8 <= most_claims:
                d -= 1  # the others are no better
                continue
            path[d] = cell
            states[d + 1] = s
            claimed(states[d + 1], cell)
            d += 1
            entering = True
        counts[NODES] = nodes
        counts[CLAIMS] = most_claims
        counts[MOST] = most_claims if done and not ignored else total
        return done

    return fill
