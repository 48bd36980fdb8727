"""The puzzle and what is drawn on it, as immutable values.

Cells, dots and lines are numbered. Cells and dots count row by row from the top left. Horizontal
lines come first, row by row, then the vertical ones. A puzzle of two rows and three columns:

    dots   0  1  2  3      lines   +-0-+-1-+-2-+      cells   0 1 2
           4  5  6  7              9   10  11  12             3 4 5
           8  9 10 11              +-3-+-4-+-5-+
                                  13   14  15  16
                                   +-6-+-7-+-8-+

The area around the board counts as one more cell, with the number rows * cols.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from plywise.core.game import Record
from plywise.core.puzzle import followed
from plywise.errors import InvalidMove, SpecError
from plywise.jit import rule

NO_CLUE = -1
UNKNOWN, LINE, CROSS = 0, 1, 2  #: the state of a line: not known yet, drawn, crossed out
MOST_DOTS = 128 * 128  #: the largest board: 127 x 127 cells, or another shape with as many dots
MOST_LINES = 2 * MOST_DOTS
MOST_CELLS = MOST_DOTS + 1

Clues = tuple[int, ...]


#: What the clues 1, 2 and 3 say about opposite corners of their cell, as clauses of two literals:
#: 4 and 6 mean at least and at most one line at a corner, 12 and 14 at the other; add 1 for "not".
CLAUSES_OF_CLUES = (((5, 13), (4, 12)), ((5, 14), (7, 12)), ((7, 15), (6, 14)))

#: Which lines, dots and cells touch, for one board size; -1 beyond the edge of the board.
LAYOUT = np.dtype(
    (
        np.record,
        [
            ("lines", "i8"),
            ("dots", "i8"),
            ("cells", "i8"),  # including the area around the board
            ("line_dots", "i4", (MOST_LINES, 2)),  # the two ends of a line
            ("line_cells", "i4", (MOST_LINES, 2)),  # the two sides of a line
            ("dot_lines", "i4", (MOST_DOTS, 4)),  # up, down, left, right
            ("cell_lines", "i4", (MOST_CELLS, 4)),  # top, bottom, left, right
            # A dot has four corners of two lines each: up-left, up-right, down-left, down-right.
            ("corner_lines", "i4", (4 * MOST_DOTS, 2)),
            ("corner_cell", "i4", 4 * MOST_DOTS),  # the cell between the two lines
            ("corner_mate", "i4", 4 * MOST_DOTS),  # the opposite corner of that cell
            ("clue_clauses", "i4", (5, 2, 3)),  # what a clue says about opposite corners
        ],
    )
)


@lru_cache(maxsize=16)
def layout_of(rows: int, cols: int) -> Record:
    """The tables for one board size."""
    tables = np.zeros(1, LAYOUT).view(np.recarray)[0]
    outside, dots = rows * cols, (rows + 1) * (cols + 1)
    count = (rows + 1) * cols + rows * (cols + 1)
    tables.lines, tables.dots, tables.cells = count, dots, outside + 1
    across = np.arange((rows + 1) * cols).reshape(rows + 1, cols)
    down = np.arange(across.size, count).reshape(rows, cols + 1)
    dot = np.arange(dots).reshape(rows + 1, cols + 1)
    cell = np.pad(np.arange(outside).reshape(rows, cols), 1, constant_values=outside)
    tables.line_dots[across] = np.stack((dot[:, :-1], dot[:, 1:]), -1)
    tables.line_dots[down] = np.stack((dot[:-1], dot[1:]), -1)
    tables.line_cells[across] = np.stack((cell[:-1, 1:-1], cell[1:, 1:-1]), -1)
    tables.line_cells[down] = np.stack((cell[1:-1, :-1], cell[1:-1, 1:]), -1)
    around = np.stack((across[:-1], across[1:], down[:, :-1], down[:, 1:]), -1)
    tables.cell_lines[:outside] = around.reshape(-1, 4)
    tables.cell_lines[outside] = -1
    level = np.pad(across, ((0, 0), (1, 1)), constant_values=-1)
    upright = np.pad(down, ((1, 1), (0, 0)), constant_values=-1)
    meeting = np.stack((upright[:-1], upright[1:], level[:, :-1], level[:, 1:]), -1)
    tables.dot_lines[:dots] = meeting.reshape(-1, 4)
    corners = meeting[..., [[0, 2], [0, 3], [1, 2], [1, 3]]].reshape(-1, 2)
    between = np.stack((cell[:-1, :-1], cell[:-1, 1:], cell[1:, :-1], cell[1:, 1:]), -1).ravel()
    # The opposite corner of a cell is at the dot diagonally across it.
    mates = 4 * (dot[..., np.newaxis] + (-cols - 2, -cols, cols, cols + 2)) + (3, 2, 1, 0)
    tables.corner_lines[: 4 * dots] = corners
    tables.corner_cell[: 4 * dots] = between
    tables.corner_mate[: 4 * dots] = np.where(between == outside, -1, mates.ravel())
    tables.clue_clauses[:] = -1
    tables.clue_clauses[1:4, :, :2] = CLAUSES_OF_CLUES
    return tables


@dataclass(frozen=True)
class Puzzle:
    """A grid with its clues, row by row; `NO_CLUE` where a cell has none."""

    rows: int
    cols: int
    clues: Clues

    def __post_init__(self) -> None:
        for name, size in (("rows", self.rows), ("columns", self.cols)):
            if size < 1:
                raise SpecError(
                    f"{size} {name} is not possible: a puzzle has at least one row and one column"
                )
        if (self.rows + 1) * (self.cols + 1) > MOST_DOTS:
            raise SpecError(
                f"{self.rows} x {self.cols} cells is too large: a puzzle has at most "
                f"{MOST_DOTS:,} dots, such as 127 x 127 cells"
            )
        if len(self.clues) != self.rows * self.cols:
            raise SpecError(
                f"{self.rows} x {self.cols} cells need {self.rows * self.cols} clues, "
                f"not {len(self.clues)}"
            )
        for cell, clue in enumerate(self.clues):
            if not NO_CLUE <= clue <= 4:
                raise SpecError(f"{self.cell_name(cell)} has clue {clue}; clues run from 0 to 4")

    @property
    def layout(self) -> Record:
        """Which lines, dots and cells touch."""
        return layout_of(self.rows, self.cols)

    @property
    def lines(self) -> int:
        """The number of places for a line."""
        return (self.rows + 1) * self.cols + self.rows * (self.cols + 1)

    @property
    def clue_count(self) -> int:
        """The number of cells with a clue."""
        return sum(clue != NO_CLUE for clue in self.clues)

    @cached_property
    def clue_array(self) -> np.ndarray[Any, np.dtype[np.int8]]:
        """The clues, and NO_CLUE for the area around the board."""
        return np.array((*self.clues, NO_CLUE), np.int8)

    def with_clues(self, changes: Iterable[tuple[int, int]]) -> Puzzle:
        """Return the puzzle with other clues in some cells."""
        clues = list(self.clues)
        for cell, clue in changes:
            clues[cell] = clue
        return Puzzle(self.rows, self.cols, tuple(clues))

    def across(self, row: int, col: int) -> int:
        """The horizontal line above the cell (row, col), both from 0."""
        return row * self.cols + col

    def down(self, row: int, col: int) -> int:
        """The vertical line to the left of the cell (row, col), both from 0."""
        return (self.rows + 1) * self.cols + row * (self.cols + 1) + col

    def cell_name(self, cell: int) -> str:
        """The name of a cell in words: `row 2, column 1`."""
        if cell == self.rows * self.cols:
            return "the area around the board"
        return f"row {cell // self.cols + 1}, column {cell % self.cols + 1}"

    def dot_name(self, dot: int) -> str:
        """The name of a dot in words: `the dot at row 2, column 1`."""
        row, col = divmod(dot, self.cols + 1)
        return f"the dot at row {row + 1}, column {col + 1}"

    def cells_beside(self, line: int) -> list[int]:
        """The cells on both sides of a line, without the area around the board."""
        cells: list[int] = self.layout.line_cells[line].tolist()
        return [cell for cell in cells if cell < len(self.clues)]

    def move_name(self, line: int) -> str:
        """The name of a line as a move: `2 1 t` is the top of the cell in row 2, column 1."""
        across = (self.rows + 1) * self.cols
        if line < across:
            row, col = divmod(line, self.cols)
            return f"{row + 1} {col + 1} t" if row < self.rows else f"{row} {col + 1} b"
        row, col = divmod(line - across, self.cols + 1)
        return f"{row + 1} {col + 1} l" if col < self.cols else f"{row + 1} {col} r"

    @cached_property
    def move_names(self) -> tuple[str, ...]:
        """The names of all lines as moves."""
        return tuple(self.move_name(line) for line in range(self.lines))

    def read_move(self, text: str) -> int:
        """Read a move such as `2 1 t`: row, column, and a side (t, b, l or r).

        >>> Puzzle(1, 1, (4,)).read_move("1 1 R")
        3
        """
        found = re.fullmatch(r"\s*(\d{1,5})[\s,]+(\d{1,5})[\s,]*([tblrTBLR])\s*", text)
        if found is None:
            raise InvalidMove(
                f"{text!r} is not a move: write row, column and a side (t, b, l or r), "
                "such as '2 1 t'",
                text,
            )
        row, col, side = int(found[1]), int(found[2]), found[3].lower()
        if not (1 <= row <= self.rows and 1 <= col <= self.cols):
            raise InvalidMove(
                f"there is no cell {row} {col}: rows run from 1 to {self.rows}, "
                f"columns from 1 to {self.cols}",
                text,
            )
        return int(self.layout.cell_lines[(row - 1) * self.cols + col - 1]["tblr".index(side)])

    def __str__(self) -> str:
        from plywise.puzzles.slither.formats import write

        return write(self, "text").rstrip("\n")


@dataclass(frozen=True)
class Drawing:
    """What is drawn on a puzzle: UNKNOWN, LINE or CROSS for each line."""

    puzzle: Puzzle
    states: bytes

    def __post_init__(self) -> None:
        if len(self.states) != self.puzzle.lines or any(state > CROSS for state in self.states):
            raise SpecError(
                f"a drawing of this puzzle is {self.puzzle.lines} bytes, each 0 (unknown), "
                f"1 (line) or 2 (cross), not {self.states!r}"
            )

    @classmethod
    def empty(cls, puzzle: Puzzle) -> Drawing:
        """The puzzle with nothing drawn."""
        return cls(puzzle, bytes(puzzle.lines))

    @classmethod
    def of_lines(cls, puzzle: Puzzle, lines: Iterable[int], rest: int = CROSS) -> Drawing:
        """Draw these lines; every other line gets the state `rest`."""
        states = bytearray([rest]) * puzzle.lines
        for line in lines:
            states[line] = LINE
        return cls(puzzle, bytes(states))

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines that are drawn."""
        return tuple(line for line, state in enumerate(self.states) if state == LINE)

    @property
    def array(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """A copy of the states that a kernel may change."""
        return np.frombuffer(self.states, np.uint8).copy()

    def change(self, changes: Iterable[tuple[int, int]]) -> Drawing:
        """Return the drawing with some lines changed."""
        states = bytearray(self.states)
        for line, state in changes:
            states[line] = state
        return Drawing(self.puzzle, bytes(states))

    @property
    def path(self) -> tuple[int, ...]:
        """The lines that are drawn, each next to the one before it where they go on.

        Open paths come first, from one end to the other. A loop is followed clockwise from its
        highest line, the leftmost of these.
        """
        dots = self.puzzle.layout.line_dots
        return followed({line: tuple(dots[line].tolist()) for line in self.lines})

    @property
    def moves(self) -> tuple[str, ...]:
        """The lines that are drawn, as moves in the order of the path."""
        return tuple(self.puzzle.move_name(line) for line in self.path)

    @cached_property
    def sides(self) -> dict[int, int]:
        """Cells that known lines and crosses show to be inside (0) or outside (1) the loop.

        In a solution, lines that are not drawn count as crosses. If lines and crosses contradict
        each other, either side may be given.
        """
        layout, outside = self.puzzle.layout, self.puzzle.rows * self.puzzle.cols
        near: dict[int, list[tuple[int, int]]] = {}
        for line, state in enumerate(self.states):
            if state != UNKNOWN or self.solved:
                one, two = (int(cell) for cell in layout.line_cells[line])
                near.setdefault(one, []).append((two, state))
                near.setdefault(two, []).append((one, state))
        found, waiting = {outside: 1}, [outside]
        while waiting:
            cell = waiting.pop()
            for other, state in near.get(cell, ()):
                if other not in found:
                    found[other] = found[cell] ^ (state == LINE)
                    waiting.append(other)
        del found[outside]
        return found

    @cached_property
    def solved(self) -> bool:
        """True if it is one closed loop that fits every clue; unknown lines count as crosses."""
        return self.fault is None

    @cached_property
    def counts(self) -> list[int]:
        """The number of lines around each cell."""
        around = self.puzzle.layout.cell_lines[: len(self.puzzle.clues)]
        counts: list[int] = (self.array == LINE)[around].sum(axis=1).tolist()
        return counts

    @cached_property
    def fault(self) -> str | None:
        """Why this is not a solution; None if it is one."""
        puzzle = self.puzzle
        if not self.lines:
            return "nothing is drawn"
        for cell, (clue, count) in enumerate(zip(puzzle.clues, self.counts, strict=True)):
            if clue not in (NO_CLUE, count):
                lines = "1 line" if count == 1 else f"{count} lines"
                return f"{puzzle.cell_name(cell)} has clue {clue}, but {lines} around it"
        for dot, count in self._meeting.items():
            if count != 2:
                row, col = divmod(dot, puzzle.cols + 1)
                what = "ends" if count == 1 else "branches or crosses itself"
                return f"the loop {what} at dot {row + 1}, {col + 1}"
        return None if len(self.loops) == 1 else "there is more than one loop"

    @cached_property
    def _meeting(self) -> Counter[int]:
        """How many lines are drawn at each dot."""
        return Counter(self.puzzle.layout.line_dots[list(self.lines)].ravel().tolist())

    @cached_property
    def loops(self) -> list[list[int]]:
        """The lines of each closed loop; a path that ends or branches is none."""
        ends = self.puzzle.layout.line_dots[: self.puzzle.lines].tolist()
        runs: list[list[int]] = []
        for line in self.path:
            if runs and not set(ends[line]).isdisjoint(ends[runs[-1][-1]]):
                runs[-1].append(line)
            else:
                runs.append([line])
        met = self._meeting
        return [run for run in runs if all(met[dot] == 2 for line in run for dot in ends[line])]


# ---- rules that several kernels share ------------------------------------------------------


@rule
def clues_met(t: Record, clues: Record, lines: Record, drawn: int) -> bool:
    """True if every clue has its lines: those whose entry in `lines` is `drawn`."""
    for cell in range(t.cells - 1):
        left = int(clues[cell])
        if left >= 0:
            for k in range(4):
                left -= lines[t.cell_lines[cell, k]] == drawn
            if left != 0:
                return False
    return True


@rule
def completes(t: Record, clues: Record, value: Record, line: int) -> bool:
    """True if all clues are met by the lines that are drawn and this one."""
    before = value[line]
    value[line] = LINE
    met = clues_met(t, clues, value, LINE)
    value[line] = before
    return met


@rule
def join(paths: Record, first: int, last: int) -> None:
    """Join two paths by a line between their other ends; `first` and `last` are the ends now."""
    length = paths.length[first] + paths.length[last] + 1
    paths.other[first] = last
    paths.other[last] = first
    paths.length[first] = length
    paths.length[last] = length
