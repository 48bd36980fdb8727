"""Lines of cells, their names and points: for tables, pictures and words."""

from __future__ import annotations

from dataclasses import dataclass

from plywise.core.game import Record
from plywise.games.align.rules import THREE


@dataclass(frozen=True)
class Paid:
    """A run of filled cells that a move scored for."""

    level: bool  #: in a row and not in a column
    name: str  #: such as "row 2" or "column c"
    cells: tuple[int, ...]  #: from left to right, or upwards

    @property
    def points(self) -> int:
        """One for each of its cells."""
        return len(self.cells)


def run(pattern: int, bit: int, size: int) -> tuple[int, int]:
    """The first and the last bit of the unbroken run of ones around this one.

    >>> run(0b110111, 4, 6)
    (4, 5)
    """
    first = last = bit
    while first > 0 and pattern >> (first - 1) & 1:
        first -= 1
    while last + 1 < size and pattern >> (last + 1) & 1:
        last += 1
    return first, last


def payment(pattern: int, bit: int, size: int) -> int:
    """What a line scores for its newest cell: a run of exactly three, or the whole line.

    >>> payment(0b111, 0, 6), payment(0b1111, 0, 6), payment(0b111111, 0, 6)
    (3, 0, 6)
    """
    first, last = run(pattern, bit, size)
    length = last - first + 1
    return length if length in (THREE, size) else 0


def paid_lines(b: Record, s: Record, cell: int | None) -> tuple[Paid, ...]:
    """The lines that the newest cell scored for: its row, its column, both or neither."""
    if cell is None:
        return ()
    side, found = int(b.side), []
    row, col = divmod(cell, side)
    for level, pattern, bit in (
        (True, int(s.lines[0, row]), col),
        (False, int(s.lines[1, col]), row),
    ):
        if payment(pattern, bit, side):
            first, last = run(pattern, bit, side)
            name = f"row {row + 1}" if level else f"column {chr(ord('a') + col)}"
            across = range(first, last + 1)
            cells = (row * side + i if level else i * side + col for i in across)
            found.append(Paid(level, name, tuple(cells)))
    return tuple(found)
