"""What Snails looks like: a garden from above, trails as bands, snails that look where they go.

The first snail has a round shell with a spiral and leaves a trail with crosses, the second a long
shell with stripes and a trail with rings. Layers: 0 cells, 1 tints, 2 lines, 3 trails, 4 their
pattern, 5 the last move, 6 to 8 snails.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from plywise.core.position import Position
from plywise.core.scene import (
    Circle,
    Label,
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
    words,
)
from plywise.games.snails.board import DOWN, LEFT, RIGHT, UP, has
from plywise.games.snails.palette import PALETTE
from plywise.games.snails.reach import reach
from plywise.games.snails.rules import EVERY, landing
from plywise.games.snails.texts import LETTERS, MOVES
from plywise.kit.grid import cell_text
from plywise.kit.squares import Squares

MARGIN = 0.3  #: around the board
LABELS = 0.65  #: ... and where there are coordinates
ABOVE = 0.85  #: ... and where the scores are
BAND = 0.62  #: width of a trail
SHELL = 0.25  #: half the width of a shell
AHEAD = {UP: (0.0, -1.0), RIGHT: (1.0, 0.0), DOWN: (0.0, 1.0), LEFT: (-1.0, 0.0)}


def scene(position: Position) -> Scene:
    """The board with both trails, who can still reach the empty cells, the snails, the scores."""
    b, s = position.game.board, position.state
    rows, cols = int(b.rows), int(b.cols)
    board = Squares(rows, cols, left=LABELS, top=ABOVE)
    at = [board.centre(*divmod(int(cell), cols)) for cell in s.at]

    shapes = _cells(position, board)
    for player in range(2):
        shapes += _trail(position, board, player)
        heading = _heading(position, player)
        moved = position.before is not None and position.before.turn == player
        shapes += _snail(player, at[player], heading, moved)
        shapes.append(_score(player, int(s.score[player]), board))
    motion = None
    if position.before is not None:
        mover = position.before.turn
        start = board.centre(*divmod(int(position.before.state.at[mover]), cols))
        names = [shape.id for shape in shapes if shape.id.endswith(f"snail {LETTERS[mover]}")]
        motion = Motion("slide", tuple(names), start, at[mover])
        shapes.append(Line(start, at[mover], 0.07, id="last move", roles=("last",), layer=5))
    targets, areas = _targets(position, board)
    title, description, text = words(position)
    return Scene(
        title,
        f"{description}. Cells {int(s.score[0])} to {int(s.score[1])}",
        text,
        size=(LABELS + cols + MARGIN, ABOVE + rows + LABELS),
        shapes=(*shapes, *areas),
        coordinates=(
            *board.row_labels([str(row + 1) for row in range(rows)], LABELS / 2),
            *board.column_labels(
                [chr(ord("a") + col) for col in range(cols)], ABOVE + rows + LABELS / 2
            ),
        ),
        targets=targets,
        motion=motion,
        palette=PALETTE,
        hub=at[position.turn],
    )


def _cells(position: Position, board: Squares) -> list[Shape]:
    """Draw the cells, tinted if only one snail can reach them; crossed out if none can."""
    b, s = position.game.board, position.state
    reached = [tuple(reach(b, s, player, EVERY)) for player in range(2)]
    shapes: list[Shape] = []
    for row in range(board.rows):
        for col in range(board.cols):
            cell = row * board.cols + col
            name, square = cell_text(cell, board.cols), board.square(row, col)
            wall = not any(has(words, cell) for words in (s.free, s.own[0], s.own[1]))
            roles: tuple[Role, ...] = ("dead",) if wall else ("cell",)
            glyph = "#" if wall else "·"
            shapes.append(Polygon(square, id=f"cell {name}", roles=roles, glyph=glyph))
            if not has(s.free, cell):
                continue
            able = [player for player in range(2) if has(reached[player], cell)]
            if len(able) == 1:
                shapes.append(_tint(board.square(row, col, 0.06), able[0], name))
            elif not able:
                shapes.append(_crossed(board.centre(row, col), name))
    left, top = board.left, board.top
    right, bottom = left + board.cols, top + board.rows
    for i in range(board.cols + 1):
        line = ((left + i, top), (left + i, bottom))
        shapes.append(Line(*line, 0.035, id=f"column line {i}", roles=("grid",), layer=2))
    for i in range(board.rows + 1):
        line = ((left, top + i), (right, top + i))
        shapes.append(Line(*line, 0.035, id=f"row line {i}", roles=("grid",), layer=2))
    return shapes


def _tint(square: tuple[Point, ...], player: int, name: str) -> Shape:
    return Polygon(
        square, 0.1, id=f"land {name}", roles=("trail",), layer=1, owner=player, shade=0.3
    )


def _crossed(at: Point, name: str) -> Shape:
    (x, y), arm = at, 0.16
    strokes = (((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm)))
    return Path(strokes, 0.06, id=f"dead {name}", roles=("dead",), layer=1)


def _trail(position: Position, board: Squares, player: int) -> list[Shape]:
    """Draw a band through all cells of a player, and a small mark in each."""
    own = position.state.own[player]
    cells = {
        (row, col)
        for row in range(board.rows)
        for col in range(board.cols)
        if has(own, row * board.cols + col)
    }
    strokes = [(board.centre(row, col),) * 2 for row, col in sorted(cells)]
    shapes: list[Shape] = []
    for row, col in sorted(cells):
        here = board.centre(row, col)
        beside, above = (row, col + 1) in cells, (row + 1, col) in cells
        strokes += [(here, board.centre(row, col + 1))] if beside else []
        strokes += [(here, board.centre(row + 1, col))] if above else []
        if beside and above and (row + 1, col + 1) in cells:
            x, y = here
            name = f"patch {cell_text(row * board.cols + col, board.cols)}"
            patch = rectangle(x, y - 1, x + 1, y)
            shapes.append(Polygon(patch, id=name, roles=("trail",), layer=3, owner=player))
        if row * board.cols + col != int(position.state.at[player]):
            shapes.append(_mark(player, here, cell_text(row * board.cols + col, board.cols)))
    name = f"trail {LETTERS[player]}"
    band = Path(tuple(strokes), BAND, id=name, roles=("trail",), layer=3, owner=player)
    return [band, *shapes]


def _mark(player: int, at: Point, name: str) -> Shape:
    """Draw a small cross or ring, which tells the trails apart without colours."""
    (x, y), name = at, f"mark {name}"
    if player == 0:
        arm = 0.08
        falling = ((x - arm, y - arm), (x + arm, y + arm))
        rising = ((x - arm, y + arm), (x + arm, y - arm))
        return Path(
            (falling, rising), 0.05, id=name, roles=("detail",), layer=4, owner=0, glyph="x"
        )
    return Circle(at, 0.09, 0.05, id=name, roles=("detail",), layer=4, owner=1, glyph="o")


def _heading(position: Position, player: int) -> int:
    """Where a snail looks: in the direction of its last move, and at the start along the board."""
    seen: Position | None = position
    while seen is not None and seen.before is not None:
        if seen.before.turn == player and seen.last is not None:
            return seen.last
        seen = seen.before
    return RIGHT if player == 0 else LEFT


def _snail(player: int, at: Point, heading: int, moved: bool) -> list[Shape]:
    """Draw body, horns and shell from above. The shell is in the middle of the cell."""
    dx, dy = AHEAD[heading]

    def place(ahead: float, aside: float) -> Point:
        return at[0] + ahead * dx - aside * dy, at[1] + ahead * dy + aside * dx

    name = f"snail {LETTERS[player]}"
    roles: tuple[Role, ...] = ("stone", "last") if moved else ("stone",)
    horns = tuple((place(0.3, 0.5 * aside), place(0.44, aside)) for aside in (-0.13, 0.13))
    shell: Shape
    turns: tuple[tuple[Point, ...], ...]
    if player == 0:
        shell = Circle(at, SHELL, id=name, roles=roles, layer=7, owner=0, glyph="X")
        turns = (_spiral(place, 0.19),)
    else:
        ring = [pi * i / 12 for i in range(24)]
        oval = tuple(place(1.16 * SHELL * cos(a), 0.84 * SHELL * sin(a)) for a in ring)
        shell = Polygon(oval, id=name, roles=roles, layer=7, owner=1, glyph="O")
        turns = tuple(
            (place(ahead, -wide), place(ahead + 0.03, 0.0), place(ahead, wide))
            for ahead, wide in ((-0.16, 0.1), (-0.03, 0.15), (0.11, 0.13))
        )
    return [
        shell,
        Path(
            turns, 0.05, id=f"turns of snail {name[-1]}", roles=("detail",), layer=8, owner=player
        ),
        Path(
            ((place(-0.38, 0.0), place(0.3, 0.0)),),
            0.2,
            id=f"body of snail {name[-1]}",
            roles=("stone",),
            layer=6,
            owner=player,
        ),
        Path(horns, 0.05, id=f"horns of snail {name[-1]}", roles=("stone",), layer=6, owner=player),
    ]


def _spiral(place: Callable[[float, float], Point], radius: float) -> tuple[Point, ...]:
    """Two turns and a half, from the rim inwards."""
    steps = 40
    return tuple(
        place(radius * (1 - i / steps) * cos(a), radius * (1 - i / steps) * sin(a))
        for i, a in ((i, 5 * pi * i / steps) for i in range(steps + 1))
    )


def _score(player: int, score: int, board: Squares) -> Shape:
    """Write a player's number of cells above the board, on their side."""
    x = board.left if player == 0 else board.left + board.cols
    return Label(
        (x, ABOVE / 2),
        f"player {player + 1}: {score}",
        0.4,
        "start" if player == 0 else "end",
        id=f"cells {LETTERS[player]}",
        roles=("text",),
    )


def _targets(position: Position, board: Squares) -> tuple[tuple[Target, ...], list[Shape]]:
    """Where to click: a step on its cell, a slide on any cell of the run."""
    b, s = position.game.board, position.state
    targets: list[Target] = []
    areas: list[Shape] = []
    for move in position.legal_codes:
        first = divmod(int(b.step[move, s.at[s.turn]]), board.cols)
        last = divmod(int(landing(b, s, move)), board.cols)
        (x, y), (end_x, end_y) = board.centre(*first), board.centre(*last)
        run = rectangle(min(x, end_x), min(y, end_y), max(x, end_x), max(y, end_y), 0.46)
        name = f"way {MOVES[move]}"
        areas.append(Polygon(run, 0.1, id=name, roles=("area",)))
        targets.append(Target(MOVES[move], (name,), (end_x, end_y)))
    return tuple(targets), areas
