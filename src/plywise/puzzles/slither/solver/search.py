"""The complete search: decide a line, draw conclusions, learn from each contradiction.

It is conflict-driven clause learning (CDCL): a contradiction is traced back to the decisions that
caused it, the reason is kept as a clause, and the search goes back to where that clause applies.
"""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.jit import kernel, rule
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN
from plywise.puzzles.slither.solver.propagation import (
    explain,
    fail,
    is_false,
    propagate,
)
from plywise.puzzles.slither.solver.work import (
    ARENA,
    ARENA_ROOM,
    BUFFER,
    CLAUSE,
    CLAUSE_ROOM,
    CLAUSES,
    CONFLICTS,
    DECISIONS,
    FOUND,
    GIVEN,
    HEAD,
    HEAP,
    LEVEL,
    LINES,
    NOTHING_DRAWN,
    REASON,
    RESTARTS,
    ROOM,
    SIZE,
    SOLVED,
    SOURCE,
    assign,
    begin,
    literal,
)

DECAY = 1.0 / 0.92  #: how much more a later conflict counts
HUGE = 1e100  #: activities above this are scaled down
RESTART = 40  #: conflicts before the first restart; later ones follow Luby's sequence
FIRST = (0.0, 2.0, 1.0, 3.0, 4.0)  #: the initial activity a line gets from each clue next to it
FIRST_ROOM, MORE_ROOM = 2000, 300  #: clauses before some are forgotten, and the increase each time
SOLUTION = -1  #: the quality of a clause that excludes a solution already found
KEEP_QUALITY = 2  #: clauses from this many levels or fewer are always kept


# ---- which line next -----------------------------------------------------------------------


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


# ---- backtracking and learning -------------------------------------------------------------


@rule
def go_back(w: Record, level: int) -> None:
    """Undo every decision after `level`. Only lines follow from decisions."""
    if w.count[LEVEL] <= level:
        return
    size = w.count[SIZE]
    goal = w.limit[level + 1]
    while size > goal:
        size -= 1
        line = w.trail[size]
        w.phase[line] = w.value[line]
        w.count[LINES] -= w.value[line] == LINE
        w.value[line] = UNKNOWN
        push(w, line)
    w.count[SIZE] = size
    w.count[HEAD] = size
    w.count[LEVEL] = level


@rule
def _watch(w: Record, clause: int, which: int) -> None:
    node = 2 * clause + which
    lit = w.arena[w.start[clause] + which]
    w.after[node] = w.head[lit]
    w.head[lit] = node


@rule
def add_clause(w: Record, size: int) -> int:
    """Keep the literals of `learned` as a clause, and watch the first two."""
    clause = w.count[CLAUSES]
    w.count[CLAUSES] += 1
    start = w.count[ARENA]
    w.count[ARENA] += size
    w.start[clause] = start
    w.extent[clause] = size
    levels = 0
    for k in range(size):
        w.arena[start + k] = w.learned[k]
        level = w.level[w.learned[k] >> 1]
        if w.stamp[level] != w.count[CONFLICTS]:
            w.stamp[level] = w.count[CONFLICTS]
            levels += 1
    w.quality[clause] = levels
    _watch(w, clause, 0)
    _watch(w, clause, 1)
    return clause


@rule
def make_room(w: Record, all_of_them: bool) -> None:
    """Forget the worse half of the clauses (those from most levels), or all of them.

    Called only at level 0. Clauses that exclude a solution already found always stay.
    """
    # Step 1: find the quality up to which about half of them are kept.
    for k in range(len(w.tally)):
        w.tally[k] = 0
    for clause in range(w.count[CLAUSES]):
        w.tally[max(0, min(w.quality[clause], len(w.tally) - 1))] += 1
    most = KEEP_QUALITY
    below = 0
    for k in range(KEEP_QUALITY + 1):
        below += w.tally[k]
    while most + 1 < len(w.tally) and below + w.tally[most + 1] <= w.count[CLAUSES] // 2:
        most += 1
        below += w.tally[most]
    # Step 2: drop the others, except for the newest.
    kept = 0
    arena = 0
    newest = w.count[CLAUSES] - w.count[CLAUSES] // 8
    w.head[: 2 * w.facts] = -1
    for clause in range(w.count[CLAUSES]):
        start, size = w.start[clause], w.extent[clause]
        good = clause >= newest or w.quality[clause] <= most
        if w.quality[clause] == SOLUTION or (good and not all_of_them):
            satisfied = False
            for k in range(size):
                lit = w.arena[start + k]
                if w.value[lit >> 1] != UNKNOWN and not is_false(w, lit):
                    satisfied = True
                    break
            if satisfied:
                continue
            w.start[kept] = arena
            for k in range(size):
                w.arena[arena + k] = w.arena[start + k]
            w.extent[kept] = size
            w.quality[kept] = w.quality[clause]
            _watch(w, kept, 0)
            _watch(w, kept, 1)
            arena += size
            kept += 1
    w.count[CLAUSES] = kept
    w.count[ARENA] = arena
    # Facts at level 0 no longer need a reason, and its clause may be gone.
    for k in range(w.count[SIZE]):
        w.reason[w.trail[k]] = GIVEN


@rule
def learn(t: Record, w: Record) -> int:
    """Trace a contradiction back to one line of this level; returns the size of the clause.

    `learned` gets the clause: first the new literal of that line (the first unique implication
    point), then a literal of the level to go back to. Literals that follow from the rest are left
    out.
    """
    size = 1
    left = 0  # lines of this level still to trace
    at = w.count[SIZE] - 1
    checked = 0  # from 1 on: the literal that may be needless
    line = -1
    reason, source, place = w.count[REASON], w.count[SOURCE], w.count[SIZE]
    while True:
        explain(t, w, line, reason, source, place)
        if checked == 0:
            for k in range(w.count[BUFFER]):
                near = w.buffer[k] >> 1
                if w.seen[near] == 0 and w.level[near] > 0:
                    w.seen[near] = 1
                    bump(w, near)
                    if w.level[near] == w.count[LEVEL]:
                        left += 1
                    else:
                        w.learned[size] = w.buffer[k] ^ 1
                        size += 1
            while w.seen[w.trail[at]] == 0:
                at -= 1
            line = w.trail[at]
            at -= 1
            w.seen[line] = 0
            left -= 1
            if left == 0:
                w.learned[0] = literal(w, line) ^ 1
                checked = 1
        else:
            needless = True
            for k in range(w.count[BUFFER]):
                near = w.buffer[k] >> 1
                if w.level[near] > 0 and w.seen[near] == 0:
                    needless = False
                    break
            if needless:
                w.learned[checked] = -1 - w.learned[checked]  # marked, and left out below
            checked += 1
        if checked > 0:
            while checked < size and w.reason[w.learned[checked] >> 1] == GIVEN:
                checked += 1
            if checked == size:
                break
            line = w.learned[checked] >> 1
        reason, source, place = w.reason[line], w.source[line], w.place[line]
    kept = 1
    best = 1
    for k in range(1, size):
        lit = w.learned[k]
        w.seen[(lit if lit >= 0 else -1 - lit) >> 1] = 0
        if lit >= 0:
            w.learned[kept] = lit
            if w.level[lit >> 1] > w.level[w.learned[best] >> 1]:
                best = kept
            kept += 1
    if kept > 1:
        w.learned[1], w.learned[best] = w.learned[best], w.learned[1]
    return kept


# ---- the main loop -------------------------------------------------------------------------

#: How a search ends: nothing more to find, as many solutions as wanted, or out of budget.
DONE, ENOUGH, PAUSED = 0, 1, 2


@rule
def luby(number: int) -> int:
    """The sequence 1 1 2 1 1 2 4 ..., from number 1."""
    size = 1
    while size < number + 1:
        size *= 2
    while size - 1 != number:
        number -= size // 2 - 1
        size = 1
        while size < number + 1:
            size *= 2
    return size // 2


@rule
def start(t: Record, clues: Record, given: Record, w: Record) -> None:
    """Start with what is given, and what each clue says on its own."""
    begin(w)
    w.count[ROOM] = FIRST_ROOM
    assign(w, w.facts - 1, CROSS, GIVEN, 0)
    for line in range(w.lines):
        if given[line] != UNKNOWN:
            assign(w, line, given[line], GIVEN, 0)
    for cell in range(t.cells - 1):
        if clues[cell] >= 0:
            for k in range(4):
                line = t.cell_lines[cell, k]
                w.activity[line] += FIRST[clues[cell]]
                if w.value[line] == UNKNOWN and clues[cell] % 4 == 0:
                    assign(w, line, CROSS if clues[cell] == 0 else LINE, GIVEN, 0)
    for corner in range(4 * t.dots):  # those of clues, and those at the edge of the board
        clue = clues[t.corner_cell[corner]]
        fact = w.lines + 2 * corner
        if clue == 3:
            assign(w, fact, LINE, GIVEN, 0)
        elif clue == 1 or t.corner_lines[corner, 0] < 0 or t.corner_lines[corner, 1] < 0:
            assign(w, fact + 1, LINE, GIVEN, 0)
    for line in range(w.lines):
        w.phase[line] = LINE
        if w.value[line] == UNKNOWN:
            push(w, line)


@rule
def trace_loops(t: Record, w: Record) -> int:
    """Number the loops once all lines are decided; returns how many there are."""
    for line in range(w.lines):
        w.loop[line] = -1
    count = 0
    for first in range(w.lines):
        if w.value[first] != LINE or w.loop[first] >= 0:
            continue
        line = first
        dot = t.line_dots[first, 0]
        while w.loop[line] < 0:
            w.loop[line] = count
            dot = t.line_dots[line, 0] + t.line_dots[line, 1] - dot
            for k in range(4):
                near = t.dot_lines[dot, k]
                if near >= 0 and near != line and w.value[near] == LINE:
                    line = near
                    break
        count += 1
    return count


@rule
def fits(t: Record, clues: Record, w: Record, loop: int) -> bool:
    """True if a loop alone meets every clue and contains every line drawn at level 0."""
    for place in range(w.limit[1] if w.count[LEVEL] > 0 else w.count[SIZE]):
        line = w.trail[place]
        if line < w.lines and w.value[line] == LINE and w.loop[line] != loop:
            return False
    for cell in range(t.cells - 1):
        clue = clues[cell]
        if clue >= 0:
            for k in range(4):
                if w.loop[t.cell_lines[cell, k]] == loop:
                    clue -= 1
            if clue != 0:
                return False
    return True


@rule
def forbid(w: Record, loop: int) -> int:
    """Put a clause that excludes a loop into `learned`; returns its size.

    The loop cannot be part of a solution with other loops. Alone it either breaks a clue or is a
    solution that has been stored. Called only at level 0; known lines are left out.
    """
    size = 0
    for line in range(w.lines):
        if w.loop[line] == loop and w.value[line] == UNKNOWN:
            w.learned[size] = 2 * line + 1
            size += 1
    return size


@kernel
def searching() -> Any:
    """Build the kernel that finds solutions."""

    def search(
        t: Record, clues: Record, given: Record, w: Record, wanted: int, fresh: bool, budget: int
    ) -> int:
        """Look for `wanted` solutions; returns how it ended, with the solutions in `w`.

        Without `fresh`, continue a paused search. The budget is in conflicts.
        """
        count = w.count
        if fresh:
            start(t, clues, given, w)
        stop_at = count[CONFLICTS] + budget
        restart_at = count[CONFLICTS] + RESTART * luby(count[RESTARTS] + 1)
        consistent = True
        while True:
            # Step 1: conclusions.
            if consistent:
                consistent = propagate(t, clues, w)
            if count[SOLVED] != 0:  # level 0 leaves this loop only
                for line in range(w.lines):
                    w.found[count[FOUND], line] = LINE if w.value[line] == LINE else CROSS
                count[FOUND] += 1
                return ENOUGH if count[FOUND] == wanted else DONE
            # Step 2: a contradiction to learn from, or a decision.
            size = 0
            loops = 0
            back = -1
            solution = -1
            full = count[CLAUSES] > count[ROOM] or count[ARENA] + 4 * w.lines > ARENA_ROOM
            if not consistent:
                if count[LEVEL] == 0:
                    return DONE
                count[CONFLICTS] += 1
                size = learn(t, w)
                back = 0 if size == 1 else w.level[w.learned[1] >> 1]
                w.step *= DECAY
            elif full or count[CONFLICTS] >= restart_at:
                back = 0
            else:
                line = -1
                while line < 0 and count[HEAP] > 0:
                    line = pop(w)
                    if w.value[line] != UNKNOWN:
                        line = -1
                if line >= 0:
                    count[LEVEL] += 1
                    w.limit[count[LEVEL]] = count[SIZE]
                    count[DECISIONS] += 1
                    assign(w, line, w.phase[line], GIVEN, 0)
                    continue
                # Step 3: all lines are decided. Each loop is a solution, or breaks a clue.
                loops = trace_loops(t, w)
                if loops == 0:
                    consistent = fail(w, NOTHING_DRAWN, 0)
                    continue
                for loop in range(loops):
                    if fits(t, clues, w, loop):
                        for k in range(w.lines):
                            w.found[count[FOUND], k] = LINE if w.loop[k] == loop else CROSS
                        count[FOUND] += 1
                        if count[FOUND] == wanted:
                            return ENOUGH
                        solution = loop
                back = 0
            # Step 4: go back, and add the new clause, or one for each loop.
            go_back(w, back)
            consistent = True
            if size == 0 and loops == 0:
                count[RESTARTS] += 1
                restart_at = count[CONFLICTS] + RESTART * luby(count[RESTARTS] + 1)
                if full:
                    for attempt in range(2):
                        make_room(w, attempt == 1)
                        if count[CLAUSES] < CLAUSE_ROOM // 2 and count[ARENA] < ARENA_ROOM // 2:
                            break
                    room = max(count[ROOM], count[CLAUSES]) + MORE_ROOM
                    count[ROOM] = min(room, CLAUSE_ROOM - MORE_ROOM)
                if count[CONFLICTS] >= stop_at:
                    return PAUSED
            for loop in range(max(loops, 1)):
                if loops > 0:
                    size = forbid(w, loop)
                    if size == 0:
                        return DONE
                if size > 0:
                    reason, source = GIVEN, 0
                    if size > 1:
                        reason, source = CLAUSE, add_clause(w, size)
                    if loops > 0 and size > 1:
                        w.quality[source] = SOLUTION if loop == solution else 0
                    elif w.value[w.learned[0] >> 1] == UNKNOWN:
                        assign(w, w.learned[0] >> 1, LINE + (w.learned[0] & 1), reason, source)

    return search
