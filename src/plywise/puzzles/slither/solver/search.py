"""The complete search: decide a line, draw conclusions, learn from each contradiction.

It is conflict-driven clause learning (CDCL): a contradiction is traced back to the decisions that
caused it, the reason is kept as a clause, and the search goes back to where that clause applies.
"""

from __future__ import annotations

from typing import Any

from plywise.core.game import Record
from plywise.jit import kernel, rule
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, clues_met
from plywise.puzzles.slither.solver.learning import (
    LASTING,
    SOLUTION,
    add_clause,
    go_back,
    learn,
    make_room,
)
from plywise.puzzles.slither.solver.propagation import fail, propagate
from plywise.puzzles.slither.solver.work import (
    ARENA,
    ARENA_ROOM,
    CLAUSE,
    CLAUSE_ROOM,
    CLAUSES,
    CONFLICTS,
    DECISIONS,
    FOUND,
    GIVEN,
    HEAP,
    JOINED,
    LEARNED,
    LEVEL,
    LOOP,
    NOTHING_DRAWN,
    RESTARTS,
    ROOM,
    SIZE,
    SOLVED,
    TRACE,
    assign,
    begin,
    pop,
    push,
)

DECAY = 1.0 / 0.92  #: how much more a later conflict counts
RESTART = 40  #: conflicts before the first restart; later ones follow Luby's sequence
FIRST = (0.0, 2.0, 1.0, 3.0, 4.0)  #: the initial activity a line gets from each clue next to it
FIRST_ROOM, MORE_ROOM = 2000, 300  #: clauses before some are forgotten, and the increase each time

#: A loop of at most this many lines is excluded as soon as it closes; a longer one only when all
#: lines are decided. A long one is a poor clause, and until then shorter contradictions turn up.
SHORT = 30

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
        w.phase[line] = CROSS
        if w.value[line] == UNKNOWN:
            push(w, line)


# ---- loops after a decision: seen as soon as they close ----------------------------------------


@rule
def find_loop(t: Record, w: Record) -> int:
    """Join the paths at the lines drawn since the last call; returns a line that closes a loop.

    Called when nothing more follows from a decision. -1 if there is no loop.
    """
    while w.count[JOINED] < w.count[SIZE]:
        line = w.trail[w.count[JOINED]]
        if w.value[line] == LINE:
            one, two = t.line_dots[line, 0], t.line_dots[line, 1]
            first, last = w.other[one], w.other[two]
            w.joined[line, 0] = -1
            if first != two:
                w.joined[line, 0] = first
                w.joined[line, 1] = last
                w.other[first] = last
                w.other[last] = first
            elif trace_loop(t, w, line) <= SHORT:
                return line
        w.count[JOINED] += 1
    return -1


@rule
def trace_loop(t: Record, w: Record, first: int) -> int:
    """Mark the lines of a closed loop with a new number, `count[TRACE]`; returns their number."""
    w.count[TRACE] += 1
    line = first
    length = 0
    dot = t.line_dots[first, 0]
    while w.loop[line] != w.count[TRACE]:
        w.loop[line] = w.count[TRACE]
        length += 1
        dot = t.line_dots[line, 0] + t.line_dots[line, 1] - dot
        for k in range(4):
            near = t.dot_lines[dot, k]
            if near >= 0 and near != line and w.value[near] == LINE:
                line = near
                break
    return length


@rule
def fits(t: Record, clues: Record, w: Record) -> bool:
    """True if the marked loop alone meets every clue and contains every line drawn at level 0."""
    for place in range(w.limit[1] if w.count[LEVEL] > 0 else w.count[SIZE]):
        line = w.trail[place]
        if line < w.lines and w.value[line] == LINE and w.loop[line] != w.count[TRACE]:
            return False
    return clues_met(t, clues, w.loop, w.count[TRACE])


@rule
def forbid(w: Record) -> int:
    """Put a clause that excludes the marked loop into `learned`; returns its size.

    The loop cannot be part of a solution with other loops. Alone it either breaks a clue or is a
    solution that has been stored. Lines known at level 0 are left out; those of the highest levels
    come first.
    """
    size = 0
    for line in range(w.lines):
        if w.loop[line] == w.count[TRACE] and w.level[line] > 0:
            w.learned[size] = 2 * line + 1
            size += 1
    for place in range(min(2, size)):
        for k in range(place + 1, size):
            if w.level[w.learned[k] >> 1] > w.level[w.learned[place] >> 1]:
                w.learned[place], w.learned[k] = w.learned[k], w.learned[place]
    return size


# ---- the search --------------------------------------------------------------------------------


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
            # Step 2: the next line to decide, unless a loop has closed or it is time to restart.
            full = count[LEARNED] > count[ROOM] or count[CLAUSES] + w.lines > CLAUSE_ROOM
            full = full or count[ARENA] + 16 * w.lines > ARENA_ROOM
            again = full or count[CONFLICTS] >= min(restart_at, stop_at)
            closing = -1
            line = -1
            if consistent and count[LEVEL] > 0:
                closing = find_loop(t, w)
            if consistent and closing < 0 and not again:
                while line < 0 and count[HEAP] > 0:
                    line = pop(w)
                    if w.value[line] != UNKNOWN:
                        line = -1
            if line >= 0:
                if count[LEVEL] == 0:
                    count[JOINED] = count[SIZE]
                count[LEVEL] += 1
                w.limit[count[LEVEL]] = count[SIZE]
                count[DECISIONS] += 1
                assign(w, line, w.phase[line], GIVEN, 0)
                continue
            # Step 3: a loop is a solution, or breaks a clue. With all lines decided, see each loop;
            # the search goes on from where the shortest was closed.
            size = 0
            quality = 0
            back = -1
            if consistent and (closing >= 0 or not again):
                before = count[TRACE]
                least, highest, unit = w.lines + 1, count[LEVEL], -1
                consistent = fail(w, NOTHING_DRAWN, 0)
                for first in range(max(closing, 0), closing + 1 if closing >= 0 else w.lines):
                    if w.value[first] != LINE or w.loop[first] > before:
                        continue
                    trace_loop(t, w, first)
                    alone = fits(t, clues, w)
                    size = forbid(w)
                    if size < least:
                        least = size
                        highest = w.level[w.learned[0] >> 1] if size > 0 else 0
                        consistent = fail(w, LOOP, count[TRACE])
                    if alone:
                        for k in range(w.lines):
                            w.found[count[FOUND], k] = LINE if w.loop[k] == count[TRACE] else CROSS
                        count[FOUND] += 1
                        if count[FOUND] == wanted:
                            return ENOUGH
                        if size == 0:
                            return DONE
                        back = 0
                        unit = w.learned[0] if size == 1 else -1
                    if size > 1:
                        add_clause(w, size, SOLUTION if alone else LASTING)
                go_back(t, w, highest)
                w.learned[0] = unit
                size = 1 if unit >= 0 else 0
            # Step 4: learn from a contradiction.
            if back < 0 and not consistent:
                if count[LEVEL] == 0:
                    return DONE
                count[CONFLICTS] += 1
                size = learn(t, w)
                quality = w.levels
                back = 0 if size == 1 else w.level[w.learned[1] >> 1]
                w.step *= DECAY
            # Step 5: go back, and add the new clause; without one it is a restart.
            go_back(t, w, max(back, 0))
            consistent = True
            if size > 0:
                reason, source = GIVEN, 0
                if size > 1:
                    reason, source = CLAUSE, add_clause(w, size, quality)
                assign(w, w.learned[0] >> 1, LINE + (w.learned[0] & 1), reason, source)
            else:
                count[RESTARTS] += 1
                restart_at = count[CONFLICTS] + RESTART * luby(count[RESTARTS] + 1)
                if full:
                    make_room(w)
                    count[ROOM] = max(count[ROOM], count[LEARNED]) + MORE_ROOM
                if count[CONFLICTS] >= stop_at:
                    return PAUSED

    return search
