"""The paper's search over lists instead of arrays, interpreted.

`Nested` is the board of the paper; `Flat` has one list for each kind of thing. What the paper says
makes its search efficient can be replaced: how a dot of the path is recognised, and when the loop
is tested.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from plywise.puzzles.slither.grid import CROSS, LINE, Drawing, Puzzle
from plywise.puzzles.slither.path_search import PathResult, known, starts

AROUND = ((-1, 0), (1, 0), (0, -1), (0, 1))  #: up, down, left, right


class Nested:
    """The paper's board: a list of rows with a place for every dot, line and cell.

    Dots have even rows and columns, cells odd ones, and lines one of each. A dot or line is a pair
    of row and column.
    """

    def __init__(self, puzzle: Puzzle, given: Drawing) -> None:
        self.puzzle = puzzle
        self.down, self.across = 2 * puzzle.rows, 2 * puzzle.cols  # the last row and column
        self.given = [[0] * (self.across + 1) for _ in range(self.down + 1)]
        level = product(range(0, self.down + 1, 2), range(1, self.across, 2))
        upright = product(range(1, self.down, 2), range(0, self.across + 1, 2))
        self.lines = [*level, *upright]  # in the order of their numbers
        for (row, col), state in zip(self.lines, given.states, strict=True):
            self.given[row][col] = state
        self.board = [[False] * (self.across + 1) for _ in range(self.down + 1)]

    def dot(self, number: int) -> list[int]:
        """Return the place of a dot."""
        row, col = divmod(number, self.puzzle.cols + 1)
        return [2 * row, 2 * col]

    def neighbours(self, dot: list[int]) -> Iterator[tuple[list[int], list[int]]]:
        """Yield each neighbour with the line to it: first along certain lines, never over a cross.

        A dot outside the board is not a neighbour.
        """
        for wanted in (LINE, 0):
            for down, right in AROUND:
                row, col = dot[0] + down, dot[1] + right
                inside = 0 <= row <= self.down and 0 <= col <= self.across
                if inside and self.given[row][col] == wanted:
                    yield [row + down, col + right], [row, col]

    def drawn(self, place: list[int]) -> bool:
        """True if this line is drawn, or this dot marked."""
        return self.board[place[0]][place[1]]

    def draw(self, place: list[int], state: bool) -> None:
        """Draw a line or mark a dot; or remove it."""
        self.board[place[0]][place[1]] = state

    marked, mark = drawn, draw

    def even(self) -> bool:
        """True if each column has an even number of level lines and each row of upright ones."""
        board = self.board
        for col in range(1, self.across, 2):
            if sum(board[row][col] for row in range(0, self.down + 1, 2)) % 2:
                return False
        return all(sum(board[row][::2]) % 2 == 0 for row in range(1, self.down, 2))

    def fits(self) -> bool:
        """True if every clue has as many lines around it as it says."""
        board = self.board
        for cell, clue in enumerate(self.puzzle.clues):
            row, col = 2 * (cell // self.puzzle.cols) + 1, 2 * (cell % self.puzzle.cols) + 1
            around = sum(board[row + down][col + right] for down, right in AROUND)
            if clue >= 0 and around != clue:
                return False
        return True

    def number(self, line: list[int]) -> int:
        """Return the number of a line."""
        return self.lines.index((line[0], line[1]))


class Flat:
    """Another board: dots, lines and cells are numbered, and each kind has a list of its own.

    The neighbours of a dot and the lines around a cell are listed once.
    """

    def __init__(self, puzzle: Puzzle, given: Drawing) -> None:
        self.puzzle = puzzle
        layout, dots = puzzle.layout, (puzzle.rows + 1) * (puzzle.cols + 1)
        ends = layout.line_dots[: puzzle.lines].tolist()
        self.near: list[list[tuple[int, int]]] = []  #: for each dot, its neighbours and the lines
        for dot, around in enumerate(layout.dot_lines[:dots].tolist()):
            lines = [line for line in around if line >= 0 and given.states[line] != CROSS]
            lines.sort(key=lambda line: given.states[line] != LINE)
            self.near.append([(sum(ends[line]) - dot, line) for line in lines])
        sides = layout.cell_lines[: len(puzzle.clues)].tolist()
        cells = zip(puzzle.clues, sides, strict=True)
        self.clues = [(clue, lines) for clue, lines in cells if clue >= 0]
        self.state = [False] * puzzle.lines
        self.on_path = [False] * dots

    def dot(self, number: int) -> int:
        """Return the number of a dot."""
        return number

    def neighbours(self, dot: int) -> Iterator[tuple[int, int]]:
        """Return each neighbour with the line to it, in the same order as the other board."""
        return iter(self.near[dot])

    def drawn(self, line: int) -> bool:
        """True if this line is drawn."""
        return self.state[line]

    def draw(self, line: int, state: bool) -> None:
        """Draw a line or remove it."""
        self.state[line] = state

    def marked(self, dot: int) -> bool:
        """True if this dot is marked."""
        return self.on_path[dot]

    def mark(self, dot: int, state: bool) -> None:
        """Mark a dot or remove its mark."""
        self.on_path[dot] = state

    def even(self) -> bool:
        """True if each column has an even number of level lines and each row of upright ones."""
        rows, cols, state = self.puzzle.rows, self.puzzle.cols, self.state
        level = (rows + 1) * cols
        columns = [state[col:level:cols] for col in range(cols)]
        upright = [state[at : at + cols + 1] for at in range(level, len(state), cols + 1)]
        return all(sum(line) % 2 == 0 for line in columns + upright)

    def fits(self) -> bool:
        """True if every clue has as many lines around it as it says."""
        state = self.state
        return all(sum(state[line] for line in lines) == clue for clue, lines in self.clues)

    def number(self, line: int) -> int:
        """Return the number of a line."""
        return line


Board = Any  #: a Nested or a Flat, whose dots and lines have different types


def listed(board: Board, path: list[Any], dot: Any) -> bool:
    """Look for a dot in the list of the path, as in the paper."""
    return dot in path


def marked(board: Board, path: list[Any], dot: Any) -> bool:
    """See whether a dot is marked, which the paper calls a colour."""
    found: bool = board.marked(dot)
    return found


def when_closed(board: Board, closed: bool) -> bool:
    """Check the clues when the path is back at its first dot, as in the paper."""
    return closed and board.fits()


def at_every_line(board: Board, closed: bool) -> bool:
    """Make the paper's test for a finished loop after every line, which finds the same loops.

    While a path is open, a column or row between its ends has an odd number of lines.
    """
    return board.even() and board.fits()


def search(
    puzzle: Puzzle,
    method: str,
    *,
    most: int | None = None,
    kind: Callable[[Puzzle, Drawing], Board] = Nested,
    visited: Callable[[Board, list[Any], Any], bool] = listed,
    finished: Callable[[Board, bool], bool] = when_closed,
) -> PathResult:
    """Search over lists, within this number of steps."""
    given = known(puzzle, method)
    begun = time.perf_counter()
    steps = 0
    for start in starts(puzzle):
        board = kind(puzzle, given)
        first = board.dot(start)
        path: list[Any] = [first]
        drawn: list[Any] = []
        board.mark(first, True)
        waiting = [board.neighbours(first)]
        while waiting:
            near, line = next(waiting[-1], (None, None))
            if line is None:
                waiting.pop()
                board.mark(path.pop(), False)
                if drawn:
                    board.draw(drawn.pop(), False)
                continue
            if board.drawn(line):
                continue
            steps += 1
            if steps == most:
                return PathResult(None, False, steps, time.perf_counter() - begun)
            closed = near == first
            if len(path) < 4 if closed else visited(board, path, near):
                continue
            board.draw(line, True)
            if finished(board, closed):
                took = time.perf_counter() - begun
                loop = tuple(board.number(each) for each in (*drawn, line))
                return PathResult(Drawing.of_lines(puzzle, loop), True, steps, took, loop)
            if closed:
                board.draw(line, False)
                continue
            board.mark(near, True)
            path.append(near)
            drawn.append(line)
            waiting.append(board.neighbours(near))
    return PathResult(None, True, steps, time.perf_counter() - begun)
