"""A table being filled, by as many threads as the machine has cores, and asked afterwards."""

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

PART_BITS = 6  #: the table is filled in 64 parts; those with equally many cells go side by side
THREADS = min(8, os.cpu_count() or 1)


class Table:
    """The values of a position and of all that can come after it."""

    def __init__(self, game: Game, filled: int, turn: int) -> None:
        """Nothing is known yet. `turn` moves in the position with these cells filled."""
        board = game.board
        cells = range(int(board.cells))
        # A table has at least the cells of its lanes: filled ones make up for empty ones.
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
        """What they take."""
        return self.entries * self.kind.itemsize

    def fill(self, run: Run, *, hurry: bool = True) -> bool:
        """Work it out; False if a limit came first. Without `hurry` the clock is not one."""
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
        """Can this position come after the one that the table was made for?"""
        moves = filled.bit_count() - self.filled.bit_count()
        return not self.filled & ~filled and turn == self.turn ^ moves & 1

    def value(self, filled: int) -> int:
        """What the mover still gains, more than the other."""
        number = sum((filled >> cell & 1) << index for index, cell in enumerate(self.cells))
        return int(self.values[number])


def _layers(parts: int) -> Iterator[Any]:
    """The parts, those first that have the most cells."""
    order = sorted(range(parts), key=lambda part: -part.bit_count())
    for _, layer in groupby(order, key=int.bit_count):
        yield np.array(list(layer), np.int64)


def filled_in(position: Position) -> int:
    """The filled cells of a position, a bit each."""
    return int(position.state.own[0] | position.state.own[1])
