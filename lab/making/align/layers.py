"""The whole board solved on a GPU (CUDA, through CuPy): the values of all sets of filled cells.

One byte for each of the 2^36 sets of 6x6 is 64 GiB, in one array. The kernel in layers.cu fills it,
from the full board to the empty one. It needs CuPy, but not numba.
"""

from __future__ import annotations

import time
from importlib import import_module
from math import comb
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import Unsupported
from plywise.games.align.book import Sets, Values

SOURCE = Path(__file__).with_name("layers.cu")
LARGEST = 6  #: the largest side whose values fit in a byte each, and in a GPU
THREADS = 256  #: per block


class Layers:
    """A board with every position solved, in the memory of a GPU."""

    def __init__(self, size: int, checkerboard: bool) -> None:
        if size > LARGEST:
            raise Unsupported(
                f"size={size} is too large to solve completely: the limit is {LARGEST}"
            )
        self.size, self.checkerboard = size, checkerboard
        self.arrays = cupy = _cupy()
        self.bytes = 1 << size * size
        free, _ = cupy.cuda.Device().mem_info
        if free < self.bytes:
            raise Unsupported(
                f"the GPU has {free / 2**30:.1f} GiB free: size={size} needs "
                f"{self.bytes / 2**30:.0f} GiB"
            )
        options = (f"-DSIZE={size}", f"-DCHECKERBOARD={int(checkerboard)}")
        module = cupy.RawModule(code=SOURCE.read_text(), options=options)
        self.fill, self.look_up = map(module.get_function, ("fill", "look_up"))
        self.array = cupy.empty(self.bytes, np.int8)
        started = time.perf_counter()
        self._solve()
        self.seconds = time.perf_counter() - started

    def _solve(self) -> None:
        """Solve layer by layer: the most cells in the upper rows first, then in the two lowest."""
        low_cells = 2 * self.size
        high_cells = self.size**2 - low_cells
        highs = self.arrays.asarray(most_cells_first(high_cells).astype(np.uint32))
        lows = self.arrays.asarray(most_cells_first(low_cells).astype(np.uint16))
        first = 0
        for count in range(high_cells, -1, -1):
            blocks = comb(high_cells, count)
            layer = highs[first : first + blocks]
            self.fill((blocks,), (THREADS,), (self.array, layer, lows))
            first += blocks
        self.arrays.cuda.Device().synchronize()

    def values(self, sets: Any) -> Values:
        """What the mover still gains in these positions, less what the opponent gains."""
        asked = self.arrays.asarray(sets).astype(np.uint64)
        found = self.arrays.empty(len(asked), np.int8)
        blocks = max(1, -(-len(asked) // THREADS))
        arguments = (self.array, asked, found, np.uint64(len(asked)))
        self.look_up((blocks,), (THREADS,), arguments)
        answer: Values = found.get()
        return answer


def most_cells_first(cells: int) -> Sets:
    """All sets of some cells, those with the most cells first."""
    count = np.zeros(1, np.int8)
    for _ in range(cells):
        count = np.concatenate([count, count + np.int8(1)])
    return np.argsort(-count, kind="stable")


def _cupy() -> Any:
    try:
        cupy = import_module("cupy")
        cupy.cuda.Device().mem_info  # noqa: B018
    except Exception as error:
        raise Unsupported(f"there is no GPU that CuPy can use: {error}") from error
    return cupy
