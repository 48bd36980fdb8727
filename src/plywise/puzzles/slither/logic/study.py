"""What is known about a puzzle, and what follows from it: paths, pairs, sides.

Steps find lines and the sides of cells. Everything else is computed from those whenever a technique
needs it, so it is never out of date.
"""

from __future__ import annotations

import numpy as np

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.grid import (
    CROSS,
    LINE,
    MOST_CELLS,
    MOST_DOTS,
    MOST_LINES,
    NO_CLUE,
    UNKNOWN,
    join,
)

E, D, N = MOST_LINES, MOST_DOTS, MOST_CELLS
WINDOW = 24  #: the lines in a window of three by three cells

IN, OUT = 1, 2  #: the sides of a cell

#: Where a fact about a pair of lines comes from: see `work_out_pairs`.
FROM_LINE, FROM_CLUE, FROM_OPPOSITE, FROM_DOT, FROM_BOTH, FROM_MATE = range(1, 7)

STUDY = np.dtype(
    (
        np.record,
        [
            ("value", "u1", E),  # UNKNOWN, LINE or CROSS
            ("side", "u1", N),  # UNKNOWN, IN or OUT
            ("drawn", "i8"),  # the number of drawn lines
            ("found", "i8"),  # the number of conclusions
            ("what", "i4", E + N),  # ... each a line, or a cell as -1 - cell
            ("state", "u1", E + N),  # ... and its state
            ("place", "i8"),  # the cell, dot, line or corner that the step is about
            ("ways", "i8"),  # the number of cases in a case analysis
            ("failed", "i8"),  # 1: there is a contradiction
            ("uses", "i8", 16),  # how often each technique was used
            ("other", "i4", D),  # the other end of a path, or the dot itself
            ("length", "i4", D),  # the number of lines in the path, stored at its ends
            ("label", "i4", N),  # cells known to be on the same or opposite sides share a label
            ("parity", "u1", N),
            ("pair", "u1", 8 * D),  # corner facts: at least one, at most one; 1 if known
            ("origin", "u1", 8 * D),  # where a fact comes from
            ("parent", "i4", (8 * D, 2)),  # the facts that it follows from
            ("queue", "i4", 8 * D),
            ("mark", "i4", N),
            ("depth", "i4", N),
            ("low", "i4", N),
            ("above", "i4", N),
            ("known", "u1", N),  # the side of each cell, where it is known
            ("order", "i4", N),  # cells in the order in which a side reaches them
            ("dominator", "i4", N),  # the nearest cell on every way to a cell
            ("window", "i4", WINDOW),  # the lines of a window
            ("before", "u1", WINDOW),  # ... their states before
            ("seen", "u1", WINDOW),  # ... what they can be: 1 a line, 2 a cross, 3 either
            ("ends", "i4", (WINDOW, 2)),  # ... the labels on their two sides, renumbered from 0
            ("bend", "u1", WINDOW),  # ... 1 if exactly one side is opposite to its label
            ("small", "i4", 2 * WINDOW),  # the renumbered labels
            ("tie", "i4", 2 * WINDOW),  # a union-find forest of them
            ("twist", "u1", 2 * WINDOW),
            ("undo", "i4", (WINDOW, 4)),  # paths joined for a check, to be restored
            ("looked", "u8", (4, N)),  # keys of windows that gave nothing, by size and place
            ("rows", "i8"),
            ("cols", "i8"),
        ],
    )
)


@rule
def work_out_paths(t: Record, s: Record) -> None:
    """Find the two ends of each path of drawn lines."""
    s.drawn = 0
    for dot in range(t.dots):
        s.other[dot] = dot
        s.length[dot] = 0
    for line in range(t.lines):
        if s.value[line] == LINE:
            s.drawn += 1
            one, two = t.line_dots[line, 0], t.line_dots[line, 1]
            join(s, s.other[one], s.other[two])


@rule
def label_of(s: Record, cell: int) -> int:
    """The label of a cell; `parity` then tells whether it is on the opposite side."""
    root = cell
    parity = 0
    while s.label[root] != root:
        parity ^= s.parity[root]
        root = s.label[root]
    # Path compression: the next look-up is shorter.
    while s.label[cell] != root and cell != root:
        above, own = s.label[cell], s.parity[cell]
        s.label[cell] = root
        s.parity[cell] = parity
        parity ^= own
        cell = above
    return root


@rule
def parity_of(s: Record, cell: int) -> int:
    """1 if a cell is on the opposite side to its label; call `label_of` first."""
    return s.parity[cell] if s.label[cell] != cell else 0


@rule
def work_out_sides(t: Record, s: Record) -> bool:
    """Label cells by what is known about their sides; False for a contradiction."""
    outside = t.cells - 1
    for cell in range(t.cells):
        s.label[cell] = cell
        s.parity[cell] = 0
    for k in range(t.lines + t.cells - 1):
        if k < t.lines:
            state = s.value[k]
            one, two = t.line_cells[k, 0], t.line_cells[k, 1]
        else:
            state = s.side[k - t.lines]
            one, two = k - t.lines, outside
        if state == UNKNOWN:
            continue
        unlike = 1 if state == LINE else 0  # LINE == IN: opposite to the area around the board
        first, last = label_of(s, one), label_of(s, two)
        parity = parity_of(s, one) ^ parity_of(s, two) ^ unlike
        if first == last:
            if parity != 0:
                s.place = k
                return False
        elif first == outside:
            s.label[last] = first
            s.parity[last] = parity
        else:
            s.label[first] = last
            s.parity[first] = parity
    return True


@rule
def _say(s: Record, fact: int, origin: int, one: int, two: int, waiting: int) -> int:
    """Queue a fact about a pair if it is new; returns the length of the queue."""
    if s.pair[fact] == 0:
        s.pair[fact] = 1
        s.origin[fact] = origin
        s.parent[fact, 0] = one
        s.parent[fact, 1] = two
        s.queue[waiting] = fact
        waiting += 1
    return waiting


@rule
def work_out_pairs(t: Record, clues: Record, s: Record) -> None:
    """Find facts about the two lines of a corner.

    Fact 2 * corner means that at least one is drawn, 2 * corner + 1 that at most one is.
    """
    corners = 4 * t.dots
    waiting = 0
    for fact in range(2 * corners):
        s.pair[fact] = 0
    # Step 1: what the lines and the clues say directly.
    for corner in range(corners):
        clue = clues[t.corner_cell[corner]]
        if clue == 3:
            waiting = _say(s, 2 * corner, FROM_CLUE, -1, -1, waiting)
        elif clue == 1:
            waiting = _say(s, 2 * corner + 1, FROM_CLUE, -1, -1, waiting)
        mate = t.corner_mate[corner]
        if mate >= 0 and (clue == 1 or clue == 3):
            wanted = CROSS if clue == 1 else LINE
            one, two = t.corner_lines[mate, 0], t.corner_lines[mate, 1]
            if s.value[one] == wanted and s.value[two] == wanted:
                fact = 2 * corner + (0 if clue == 1 else 1)
                waiting = _say(s, fact, FROM_OPPOSITE, -1, -1, waiting)
        for k in range(2):
            line = t.corner_lines[corner, k]
            if line < 0 or s.value[line] == CROSS:
                waiting = _say(s, 2 * corner + 1, FROM_LINE, line, -1, waiting)
            elif s.value[line] == LINE:
                waiting = _say(s, 2 * corner, FROM_LINE, line, -1, waiting)
    # Step 2: what follows from that.
    head = 0
    while head < waiting:
        fact = s.queue[head]
        head += 1
        corner, few = fact >> 1, fact & 1
        across = corner ^ 3
        if few == 0:  # at least one here, so at most one across the dot
            waiting = _say(s, 2 * across + 1, FROM_DOT, fact, -1, waiting)
        if s.pair[2 * corner] and s.pair[2 * corner + 1]:  # exactly one here, so one there too
            waiting = _say(s, 2 * across, FROM_BOTH, 2 * corner, 2 * corner + 1, waiting)
        mate = t.corner_mate[corner]
        if mate >= 0 and clues[t.corner_cell[corner]] == 2:
            waiting = _say(s, 2 * mate + 1 - few, FROM_MATE, fact, -1, waiting)


@rule
def conclude(s: Record, what: int, state: int) -> None:
    """Record a new conclusion about a line, or a cell given as -1 - cell."""
    s.what[s.found] = what
    s.state[s.found] = state
    s.found += 1
    if what >= 0:
        s.value[what] = state
    else:
        s.side[-1 - what] = state


@rule
def fits_alone(t: Record, clues: Record, s: Record, one: int, two: int) -> bool:
    """True if the loop around two neighbouring cells could be the whole solution."""
    for cell in range(t.cells - 1):
        clue = clues[cell]
        if clue == NO_CLUE or cell in (one, two):
            continue
        for k in range(4):
            line = t.cell_lines[cell, k]
            near = t.line_cells[line, 0] + t.line_cells[line, 1] - cell
            if near in (one, two):
                clue -= 1
        if clue != 0:
            return False
    return True
