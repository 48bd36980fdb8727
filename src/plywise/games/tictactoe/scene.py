"""What Tic-Tac-Toe looks like: lines on paper, crosses and noughts or 1 and 0, the win struck out.

Layers: 0 cells, 1 the last cell tinted, 2 the lines, 3 marks, 4 the stroke.
"""

from __future__ import annotations

from math import hypot

from plywise.core.position import Position
from plywise.core.scene import (
    Line,
    Motion,
    Point,
    Polygon,
    Scene,
    Shape,
    stone_roles,
    words,
)
from plywise.kit.grid import cell_text, read_grid
from plywise.kit.marks import Pen
from plywise.kit.squares import Squares, cell_labels, cell_targets, rows_of

MARGIN = 0.3  #: around the board
LABELS = 0.65  #: ... and where there are coordinates
PEN = Pen(arm=0.27, width=0.12, layer=3)
LARGE = 6  #: from this side on, lines surround the board, as on squared paper


def scene(position: Position) -> Scene:
    """The board with its marks, the last one tinted, winning lines struck through."""
    b = position.game.board
    rows, cols = int(b.rows), int(b.cols)
    board = Squares(rows, cols, left=LABELS, top=MARGIN)
    grid, _ = read_grid(position.text, rows, cols)
    lines = rows_of(grid, position.winner, int(b.k)) if position.winner else []
    won = {cell for line in lines for cell in line}

    shapes = _paper(board)
    write = PEN.digit if b.digits else PEN.mark
    for row in range(rows):
        for col in range(cols):
            if grid[row][col]:
                cell = row * cols + col
                roles = stone_roles(last=cell == position.last, winning=(row, col) in won)
                name = f"mark {cell_text(cell, cols)}"
                at = board.centre(row, col)
                shapes.append(write(grid[row][col] - 1, at, name, roles))
    for number, line in enumerate(lines, 1):
        shapes.append(_stroke(board.centre(*line[0]), board.centre(*line[-1]), number))

    motion = None
    if position.last is not None:
        row, col = divmod(position.last, cols)
        at = board.centre(row, col)
        shapes.append(
            Polygon(board.square(row, col, 0.05), 0.1, id="last", roles=("last",), layer=1)
        )
        motion = Motion("place", (f"mark {cell_text(position.last, cols)}",), at, at)
    return Scene(
        *words(position),
        size=(LABELS + cols + MARGIN, MARGIN + rows + LABELS),
        shapes=tuple(shapes),
        coordinates=cell_labels(board, LABELS / 2, MARGIN + rows + LABELS / 2),
        targets=cell_targets(board, position),
        motion=motion,
    )


def _paper(board: Squares) -> list[Shape]:
    """Draw the cells and the lines between them; on a large board, around them too."""
    left, top = board.left, board.top
    right, bottom = left + board.cols, top + board.rows
    shapes: list[Shape] = [
        Polygon(
            board.square(row, col),
            id=f"cell {cell_text(row * board.cols + col, board.cols)}",
            roles=("cell",),
            glyph="·",
        )
        for row in range(board.rows)
        for col in range(board.cols)
    ]
    around = max(board.rows, board.cols) >= LARGE
    for i in range(not around, board.cols + around):
        line = ((left + i, top), (left + i, bottom))
        shapes.append(Line(*line, 0.04, id=f"column line {i}", roles=("grid",), layer=2))
    for i in range(not around, board.rows + around):
        line = ((left, top + i), (right, top + i))
        shapes.append(Line(*line, 0.04, id=f"row line {i}", roles=("grid",), layer=2))
    return shapes


def _stroke(start: Point, end: Point, number: int) -> Line:
    """Strike a line through, a little beyond its end cells; a single cell horizontally."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = hypot(dx, dy)
    dx, dy = (0.38 * dx / length, 0.38 * dy / length) if length else (0.38, 0.0)
    return Line(
        (start[0] - dx, start[1] - dy),
        (end[0] + dx, end[1] + dy),
        0.075,
        id=f"line {number}",
        roles=("winning",),
        layer=4,
    )
