"""A table that is filled by one thread per core, and then looked up."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.driver import Run
from plywise.games.align.solver.kernel import LANE_BITS, LEAST, Plan, filling, kind_of

PART_BITS = 6  #: the table is filled in 64 parts; those with the same number of cells in parallel
THREADS = min(8, os.cpu_count() or 1)


class Table:
    """The values of a position and of all later ones."""

    def __init__(self, game: Game, filled: int, turn: int) -> None:
        """Start with an empty table. `turn` moves in the position with these cells filled."""
        board = game.board
        cells = range(int(board.cells))
        # A table has at least the cells of its lanes: filled cells are added if there are too few.
        missing = max(0, LANE_BITS - (int(board.cells) - filled.bit_count()))
        spare = [cell for cell in cells if filled >> cell & 1][:missing]
        self.filled = filled
        self.turn = turn
        outside = filled & ~sum(1 << cell for cell in spare)
        self.cells = [cell for cell in cells if not outside >> cell & 1]
        self.plan = partial(Plan, board, self.cells, outside, turn ^ len(spare) & 1)
        self.kernel = filling.build(game.rules)
        self.kind = kind_of(board)
        self.values: Any = None

    @property
    def entries(self) -> int:
        """How many values it has when it is filled."""
        return 1 << len(self.cells)

    @property
    def bytes(self) -> int:
        """The size of the table in bytes."""
        return self.entries * self.kind.itemsize

    def fill(self, run: Run, *, hurry: bool = True) -> bool:
        """Compute all values; False if a limit came first. `hurry`: the time limit counts."""
        plan = self.plan()
        rows = self.entries >> LANE_BITS
        values = np.empty((rows, 1 << LANE_BITS), self.kind)
        parts = min(1 << PART_BITS, rows)
        for layer in _layers(parts):
            jobs = [
                partial(
                    self.kernel,
                    values,
                    plan.pays,
                    plan.words,
                    plan.shifts,
                    layer[thread::THREADS],
                    rows // parts,
                    LEAST[self.kind],
                    run.halt,
                    run.stop,
                )
                for thread in range(min(THREADS, len(layer)))
            ]
            if not all(run.call(jobs, hurry=hurry)):
                return False
        self.values = values.reshape(-1)
        return True

    def has(self, filled: int, turn: int) -> bool:
        """True if this position can follow the one that the table was made for."""
        moves = filled.bit_count() - self.filled.bit_count()
        return not self.filled & ~filled and turn == self.turn ^ moves & 1

    def value(self, filled: int) -> int:
        """What the mover still gains, less what the opponent gains."""
        number = sum((filled >> cell & 1) << index for index, cell in enumerate(self.cells))
        return int(self.values[number])


def _layers(parts: int) -> Iterator[Any]:
    """The parts in layers, those with the most cells first."""
    order = sorted(range(parts), key=lambda part: -part.bit_count())
    for _, layer in groupby(order, key=int.bit_count):
        yield np.array(list(layer), np.int64)


def filled_in(position: Position) -> int:
    """The filled cells of a position, one bit each."""
    return int(position.state.own[0] | position.state.own[1])
