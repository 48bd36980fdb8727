"""What Align looks like: squared paper, crosses and rings, a band around every line that scored.

With `checkerboard`, one player's cells are tinted. Layers: 0 cells, 1 their tint, 2 the bands, 3
the last cell, 4 the lines of the paper, 5 marks.
"""

from __future__ import annotations

from dataclasses import dataclass

from plywise.core.position import Position
from plywise.core.scene import (
    Label,
    Line,
    Motion,
    Polygon,
    Scene,
    Shape,
    rectangle,
    stone_roles,
    words,
)
from plywise.games.align.lines import Paid, paid_lines
from plywise.kit.grid import cell_text
from plywise.kit.marks import Pen
from plywise.kit.squares import Squares, cell_labels, cell_targets

LABELS = 0.65  #: where there are coordinates
BESIDE = 0.7  #: right of the board, for the points of a row
ABOVE = 1.3  #: ... and above it, for those of a column, with the totals over them
PEN = Pen(arm=0.24, width=0.11, layer=5)
BAND = 0.42  #: half the width of the band around a line that scored


@dataclass(frozen=True)
class Frame:
    """A board in its frame, and what the last move scored for."""

    board: Squares
    paid: tuple[Paid, ...]

    @property
    def cells(self) -> set[int]:
        """Every cell of the lines that scored."""
        return {cell for line in self.paid for cell in line.cells}


def scene(position: Position) -> Scene:
    """The board, the totals, and what the last move scored for."""
    b, s = position.game.board, position.state
    side = int(b.side)
    frame = Frame(Squares(side, side, left=LABELS, top=ABOVE), paid_lines(b, s, position.last))
    board = frame.board
    shapes = _paper(position, board)
    for line in frame.paid:
        shapes += _band(line, board)
    for player in range(2):
        shapes += _marks(position, frame, player)
        shapes.append(_total(player, int(s.score[player]), board))
    motion = None
    if position.last is not None:
        row, col = divmod(position.last, side)
        at = board.centre(row, col)
        tint = Polygon(board.square(row, col, 0.08), 0.1, id="last", roles=("last",), layer=3)
        shapes.append(tint)
        motion = Motion("place", (f"mark {cell_text(position.last, side)}",), at, at)
    title, description, text = words(position)
    return Scene(
        title,
        f"{description}{_in_words(frame.paid)}",
        text,
        size=(LABELS + side + BESIDE, ABOVE + side + LABELS),
        shapes=tuple(shapes),
        coordinates=cell_labels(board, LABELS / 2, ABOVE + side + LABELS / 2),
        targets=cell_targets(board, position),
        motion=motion,
    )


def _in_words(paid: tuple[Paid, ...]) -> str:
    return "".join(f". {line.name.capitalize()} scored {line.points}" for line in paid)


def _paper(position: Position, board: Squares) -> list[Shape]:
    """Draw the cells, tinted by who may use them, and the grid lines."""
    b = position.game.board
    shapes: list[Shape] = []
    for row in range(board.rows):
        for col in range(board.cols):
            cell = row * board.cols + col
            name = cell_text(cell, board.cols)
            square = board.square(row, col)
            shapes.append(Polygon(square, id=f"cell {name}", roles=("cell",), glyph="·"))
            if b.checkerboard:
                owner = 0 if int(b.allowed[0]) >> cell & 1 else 1
                shapes.append(
                    Polygon(
                        square, id=f"tint {name}", roles=("trail",), layer=1, owner=owner, shade=0.3
                    )
                )
    left, top = board.left, board.top
    for i in range(board.rows + 1):
        upright = ((left + i, top), (left + i, top + board.rows))
        level = ((left, top + i), (left + board.cols, top + i))
        shapes.append(Line(*upright, 0.035, id=f"column line {i}", roles=("grid",), layer=4))
        shapes.append(Line(*level, 0.035, id=f"row line {i}", roles=("grid",), layer=4))
    return shapes


def _band(line: Paid, board: Squares) -> list[Shape]:
    """Draw a band around a line that scored, and its points where the line leaves the board."""
    ends = [board.centre(*divmod(cell, board.cols)) for cell in (line.cells[0], line.cells[-1])]
    (left, bottom), (right, top) = ends
    around = rectangle(left, top, right, bottom, BAND)
    beyond = (
        (board.left + board.cols + BESIDE / 2, bottom) if line.level else (left, board.top - 0.3)
    )
    return [
        Polygon(around, BAND, id=f"band {line.name}", roles=("winning",), layer=2, shade=0.16),
        Label(beyond, f"+{line.points}", 0.36, id=f"points {line.name}", roles=("text",), layer=5),
    ]


def _marks(position: Position, frame: Frame, player: int) -> list[Shape]:
    """Draw a player's marks; those of a line that scored are highlighted."""
    own, side = int(position.state.own[player]), frame.board.cols
    shapes = []
    for cell in range(side * side):
        if own >> cell & 1:
            roles = stone_roles(last=cell == position.last, winning=cell in frame.cells)
            at = frame.board.centre(*divmod(cell, side))
            shapes.append(PEN.mark(player, at, f"mark {cell_text(cell, side)}", roles))
    return shapes


def _total(player: int, points: int, board: Squares) -> Shape:
    """Write a player's points above the board, on their side."""
    x = board.left if player == 0 else board.left + board.cols
    return Label(
        (x, 0.4),
        f"{'XO'[player]}: {points}",
        0.42,
        "start" if player == 0 else "end",
        id=f"total {'XO'[player]}",
        roles=("text",),
    )
