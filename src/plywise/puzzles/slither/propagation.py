"""The rules of the solver: what follows from a line, why, and how it is taken back.

Each rule returns False for a contradiction and says which it is; `explain` then finds literals
that are all true and cannot be so together, as it finds those that a conclusion was drawn from.
Every rule is called from one place only: all of them end up in one kernel, once for each call.
"""

from __future__ import annotations

from typing import Any

from plywise.jit import rule
from plywise.puzzles.slither.grid import CROSS, LINE, UNKNOWN, Layout
from plywise.puzzles.slither.work import (
    BUFFER,
    CLAUSE,
    CLUE_FULL,
    CLUE_REST,
    COLOUR,
    CULPRIT,
    DOT_FULL,
    DOT_REST,
    EARLY_LOOP,
    HEAD,
    LINES,
    NOTHING_DRAWN,
    REASON,
    SHORT,
    SIZE,
    SOLVED,
    SOURCE,
    Work,
    assign,
    note,
)


@rule
def propagate(t: Layout, clues: Any, w: Work) -> bool:
    """Draw every conclusion from the facts that are new in the trail."""
    lines = len(t.line_dots)
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
            if w.value[fact] == LINE and not join_paths(t, clues, w, fact):
                return False
            if not join_colours(t, w, fact):
                return False
        elif fact < lines + 2 * len(t.corner_lines):
            if not look_around_corner(t, clues, w, (fact - lines) >> 1):
                return False
        for k in range(8):
            if fact < lines:
                corner = 4 * t.line_dots[fact, k >> 2] + (k & 3)
                if t.corner_lines[corner, 0] != fact and t.corner_lines[corner, 1] != fact:
                    continue
            else:
                corner = (fact - lines) >> 1
                if k > 0 or corner >= len(t.corner_lines):
                    break
            if not look_at_corner(t, w, corner):
                return False
        if not visit_clauses(w, fact):
            return False
    return True


# ---- dots and clues ------------------------------------------------------------------------


@rule
def look_at_dot(t: Layout, w: Work, dot: int) -> bool:
    """Two lines or none meet at a dot."""
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
        return fail(w, DOT_REST if drawn == 1 else DOT_FULL, dot, -1)
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
def look_at_clue(t: Layout, clues: Any, w: Work, cell: int) -> bool:
    """As many lines as its clue says are around a cell."""
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
        return fail(w, CLUE_FULL if drawn > clue else CLUE_REST, cell, -1)
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
def demand(w: Work, one: int, two: int, three: int) -> bool:
    """One of these literals must be true; the third may be -1."""
    # Step 1: one that is true, or two that are open, and there is nothing to do.
    left = -1
    for k in range(3):
        lit = one if k == 0 else (two if k == 1 else three)
        if lit < 0:
            continue
        state = w.value[lit >> 1]
        if state == UNKNOWN:
            if left >= 0:
                return True
            left = lit
        elif state - LINE == lit & 1:
            return True
    # Step 2: the rest is false.
    if left < 0:
        w.why[len(w.value) - 1, 0] = one ^ 1
        w.why[len(w.value) - 1, 1] = two ^ 1
        return fail(w, SHORT, three, len(w.value) - 1)
    first, second = -1, -1
    for k in range(3):
        lit = one if k == 0 else (two if k == 1 else three)
        if lit >= 0 and lit != left:
            if first < 0:
                first = lit ^ 1
            else:
                second = lit ^ 1
    assign(w, left >> 1, LINE + (left & 1), SHORT, 0)
    w.why[left >> 1, 0] = first
    w.why[left >> 1, 1] = second
    return True


@rule
def look_at_corner(t: Layout, w: Work, corner: int) -> bool:
    """The two facts of a corner are what they say of its lines."""
    nothing = len(w.value) - 1
    one, two = t.corner_lines[corner, 0], t.corner_lines[corner, 1]
    one = 2 * (one if one >= 0 else nothing)
    two = 2 * (two if two >= 0 else nothing)
    some = 2 * (len(t.line_dots) + 2 * corner)  # at least one
    few = some + 2  # at most one
    for k in range(6):
        if k == 0:
            a, b, c = one ^ 1, some, -1
        elif k == 1:
            a, b, c = two ^ 1, some, -1
        elif k == 2:
            a, b, c = one, two, some ^ 1
        elif k == 3:
            a, b, c = one, few, -1
        elif k == 4:
            a, b, c = two, few, -1
        else:
            a, b, c = one ^ 1, two ^ 1, few ^ 1
        if not demand(w, a, b, c):
            return False
    return True


@rule
def look_around_corner(t: Layout, clues: Any, w: Work, corner: int) -> bool:
    """What a corner says of the opposite one at its dot, and of the opposite one of its cell."""
    first = 2 * len(t.line_dots)
    some, few = first + 4 * corner, first + 4 * corner + 2
    across = corner ^ 3
    some_across, few_across = first + 4 * across, first + 4 * across + 2
    mate = t.corner_mate[corner]
    clue = -1
    if mate >= 0:
        clue = clues[t.corner_cell[corner]]
    some_mate, few_mate = first + 4 * mate, first + 4 * mate + 2
    for k in range(6):
        c = -1
        if k == 0:  # two lines at most meet at a dot
            a, b = some ^ 1, few_across
        elif k == 1:
            a, b = some_across ^ 1, few
        elif k == 2:  # ... and never one
            a, b, c = some ^ 1, few ^ 1, some_across
        elif k == 3:
            a, b, c = some_across ^ 1, few_across ^ 1, some
        elif clue == 1:
            a, b = (some ^ 1, some_mate ^ 1) if k == 4 else (some, some_mate)
        elif clue == 2:
            a, b = (some ^ 1, few_mate) if k == 4 else (few ^ 1, some_mate)
        elif clue == 3:
            a, b = (few ^ 1, few_mate ^ 1) if k == 4 else (few, few_mate)
        else:
            break
        if not demand(w, a, b, c):
            return False
    return True


# ---- one loop ------------------------------------------------------------------------------


@rule
def join_paths(t: Layout, clues: Any, w: Work, line: int) -> bool:
    """A line joins two paths, or closes one: then it must be all there is."""
    one, two = t.line_dots[line, 0], t.line_dots[line, 1]
    first, last = w.other[one], w.other[two]
    if first == two:
        if w.length[first] + 1 == w.count[LINES] and loop_fits(t, clues, w, line):
            w.count[SOLVED] = 1
        return fail(w, EARLY_LOOP, w.place[line], line)
    w.joined[line, 0] = first
    w.joined[line, 1] = last
    w.joined[line, 2] = w.length[first]
    w.joined[line, 3] = w.length[last]
    length = w.length[first] + w.length[last] + 1
    w.other[first] = last
    w.other[last] = first
    w.length[first] = length
    w.length[last] = length
    for k in range(4):
        closing = t.dot_lines[first, k]
        if closing >= 0 and w.value[closing] == UNKNOWN:
            far = t.line_dots[closing, 0] + t.line_dots[closing, 1] - first
            if far == last and (length < w.count[LINES] or not loop_fits(t, clues, w, closing)):
                assign(w, closing, CROSS, EARLY_LOOP, w.place[line] + 1)
    return True


@rule
def note_path(t: Layout, w: Work, line: int, before: int) -> None:
    """Note the path between the ends of a line, of what stands in the trail before a place."""
    w.count[BUFFER] = 0
    goal = t.line_dots[line, 1]
    dot = t.line_dots[line, 0]
    last = line
    while dot != goal:
        for k in range(4):
            step = t.dot_lines[dot, k]
            if step >= 0 and step != last and w.value[step] == LINE and w.place[step] < before:
                note(w, step)
                dot = t.line_dots[step, 0] + t.line_dots[step, 1] - dot
                last = step
                break


@rule
def note_other_line(w: Work, before: int) -> None:
    """Note the first line in the trail that is not of the path in the buffer, if there is one."""
    for k in range(w.count[BUFFER]):
        w.seen[w.buffer[k] >> 1] |= 2
    for place in range(before):
        line = w.trail[place]
        if w.value[line] == LINE and not w.seen[line] & 2:
            note(w, line)
            break
    for k in range(w.count[BUFFER]):
        w.seen[w.buffer[k] >> 1] &= 1


@rule
def loop_fits(t: Layout, clues: Any, w: Work, closing: int) -> bool:
    """Is every clue met if the lines drawn so far and the closing one are all there are?"""
    for cell in range(len(t.cell_lines) - 1):
        clue = clues[cell]
        if clue >= 0:
            for k in range(4):
                line = t.cell_lines[cell, k]
                if line == closing or w.value[line] == LINE:
                    clue -= 1
            if clue != 0:
                return False
    return True


# ---- inside and outside --------------------------------------------------------------------


@rule
def join_colours(t: Layout, w: Work, line: int) -> bool:
    """The sides of a drawn line are unlike, one in and one out; of a crossed one they are equal."""
    one, two = t.line_cells[line, 0], t.line_cells[line, 1]
    unlike = 1 if w.value[line] == LINE else 0
    large, small = w.colour[one], w.colour[two]
    if large == small:
        if w.parity[one] ^ w.parity[two] == unlike:
            return True
        return fail(w, COLOUR, 0, line)
    if w.weight[large] < w.weight[small]:
        large, small = small, large
        one, two = two, one
    # 1. The smaller tree is turned over, so that `two` is its root, and hung on `one`.
    _turn_over(w, two)
    w.parent[two, 0] = one
    w.parent[two, 1] = line
    # 2. Its cells get the other label, and lines between the two components become known.
    flip = w.parity[one] ^ w.parity[two] ^ unlike
    w.merged[line, 0] = small
    w.merged[line, 1] = flip
    w.weight[large] += w.weight[small]
    cell = small
    while True:
        w.colour[cell] = large
        w.parity[cell] ^= flip
        cell = w.ring[cell]
        if cell == small:
            break
    cell = small
    while True:
        for k in range(4):
            side = t.cell_lines[cell, k]
            if w.value[side] == UNKNOWN:
                far = t.line_cells[side, 0] + t.line_cells[side, 1] - cell
                if w.colour[far] == large:
                    state = LINE if w.parity[far] != w.parity[cell] else CROSS
                    assign(w, side, state, COLOUR, 0)
        cell = w.ring[cell]
        if cell == small:
            break
    # 3. The rings become one.
    w.ring[large], w.ring[small] = w.ring[small], w.ring[large]
    return True


@rule
def part_colours(t: Layout, w: Work, line: int) -> None:
    """Take back what `join_colours` did."""
    small = w.merged[line, 0]
    large = w.colour[small]
    w.ring[large], w.ring[small] = w.ring[small], w.ring[large]
    w.weight[large] -= w.weight[small]
    flip = w.merged[line, 1]
    cell = small
    while True:
        w.colour[cell] = small
        w.parity[cell] ^= flip
        cell = w.ring[cell]
        if cell == small:
            break
    for side in range(2):  # later turns may have left either of them above the other
        cell = t.line_cells[line, side]
        if w.parent[cell, 1] == line:
            w.parent[cell, 0] = -1
            w.parent[cell, 1] = -1
    w.merged[line, 0] = -1


@rule
def _turn_over(w: Work, root: int) -> None:
    """Make a cell the root of its tree."""
    cell, line, above = root, -1, -1
    while cell >= 0:
        next_cell, next_line = w.parent[cell, 0], w.parent[cell, 1]
        w.parent[cell, 0] = above
        w.parent[cell, 1] = line
        above, line, cell = cell, next_line, next_cell


@rule
def note_colours(t: Layout, w: Work, one: int, two: int) -> None:
    """Note the lines crossed on the way between two cells of a tree."""
    w.count[BUFFER] = 0
    cell = one
    while cell >= 0:
        w.mark[cell] = 1
        cell = w.parent[cell, 0]
    cell = two
    while w.mark[cell] < 0:
        note(w, w.parent[cell, 1])
        cell = w.parent[cell, 0]
    meeting = cell
    cell = one
    while cell != meeting:
        note(w, w.parent[cell, 1])
        cell = w.parent[cell, 0]
    cell = one
    while cell >= 0:
        w.mark[cell] = -1
        cell = w.parent[cell, 0]


# ---- learned clauses -----------------------------------------------------------------------


@rule
def is_false(w: Work, lit: int) -> bool:
    """Is the opposite of a literal known?"""
    state = w.value[lit >> 1]
    return state != UNKNOWN and state - LINE != lit & 1


@rule
def visit_clauses(w: Work, fact: int) -> bool:
    """Clauses that watch what has just become false."""
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
                    return fail(w, CLAUSE, clause, -1)
                assign(w, other >> 1, LINE + (other & 1), CLAUSE, clause)
        if not moved:
            before = node
        node = following
    return True


# ---- why, and back -------------------------------------------------------------------------


@rule
def fail(w: Work, reason: int, source: int, line: int) -> bool:
    """Leave word of a contradiction."""
    w.count[REASON] = reason
    w.count[SOURCE] = source
    w.count[CULPRIT] = line
    return False


@rule
def explain(t: Layout, w: Work, line: int, reason: int, source: int, place: int) -> None:
    """Put into the buffer what a conclusion for a line follows from, all before a place.

    Without a line: what made the rule fail.
    """
    w.count[BUFFER] = 0
    if reason == SHORT:
        for k in range(2):
            if w.why[line, k] >= 0:
                note(w, w.why[line, k] >> 1)
        if line == len(w.value) - 1 and source >= 0:
            note(w, source >> 1)
    elif reason == EARLY_LOOP:
        note_path(t, w, line, source)
        note_other_line(w, place)
    elif reason == COLOUR:
        note_colours(t, w, t.line_cells[line, 0], t.line_cells[line, 1])
    elif reason == CLAUSE:
        for k in range(w.start[source], w.start[source] + w.extent[source]):
            if w.arena[k] >> 1 != line:
                note(w, w.arena[k] >> 1)
    elif reason == NOTHING_DRAWN:
        for k in range(len(t.line_dots)):
            note(w, k)
    else:
        for k in range(4):
            if reason == DOT_FULL or reason == DOT_REST:
                near = t.dot_lines[source, k]
            else:
                near = t.cell_lines[source, k]
            if near >= 0 and near != line and w.value[near] != UNKNOWN and w.place[near] < place:
                drawn = w.value[near] == LINE
                if reason == DOT_REST or drawn == (reason != CLUE_REST):
                    note(w, near)


@rule
def give_up(t: Layout, w: Work, line: int) -> None:
    """Forget a line, the last one of the trail."""
    if w.merged[line, 0] >= 0:
        part_colours(t, w, line)
    if w.joined[line, 0] >= 0:
        first, last = w.joined[line, 0], w.joined[line, 1]
        w.length[first] = w.joined[line, 2]
        w.length[last] = w.joined[line, 3]
        w.other[first] = t.line_dots[line, 0]
        w.other[last] = t.line_dots[line, 1]
        w.joined[line, 0] = -1
    if w.value[line] == LINE:
        w.count[LINES] -= 1
    w.value[line] = UNKNOWN
