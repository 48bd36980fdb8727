"""Two figures of the paper: its board of numbers, and its A* with open and closed lists."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from plywise.core.game import Record
from plywise.games.snails.distance import at_least, bare_lines, stop_after
from plywise.games.snails.look import LOOK, MARKS

CODES = {".": 0, "x": 1, "o": 2, "X": 11, "O": 22, "#": -1}  #: of the paper, and of walls


def codes(b: Record, s: Record) -> list[list[int]]:
    """Return the board as the numbers of the paper's figure 3, row by row from the top.

    An empty cell is 0, a trail 1 or 2, a snail 11 or 22. A wall, which the paper does not have,
    is -1.

    >>> import plywise
    >>> position = plywise.game("snails:rows=4,cols=4").position("rl")
    >>> codes(position.game.board, position.state)
    [[0, 0, 22, 2], [0, 0, 0, 0], [0, 0, 0, 0], [1, 11, 0, 0]]
    """
    found = LOOK.standing(b, s)
    return [[CODES[MARKS[found[cell]]] for cell in row] for row in LOOK.layout_of(b).rows]


@dataclass(frozen=True)
class Step:
    """One cell taken from the open list: what was closed before, what is open after it."""

    cell: int
    moves: int  #: moves so far
    to_come: int  #: lower bound on the moves to come
    closed: tuple[int, ...]
    open: tuple[tuple[int, int, int], ...]  #: (f, lower bound on the moves to come, cell)


def trace(b: Record, s: Record, player: int, start: int, goal: int) -> list[Step]:
    """Run the same search as in the textbooks, step by step, for people to follow.

    Among equal f it takes the cell that is nearer to the goal.
    """
    bare_rows, bare_cols = bare_lines(b, s, player)

    def entry(cell: int, moves: int) -> tuple[int, int, int]:
        to_come = int(at_least(b, bare_rows, bare_cols, cell, goal))
        return moves + to_come, to_come, cell

    waiting = [entry(start, 0)]
    closed: list[int] = []
    steps: list[Step] = []
    while waiting:
        f, to_come, cell = heapq.heappop(waiting)
        if cell in closed:
            continue
        for direction in range(4):
            stop = int(stop_after(b, s, player, cell, direction))
            if cell != goal and stop >= 0 and stop not in closed:
                found = entry(stop, f - to_come + 1)
                if not any(other[2] == stop and other <= found for other in waiting):
                    heapq.heappush(waiting, found)
        seen = tuple(sorted(each for each in waiting if each[2] not in (cell, *closed)))
        steps.append(Step(cell, f - to_come, to_come, tuple(closed), seen))
        if cell == goal:
            break
        closed.append(cell)
    return steps
