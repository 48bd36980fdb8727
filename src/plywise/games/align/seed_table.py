"""The paper's search with a table: every set of cells once, whatever the order of the moves.

The paper adds up both totals after every ply, own less the opponent's. So points count once for
every ply from their move to the end, and what can still be added depends only on which cells of
the list are filled. That is what the table holds.
"""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record, Verb
from plywise.games.align.rules import fill_cell, gain
from plywise.jit import kernel, rule
from plywise.jit.bits import ONE, ZERO

FAR = 1 << 40  #: beyond any sum
#: What the table holds for each set of cells; a set has one bit for each place in the list.
Entry = np.dtype(
    (
        np.record,
        [
            ("reached", "i8"),  # 1 if play can get here
            ("worth", "i8"),  # what best play adds to the sum from here, at a lead of 0
            ("plies", "i8"),  # from here to the end of the search
        ],
    )
)


@rule
def usable(b: Record, s: Record, cell: int) -> bool:
    """True if the side to move may use this empty cell."""
    return b.allowed[s.turn] >> np.uint64(cell) & ONE != ZERO


@kernel
def table_kernel() -> Verb:
    """Build the kernel that fills the table."""

    def fill(
        board: Record, states: Record, cells: Record, depth: int, table: Record, facts: Record
    ) -> int:
        """Return the place of the best cell in the list, the first among equals; -1 for none.

        `states` holds the position and room for another. `facts` gets the sum and the number of
        sets.
        """
        b, root, s = board[0], states[0], states[1]
        me = root.turn
        nodes = 0
        best, choice = 0, -1
        # Step 1: the sets that play can reach. A set comes before all larger ones.
        table[0].reached = 1
        for filled in range(table.size):
            if table[filled].reached == 0:
                continue
            nodes += 1
            s.turn = me
            count = 0
            for place in range(cells.size):
                if filled >> place & 1 == 1:
                    s.turn = 1 - s.turn
                    count += 1
            for place in range(cells.size):
                if count < depth and filled >> place & 1 == 0 and usable(b, s, cells[place]):
                    table[filled | 1 << place].reached = 1
        # Step 2: their values, the largest sets first.
        for filled in range(table.size - 1, -1, -1):
            entry = table[filled]
            if entry.reached == 0:
                continue
            states[1] = root
            count = 0
            for place in range(cells.size):
                if filled >> place & 1 == 1:
                    fill_cell(b, s, cells[place], s.turn)
                    s.turn = 1 - s.turn
                    count += 1
            best, choice = -FAR, -1
            sign = 1 if s.turn == me else -1
            for place in range(cells.size):
                if count == depth or filled >> place & 1 == 1 or not usable(b, s, cells[place]):
                    continue
                after = table[filled | 1 << place]
                entry.plies = after.plies + 1
                value = sign * after.worth + gain(b, s, cells[place]) * entry.plies
                if value > best:
                    best, choice = value, place
            entry.worth = sign * best if choice >= 0 else 0
        lead = root.score[me] - root.score[1 - me]
        facts[0] = table[0].worth + lead * table[0].plies
        facts[1] = nodes
        return choice

    return fill
