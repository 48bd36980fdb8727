"""Lines of k cells on a rectangular board, with their names: what reasons in words are made of.

Cells are bits of a whole number, as many as the board needs; a game says how it numbers them.
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
    name: str  #: as "row 2" or "the diagonal a1-c3"


def windows(
    rows: int,
    cols: int,
    k: int,
    number: Callable[[int, int], int],
    name: Callable[[int, int, int, int], str],
) -> tuple[Window, ...]:
    """Every line of k cells; `number(row, col)` is a cell's bit, `name(row, col, dr, dc)` a line's.

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
    """The free cells that would complete a line with these discs, each with the lines' names."""
    found: dict[int, list[str]] = {}
    for line in lines:
        missing = line.cells & ~discs
        if missing & free and missing.bit_count() == 1:
            names = found.setdefault(missing, [])
            if line.name not in names:
                names.append(line.name)
    return found


def ways(lines: Iterable[Window], discs: int, others: int, left: int) -> int:
    """How many lines can still be filled, none of the others' discs in them, with `left` more."""
    return sum(
        not line.cells & others and (line.cells & ~discs).bit_count() <= left for line in lines
    )


def open_through(lines: Iterable[Window], cell: int, others: int) -> int:
    """How many lines through a cell hold none of the others' discs."""
    return sum(bool(line.cells & cell) and not line.cells & others for line in lines)


def most_open(lines: Sequence[Window], cell: int, rivals: int, others: int) -> int:
    """The same number if it is more than that of any rival cell, else 0."""
    count = open_through(lines, cell, others)
    return count if all(open_through(lines, rival, others) < count for rival in bits(rivals)) else 0


def bits(cells: int) -> Iterator[int]:
    """The cells one by one, each as its bit.

    >>> list(bits(0b1010))
    [2, 8]
    """
    while cells:
        yield cells & -cells
        cells &= cells - 1
