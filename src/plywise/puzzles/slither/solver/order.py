"""Which line to decide next: a heap of the open lines by activity."""

from __future__ import annotations

from plywise.core.game import Record
from plywise.jit import rule
from plywise.puzzles.slither.solver.work import HEAP

HUGE = 1e100  #: activities above this are scaled down


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
