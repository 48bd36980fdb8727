"""A table of what the mover still gains, for every way to fill some cells of the board.

    value(S) = the maximum of points(S, c) - value(S + c) over the cells c that may be filled

Every move adds a filled cell, so one backward pass from the full board computes all values, one
thread per core. An entry's index has a bit for each cell of the table, and the six lowest bits are
the 64 lanes of a row: a cell outside the lanes is tried for all of them at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from plywise.core.game import Game, Record
from plywise.core.position import Position
from plywise.engines.driver import Run
from plywise.jit import kernel
from plywise.jit.bits import popcount

PART_BITS = 6  #: the table is filled in 64 parts; those with the same number of cells in parallel
THREADS = min(8, os.cpu_count() or 1)


class EndgameTable:
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
        self.inputs = partial(kernel_inputs, board, self.cells, outside, turn ^ len(spare) & 1)
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
        inputs = self.inputs()
        rows = self.entries >> LANE_BITS
        values = np.empty((rows, 1 << LANE_BITS), self.kind)
        parts = min(1 << PART_BITS, rows)
        for layer in _layers(parts):
            jobs = [
                partial(
                    self.kernel,
                    values,
                    *inputs,
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


# ---- the kernel ----------------------------------------------------------------------------------


LANE_BITS = 6
LANES = 1 << LANE_BITS
CHUNK_BITS = 8  #: of the index of a row: what they add to the lines is looked up
CHUNKS = 3
MOST_CELLS = LANE_BITS + CHUNKS * CHUNK_BITS  #: the most cells of a table
LINE_BITS = 8  #: of a line in a word of lines
PATTERN = np.uint64((1 << LINE_BITS) - 1)
CHECK_EVERY = 1024  #: rows between two checks of the flags

#: What a forbidden cell scores; even half of it is less than any value.
FORBIDDEN = -10_000
#: The least value of a move, for a table with one byte and one with two bytes per entry.
LEAST = {np.dtype(np.int8): -127, np.dtype(np.int16): FORBIDDEN // 2}


def kind_of(b: Record) -> np.dtype[Any]:
    """The type of an entry: one byte, or two on large boards and where cells can be forbidden.

    On 6x6 there are at most 12 lines of 3 + 6 points, which is 108.
    """
    return np.dtype(np.int8 if b.side <= 6 and not b.checkerboard else np.int16)


def kernel_inputs(b: Record, cells: list[int], filled: int, turn: int) -> tuple[Any, Any, Any]:
    """What the kernel needs to know about the cells of a table: `pays`, `words` and `shifts`.

    `cells` are in ascending order, `filled` are others; `turn` moves when no cell is filled.
    """
    assert LANE_BITS <= len(cells) <= MOST_CELLS
    side = int(b.side)
    places = [divmod(cell, side) for cell in cells]
    #: For [rows or columns, chunk, its bits]: the filled cells of the lines.
    words = np.zeros((2, CHUNKS, 1 << CHUNK_BITS), np.uint64)
    values = np.arange(1 << CHUNK_BITS)
    for index, place in enumerate(places[LANE_BITS:]):
        chunk, bit = divmod(index, CHUNK_BITS)
        words[:, chunk, values >> bit & 1 == 1] |= _line_bits(*place)
    for cell in range(side * side):
        if filled >> cell & 1:
            words[:, 0] |= _line_bits(*divmod(cell, side))
    #: For [cell, rows or columns]: the position of its line in a word.
    shifts = np.array(places, np.uint64) * np.uint64(LINE_BITS)
    return _pays(b, cells, turn), words, shifts


def _pays(b: Record, cells: list[int], turn: int) -> Any:
    """For [parity of the row, cell, row or column, pattern without the lanes, lane].

    Without colours the parity does not matter, and there is only one.
    """
    side = int(b.side)
    places = [divmod(cell, side) for cell in cells]
    patterns, lanes = np.arange(1 << side), np.arange(LANES)
    parities = 2 if b.checkerboard else 1
    pays = np.zeros((parities, len(cells), 2, 1 << side, LANES), kind_of(b))
    odd = np.bitwise_count(lanes) & 1
    for number, place in enumerate(places):
        for direction in range(2):
            line, bit = place[direction], place[1 - direction]
            added = np.zeros(LANES, np.int64)  # to the pattern, by each lane
            for lane_bit, other in enumerate(places[:LANE_BITS]):
                if other[direction] == line:
                    added |= (lanes >> lane_bit & 1) << other[1 - direction]
            complete = patterns[:, None] | added[None, :] | 1 << bit
            pays[:, number, direction] = b.pay[complete, bit]
        for parity in range(parities if b.checkerboard else 0):
            mover = odd ^ parity ^ turn
            dark = int(b.allowed[0]) >> cells[number] & 1
            pays[parity, number, 0][:, mover == dark] = FORBIDDEN
    return pays


def _line_bits(row: int, col: int) -> Any:
    """The bit of a cell in the word of the rows and, below it, in that of the columns."""
    bits = 1 << LINE_BITS * row + col, 1 << LINE_BITS * col + row
    return np.array(bits, np.uint64)[:, None]


@kernel
def filling() -> Any:
    """fill(values, pays, words, shifts, parts, part_rows, least, halt, stop) -> all done?"""

    def fill(
        values: Any,
        pays: Any,
        words: Any,
        shifts: Any,
        parts: Any,
        part_rows: int,
        least: int,
        halt: Any,
        stop: Any,
    ) -> bool:
        """Fill some parts of the table; the parts with a cell more must be filled already."""
        cells = shifts.shape[0]
        best = np.empty(LANES, values.dtype)
        inside = np.empty((LANE_BITS, LANES), values.dtype)
        none = values.dtype.type(least - 1)
        zero = values.dtype.type(0)
        parities = pays.shape[0]
        for part in parts:
            for row in range((part + 1) * part_rows - 1, part * part_rows - 1, -1):
                if row % CHECK_EVERY == 0 and (halt[0] or stop[0]):
                    return False

                # Step 1: the lines without the lanes' cells.
                first, second, third = row & 255, row >> 8 & 255, row >> 16
                across = words[0, 0, first] | words[0, 1, second] | words[0, 2, third]
                upright = words[1, 0, first] | words[1, 1, second] | words[1, 2, third]
                paid = pays[popcount(np.uint64(row)) % parities]

                # Step 2: the cells outside the lanes, for all lanes at once.
                for lane in range(LANES):
                    best[lane] = none
                for cell in range(LANE_BITS, cells):
                    bit = 1 << (cell - LANE_BITS)
                    if row & bit:
                        continue
                    by_row = paid[cell, 0, np.int64(across >> shifts[cell, 0] & PATTERN)]
                    by_col = paid[cell, 1, np.int64(upright >> shifts[cell, 1] & PATTERN)]
                    after = values[row | bit]
                    for lane in range(LANES):
                        worth = values.dtype.type(by_row[lane] + by_col[lane] - after[lane])
                        best[lane] = worth if worth > best[lane] else best[lane]

                # Step 3: the lanes' own cells, the fullest lane first.
                for cell in range(LANE_BITS):
                    by_row = paid[cell, 0, np.int64(across >> shifts[cell, 0] & PATTERN)]
                    by_col = paid[cell, 1, np.int64(upright >> shifts[cell, 1] & PATTERN)]
                    for lane in range(LANES):
                        inside[cell, lane] = by_row[lane] + by_col[lane]
                for lane in range(LANES - 1, -1, -1):
                    found = best[lane]
                    for cell in range(LANE_BITS):
                        if not lane >> cell & 1:
                            worth = values.dtype.type(inside[cell, lane] - best[lane | 1 << cell])
                            if worth > found:
                                found = worth
                    best[lane] = found if found >= least else zero  # nobody can move
                entries = values[row]
                for lane in range(LANES):
                    entries[lane] = best[lane]
        return True

    return fill
