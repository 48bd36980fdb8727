"""What Connect-4 looks like: an upright board with holes, the discs behind it.

Layers: 0 behind the holes, 1 discs, 2 the board in front, 3 a win, 4 the last disc, 5 where to
click.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin

from plywise.core.position import Position
from plywise.core.scene import (
    Circle,
    Line,
    Motion,
    Path,
    Point,
    Polygon,
    Role,
    Scene,
    Shape,
    Target,
    rectangle,
    stone_roles,
    words,
)
from plywise.games.connect4.palette import PALETTE
from plywise.kit.grid import read_grid
from plywise.kit.squares import Squares, rows_of

HOLE = 0.4  #: the radius of a hole
DISC = 0.36  #: ... and of a disc, whose rim stays visible
FRAME = 0.22  #: the board around its cells
FOOT = 0.5  #: how far the feet stick out, left and right
BELOW = 0.28  #: ... and how high they are
NUMBERS = 0.5  #: the strip for the column numbers


def scene(position: Position) -> Scene:
    """The board with its discs, the last one dotted, fours ringed."""
    rows, cols = int(position.game.board.rows), int(position.game.board.cols)
    board = Squares(rows, cols, left=FRAME + FOOT, top=2 * FRAME)
    grid, _ = read_grid(position.text, rows, cols)
    heights = [sum(grid[row][col] > 0 for row in range(rows)) for col in range(cols)]
    fours = rows_of(grid, position.winner, 4) if position.winner else []
    won = {cell for four in fours for cell in four}
    last = None if position.last is None else (heights[position.last] - 1, position.last)

    shapes = _board(board)
    for row in range(rows):
        for col in range(cols):
            if grid[row][col]:
                roles = stone_roles(last=(row, col) == last, winning=(row, col) in won)
                shapes += _disc(board, row, col, grid[row][col] - 1, roles)
    for number, four in enumerate(fours, 1):
        start, end = board.centre(*four[0]), board.centre(*four[-1])
        shapes.append(Line(start, end, 0.1, id=f"four {number}", roles=("winning",), layer=3))

    bottom = board.top + rows + FRAME + BELOW
    motion = None
    if last is not None:
        x, y = board.centre(*last)
        name = _name(*last)
        motion = Motion("drop", (f"disc {name}", f"edge {name}"), (x, -0.5), (x, y))
    return Scene(
        *words(position),
        size=(cols + 2 * (FRAME + FOOT), bottom + NUMBERS),
        shapes=tuple(shapes),
        coordinates=board.column_labels([str(col + 1) for col in range(cols)], bottom + 0.24),
        targets=tuple(
            Target(str(col + 1), (f"column {col + 1}",), board.centre(heights[col], col), HOLE)
            for col in position.legal_codes
        ),
        motion=motion,
        palette=PALETTE,
    )


def _name(row: int, col: int) -> str:
    """Name a cell by its column and its row, both from 1."""
    return f"{col + 1}-{row + 1}"


def _board(board: Squares) -> list[Shape]:
    left, top = board.left, board.top
    right, bottom = left + board.cols, top + board.rows
    cells = [(row, col) for row in range(board.rows) for col in range(board.cols)]
    shapes: list[Shape] = [
        Circle(board.centre(*cell), HOLE, id=f"hole {_name(*cell)}", roles=("cell",), glyph="·")
        for cell in cells
    ]
    for side, x in (("left", left - FRAME), ("right", right + FRAME)):
        foot = rectangle(x - 0.4, bottom, x + 0.4, bottom + FRAME + BELOW)
        shapes.append(Polygon(foot, 0.18, id=f"{side} foot", roles=("board",), layer=1))
    shapes.append(
        Polygon(
            rectangle(left, top, right, bottom, FRAME),
            0.3,
            tuple((board.centre(*cell), HOLE) for cell in cells),
            id="board",
            roles=("board",),
            layer=2,
        )
    )
    for col in range(board.cols):
        strip = rectangle(left + col, top - FRAME, left + col + 1, bottom + FRAME)
        shapes.append(Polygon(strip, id=f"column {col + 1}", roles=("area",), layer=5))
    return shapes


def _disc(
    board: Squares, row: int, col: int, owner: int, roles: tuple[Role, ...]
) -> Iterator[Shape]:
    """Draw a disc: the first player's has a ring, the second's a notched edge."""
    at, name = board.centre(row, col), _name(row, col)
    glyph = "●○"[owner]
    yield Circle(at, DISC, id=f"disc {name}", roles=roles, layer=1, owner=owner, glyph=glyph)
    edge = f"edge {name}"
    if owner == 0:
        yield Circle(at, 0.23, 0.045, id=edge, roles=("detail",), layer=1, owner=0)
    else:
        yield Path(_notches(at), 0.045, id=edge, roles=("detail",), layer=1, owner=1)
    if "winning" in roles:
        yield Circle(at, HOLE, 0.09, id=f"ring {name}", roles=("winning",), layer=3)
    if "last" in roles:
        yield Circle(at, 0.09, id="last", roles=("last",), layer=4, owner=owner)


def _notches(at: Point) -> tuple[tuple[Point, Point], ...]:
    """Sixteen short strokes around a point, near the edge."""
    rays = [(cos(pi * i / 8), sin(pi * i / 8)) for i in range(16)]
    return tuple(
        ((at[0] + 0.22 * x, at[1] + 0.22 * y), (at[0] + 0.28 * x, at[1] + 0.28 * y))
        for x, y in rays
    )
