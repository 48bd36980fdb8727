"""Exact outcomes of Snails: the Python side of the compiled search.

The search is in kernel.py, with a proof of what it stores. It handles the plain rules on boards of
up to 64 cells; larger boards and the territory option go to the general solver.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from plywise.core.analysis import Analysis
from plywise.core.engine import Solver
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run, first_move
from plywise.engines.scale import analysis_of, proved
from plywise.engines.solve import ExactSolver, GameSolver, Search
from plywise.games.snails.board import QUIET
from plywise.games.snails.solver.board import CELLS, MOST_MOVES, Node, tables_of, write_node
from plywise.games.snails.solver.kernel import NO_MOVE, OPEN, Task, solving
from plywise.games.snails.solver.table import BUCKET, most_bits, moving, new_table

MEGABYTES = 900.0  #: the table may grow to this
FIRST_BITS = 12  #: of the first table, 0.5 MB
GROWTH = 3  #: more bits each time that half of the table is full
REPORT_EVERY = 4_000_000  #: nodes between two calls of `on_info`, a few seconds


def solver(game: Game, book: bool = True) -> Solver:
    """The solver of a game. There is no book."""
    return SnailsSolver(game) if solvable(game) else GameSolver(game)


def solvable(game: Game) -> bool:
    """True if the search of kernel.py can handle this board."""
    return not game.board.territory and game.board.cells <= CELLS


class SnailsSolver(ExactSolver):
    """Exact outcomes for one size of board, with a transposition table that grows."""

    def __init__(self, game: Game, memory: float = MEGABYTES, grown: bool = False) -> None:
        """With `grown`, the table has its full size at once, so that no move waits for it."""
        self.game = game
        self.most_bits = most_bits(memory)
        self.first_bits = self.most_bits if grown else min(FIRST_BITS, self.most_bits)
        self.kernel = solving.build(game.rules)
        self.move_entries = moving.build(game.rules)
        depth = QUIET * int(game.board.cells) + 2  # at most 20 plies for each cell, and the root
        self.nodes = np.zeros(MOST_MOVES * depth, Node).view(np.recarray)
        self.path = np.zeros(depth, np.int64)
        self.bits, self.filled = 0, 0
        self.table = new_table(0)
        self.start_over()

    def find(self, search: Search) -> Analysis:
        """Find win, draw or loss; `on_info` is called now and then during a long search."""
        position = search.position
        for margin in (1, 0):
            # "Player 1 leads by at least `margin`" is "player 0 does not lead by 1 - margin".
            found = self._ask(search, margin if position.turn == 0 else 1 - margin)
            if found.winner == OPEN:
                return first_move(position)
            if found.winner == position.turn:
                text = position.text_of(int(found.move))
                return analysis_of((text,), proved(position, margin, None))
        return analysis_of(position.legal[:1], proved(position, -1, None))

    def wins(self, position: Position, player: int, run: Run) -> tuple[bool | None, int]:
        """Ask if a player wins; None if the run stops before the answer.

        Also returns a move with which the mover succeeds, or NO_MOVE.
        """
        if position.margin is not None:
            return position.margin > 0 if player == 0 else position.margin < 0, NO_MOVE
        task = self._ask(Search(position, NO_LIMITS, run), 1 if player == 0 else 0)
        return None if task.winner == OPEN else bool(task.winner == player), int(task.move)

    def _ask(self, search: Search, goal: int) -> Any:
        """Ask if player 0 finally leads by at least `goal`. The task says which player succeeds."""
        walls = _walls(search.position)
        if walls != self.walls:
            self.start_over(walls)
        write_node(self.tables, search.position.state, self.nodes[0])
        self.path[0] = 0
        task = np.zeros(1, Task).view(np.recarray)[0]
        task.goal, task.entering, task.winner, task.move = goal, 1, OPEN, NO_MOVE
        while task.winner == OPEN and not search.ended:
            nodes, nanoseconds = int(task.nodes), int(task.nanoseconds)
            search.run.call([partial(self._go_on, task, search)], hurry=search.run.grace <= 0)
            search.run.grace -= int(task.nodes) - nodes
            search.count(int(task.nodes) - nodes, int(task.nanoseconds) - nanoseconds)
            if 2 * self.filled >= self.places and self.bits < self.most_bits:
                self._grow()
            if task.winner == OPEN:
                search.tell(first_move(search.position))
        return task

    def _go_on(self, task: Any, search: Search) -> None:
        """Let the kernel work for a while, or until it needs a larger table."""
        most = min(REPORT_EVERY, search.left)
        if search.run.grace > 0:
            most = min(most, search.run.grace)
        room = self.places // 2 if self.bits < self.most_bits else NO_BUDGET
        task.filled = self.filled
        flags = search.run.halt, search.run.stop
        self.kernel(self.tables, self.table, self.nodes, self.path, task, *flags, most, room)
        self.filled = int(task.filled)

    @property
    def places(self) -> int:
        """How many positions the table can hold."""
        return BUCKET << self.bits

    def _grow(self) -> None:
        """Move the entries to a larger table."""
        self.bits = min(self.bits + GROWTH, self.most_bits)
        larger = new_table(self.bits)
        self.filled = self.move_entries(self.table, larger)
        self.table = larger

    def start_over(self, walls: int = 0) -> None:
        """Empty the table. Keys do not include walls, so each set of walls needs a new one."""
        self.walls = walls
        self.tables = tables_of(self.game.board, walls != 0)
        self.bits, self.filled = self.first_bits, 0
        self.table = new_table(self.bits)

    def warm(self, position: Position) -> None:
        """Compile the kernels, or load them from disk."""
        done = np.zeros(1, Task).view(np.recarray)[0]
        done.depth = -1
        flag = np.zeros(1, np.uint8)
        self.kernel(self.tables, self.table, self.nodes, self.path, done, flag, flag, 1, 1)
        self.move_entries(new_table(0), new_table(0))


def _walls(position: Position) -> int:
    """The set of cells that are neither empty nor owned."""
    state, full = position.state, int(position.game.board.full[0])
    return full & ~int(state.free[0] | state.own[0, 0] | state.own[1, 0])
