"""Inside and outside are each connected: cells that one of them cannot do without.

A side of the loop starts at a cell known to be on it, and can spread over all cells not known to be
on the other, but not across a drawn line. A cell that every way from the start to another cell goes
through *dominates* that cell. These form a tree: the nearest such cell is the parent.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN
from plywise.puzzles.slither.logic.study import (
    IN,
    OUT,
    conclude,
    label_of,
    parity_of,
    work_out_sides,
)
from plywise.puzzles.slither.logic.techniques import fail


@rule
def work_out_known(t: Record, s: Record) -> bool:
    """Note the side of each cell that is known, in `known`; False if the sides contradict."""
    if not work_out_sides(t, s):
        s.failed = 1
        return False
    outside = t.cells - 1
    label_of(s, outside)
    for cell in range(t.cells):
        s.known[cell] = UNKNOWN
        if label_of(s, cell) == label_of(s, outside):
            s.known[cell] = IN if parity_of(s, cell) != parity_of(s, outside) else OUT
    return True


@rule
def spread_from(t: Record, s: Record, kind: int) -> int:
    """Find the cells that a side can reach, and which dominate them; returns how many there are.

    `order` lists the cells, `dominator` is the parent of each in the tree and `low` its distance
    from the root; `depth` is -1 for a cell that is not reached.
    """
    outside = t.cells - 1
    # Step 1: where to start.
    root = outside if kind == OUT else -1
    for cell in range(t.cells):
        s.depth[cell] = -1
        if root < 0 and s.known[cell] == kind:
            root = cell
    if root < 0:
        return 0
    # Step 2: depth-first search. `mark` is the next neighbour to try, `low` the lowest depth that
    # a subtree has an edge to.
    reached = 1
    s.order[0] = root
    s.above[root] = -1
    s.depth[root] = 0
    s.low[root] = 0
    s.mark[root] = 0
    cell = root
    while cell >= 0:
        line = -1
        if cell == outside:
            if s.mark[cell] < t.lines:
                line = s.mark[cell]
                s.mark[cell] += 1
                if t.line_cells[line, 0] != outside and t.line_cells[line, 1] != outside:
                    continue
        elif s.mark[cell] < 4:
            line = t.cell_lines[cell, s.mark[cell]]
            s.mark[cell] += 1
        if line < 0:
            up = s.above[cell]
            if up >= 0 and s.low[cell] < s.low[up]:
                s.low[up] = s.low[cell]
            cell = up
            continue
        near = t.line_cells[line, 0] + t.line_cells[line, 1] - cell
        if s.value[line] == LINE or (s.known[near] != UNKNOWN and s.known[near] != kind):
            continue
        if s.depth[near] < 0:
            s.above[near] = cell
            s.depth[near] = s.depth[cell] + 1
            s.low[near] = s.depth[near]
            s.mark[near] = 0
            s.order[reached] = near
            reached += 1
            cell = near
        elif near != s.above[cell] and s.depth[near] < s.low[cell]:
            s.low[cell] = s.depth[near]
    # Step 3: the tree of dominators, from the root down.
    s.dominator[root] = -1
    for k in range(1, reached):
        cell = s.order[k]
        up = s.above[cell]
        s.dominator[cell] = up if s.low[cell] >= s.depth[up] else s.dominator[up]
        s.low[cell] = s.low[s.dominator[cell]] + 1
    return reached


@rule
def find_connections(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find a cell without which the inside, or the outside, would not be connected."""
    if not work_out_known(t, s):
        return
    for kind in (OUT, IN):
        if spread_from(t, s, kind) == 0:
            continue
        for cell in range(t.cells):
            if s.known[cell] != kind:
                continue
            if s.depth[cell] < 0:
                fail(s, -1)
                return
            need = s.dominator[cell]
            while need >= 0:
                if s.known[need] == UNKNOWN:
                    s.known[need] = kind
                    conclude(s, -1 - need, kind)
                    s.place = need
                    if one:
                        return
                need = s.dominator[need]
        if s.found > 0:
            return


@rule
def common(s: Record, one: int, two: int) -> int:
    """The nearest cell that dominates both cells, or is one of them."""
    while one != two:
        if s.low[one] >= s.low[two]:
            one = s.dominator[one]
        else:
            two = s.dominator[two]
    return one


@rule
def settle(s: Record, cell: int, kind: int, reason: int) -> None:
    """Conclude the side of a cell, because of another one whose side is not known."""
    s.known[cell] = kind
    conclude(s, -1 - cell, kind)
    s.place = reason
    s.ways = 0


@rule
def find_either_way(t: Record, clues: Record, s: Record, one: bool) -> None:
    """Find a cell that one side needs whichever side another cell is on, or a side out of reach.

    The inside touches every clue but 0, and so does the outside. A drawn line has both beside
    it, so cells known to be on opposite sides of each other are looked at together.
    """
    if not work_out_known(t, s):
        return
    for kind in (OUT, IN):
        if spread_from(t, s, kind) == 0:
            continue
        # Step 1: clues. One of the cells that meet here is on this side: what dominates them all?
        for cell in range(t.cells - 1):
            if clues[cell] < 1 or s.known[cell] == kind:
                continue
            need = cell if s.depth[cell] >= 0 else -1
            for k in range(4):
                line = t.cell_lines[cell, k]
                near = t.line_cells[line, 0] + t.line_cells[line, 1] - cell
                if s.value[line] != CROSS and s.depth[near] >= 0:
                    need = near if need < 0 else common(s, need, near)
            if need < 0:
                fail(s, cell)
                return
            while need >= 0:
                if s.known[need] == UNKNOWN:
                    settle(s, need, kind, cell)
                    s.ways = 1  # for the wording: the reason is the clue itself
                    if one:
                        return
                need = s.dominator[need]
        if s.found > 0:
            return
        # Step 2: cells that cannot be reached.
        for cell in range(t.cells - 1):
            if s.known[cell] == UNKNOWN and s.depth[cell] < 0:
                settle(s, cell, 3 - kind, cell)
                return
        # Step 3: cells with the same label, in lists (`mark` the first, `above` the next). Those
        # with parity 0 are on this side, or else the others are. `queue` notes which cells either
        # case needs: all that dominate a cell on this side, and itself.
        for cell in range(t.cells):
            s.mark[cell] = -1
            s.queue[2 * cell] = -1
            s.queue[2 * cell + 1] = -1
        for cell in range(t.cells - 1):
            if s.known[cell] == UNKNOWN:
                label = label_of(s, cell)
                s.above[cell] = s.mark[label]
                s.mark[label] = cell
        for label in range(t.cells - 1):
            cell = s.mark[label]
            while cell >= 0:
                case = parity_of(s, cell)
                need = cell
                while need >= 0 and s.queue[2 * need + case] != label:
                    s.queue[2 * need + case] = label
                    if s.queue[2 * need + 1 - case] == label and s.known[need] == UNKNOWN:
                        settle(s, need, kind, label)
                        return
                    need = s.dominator[need]
                cell = s.above[cell]
