"""What a snail is sure to get, whatever the opponent does: a race over cells that it wins.

The layers of a snail count moves on the current board. In real play a snail is never anywhere
sooner. (A slide over newly claimed cells ends on the last of them, or where a slide from the last
of them ends on the current board. Neither takes fewer moves than on the current board, because the
snail has been on that cell.) So a cell that is in none of the opponent's layers up to their moves
so far is still empty, and a snail next to it can claim it. That is a race: claim such a cell each
move; if there is none, slide to the nearest stop that has one beside it.

A race is safe from the clock. With g slides between two claims there are at most 2 g + 1 plies
without a claim, so 9 slides are allowed. Before the first claim there may be fewer, and with
one ply left on the clock the side that is not to move has no race at all.

The opponent never enters a cell of the race. At most they get what is in reach without these cells.
So the final lead is at least the present one, plus the cells of the race, less that reach. The game
may stop before the race is over only when somebody has more than half or an unbeatable lead, which
gives the same winner.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.games.snails.board import DOWN, LEFT, RIGHT, UP
from plywise.games.snails.solver.board import beside, ends_of, slid, within
from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, index_of, lowest, popcount

MOST_SLIDES = 9  #: between two claims, see above
SAFE = 20  #: cells that the opponent cannot reach come after all that they can
LAST = 8  #: a cell without an exit comes after those that have one


@rule
def race(b: Record, node: Record, player: int) -> tuple[Any, int]:
    """The cells of a race of this player, and the clock it needs; no cells if there is no race."""
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
    moves = 0  # of this player so far; the opponent has made `moves + late`
    while True:
        open_now = free & ~within(node, other, moves + late)
        open_next = free & ~within(node, other, moves + 1 + late)
        least = 1 << 20
        chosen = ZERO
        for direction in (UP, RIGHT, DOWN, LEFT):
            step = b.step[direction, at]
            cell = open_now & (ONE << np.uint64(step)) if step >= 0 else ZERO
            if cell != ZERO:
                ways = popcount(beside(b, cell) & open_next)
                rank = (ways if ways > 0 else LAST) + (SAFE if cell & safe != ZERO else 0)
                if rank < least:
                    least = rank
                    chosen = cell
        if chosen == ZERO:
            # No cell beside it: the nearest stop that has one, if there is time.
            allowed = MOST_SLIDES if won != ZERO else (node.clock - 1 - late) // 2
            ends = ends_of(b, own)
            front = ONE << np.uint64(at)
            seen = front
            count = 0
            found = ZERO
            while front != ZERO and found == ZERO and count < allowed:
                front = slid(b, own, ends, front) & ~seen
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
