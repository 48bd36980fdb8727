"""Paths after a decision: where each ends, so that a loop is seen as soon as it closes."""

from __future__ import annotations

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.grid import LINE
from plywise.puzzles.slither.solver.work import JOINED, LEVEL, SIZE, TRACE

#: A loop of at most this many lines is excluded as soon as it closes; a longer one only when all
#: lines are decided. A long one is a poor clause, and until then shorter contradictions turn up.
SHORT = 30


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
def part(t: Record, w: Record, line: int) -> None:
    """Undo the last join."""
    if w.joined[line, 0] >= 0:
        w.other[w.joined[line, 0]] = t.line_dots[line, 0]
        w.other[w.joined[line, 1]] = t.line_dots[line, 1]


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
    for cell in range(t.cells - 1):
        clue = clues[cell]
        if clue >= 0:
            for k in range(4):
                if w.loop[t.cell_lines[cell, k]] == w.count[TRACE]:
                    clue -= 1
            if clue != 0:
                return False
    return True


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
