"""How Align looks: lines that score, positions in text, and the picture.

The picture has a band around every line that the last move scored for, and its points beyond it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plywise.core.game import Record
from plywise.core.position import Position
from plywise.core.scene import Label, Polygon, Scene, Shape, rectangle
from plywise.games.align import rules
from plywise.games.align.rules import THREE
from plywise.kit import Layout, Look, square_board
from plywise.kit.picture import picture

# ---- lines that score ----------------------------------------------------------------------------


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


# ---- texts ---------------------------------------------------------------------------------------


def layout(b: Record) -> Layout:
    """Squared paper; with `checkerboard`, every cell has its owner's tint."""
    size = int(b.side)
    board = square_board(size)
    if not b.checkerboard:
        return board
    dark = int(b.allowed[0])
    places = (replace(place, owner=1 - (dark >> n & 1)) for n, place in enumerate(board.places))
    return replace(board, places=tuple(places))


def put(b: Record, s: Record, marks: Sequence[int]) -> None:
    """Set up a position whose points are known."""
    s.room = 2 * b.side * b.room[0]
    for cell, mark in enumerate(marks):
        if mark:
            rules.fill_cell(b, s, cell, mark - 1)
    most = int(2 * b.side * b.room[0] - s.room)
    if sum(s.score) > most:
        raise ValueError(f"{sum(s.score)} points are too many: these cells score at most {most}")
    if b.checkerboard:
        _check_colours(b, s)


LOOK = Look(layout, "own", put=put, style="crosses", also=("score",))


def to_text(b: Record, s: Record) -> str:
    """Rows from the top, the points of X and O, then the side to move: `6/6/6/6/6/xox3 3-0 o`."""
    board, mover, points = LOOK.to_text(b, s).split()
    return f"{board} {points.replace(',', '-')} {mover}"


def from_text(b: Record, s: Record, text: str) -> None:
    """Set up a position. Without points in the text, both start at 0."""
    board, *points, mover = text.split() if len(text.split()) > 1 else (text, "")
    if mover.lower() not in ("x", "o"):
        raise ValueError("at the end, write the side to move, x or o")
    one, two = _read_points(points)
    LOOK.from_text(b, s, f"{board} {mover} {one},{two}")


def _read_points(words: list[str]) -> tuple[int, int]:
    if not words:
        return 0, 0
    match = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", " ".join(words), re.ASCII)
    if match is None:
        raise ValueError(
            "between the rows and the side to move come the points of X and O, such as 3-0"
        )
    return int(match[1]), int(match[2])


def _check_colours(b: Record, s: Record) -> None:
    """Check that marks are on their own colour, and that both can play until the board is full."""
    open_cells = [0, 0]
    for player, name in enumerate("xo"):
        allowed, own, other = (int(bits) for bits in (b.allowed[player], *_both(s, player)))
        if own & ~allowed:
            raise ValueError(f"{name} is on a cell of the other colour")
        open_cells[player] = (allowed & ~(own | other)).bit_count()
    if open_cells[s.turn] - open_cells[1 - s.turn] not in (0, 1):
        raise ValueError(
            f"x has {open_cells[0]} cells left and o has {open_cells[1]}: "
            "the side to move must have the same number or one more"
        )


def _both(s: Record, player: int) -> tuple[int, int]:
    return int(s.own[player]), int(s.own[1 - player])


def draw(b: Record, s: Record) -> str:
    """The board with its coordinates, and the points below."""
    return f"{LOOK.draw(b, s)}\npoints: X {int(s.score[0])}, O {int(s.score[1])}"


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    return f"{int(s.score[0])} to {int(s.score[1])} points"


# ---- the picture ---------------------------------------------------------------------------------


BESIDE = 0.4  #: room right of the board, for the points of a row
ABOVE = 0.3  #: ... and above it, for those of a column
BAND = 0.42  #: half the width of the band around a line that scored


def scene(position: Position) -> Scene:
    """The board, the totals, and what the last move scored for."""
    b = position.game.board
    paid = paid_lines(b, position.state, position.last)
    layout = LOOK.layout_of(b)
    return picture(
        LOOK,
        position,
        over=[shape for line in paid for shape in _band(line, layout)],
        won={cell for line in paid for cell in line.cells},
        room=(0.0, ABOVE, BESIDE, 0.0),
        told="".join(f". {line.name.capitalize()} scored {line.points}" for line in paid),
    )


def _band(line: Paid, layout: Layout) -> Iterator[Shape]:
    """Draw a band around a line that scored, and its points where the line leaves the board."""
    (left, bottom), (right, top) = (
        layout.places[end].at for end in (line.cells[0], line.cells[-1])
    )
    around = rectangle(left, top, right, bottom, BAND)
    beyond = (layout.shape[1] + 0.35, bottom) if line.level else (left, -0.3)
    yield Polygon(around, BAND, id=f"band {line.name}", roles=("winning",), layer=1, shade=0.16)
    yield Label(beyond, f"+{line.points}", 0.36, id=f"points {line.name}", roles=("text",), layer=5)
