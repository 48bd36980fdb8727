"""Why a column is good, in words. Each reason is a fact of the board, not an opinion."""

from __future__ import annotations

from functools import cache

from plywise.core.game import Record
from plywise.kit.cells import Window, bits, lines_of, most_open, spots, tell_ways
from plywise.kit.words import listing, number_word


def reasons(b: Record, s: Record, move: int) -> list[str]:
    """Return what a legal move does, most important first."""
    rows, cols = int(b.rows), int(b.cols)
    lines = board_lines(rows, cols, int(b.inarow))
    own, mask, cells, floor = (int(word) for word in (s.own, s.mask, b.cells, b.floor))
    other, landing = mask ^ own, (mask + floor) & cells
    cell = landing & int(b.column[move])

    # Step 1: a win, and a win of the opponent's that is stopped.
    won = spots(lines, own, cell)
    if won:
        return [f"wins at once, with {_line(b)} on {listing(won[cell])}"]
    found = []
    danger = spots(lines, other, landing)
    if cell in danger:
        found.append(f"blocks a {_line(b)} on {listing(danger[cell])}")
    after = mask | cell
    next_landing = (after + floor) & cells
    if spots(lines, other, next_landing) or spots(lines, own, landing):
        return found  # somebody wins elsewhere next, so nothing else matters

    # Step 2: threats made, and threats prevented.
    found += _threats(b, lines, own | cell, next_landing)
    quiet = not danger and not spots(lines, own, next_landing)  # no threat comes first
    if quiet and _forks(lines, other | cell, next_landing):
        found.append("takes the place where the opponent would make two threats at once")
    found += _plans(b, lines, own, cell, after, next_landing)
    found += _traps(b, lines, own, other, landing & ~cell)

    # Step 3: ways to win left for both players, and the cell itself.
    left = rows * cols - after.bit_count()
    found += tell_ways(lines, own | cell, other, left)
    crossing = most_open(lines, cell, landing & ~cell, other)
    if crossing:
        found.append(f"lies on {number_word(crossing)} open lines, more than any other column")
    if cols >= 3 and b.middle[move] == max(b.middle[:cols]):
        found.append("takes the middle")
    return found


@cache
def board_lines(rows: int, cols: int, inarow: int) -> tuple[Window, ...]:
    """Return every line, named by its row, its column or its diagonal's left end."""
    found = []
    for row, col, dr, dc in lines_of(rows, cols, inarow):
        cells = ((col + i * dc) * (rows + 1) + row + i * dr for i in range(inarow))
        slope = "rising" if dr > 0 else "falling"
        upright = f"column {col + 1}"
        rises = upright if dc == 0 else f"the diagonal {slope} from {upright}"
        name = f"row {row + 1}" if dr == 0 else rises
        found.append(Window(sum(1 << cell for cell in cells), name))
    return tuple(found)


def _forks(lines: tuple[Window, ...], discs: int, landing: int) -> bool:
    """True if two cells complete a line, both playable now or one on top of the other."""
    now = spots(lines, discs, landing)
    return len(now) > 1 or any(spots(lines, discs, cell << 1) for cell in now)


def _threats(b: Record, lines: tuple[Window, ...], discs: int, landing: int) -> list[str]:
    """Name the lines that the mover completes next, unless stopped; the opponent has none."""
    now = spots(lines, discs, landing)
    columns = [str(_column(b, cell)) for cell in sorted(now)]
    if len(now) > 1:
        where = f"columns {listing(columns)}"
        return [f"makes {number_word(len(now))} threats at once ({where}): only one can be stopped"]
    for cell, names in now.items():  # the only one
        if spots(lines, discs, cell << 1):
            return [f"makes two threats, one on top of the other, in column {columns[0]}"]
        made = f"a {_line(b)} on {listing(names)}"
        return [f"threatens {made}: the opponent must answer in column {columns[0]}"]
    return []


def _plans(
    b: Record, lines: tuple[Window, ...], own: int, cell: int, after: int, landing: int
) -> list[str]:
    """Name a new cell that completes a line but cannot be played yet, and who must open it."""
    distant = int(b.cells) & ~(after | landing)
    before = spots(lines, own, distant)
    plans = []
    for spot, names in spots(lines, own | cell, distant).items():
        # If everything else fills up first, the cell below the spot is the last one left: it is
        # as many plies away as there are free cells, not counting those from the spot upwards.
        column = int(b.column[_column(b, spot) - 1])
        upwards = column & ~(spot - 1)
        must_open = (int(b.cells) & ~(after | upwards)).bit_count() % 2 == 1
        if spot not in before:
            plans.append((must_open, -spot.bit_length(), spot, names))
    if not plans:
        return []
    must_open, _, spot, names = max(plans)
    when = " that the opponent must finally open" if must_open else ", once the opponent opens it"
    return [f"sets up a {_line(b)} on {listing(names)}{when} in column {_column(b, spot)}"]


def _traps(b: Record, lines: tuple[Window, ...], own: int, other: int, landing: int) -> list[str]:
    """Name the columns the move avoids because the opponent would complete a line on top."""
    on_top: list[str] = []
    columns = []
    for cell in bits(landing):
        above = spots(lines, other, cell << 1)
        if above and not spots(lines, own, cell):
            columns.append(str(_column(b, cell)))
            on_top += [name for name in above[cell << 1] if name not in on_top]
    if not columns:
        return []
    where = f"column{'s' if len(columns) > 1 else ''} {listing(columns)}"
    return [f"avoids {where}, which would give the opponent a {_line(b)} on {listing(on_top)}"]


def _line(b: Record) -> str:
    """Name a winning line by its length: "four"."""
    return number_word(int(b.inarow))


def _column(b: Record, cell: int) -> int:
    """Return the number of a cell's column, from 1."""
    return (cell.bit_length() - 1) // (int(b.rows) + 1) + 1
