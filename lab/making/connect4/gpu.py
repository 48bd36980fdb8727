"""Make a book on a GPU (CUDA, through CuPy): the search of gpu.cu, all positions at once.

All threads share a table of tens of gigabytes, and the positions of a book share most of their
successors. So a book that takes a CPU hours takes a GPU minutes.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from plywise.errors import Unsupported
from plywise.games.connect4.book import Words

SOURCE = Path(__file__).with_name("gpu.cu")
THREADS = 128  #: per block
FREE = 0.8  #: share of the free memory that the table may take


class Gpu:
    """A GPU ready to solve quiet positions of one size of board."""

    def __init__(self, rows: int, cols: int) -> None:
        self.cupy = _cupy()
        free, _ = self.cupy.cuda.Device().mem_info
        room = int(free * FREE) // 16  # buckets of two words
        bits = min(room.bit_length() - 1, cols * (rows + 1))
        options = (f"-DROWS={rows}", f"-DCOLS={cols}", f"-DBUCKET_BITS={bits}")
        module = self.cupy.RawModule(code=SOURCE.read_text(), options=options)
        self.kernel = module.get_function("solve_all")
        self.table = self.cupy.zeros(2 << bits, np.uint64)
        self.blocks = self.cupy.cuda.Device().attributes["MultiProcessorCount"] * 8

    def solve(self, own: Words, mask: Words) -> Any:
        """The scores of some positions, in which nobody can win at once."""
        cupy, count = self.cupy, len(own)
        scores = cupy.zeros(count, np.int8)
        following = cupy.zeros(1, np.uint32)
        arguments = (
            self.table,
            cupy.asarray(own),
            cupy.asarray(mask),
            scores,
            np.uint32(count),
            following,
        )
        self.kernel((self.blocks,), (THREADS,), arguments)
        return scores.get()


def _cupy() -> Any:
    try:
        cupy = import_module("cupy")
        cupy.cuda.Device()
    except Exception as error:
        raise Unsupported(f"there is no GPU that CuPy can use: {error}") from error
    return cupy
