"""The paper's own search, for comparison: depth first, a path that starts at one dot.

Neighbours are tried up, down, left, right; a dot is never visited twice; the clues are checked only
when the loop closes. `dfs-plus` adds the two improvements that the paper proposed: lines that are
certain are drawn first, and neighbours along them are tried first. There are two versions of the
search: over nested lists, as in the paper, and compiled over flat arrays.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.jit import kernel
from plywise.puzzles.slither.grid import CROSS, LINE, Drawing, Puzzle
from plywise.puzzles.slither.logic import deduce as numbers
from plywise.puzzles.slither.logic.steps import Study

METHODS = ("dfs", "dfs-plus")
CHUNK = 1_000_000  #: steps between two checks of the clock


@dataclass(frozen=True)
class PathResult:
    """The result of a path search; the solution is None if none was found in time."""

    solution: Drawing | None
    finished: bool
    steps: int
    seconds: float


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
    study.run(numbers.DIAGONAL)
    return study.drawing


def search(puzzle: Puzzle, method: str, seconds: float | None = None) -> PathResult:
    """Search over flat arrays, compiled."""
    given = certain(puzzle) if method == "dfs-plus" else Drawing.empty(puzzle)
    layout = puzzle.layout
    run = walking.build()
    begun = time.perf_counter()
    steps = 0
    for start in starts(puzzle):
        path = np.zeros(layout.dots + 1, np.int32)
        tried = np.zeros(layout.dots + 1, np.int8)
        lines = np.zeros(puzzle.lines, np.uint8)
        at = np.array([-1, 0], np.int64)  # the length of the path, and the number of steps
        while True:
            found = run(
                layout, puzzle.clue_array, given.array, start, path, tried, lines, at, CHUNK
            )
            late = seconds is not None and time.perf_counter() - begun > seconds
            if found != 2 or late:
                break
        steps += int(at[1])
        if found == 1:
            drawing = Drawing.of_lines(puzzle, [int(k) for k in np.flatnonzero(lines)])
            return PathResult(drawing, True, steps, time.perf_counter() - begun)
        if found == 2:
            return PathResult(None, False, steps, time.perf_counter() - begun)
    return PathResult(None, True, steps, time.perf_counter() - begun)


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
                fits = True
                for cell in range(t.cells - 1):
                    clue = clues[cell]
                    if clue >= 0:
                        for k in range(4):
                            clue -= lines[t.cell_lines[cell, k]]
                        if clue != 0:
                            fits = False
                            break
                if fits:
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


# ---- as in the paper -----------------------------------------------------------------------


def search_lists(puzzle: Puzzle, method: str, seconds: float | None = None) -> PathResult:
    """Run the same search over a board of nested lists, interpreted.

    Dots have even rows and columns, cells odd ones, and lines one of each.
    """
    given = certain(puzzle) if method == "dfs-plus" else Drawing.empty(puzzle)
    known = [[0] * (2 * puzzle.cols + 1) for _ in range(2 * puzzle.rows + 1)]
    for line, state in enumerate(given.states):
        row, col = _place(puzzle, line)
        known[row][col] = state
    begun = time.perf_counter()
    steps = 0
    for dot in starts(puzzle):
        board = [[False] * (2 * puzzle.cols + 1) for _ in range(2 * puzzle.rows + 1)]
        row, col = divmod(dot, puzzle.cols + 1)
        start = [2 * row, 2 * col]
        node_path = [start]
        waiting = [_neighbours(puzzle, known, start)]
        while waiting:
            steps += 1
            if seconds is not None and steps % 4096 == 0:
                passed = time.perf_counter() - begun
                if passed > seconds:
                    return PathResult(None, False, steps, passed)
            near = next(waiting[-1], None)
            here = node_path[-1]
            if near is None:
                waiting.pop()
                node_path.pop()
                if node_path:
                    last = node_path[-1]
                    board[(here[0] + last[0]) // 2][(here[1] + last[1]) // 2] = False
                continue
            between = (here[0] + near[0]) // 2, (here[1] + near[1]) // 2
            if near == start and len(node_path) > 3:
                board[between[0]][between[1]] = True
                if _fits(puzzle, board):
                    drawing = Drawing.of_lines(puzzle, _drawn(puzzle, board))
                    return PathResult(drawing, True, steps, time.perf_counter() - begun)
                board[between[0]][between[1]] = False
            elif near not in node_path:
                board[between[0]][between[1]] = True
                node_path.append(near)
                waiting.append(_neighbours(puzzle, known, near))
    return PathResult(None, True, steps, time.perf_counter() - begun)


def _neighbours(puzzle: Puzzle, known: list[list[int]], dot: list[int]) -> Iterator[list[int]]:
    """Yield the neighbours up, down, left, right: along certain lines first, never over a cross."""
    for wanted in (LINE, 0):
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            row, col = dot[0] + down, dot[1] + right
            inside = 0 <= row <= 2 * puzzle.rows and 0 <= col <= 2 * puzzle.cols
            if inside and known[row][col] == wanted:
                yield [row + down, col + right]


def _place(puzzle: Puzzle, line: int) -> tuple[int, int]:
    across = (puzzle.rows + 1) * puzzle.cols
    if line < across:
        return 2 * (line // puzzle.cols), 2 * (line % puzzle.cols) + 1
    row, col = divmod(line - across, puzzle.cols + 1)
    return 2 * row + 1, 2 * col


def _fits(puzzle: Puzzle, board: list[list[bool]]) -> bool:
    for cell, clue in enumerate(puzzle.clues):
        row, col = 2 * (cell // puzzle.cols) + 1, 2 * (cell % puzzle.cols) + 1
        around = (
            board[row - 1][col],
            board[row + 1][col],
            board[row][col - 1],
            board[row][col + 1],
        )
        if clue >= 0 and sum(around) != clue:
            return False
    return True


def _drawn(puzzle: Puzzle, board: list[list[bool]]) -> list[int]:
    places = [_place(puzzle, line) for line in range(puzzle.lines)]
    return [line for line, (row, col) in enumerate(places) if board[row][col]]
