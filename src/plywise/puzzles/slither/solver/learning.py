"""Learning from contradictions: going back, tracing the cause, keeping the clauses that help."""

from __future__ import annotations

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.grid import LINE, UNKNOWN
from plywise.puzzles.slither.solver.propagation import explain, is_false
from plywise.puzzles.slither.solver.work import (
    ARENA,
    ARENA_ROOM,
    BUFFER,
    CLAUSE,
    CLAUSE_ROOM,
    CLAUSES,
    GIVEN,
    HEAD,
    JOINED,
    LEARNED,
    LEVEL,
    LINES,
    REASON,
    SIZE,
    SOURCE,
    STAMP,
    bump,
    literal,
    push,
)

#: The quality of a clause is the number of levels that its literals come from (LBD): the fewer, the
#: better. Two kinds have a quality of their own, and stay: a loop that is not a solution, and a
#: solution that has been stored.
LASTING, SOLUTION = 0, -1
BEST = 2  #: clauses up to this quality are always kept
GOOD = 6  #: clauses up to this quality are kept if they took part in a recent conflict


@rule
def _part(t: Record, w: Record, line: int) -> None:
    """Undo the last join of paths."""
    if w.joined[line, 0] >= 0:
        w.other[w.joined[line, 0]] = t.line_dots[line, 0]
        w.other[w.joined[line, 1]] = t.line_dots[line, 1]


@rule
def go_back(t: Record, w: Record, level: int) -> None:
    """Undo every decision after `level`. Only lines follow from decisions."""
    if w.count[LEVEL] <= level:
        return
    size = w.count[SIZE]
    goal = w.limit[level + 1]
    while size > goal:
        size -= 1
        line = w.trail[size]
        if w.value[line] == LINE:
            w.count[LINES] -= 1
            if size < w.count[JOINED]:
                _part(t, w, line)
        w.phase[line] = w.value[line]
        w.value[line] = UNKNOWN
        push(w, line)
    w.count[SIZE] = size
    w.count[HEAD] = size
    w.count[JOINED] = min(w.count[JOINED], size)
    w.count[LEVEL] = level


@rule
def _watch(w: Record, clause: int, which: int) -> None:
    node = 2 * clause + which
    lit = w.arena[w.start[clause] + which]
    w.after[node] = w.head[lit]
    w.head[lit] = node


@rule
def add_clause(w: Record, size: int, quality: int) -> int:
    """Keep the literals of `learned` as a clause, and watch the first two."""
    clause = w.count[CLAUSES]
    w.count[CLAUSES] += 1
    w.count[LEARNED] += quality > LASTING
    start = w.count[ARENA]
    w.count[ARENA] += size
    w.start[clause] = start
    w.extent[clause] = size
    w.quality[clause] = quality
    w.used[clause] = 1
    for k in range(size):
        w.arena[start + k] = w.learned[k]
    _watch(w, clause, 0)
    _watch(w, clause, 1)
    return clause


@rule
def make_room(w: Record) -> None:
    """Forget the worse half of the clauses; if the room is half full, all old ones too.

    Called only at level 0. Good clauses stay while they are used. Nothing is lost but time, except
    for solutions: without their clauses they would be found again.
    """
    crowded = w.count[CLAUSES] > CLAUSE_ROOM // 2 or w.count[ARENA] > ARENA_ROOM // 2
    oldest = w.count[CLAUSES] // 2 if crowded else 0
    # Step 1: find the quality up to which about half of the others are kept.
    for k in range(len(w.tally)):
        w.tally[k] = 0
    others = 0
    for clause in range(w.count[CLAUSES]):
        quality = w.quality[clause]
        if quality > GOOD or (quality > BEST and w.used[clause] == 0):
            w.tally[min(quality, len(w.tally) - 1)] += 1
            others += 1
    most = BEST
    below = 0
    while most + 1 < len(w.tally) and below + w.tally[most + 1] <= others // 2:
        most += 1
        below += w.tally[most]
    # Step 2: drop the others, except for the newest.
    kept = 0
    arena = 0
    learned = 0
    newest = w.count[CLAUSES] - w.count[LEARNED] // 8
    w.head[: 2 * w.facts] = -1
    for clause in range(w.count[CLAUSES]):
        start, size, quality = w.start[clause], w.extent[clause], w.quality[clause]
        good = quality <= most or clause >= newest or (quality <= GOOD and w.used[clause] > 0)
        good = quality == SOLUTION or (good and clause >= oldest)
        if good:
            for k in range(size):
                lit = w.arena[start + k]
                if w.value[lit >> 1] != UNKNOWN and not is_false(w, lit):
                    good = False  # always true from now on
                    break
        if good:
            w.start[kept] = arena
            for k in range(size):
                w.arena[arena + k] = w.arena[start + k]
            w.extent[kept] = size
            w.quality[kept] = quality
            w.used[kept] = w.used[clause] >> 1
            _watch(w, kept, 0)
            _watch(w, kept, 1)
            arena += size
            kept += 1
            learned += quality > LASTING
    w.count[CLAUSES] = kept
    w.count[ARENA] = arena
    w.count[LEARNED] = learned
    # Facts at level 0 no longer need a reason, and its clause may be gone.
    for k in range(w.count[SIZE]):
        w.reason[w.trail[k]] = GIVEN


@rule
def look_again(w: Record, clause: int) -> None:
    """Note that a clause took part in a conflict, and lower its quality to the present one."""
    w.used[clause] = 2
    if w.quality[clause] <= BEST:
        return
    w.count[STAMP] += 1
    levels = 0
    start = w.start[clause]
    for k in range(start, start + w.extent[clause]):
        level = w.level[w.arena[k] >> 1]
        if level > 0 and w.stamp[level] != w.count[STAMP]:
            w.stamp[level] = w.count[STAMP]
            levels += 1
    w.quality[clause] = min(w.quality[clause], max(1, levels))


@rule
def learn(t: Record, w: Record) -> int:
    """Trace a contradiction back to one line of this level; returns the size of the clause.

    `learned` gets the clause: first the new literal of that line (the first unique implication
    point), then a literal of the level to go back to. Literals that follow from the rest, in any
    number of steps, are left out.
    """
    size = 1
    left = 0  # lines of this level still to trace
    at = w.count[SIZE] - 1
    checked = 0  # from 1 on: the literal that may be needless
    line = -1
    marked, visited, goal = 0, 0, 0  # lines marked while checking; of these, explained; to undo to
    reason, source, place = w.count[REASON], w.count[SOURCE], w.count[SIZE]
    while True:
        explain(t, w, line, reason, source, place)
        if checked == 0:
            # Step 1: trace back to one line of this level.
            if reason == CLAUSE:
                look_again(w, source)
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
                w.count[STAMP] += 1
                w.levels = 1
                for k in range(1, size):
                    level = w.level[w.learned[k] >> 1]
                    if w.stamp[level] != w.count[STAMP]:
                        w.stamp[level] = w.count[STAMP]
                        w.levels += 1
        else:
            # Step 2: does this literal follow from the others? All it rests on must be marked.
            needless = True
            for k in range(w.count[BUFFER]):
                near = w.buffer[k] >> 1
                if w.level[near] > 0 and w.seen[near] == 0:
                    if w.reason[near] == GIVEN or w.stamp[w.level[near]] != w.count[STAMP]:
                        needless = False
                        break
                    w.seen[near] = 1
                    w.marked[marked] = near
                    marked += 1
            if not needless:
                while marked > goal:
                    marked -= 1
                    w.seen[w.marked[marked]] = 0
                visited = marked
            elif visited == marked:
                w.learned[checked] = -1 - w.learned[checked]  # left out below
        if checked > 0 and visited < marked:
            line = w.marked[visited]
            visited += 1
        elif left == 0:
            checked += 1
            goal = marked
            while checked < size and w.reason[w.learned[checked] >> 1] == GIVEN:
                checked += 1
            if checked >= size:
                break
            line = w.learned[checked] >> 1
        reason, source, place = w.reason[line], w.source[line], w.place[line]
    for k in range(marked):
        w.seen[w.marked[k]] = 0
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
