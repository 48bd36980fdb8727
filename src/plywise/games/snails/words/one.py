"""A set of cells as one word, on boards of up to 64 cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.jit import rule
from plywise.jit.bits import ONE, ZERO, popcount
from plywise.jit.bits import lowest as lowest_bit

NONE = ZERO


@rule
def only(cell: int) -> Any:
    """The set of one cell."""
    return ONE << np.uint64(cell)


@rule
def some(cells: Any) -> bool:
    """True if a set is not empty."""
    return bool(cells != ZERO)


@rule
def count(cells: Any) -> int:
    """Count the cells of a set."""
    return popcount(cells)


@rule
def union(cells: Any, others: Any) -> Any:
    """The cells of either set."""
    return cells | others


@rule
def common(cells: Any, others: Any) -> Any:
    """The cells of both sets."""
    return cells & others


@rule
def without(cells: Any, others: Any) -> Any:
    """The cells of the first set that are not in the second."""
    return cells & ~others


@rule
def lowest(cells: Any) -> Any:
    """The set of the lowest cell of a set, which must not be empty."""
    return lowest_bit(cells)


@rule
def raised(cells: Any, n: Any) -> Any:
    """Every cell `n` higher. Bits beyond the board may be among them."""
    return cells << n


@rule
def lowered(cells: Any, n: Any) -> Any:
    """Every cell `n` lower."""
    return cells >> n


@rule
def cells_of(words: Any) -> Any:
    """Read a set of cells from a record."""
    return words[0]
