"""The paper's own search, for comparison: depth first, a path that starts at one dot.

Neighbours are tried up, down, left, right; a dot is never visited twice; the clues are checked only
when the loop closes. The paper proposed two improvements: to draw lines that are certain first
(`dfs-certain`: the path stays off what they rule out), and to try neighbours along such lines first
(`dfs-order`). `dfs-plus` has both.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.jit import kernel
from plywise.puzzles.slither.grid import CROSS, LINE, Drawing, Puzzle, clues_met
from plywise.puzzles.slither.logic.steps import Study
from plywise.puzzles.slither.logic.table import EASY, last_of

#: What each method knows before it starts: certain lines, and what they rule out.
KNOWN: dict[str, tuple[int, ...]] = {
    "dfs": (),
    "dfs-certain": (CROSS,),
    "dfs-order": (LINE,),
    "dfs-plus": (LINE, CROSS),
}
METHODS = tuple(KNOWN)
#: Steps between two checks of the clock: compiled, and interpreted.
CHUNK, SMALL_CHUNK = 1_000_000, 2_000


@dataclass(frozen=True)
class PathResult:
    """The result of a path search; the solution is None if none was found in time."""

    solution: Drawing | None
    finished: bool
    steps: int  #: neighbours that were tried; the same on every board
    seconds: float
    path: tuple[int, ...] = ()  #: the lines of the solution, in the order they were drawn


def starts(puzzle: Puzzle) -> list[int]:
    """Dots to start from: the loop goes through at least one of them.

    One corner of the last 3, since the loop goes through all four. Without a 3, two corners of the
    last 2; without a 2, three corners of the last 1; without any of these, every dot.
    """
    for clue, corners in ((4, 1), (3, 1), (2, 2), (1, 3)):
        cells = [cell for cell, number in enumerate(puzzle.clues) if number == clue]
        if cells:
            row, col = divmod(cells[-1], puzzle.cols)
            dot = row * (puzzle.cols + 1) + col
            below = dot + puzzle.cols + 1
            return [dot, below + 1, dot + 1][:corners]
    return list(range((puzzle.rows + 1) * (puzzle.cols + 1)))


def certain(puzzle: Puzzle) -> Drawing:
    """The lines to draw first: what counting, dots and patterns of 3s show."""
    study = Study(Drawing.empty(puzzle))
    study.run(last_of(EASY))
    return study.drawing


def known(puzzle: Puzzle, method: str) -> Drawing:
    """What the method knows before it starts."""
    if not KNOWN[method]:
        return Drawing.empty(puzzle)
    kept = (state if state in KNOWN[method] else 0 for state in certain(puzzle).states)
    return Drawing(puzzle, bytes(kept))


def search(
    puzzle: Puzzle,
    method: str,
    seconds: float | None = None,
    *,
    most: int | None = None,
    compiled: bool = True,
) -> PathResult:
    """Search over flat arrays, within these seconds and this number of steps."""
    walk, chunk = (walking.build(), CHUNK) if compiled else (walking.plain(), SMALL_CHUNK)
    given = known(puzzle, method).array
    layout = puzzle.layout
    begun = time.perf_counter()
    steps = 0
    for start in starts(puzzle):
        path = np.zeros(layout.dots + 1, np.int32)
        tried = np.zeros(layout.dots + 1, np.int8)
        lines = np.zeros(puzzle.lines, np.uint8)
        at = np.array([-1, 0], np.int64)  # the length of the path, and the number of steps
        while True:
            left = chunk if most is None else min(chunk, most - steps - int(at[1]))
            found = walk(layout, puzzle.clue_array, given, start, path, tried, lines, at, left)
            late = seconds is not None and time.perf_counter() - begun > seconds
            if found != 2 or late or steps + at[1] == most:
                break
        steps += int(at[1])
        if found == 1:
            took = time.perf_counter() - begun
            drawn = _lines_between(puzzle, path[: at[0] + 1].tolist())
            return PathResult(Drawing.of_lines(puzzle, drawn), True, steps, took, drawn)
        if found == 2:
            return PathResult(None, False, steps, time.perf_counter() - begun)
    return PathResult(None, True, steps, time.perf_counter() - begun)


def _lines_between(puzzle: Puzzle, dots: list[int]) -> tuple[int, ...]:
    """Return the lines of a loop through these dots, in their order."""
    ends = puzzle.layout.line_dots[: puzzle.lines].tolist()
    known = {frozenset(pair): line for line, pair in enumerate(ends)}
    return tuple(known[frozenset(pair)] for pair in zip(dots, [*dots[1:], dots[0]], strict=True))


@kernel
def walking() -> Any:
    """Build the kernel of the path search."""

    def walk(
        t: Record,
        clues: Record,
        given: Record,
        start: int,
        path: Record,
        tried: Record,
        lines: Record,
        at: Record,
        budget: int,
    ) -> int:
        """Return 1 if `lines` holds a loop that fits, 0 if there is none, 2 if out of budget.

        `tried` counts the neighbours tried at each dot of the path: first those along certain
        lines, then the others. A dot is in the path if a line is drawn at it.
        """
        if at[0] < 0:
            at[0] = 0
            path[0] = start
            tried[0] = 0
        while at[0] >= 0:
            if budget == 0:
                return 2
            size = at[0]
            dot = path[size]
            if tried[size] == 8:
                at[0] = size - 1
                if size > 0:
                    before = path[size - 1]
                    for k in range(4):
                        line = t.dot_lines[before, k]
                        if (
                            line >= 0
                            and t.line_dots[line, 0] + t.line_dots[line, 1] - before == dot
                        ):
                            lines[line] = 0
                continue
            turn = tried[size]
            tried[size] += 1
            line = t.dot_lines[dot, turn & 3]
            if line < 0 or lines[line] != 0 or given[line] == CROSS:
                continue
            if (given[line] == LINE) != (turn < 4):
                continue
            budget -= 1
            at[1] += 1
            near = t.line_dots[line, 0] + t.line_dots[line, 1] - dot
            if near == start:
                if size < 3:
                    continue
                lines[line] = 1
                if clues_met(t, clues, lines, 1):
                    return 1
                lines[line] = 0
                continue
            visited = False
            for k in range(4):
                other = t.dot_lines[near, k]
                visited = visited or (other >= 0 and lines[other] != 0)
            if visited:
                continue
            lines[line] = 1
            at[0] = size + 1
            path[size + 1] = near
            tried[size + 1] = 0
        return 0

    return walk
