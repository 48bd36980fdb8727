"""The state of the solver: lines, paths, colours, learned clauses, the trail and the heap.

What can be known is a list of facts. The first E facts are the lines. Each corner, which is two
lines that meet at a dot at a right angle, has two more: at least one of them is drawn, and at most
one of them is drawn. The last fact stands for lines beyond the edge, which are never drawn.

A literal says that a fact is true (2 * fact) or false (2 * fact + 1). The trail holds facts in the
order they became known. A conclusion is explained by facts that come before it in the trail.
"""

from __future__ import annotations

import threading

import numpy as np

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.grid import LINE, MOST_CELLS, MOST_DOTS, MOST_LINES, UNKNOWN

#: The counters of `Work.count`.
SIZE, HEAD, LEVEL, LINES, SOLVED, BUFFER, CLAUSES, ARENA, HEAP = range(9)
CONFLICTS, DECISIONS, RESTARTS, FOUND = range(9, 13)
ROOM = 15  #: the number of learned clauses before some are forgotten
LEARNED = 16  #: the number of clauses that may be forgotten
JOINED = 17  #: the part of the trail whose lines are joined to paths; used only after a decision
STAMP, TRACE = 18, 19  #: the last numbers used in `stamp` and `loop`
REASON, SOURCE = range(13, 15)  #: of the last contradiction, as in the arrays below

#: Why a line is known: the rule, and in `source` the dot, cell, line or clause. What is known
#: before any decision needs no reason: it counts as given.
GIVEN, DOT_FULL, DOT_REST, CLUE_FULL, CLUE_REST, CLAUSE, PAIR, NOTHING_DRAWN, LOOP = range(9)

HUGE = 1e100  #: activities above this are scaled down
CLAUSE_ROOM = 1 << 17  #: the most clauses; half of the learned ones go long before it is full
ARENA_ROOM = 1 << 22  #: ... and literals in them
SOLUTIONS = 2  #: more than two are never needed

E, D, N = MOST_LINES, MOST_DOTS, MOST_CELLS
F = E + 8 * D + 1

#: In the table below, the first 6 clauses are about a corner alone, the first 10 about its dot too.
CORNER_CLAUSES, DOT_CLAUSES = 6, 10

#: What must hold at a corner, as clauses over six facts: the first line, the second line, at least
#: one, at most one, and these two facts about the opposite corner at the dot. A literal is twice
#: the fact's number, plus 1 for "not".
CLAUSES_OF_A_CORNER = (
    (1, 4, -1),
    (3, 4, -1),
    (0, 2, 5),
    (0, 6, -1),
    (2, 6, -1),
    (1, 3, 7),
    (5, 10, -1),  # two lines at most meet at a dot
    (9, 6, -1),
    (5, 7, 8),  # ... and never one
    (9, 11, 4),
)

#: The state of a search: one record type for the largest board, so that one kernel serves all.
WORK = np.dtype(
    (
        np.record,
        [
            ("count", "i8", 20),  # counters by their names above
            ("lines", "i8"),  # of this board, like the next three
            ("dots", "i8"),
            ("cells", "i8"),
            ("facts", "i8"),
            ("value", "u1", F),  # UNKNOWN, LINE (or true), CROSS (or false)
            ("trail", "i4", F),
            ("place", "i4", F),  # the index of a fact in the trail
            ("level", "i4", F),  # the number of decisions before it became known
            ("reason", "u1", F),
            ("source", "i4", F),
            ("limit", "i4", E + 2),  # the size of the trail when a level began
            ("other", "i4", D),  # the other end of a path; a dot without a line has itself
            ("length", "i4", D),  # the number of lines in the path, stored at its ends
            ("joined", "i4", (E, 2)),  # the ends of the path that a line made, after a decision
            ("loop", "i8", E),  # the number of the last loop that a line was part of
            ("colour", "i4", N),  # the label of cells known to be on the same or opposite sides
            ("parity", "u1", N),  # 1 if opposite to the label's cell
            ("ring", "i4", N),  # the next cell with that label
            ("weight", "i4", N),  # the number of cells with that label, stored at the label
            ("seen", "u1", F),  # marks of the conflict analysis
            ("marked", "i4", E),  # lines that follow from those of the clause being learned
            ("stamp", "i8", E + 2),  # the number of the clause for which a level was last counted
            ("levels", "i8"),  # the quality of the clause being learned
            ("buffer", "i4", F),  # literals of a reason or a contradiction, all of them true
            ("learned", "i4", F),  # the clause that is being learned
            ("pool", "i4", 8),  # the literals that the clauses of a corner are about
            ("clauses", "i4", (DOT_CLAUSES + 2, 3)),  # ... and which of them are in each clause
            ("activity", "f8", E),
            ("step", "f8"),  # the activity that a line gains from a conflict
            ("heap", "i4", E),  # lines by activity
            ("slot", "i4", E),  # the index of a line in the heap, or -1
            ("phase", "u1", E),  # the last known state of a line (phase saving)
            ("head", "i4", 2 * F),  # the first watch of a literal
            ("after", "i4", 2 * CLAUSE_ROOM),  # the next watch
            ("start", "i4", CLAUSE_ROOM),  # where in the arena a clause starts
            ("extent", "i4", CLAUSE_ROOM),  # ... and its length
            ("quality", "i4", CLAUSE_ROOM),  # the fewest levels its literals came from (LBD)
            ("used", "u1", CLAUSE_ROOM),  # above 0 if it took part in a recent conflict
            ("arena", "i4", ARENA_ROOM),
            ("tally", "i4", 64),  # the number of clauses of each quality
            ("found", "u1", (SOLUTIONS, E)),
        ],
    )
)

_kept = threading.local()


def work_of(layout: Record, number: int = 0) -> Record:
    """The arrays for a search on this board. Each thread has two sets, which it reuses."""
    if not hasattr(_kept, "work"):
        _kept.work = np.zeros(2, WORK).view(np.recarray)
    work = _kept.work[number]
    work.lines, work.dots, work.cells = layout.lines, layout.dots, layout.cells
    work.facts = layout.lines + 8 * layout.dots + 1
    work.clauses[:DOT_CLAUSES] = CLAUSES_OF_A_CORNER
    return work


@rule
def begin(w: Record) -> None:
    """Reset everything to unknown."""
    w.count[:] = 0
    w.value[: w.facts] = UNKNOWN
    w.seen[: w.facts] = 0
    w.head[: 2 * w.facts] = -1
    w.limit[0] = 0
    w.step = 1.0
    for dot in range(w.dots):
        w.other[dot] = dot
        w.length[dot] = 0
    for cell in range(w.cells):
        w.colour[cell] = cell
        w.ring[cell] = cell
        w.weight[cell] = 1
        w.parity[cell] = 0
    w.weight[w.cells - 1] = w.cells  # so the area around the board always keeps its label
    for line in range(w.lines):
        w.stamp[line] = 0
        w.loop[line] = 0
        w.activity[line] = 0.0
        w.slot[line] = -1
    w.stamp[w.lines] = 0
    w.stamp[w.lines + 1] = 0


@rule
def assign(w: Record, fact: int, state: int, reason: int, source: int) -> None:
    """Set a fact that was not known before."""
    size = w.count[SIZE]
    w.value[fact] = state
    w.trail[size] = fact
    w.place[fact] = size
    w.level[fact] = w.count[LEVEL]
    w.reason[fact] = reason
    w.source[fact] = source
    w.count[SIZE] = size + 1
    if state == LINE and fact < w.lines:
        w.count[LINES] += 1


@rule
def literal(w: Record, line: int) -> int:
    """The literal that is true of a known line."""
    return 2 * line + w.value[line] - LINE


@rule
def note(w: Record, line: int) -> None:
    """Add the true literal of a known line to the buffer."""
    w.buffer[w.count[BUFFER]] = 2 * line + w.value[line] - LINE
    w.count[BUFFER] += 1


# ---- which line to decide next: a heap of the open lines by activity ---------------------------


@rule
def _up(w: Record, at: int) -> None:
    line = w.heap[at]
    while at > 0:
        above = (at - 1) >> 1
        if w.activity[w.heap[above]] >= w.activity[line]:
            break
        w.heap[at] = w.heap[above]
        w.slot[w.heap[at]] = at
        at = above
    w.heap[at] = line
    w.slot[line] = at


@rule
def _down(w: Record, at: int) -> None:
    line = w.heap[at]
    while 2 * at + 1 < w.count[HEAP]:
        below = 2 * at + 1
        if below + 1 < w.count[HEAP] and w.activity[w.heap[below + 1]] > w.activity[w.heap[below]]:
            below += 1
        if w.activity[w.heap[below]] <= w.activity[line]:
            break
        w.heap[at] = w.heap[below]
        w.slot[w.heap[at]] = at
        at = below
    w.heap[at] = line
    w.slot[line] = at


@rule
def push(w: Record, line: int) -> None:
    """Put a line back into the heap."""
    if w.slot[line] < 0:
        w.heap[w.count[HEAP]] = line
        w.slot[line] = w.count[HEAP]
        w.count[HEAP] += 1
        _up(w, w.slot[line])


@rule
def pop(w: Record) -> int:
    """Remove and return the most active line; the heap must not be empty."""
    line = w.heap[0]
    w.count[HEAP] -= 1
    w.slot[line] = -1
    if w.count[HEAP] > 0:
        w.heap[0] = w.heap[w.count[HEAP]]
        w.slot[w.heap[0]] = 0
        _down(w, 0)
    return line


@rule
def bump(w: Record, line: int) -> None:
    """Raise the activity of a line that took part in a conflict."""
    w.activity[line] += w.step
    if w.activity[line] > HUGE:
        for k in range(w.lines):
            w.activity[k] /= HUGE
        w.step /= HUGE
    if w.slot[line] >= 0:
        _up(w, w.slot[line])
