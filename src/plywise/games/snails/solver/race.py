"""What a snail is sure to get, whatever the other does: a race over cells that it wins.

The layers of a snail count moves on the board as it lies. In real play a snail is nowhere
sooner. (A slide over cells claimed since ends on the last of them, or where a slide from the
last of them ends on the board as it was. Either takes no fewer moves as it lies, because the
snail has been on that cell.) So a cell that the other has in no layer up to its moves so far is
still empty, and who moves next to it can claim it. That is a race: claim such a cell each move;
where there is none, slide to the nearest stop that has one beside it.

A race is safe from the clock. With g slides between two claims there are at most 2 g + 1 plies
without a claim, so 9 slides are allowed. Before the first claim there may be fewer, and with
one ply left on the clock the side that is not to move has no race at all.

The other never enters a cell of the race. What he can get beside it is his reach with the cells
of the race shut off. Hence the final lead is at least the present one, plus the cells of the
race, less that reach. The game may stop before the race is over only when somebody has more
than half or cannot be caught up with, which comes to the same winner.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.board import DOWN, LEFT, RIGHT, UP
from plywise.games.snails.solver.board import beside, slides, stepped, within
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, index_of, lowest, popcount

MOST_SLIDES = 9  #: between two claims, see above
SAFE = 20  #: cells that the other cannot reach at all come later than any that he can
LAST = 8  #: a cell without a way on comes after those that have one


@rule
def race(b: Record, node: Record, player: int) -> tuple[Any, int]:
    """The cells of a race of this player, and the clock that it needs; no cells if none is on."""
    late = 0 if node.turn == player else 1
    other = 1 - player
    own = node.own[player]
    free = node.free
    at = node.at[player]
    safe = free & ~node.reach[other]
    won = ZERO
    needs = 1 + late
    if node.clock < needs:
        return won, needs
    moves = 0  # of this player so far; the other has made `moves + late`
    while True:
        open_now = free & ~within(node, other, moves + late)
        open_next = free & ~within(node, other, moves + 1 + late)
        here = ONE << np.uint64(at)
        least = 1 << 20
        chosen = ZERO
        for direction in (UP, RIGHT, DOWN, LEFT):
            cell = stepped(b, direction, here) & open_now
            if cell != ZERO:
                ways = popcount(beside(b, cell) & open_next)
                rank = (ways if ways > 0 else LAST) + (SAFE if cell & safe != ZERO else 0)
                if rank < least:
                    least = rank
                    chosen = cell
        if chosen == ZERO:
            # No cell beside it: the nearest stop that has one, if there is time.
            allowed = MOST_SLIDES if won != ZERO else (node.clock - 1 - late) // 2
            front = here
            seen = here
            count = 0
            found = ZERO
            while front != ZERO and found == ZERO and count < allowed:
                front = slides(b, own, front) & ~seen
                seen |= front
                count += 1
                found = front & beside(b, free & ~within(node, other, moves + count + late))
            if found == ZERO:
                return won, needs
            if won == ZERO:
                needs = 2 * count + 1 + late
            at = index_of(lowest(found))
            moves += count
            continue
        at = index_of(chosen)
        own |= chosen
        free &= ~chosen
        won |= chosen
        moves += 1
