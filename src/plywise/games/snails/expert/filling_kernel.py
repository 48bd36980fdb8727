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
from plywise.games.snails.board import CELLS, WORDS, Words, count, only
from plywise.games.snails.distance import first_of, stop_after
from plywise.games.snails.reach import next_stops, reach
from plywise.jit import kernel, rule
from plywise.jit.bits import ZERO, has
from plywise.jit.hashing import spread

#: What `counts` holds afterwards (at the start NODES holds the budget).
NODES, CLAIMS, MOST, IGNORED = 0, 1, 2, 3

#: The columns of a step, after the words of the trail: the snail's cell, the claims, the move.
AT, SO_FAR, MOVE = WORDS, WORDS + 1, WORDS + 2
COLUMNS = WORDS + 3
START = 4  #: no direction: the search begins here


@rule
def claimable(b: Record, s: Record, limit: int) -> tuple[Any, Any, Any, bool]:
    """The cells that snail 0 can claim next within so many slides, and whether more need longer."""
    x0, x1, x2 = only(s.at[0])
    v0, v1, v2 = x0, x1, x2
    c0, c1, c2 = ZERO, ZERO, ZERO
    slides = 0
    more = False
    while x0 | x1 | x2 != ZERO:
        x0, x1, x2 = next_stops(b, s, 0, x0, x1, x2)
        n0, n1, n2 = x0 & s.free[0], x1 & s.free[1], x2 & s.free[2]
        if slides <= limit:
            c0 |= n0
            c1 |= n1
            c2 |= n2
        elif (n0 & ~c0) | (n1 & ~c1) | (n2 & ~c2) != ZERO:
            more = True
        x0 &= ~(n0 | v0)
        x1 &= ~(n1 | v1)
        x2 &= ~(n2 | v2)
        v0 |= x0
        v1 |= x1
        v2 |= x2
        slides += 1
    return c0, c1, c2, more


@rule
def claimed(s: Record, cell: int) -> None:
    """Move snail 0 onto a cell of the region and claim it."""
    x0, x1, x2 = only(cell)
    s.own[0, 0] |= x0
    s.own[0, 1] |= x1
    s.own[0, 2] |= x2
    s.free[0] &= ~x0
    s.free[1] &= ~x1
    s.free[2] &= ~x2
    s.at[0] = cell


@rule
def ways_on(b: Record, s: Record, cell: int) -> int:
    """Count the empty neighbours of a cell."""
    n0, n1, n2 = ZERO, ZERO, ZERO
    for direction in range(4):
        following = b.step[direction, cell]
        if following >= 0:
            x0, x1, x2 = only(following)
            n0 |= x0
            n1 |= x1
            n2 |= x2
    return count(n0 & s.free[0], n1 & s.free[1], n2 & s.free[2])


@rule
def without_lowest(x0: Any, x1: Any, x2: Any) -> Words:
    """Remove the lowest cell from a nonempty set."""
    y0, y1, y2 = only(first_of(x0, x1, x2))
    return x0 & ~y0, x1 & ~y1, x2 & ~y2


@rule
def seen_before(seen: Any, key: Any) -> bool:
    """Store a key; True if it was there already. A new key may replace an old one."""
    at = np.int64(key & np.uint64(seen.size - 1))
    if seen[at] == key:
        return True
    seen[at] = key
    return False


@kernel
def land_kernel() -> Verb:
    """The empty cells that each snail can reach: out[player, word]."""

    def land(board: Record, states: Record, out: Record) -> None:
        for player in range(2):
            x0, x1, x2 = reach(board[0], states[0], player, CELLS + 1)
            out[player, 0] = x0
            out[player, 1] = x1
            out[player, 2] = x2

    return land


@rule
def slides_to(b: Record, s: Record, goal: int, queue: Record, came: Record, origin: Record) -> None:
    """Breadth-first search from snail 0 to an empty cell, over its trail.

    `came` gets the direction that led to a stop, `origin` the stop before it.
    """
    came[:] = -1
    came[s.at[0]] = START
    queue[0] = s.at[0]
    first, last = 0, 1
    while came[goal] < 0:
        here = queue[first]
        first += 1
        for direction in range(4):
            stop = stop_after(b, s, 0, here, direction)
            if stop >= 0 and came[stop] < 0 and (stop == goal or not has(s.free, stop)):
                came[stop] = direction
                origin[stop] = here
                queue[last] = stop
                last += 1


@kernel
def walk_kernel() -> Verb:
    """walk(board, states, cells, claims, queue, came, origin, steps): claims as moves.

    `states[0]` has the trail of snail 0, and `states[1]` is played to the end. Each move has a
    row in `steps`: the trail before it, where the snail is, the claims so far, and the move.
    """

    def walk(
        board: Record,
        states: Record,
        cells: Record,
        claims: int,
        queue: Record,
        came: Record,
        origin: Record,
        steps: Record,
    ) -> int:
        b, s = board[0], states[1]
        states[1] = states[0]
        total = 0
        for index in range(claims):
            goal = cells[index]
            slides_to(b, s, goal, queue, came, origin)
            # From the goal back to the snail; the rows are written from the last to the first.
            moves, here = 0, goal
            while came[here] != START:
                here = origin[here]
                moves += 1
            here = goal
            for row in range(total + moves - 1, total - 1, -1):
                for word in range(WORDS):
                    steps[row, word] = s.own[0, word]
                steps[row, AT] = origin[here]
                steps[row, SO_FAR] = index
                steps[row, MOVE] = came[here]
                here = origin[here]
            total += moves
            claimed(s, goal)
        return total

    return walk


@kernel
def together_kernel(play: Verb, turn: Verb, over: Verb) -> Verb:
    """together(board, states, plans, lengths, out): the moves of both plans in turn.

    `states[0]` is played until the game is over or a side has to move without a plan. Returns the
    number of moves.
    """

    def together(board: Record, states: Record, plans: Record, lengths: Record, out: Record) -> int:
        b, s = board[0], states[0]
        total = first = second = 0
        while not over(b, s):
            player = turn(b, s)
            taken = first if player == 0 else second
            if taken == lengths[player]:
                break
            out[total] = plans[player, taken]
            play(b, s, out[total])
            total += 1
            if player == 0:
                first += 1
            else:
                second += 1
        return total

    return together


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
        x0, x1, x2 = reach(b, states[0], 0, CELLS + 1)
        total = count(x0, x1, x2)
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
                c0, c1, c2, more = claimable(b, s, then if d > 0 else first)
                ignored |= more
                key = spread(s.free[0] ^ spread(s.free[1] ^ spread(s.free[2] ^ spread(c0))))
                key = spread(key ^ spread(c1 ^ spread(c2)))
                lists[d, 0] = 0
                tried[d] = 0
                if d == 0 or not seen_before(seen, key):
                    # Step 3: what would be in reach after each claim. Where all of it would not
                    # be more than the best so far, the claim is left out.
                    while c0 | c1 | c2 != ZERO:
                        cell = first_of(c0, c1, c2)
                        c0, c1, c2 = without_lowest(c0, c1, c2)
                        after = states[d + 1]
                        states[d + 1] = s
                        claimed(after, cell)
                        x0, x1, x2 = reach(b, after, 0, CELLS + 1)
                        upper = d + 1 + count(x0, x1, x2)
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
        counts[IGNORED] = ignored
        return done

    return fill
