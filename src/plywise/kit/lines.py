"""Lines of k cells on a rectangular board, with names, for explaining moves in words.

A set of cells is an integer with one bit per cell; the game says how cells are numbered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

#: East, north, north-east, south-east, as steps of (row, column).
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (-1, 1))


@dataclass(frozen=True)
class Window:
    """k cells in a line."""

    cells: int
    name: str  #: such as "row 2" or "the diagonal a1-c3"


def windows(
    rows: int,
    cols: int,
    k: int,
    number: Callable[[int, int], int],
    name: Callable[[int, int, int, int], str],
) -> tuple[Window, ...]:
    """Return every line of k cells, with cells numbered by `number` and lines named by `name`.

    >>> [line.name for line in windows(1, 3, 2, lambda r, c: c, lambda r, c, dr, dc: f"from {c}")]
    ['from 0', 'from 1']
    """
    found = []
    for dr, dc in DIRECTIONS:
        for row in range(rows):
            for col in range(cols):
                if 0 <= row + (k - 1) * dr < rows and col + (k - 1) * dc < cols:
                    cells = (number(row + i * dr, col + i * dc) for i in range(k))
                    found.append(Window(sum(1 << cell for cell in cells), name(row, col, dr, dc)))
    return tuple(found)


def spots(lines: Iterable[Window], discs: int, free: int) -> dict[int, list[str]]:
    """Return the free cells that complete a line with these discs, and the lines' names."""
    found: dict[int, list[str]] = {}
    for line in lines:
        missing = line.cells & ~discs
        if missing & free and missing.bit_count() == 1:
            names = found.setdefault(missing, [])
            if line.name not in names:
                names.append(line.name)
    return found


def ways(lines: Iterable[Window], discs: int, others: int, left: int) -> int:
    """Count the lines without opposing discs that `left` more discs can still complete."""
    return sum(
        not line.cells & others and (line.cells & ~discs).bit_count() <= left for line in lines
    )


def open_through(lines: Iterable[Window], cell: int, others: int) -> int:
    """Count the lines through a cell without opposing discs."""
    return sum(bool(line.cells & cell) and not line.cells & others for line in lines)


def most_open(lines: Sequence[Window], cell: int, rivals: int, others: int) -> int:
    """Return the same count if it is higher than that of any rival cell, else 0."""
    count = open_through(lines, cell, others)
    return count if all(open_through(lines, rival, others) < count for rival in bits(rivals)) else 0


def bits(cells: int) -> Iterator[int]:
    """Yield the cells one by one, each as its bit.

    >>> list(bits(0b1010))
    [2, 8]
    """
    while cells:
        yield cells & -cells
        cells &= cells - 1
