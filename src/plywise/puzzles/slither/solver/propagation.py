"""The rules of the solver: what follows from a line, and why.

Each rule returns False for a contradiction and notes its reason; `explain` then finds literals
that are all true but contradict each other. It also finds the literals that a conclusion follows
from. Every rule is called from one place only, because each call is inlined into the kernel.

Before any decision (level 0) all rules are used. After a decision only the cheap ones are: clues,
dots, and what is known about corners by then. A conflict then takes a few microseconds, and it is
better to learn from thousands of them than to look harder. `search.py` looks for loops then.
"""

from __future__ import annotations

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, completes, join
from plywise.puzzles.slither.solver.work import (
    BUFFER,
    CLAUSE,
    CLUE_FULL,
    CLUE_REST,
    CORNER_CLAUSES,
    DOT_CLAUSES,
    DOT_FULL,
    DOT_REST,
    GIVEN,
    HEAD,
    LEVEL,
    LINES,
    LOOP,
    NOTHING_DRAWN,
    PAIR,
    REASON,
    SIZE,
    SOLVED,
    SOURCE,
    assign,
    note,
)


@rule
def propagate(t: Record, clues: Record, w: Record) -> bool:
    """Draw all conclusions from the new facts in the trail; False for a contradiction."""
    lines = t.lines
    while w.count[HEAD] < w.count[SIZE]:
        fact = w.trail[w.count[HEAD]]
        w.count[HEAD] += 1
        if fact < lines:
            for side in range(2):
                if not look_at_dot(t, w, t.line_dots[fact, side]):
                    return False
            for side in range(2):
                if not look_at_clue(t, clues, w, t.line_cells[fact, side]):
                    return False
            if w.count[LEVEL] == 0:
                if w.value[fact] == LINE and not join_paths(t, clues, w, fact):
                    return False
                if not join_colours(t, w, fact):
                    return False
        for k in range(8):
            if fact < lines:
                corner = 4 * t.line_dots[fact, k >> 2] + (k & 3)
                if t.corner_lines[corner, 0] != fact and t.corner_lines[corner, 1] != fact:
                    continue
            else:
                corner = (fact - lines) >> 1
                if k > 0 or corner >= 4 * t.dots:
                    break
            if w.count[LEVEL] > 0:
                if not use_corner(t, w, corner, fact):
                    return False
            elif not look_at_corner(t, clues, w, corner, fact >= lines):
                return False
        if not visit_clauses(w, fact):
            return False
    return True


# ---- dots and clues ------------------------------------------------------------------------


@rule
def look_at_dot(t: Record, w: Record, dot: int) -> bool:
    """Apply the rule that two lines or none meet at a dot."""
    drawn = 0
    unknown = 0
    for k in range(4):
        line = t.dot_lines[dot, k]
        if line >= 0:
            state = w.value[line]
            if state == LINE:
                drawn += 1
            elif state == UNKNOWN:
                unknown += 1
    if drawn > 2 or (drawn == 1 and unknown == 0):
        return fail(w, DOT_REST if drawn == 1 else DOT_FULL, dot)
    if drawn == 2 and unknown > 0:
        for k in range(4):
            line = t.dot_lines[dot, k]
            if line >= 0 and w.value[line] == UNKNOWN:
                assign(w, line, CROSS, DOT_FULL, dot)
    elif drawn < 2 and unknown == 1:
        for k in range(4):
            line = t.dot_lines[dot, k]
            if line >= 0 and w.value[line] == UNKNOWN:
                assign(w, line, LINE if drawn == 1 else CROSS, DOT_REST, dot)
    return True


@rule
def look_at_clue(t: Record, clues: Record, w: Record, cell: int) -> bool:
    """Apply the rule that a clue counts the lines around its cell."""
    clue = clues[cell]
    if clue < 0:
        return True
    drawn = 0
    crossed = 0
    for k in range(4):
        state = w.value[t.cell_lines[cell, k]]
        if state == LINE:
            drawn += 1
        elif state == CROSS:
            crossed += 1
    if drawn > clue or crossed > 4 - clue:
        return fail(w, CLUE_FULL if drawn > clue else CLUE_REST, cell)
    if drawn + crossed < 4 and (drawn == clue or crossed == 4 - clue):
        for k in range(4):
            line = t.cell_lines[cell, k]
            if w.value[line] == UNKNOWN:
                if drawn == clue:
                    assign(w, line, CROSS, CLUE_FULL, cell)
                else:
                    assign(w, line, LINE, CLUE_REST, cell)
    return True


# ---- corners -------------------------------------------------------------------------------


@rule
def use_corner(t: Record, w: Record, corner: int, line: int) -> bool:
    """Apply a known fact about a corner (at least or at most one line) to its other line."""
    other = t.corner_lines[corner, 0] + t.corner_lines[corner, 1] - line
    drawn = w.value[line] == LINE
    fact = t.lines + 2 * corner + (1 if drawn else 0)
    if other < 0 or w.value[fact] != LINE:
        return True
    state = w.value[other]
    if state == UNKNOWN:
        assign(w, other, CROSS if drawn else LINE, PAIR, corner)
    elif (state == LINE) == drawn:
        return fail(w, PAIR, corner)
    return True


@rule
def demand(w: Record, one: int, two: int, three: int) -> bool:
    """Require one of these literals to be true; the third may be -1. Only before decisions."""
    left = -1
    for k in range(3):
        lit = one if k == 0 else (two if k == 1 else three)
        if lit >= 0:
            state = w.value[lit >> 1]
            if state == UNKNOWN:
                if left >= 0:
                    return True
                left = lit
            elif state - LINE == lit & 1:
                return True
    if left < 0:
        return fail(w, GIVEN, 0)
    assign(w, left >> 1, LINE + (left & 1), GIVEN, 0)
    return True


@rule
def look_at_corner(t: Record, clues: Record, w: Record, corner: int, around: bool) -> bool:
    """Apply the clauses of a corner to its lines, and with `around` to the opposite corners.

    The clauses are in a table, as indices of literals in `pool`.
    """
    nothing = w.facts - 1
    one, two = t.corner_lines[corner, 0], t.corner_lines[corner, 1]
    pool = w.pool
    pool[0] = 2 * (one if one >= 0 else nothing)
    pool[1] = 2 * (two if two >= 0 else nothing)
    pool[2] = 2 * (t.lines + 2 * corner)
    last = CORNER_CLAUSES
    if around:
        pool[4] = 2 * (t.lines + 2 * (corner ^ 3))
        last = DOT_CLAUSES
        mate = t.corner_mate[corner]
        if mate >= 0:
            pool[6] = 2 * (t.lines + 2 * mate)
            clue = clues[t.corner_cell[corner]]
            if 1 <= clue <= 3:
                last = DOT_CLAUSES + 2
                for k in range(2):
                    for j in range(3):
                        w.clauses[DOT_CLAUSES + k, j] = t.clue_clauses[clue, k, j]
    for k in range(3):
        pool[2 * k + 3] = pool[2 * k + 2] + 2
    for row in range(last):
        lits = w.clauses[row]
        one = pool[lits[0] >> 1] ^ (lits[0] & 1)
        two = pool[lits[1] >> 1] ^ (lits[1] & 1)
        three = -1 if lits[2] < 0 else pool[lits[2] >> 1] ^ (lits[2] & 1)
        if not demand(w, one, two, three):
            return False
    return True


# ---- one loop ------------------------------------------------------------------------------


@rule
def join_paths(t: Record, clues: Record, w: Record, line: int) -> bool:
    """Join two paths by a line; a line that closes a loop must complete the solution.

    Used only before decisions, so it is never undone.
    """
    one, two = t.line_dots[line, 0], t.line_dots[line, 1]
    first, last = w.other[one], w.other[two]
    if first == two:
        if w.length[first] + 1 == w.count[LINES] and completes(t, clues, w.value, line):
            w.count[SOLVED] = 1
        return fail(w, GIVEN, 0)
    join(w, first, last)
    early = w.length[first] < w.count[LINES]
    for k in range(4):
        closing = t.dot_lines[first, k]
        if closing >= 0 and w.value[closing] == UNKNOWN:
            far = t.line_dots[closing, 0] + t.line_dots[closing, 1] - first
            if far == last and (early or not completes(t, clues, w.value, closing)):
                assign(w, closing, CROSS, GIVEN, 0)
    return True


# ---- inside and outside --------------------------------------------------------------------


@rule
def join_colours(t: Record, w: Record, line: int) -> bool:
    """Join the cells beside a line: a drawn line separates inside from outside, a cross does not.

    Used only before decisions, so it is never undone.
    """
    one, two = t.line_cells[line, 0], t.line_cells[line, 1]
    unlike = 1 if w.value[line] == LINE else 0
    large, small = w.colour[one], w.colour[two]
    if large == small:
        if w.parity[one] ^ w.parity[two] == unlike:
            return True
        return fail(w, GIVEN, 0)
    if w.weight[large] < w.weight[small]:
        large, small = small, large
        one, two = two, one
    # 1. The cells of the smaller component get the other label.
    flip = w.parity[one] ^ w.parity[two] ^ unlike
    w.weight[large] += w.weight[small]
    cell = small
    while True:
        w.colour[cell] = large
        w.parity[cell] ^= flip
        cell = w.ring[cell]
        if cell == small:
            break
    # 2. Lines between the two components become known.
    cell = small
    while True:
        for k in range(4):
            side = t.cell_lines[cell, k]
            if w.value[side] == UNKNOWN:
                far = t.line_cells[side, 0] + t.line_cells[side, 1] - cell
                if w.colour[far] == large:
                    state = LINE if w.parity[far] != w.parity[cell] else CROSS
                    assign(w, side, state, GIVEN, 0)
        cell = w.ring[cell]
        if cell == small:
            break
    # 3. Merge the two rings.
    w.ring[large], w.ring[small] = w.ring[small], w.ring[large]
    return True


# ---- learned clauses -----------------------------------------------------------------------


@rule
def is_false(w: Record, lit: int) -> bool:
    """True if the opposite of a literal is known."""
    state = w.value[lit >> 1]
    return state != UNKNOWN and state - LINE != lit & 1


@rule
def visit_clauses(w: Record, fact: int) -> bool:
    """Visit the clauses that watch the literal that has just become false."""
    lost = (2 * fact + w.value[fact] - LINE) ^ 1
    node = w.head[lost]
    before = -1
    while node >= 0:
        following = w.after[node]
        clause = node >> 1
        start = w.start[clause]
        mine = start + (node & 1)
        other = w.arena[start + 1 - (node & 1)]
        state = w.value[other >> 1]
        moved = False
        if state == UNKNOWN or state - LINE != other & 1:
            for k in range(start + 2, start + w.extent[clause]):
                lit = w.arena[k]
                if not is_false(w, lit):
                    w.arena[k] = lost
                    w.arena[mine] = lit
                    if before < 0:
                        w.head[lost] = following
                    else:
                        w.after[before] = following
                    w.after[node] = w.head[lit]
                    w.head[lit] = node
                    moved = True
                    break
            if not moved:
                if state != UNKNOWN:
                    return fail(w, CLAUSE, clause)
                assign(w, other >> 1, LINE + (other & 1), CLAUSE, clause)
        if not moved:
            before = node
        node = following
    return True


# ---- why -----------------------------------------------------------------------------------


@rule
def fail(w: Record, reason: int, source: int) -> bool:
    """Note the reason of a contradiction; returns False."""
    w.count[REASON] = reason
    w.count[SOURCE] = source
    return False


@rule
def explain(t: Record, w: Record, line: int, reason: int, source: int, place: int) -> None:
    """Put the literals that a line's state follows from into the buffer, all before `place`.

    With line -1: the literals that made the rule fail.
    """
    w.count[BUFFER] = 0
    if reason == PAIR:
        for k in range(2):
            if t.corner_lines[source, k] != line:
                note(w, t.corner_lines[source, k])
    elif reason == CLAUSE:
        for k in range(w.start[source], w.start[source] + w.extent[source]):
            if w.arena[k] >> 1 != line:
                note(w, w.arena[k] >> 1)
    elif reason == NOTHING_DRAWN:
        for k in range(t.lines):
            note(w, k)
    elif reason == LOOP:
        for k in range(t.lines):
            if w.loop[k] == source:
                note(w, k)
    else:
        for k in range(4):
            if reason in (DOT_FULL, DOT_REST):
                near = t.dot_lines[source, k]
            else:
                near = t.cell_lines[source, k]
            if near >= 0 and near != line and w.value[near] != UNKNOWN and w.place[near] < place:
                drawn = w.value[near] == LINE
                if reason == DOT_REST or drawn == (reason != CLUE_REST):
                    note(w, near)
