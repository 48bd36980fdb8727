"""What the solver knows while it works: lines, paths, colours, learned clauses, and a trail.

What can be known are facts. The first E of them are the lines. For each corner, that is two lines
that meet at a dot at a right angle, there are two more: at least one of them is drawn, and at most
one of them is. The last fact is a line that is not there, and never drawn.

A literal says that a fact is so (2 * fact) or not (2 * fact + 1). The trail holds facts in the order
they became known. Whatever the rules conclude is explained from what stands earlier in the trail.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from plywise.jit import rule
from plywise.puzzles.slither.grid import LINE, UNKNOWN, Layout

#: The counters of `Work.count`.
SIZE, HEAD, LEVEL, LINES, SOLVED, BUFFER, CLAUSES, ARENA, HEAP = range(9)
CONFLICTS, DECISIONS, RESTARTS, FOUND = range(9, 13)
REASON, SOURCE, CULPRIT = range(13, 16)  #: of the last contradiction, as in the arrays below

#: Why a line is known: the rule, and in `Work.source` the dot, cell or clause.
GIVEN, DOT_FULL, DOT_REST, CLUE_FULL, CLUE_REST, EARLY_LOOP, COLOUR, CLAUSE, NOTHING_DRAWN, SHORT = range(10)

CLAUSE_ROOM = 1 << 14  #: learned clauses at most; half of them go when it is full
ARENA_ROOM = 1 << 20  #: ... and literals in them


class Work(NamedTuple):
    """The arrays of one search. F facts, E lines, D dots, N cells and the area around them."""

    count: Any  #: counters by their names above
    value: Any  #: F: UNKNOWN, LINE or CROSS
    trail: Any  #: F
    place: Any  #: F: where in the trail a line stands
    level: Any  #: F: how many decisions were made before it was known
    reason: Any  #: F
    source: Any  #: F
    why: Any  #: F x 2: the literals of a SHORT reason; -1 if there is one only
    limit: Any  #: E + 2: the size of the trail when a level began
    other: Any  #: D: from one end of a path to its other end; the dot itself if it is alone
    length: Any  #: D: lines in the path, at its ends
    joined: Any  #: E x 4: the ends that a line joined and the lengths before; -1 if it has not
    colour: Any  #: N + 1: the label of a component of cells that are known to be equal or unlike
    parity: Any  #: N + 1: 1 if unlike the label's cell
    ring: Any  #: N + 1: the next cell of the component
    weight: Any  #: N + 1: cells in it, at its label
    parent: Any  #: N + 1 x 2: the tree that explains a component: a cell, and the line to it
    merged: Any  #: E x 2: the label that lost its cells because of a line, and the flip; -1
    seen: Any  #: F: marks of the analysis
    stamp: Any  #: E + 2: the conflict in which a level was last counted
    buffer: Any  #: F: literals of a reason or a conflict, all of them true
    learned: Any  #: F: the clause that is being learned
    mark: Any  #: N + 1: for walks
    activity: Any  #: E
    step: Any  #: how much a line gains that took part in a conflict
    heap: Any  #: E: lines by activity
    slot: Any  #: E: where in the heap, or -1
    phase: Any  #: E: what a line was when it was last known
    head: Any  #: 2 F: the first watch of a literal
    after: Any  #: 2 a clause: the next watch
    start: Any  #: where in the arena a clause begins
    extent: Any  #: ... and its length
    quality: Any  #: in how many levels its literals were
    arena: Any
    found: Any  #: solutions x E


def new_work(layout: Layout, solutions: int = 2) -> Work:
    """Arrays for a board of this layout; `begin` fills them."""
    lines, dots, cells = len(layout.line_dots), len(layout.dot_lines), len(layout.cell_lines)
    facts = lines + 8 * dots + 1

    def numbers(*shape: int) -> Any:
        return np.empty(shape, np.int32)

    def letters(*shape: int) -> Any:
        return np.empty(shape, np.uint8)

    return Work(
        count=np.zeros(16, np.int64),
        value=letters(facts),
        trail=numbers(facts),
        place=numbers(facts),
        level=numbers(facts),
        reason=letters(facts),
        source=numbers(facts),
        why=numbers(facts, 2),
        limit=numbers(lines + 2),
        other=numbers(dots),
        length=numbers(dots),
        joined=numbers(lines, 4),
        colour=numbers(cells),
        parity=letters(cells),
        ring=numbers(cells),
        weight=numbers(cells),
        parent=numbers(cells, 2),
        merged=numbers(lines, 2),
        seen=letters(facts),
        stamp=numbers(lines + 2),
        buffer=numbers(facts),
        learned=numbers(facts),
        mark=numbers(cells),
        activity=np.empty(lines, np.float64),
        step=np.empty(1, np.float64),
        heap=numbers(lines),
        slot=numbers(lines),
        phase=letters(lines),
        head=numbers(2 * facts),
        after=numbers(2 * CLAUSE_ROOM),
        start=numbers(CLAUSE_ROOM),
        extent=numbers(CLAUSE_ROOM),
        quality=numbers(CLAUSE_ROOM),
        arena=numbers(ARENA_ROOM),
        found=letters(solutions, lines),
    )


@rule
def begin(w: Work) -> None:
    """Nothing is known."""
    w.count[:] = 0
    w.value[:] = UNKNOWN
    w.limit[0] = 0
    for dot in range(len(w.other)):
        w.other[dot] = dot
        w.length[dot] = 0
    w.joined[:] = -1
    for cell in range(len(w.colour)):
        w.colour[cell] = cell
        w.ring[cell] = cell
        w.weight[cell] = 1
    w.weight[len(w.weight) - 1] = len(w.weight)  # the area around the board is never relabelled
    w.parity[:] = 0
    w.parent[:] = -1
    w.merged[:] = -1
    w.seen[:] = 0
    w.stamp[:] = -1
    w.mark[:] = -1
    w.activity[:] = 0.0
    w.step[0] = 1.0
    w.slot[:] = -1
    w.head[:] = -1


@rule
def assign(w: Work, fact: int, state: int, reason: int, source: int) -> None:
    """A fact becomes known; it was not before."""
    size = w.count[SIZE]
    w.value[fact] = state
    w.trail[size] = fact
    w.place[fact] = size
    w.level[fact] = w.count[LEVEL]
    w.reason[fact] = reason
    w.source[fact] = source
    w.count[SIZE] = size + 1
    if state == LINE and fact < len(w.joined):
        w.count[LINES] += 1


@rule
def literal(w: Work, line: int) -> int:
    """What is true of a known line."""
    return 2 * line + w.value[line] - LINE


@rule
def note(w: Work, line: int) -> None:
    """Add what is true of a line to the buffer."""
    w.buffer[w.count[BUFFER]] = 2 * line + w.value[line] - LINE
    w.count[BUFFER] += 1
