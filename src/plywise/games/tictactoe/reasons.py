"""Why a move is good, in words. Each reason is a fact of the board, not an opinion."""

from __future__ import annotations

from functools import cache

from plywise.core.game import Record
from plywise.kit.cells import Window, cell_text, lines_of, most_open, spots, tell_ways
from plywise.kit.words import listing, number_word


def reasons(b: Record, s: Record, move: int) -> list[str]:
    """Return what a legal move does, most important first."""
    rows, cols, k = int(b.rows), int(b.cols), int(b.k)
    lines = board_lines(rows, cols, k)
    own, other = _marks(b, s, int(s.turn) + 1), _marks(b, s, 2 - int(s.turn))
    cell, free = 1 << move, (1 << rows * cols) - 1 & ~(own | other)
    line = f"{'an' if number_word(k)[0] == 'e' else 'a'} {number_word(k)}"  # "a three"

    # Step 1: a win, and a win of the opponent's that is stopped.
    won = spots(lines, own, cell)
    if won:
        return [f"wins at once, with {number_word(k)} on {listing(won[cell])}"]
    found = []
    danger = spots(lines, other, free)
    if cell in danger:
        found.append(f"blocks {line} on {listing(danger[cell])}")
    free &= ~cell
    if danger.keys() - {cell} or spots(lines, own, free):
        return found  # somebody wins elsewhere next, so nothing else matters

    # Step 2: threats made, and threats prevented.
    threats = spots(lines, own | cell, free)
    names = [cell_text(spot.bit_length() - 1, cols) for spot in sorted(threats)]
    if len(names) > 1:
        where = f" ({listing(names)})" if len(names) <= 3 else ""
        found.append(
            f"makes {number_word(len(names))} threats at once{where}: only one can be stopped"
        )
    elif names:
        (on,) = threats.values()
        found.append(f"threatens {line} on {listing(on)}: the opponent must answer at {names[0]}")
    if not danger and len(spots(lines, other | cell, free)) > 1:
        found.append("takes the cell where the opponent would make two threats at once")

    # Step 3: ways to win left for both players, and the cell itself.
    left = rows * cols - int(s.filled) - 1
    found += tell_ways(lines, own | cell, other, left)
    crossing = most_open(lines, cell, free, other)
    if crossing:
        found.append(f"lies on {number_word(crossing)} open lines, more than any other cell")
    found += _place(move, rows, cols)
    return found


@cache
def board_lines(rows: int, cols: int, k: int) -> tuple[Window, ...]:
    """Return every winning line, named by its row, its column or the ends of its diagonal."""
    found = []
    for row, col, dr, dc in lines_of(rows, cols, k):
        cells = [(row + i * dr) * cols + col + i * dc for i in range(k)]
        first, last = cell_text(cells[0], cols), cell_text(cells[-1], cols)
        straight = f"column {first[0]}" if dc == 0 else f"row {row + 1}"
        name = straight if dr == 0 or dc == 0 else f"the diagonal {first}-{last}"
        found.append(Window(sum(1 << cell for cell in cells), name))
    return tuple(found)


def _marks(b: Record, s: Record, mark: int) -> int:
    return sum(1 << cell for cell in range(int(b.cells)) if s.marks[cell] == mark)


def _place(move: int, rows: int, cols: int) -> list[str]:
    """Name the middle or a corner, on a board large enough to tell them apart."""
    row, col = divmod(move, cols)
    if min(rows, cols) < 3:
        return []
    if abs(2 * row + 1 - rows) <= 1 and abs(2 * col + 1 - cols) <= 1:
        return ["takes the middle"]
    return ["takes a corner"] if row in (0, rows - 1) and col in (0, cols - 1) else []
