"""How Snails looks: its colours, moves and positions in text, and the picture.

A position is its rows from the top, trails as x and o, snails as X and O, walls as #, runs of
empty cells as numbers; then the plies since the last claim, then the side to move:

    7O/7o/8/8/8/8/8/xxX5 0 x

The picture is a garden from above. The first snail has a round shell with a spiral and leaves a
trail with crosses, the second a long shell with stripes and a trail with rings. Layers: 0 cells,
1 tints, 3 lines and trails, 4 their pattern, 5 the last move, 6 to 8 snails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from math import cos, pi, sin

import numpy as np

from plywise.core.game import Record
from plywise.core.palette import Palettes, Player
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
)
from plywise.games.snails import rules
from plywise.games.snails.board import DOWN, LEFT, QUIET, RIGHT, UP, WORDS
from plywise.games.snails.reach import reach
from plywise.games.snails.rules import EVERY, landing
from plywise.jit import rule
from plywise.jit.bits import ONE, has
from plywise.kit import Look, Piece, square_board
from plywise.kit.layouts import Place
from plywise.kit.picture import picture

#: A green ground, and trails in orange and blue.
PALETTE = Palettes.of(
    "garden",
    board=("#f5f6f0", "#1b2127"),
    edge=("#b9c2ad", "#3a444e"),
    cell=("#f5f6f0", "#1b2127"),
    grid=("#ccd3c2", "#333c45"),
    last=("#ffffff", "#ffffff"),
    winning=("#1c2128", "#e8ebee"),
    light=(
        Player(fill="#e0702a", rim="#6b2c00", detail="#6b2c00", ink="#8f3f00", trail="#f2b48a"),
        Player(fill="#3d9bd4", rim="#00385a", detail="#00385a", ink="#004a75", trail="#9ccbe8"),
    ),
    dark=(
        Player(fill="#f5a36b", rim="#3a1800", detail="#3a1800", ink="#ffc9a3", trail="#b86a3a"),
        Player(fill="#8fd0f5", rim="#06263b", detail="#06263b", ink="#c2e6fb", trail="#3f86b5"),
    ),
)


MOVES = "urdl"
SPOKEN = ("up", "right", "down", "left")  #: the moves, as people say them
LETTERS = "xo"
PIECES = (
    Piece("x", 0, name="trail of player 1"),
    Piece("o", 1, name="trail of player 2"),
    Piece("X", 0, name="snail of player 1"),
    Piece("O", 1, name="snail of player 2"),
    Piece("#", name="wall"),
)
MARKS = ".xoXO#"  #: an empty cell and the pieces, by number
WALL = 5
WALL_WORD = np.uint64(WALL)


def read_move(b: Record, text: str) -> int:
    """Read a direction by its letter."""
    letter = text.lower()
    if len(letter) != 1 or letter not in MOVES:
        raise ValueError("write a direction: u, r, d or l")
    return MOVES.index(letter)


@rule
def cells(b: Record, s: Record, out: Record) -> None:
    """Write what is on each cell, by its number in MARKS, from a1."""
    for word in range(WORDS):  # without branches, since a net reads it at every node
        mine, theirs, free = s.own[0, word], s.own[1, word], s.free[word]
        for cell in range(64 * word, min(64 * word + 64, b.cells)):
            one, two = mine & ONE, theirs & ONE
            out[cell] = one + two + two + (ONE - (one | two | (free & ONE))) * WALL_WORD
            mine >>= ONE
            theirs >>= ONE
            free >>= ONE
    out[s.at[0]] = 3
    out[s.at[1]] = 4


def put(b: Record, s: Record, found: Sequence[int]) -> None:
    """Set up a position: any trails, with one snail each."""
    for letter in "XO":
        if (snails := found.count(MARKS.index(letter))) != 1:
            raise ValueError(f"there must be one snail {letter}, not {snails}")
    rules.place(b, s, *(found.index(MARKS.index(letter)) for letter in "XO"))
    for cell, number in enumerate(found):
        if number:
            rules.take(b, s, "xo#".index(MARKS[number].lower()), cell)
    for player in range(2):
        s.stuck[player] = rules.is_stuck(b, s, player)
    rules.pass_turn(s, int(s.turn))


LOOK: Look = Look(
    lambda b: square_board(int(b.rows), int(b.cols)),
    cells,
    PIECES,
    path=lambda b, move: (),  # a direction is not a place
    also=("quiet",),
    put=put,
)


def to_text(b: Record, s: Record) -> str:
    """The canonical text."""
    board, mover, quiet = LOOK.to_text(b, s).split()
    return f"{board} {quiet} {mover}"


def from_text(b: Record, s: Record, text: str) -> None:
    """Set up a position from its text."""
    words = text.split()
    if len(words) != 3 or words[2] not in LETTERS:
        raise ValueError(
            "after the rows come the moves since the last claim and the side to move: '... 0 x'"
        )
    board, quiet, mover = words
    if not re.fullmatch(r"[0-9]{1,2}", quiet, re.ASCII) or int(quiet) > QUIET:
        raise ValueError(f"the moves since the last claim are {quiet!r}, not 0 to {QUIET}")
    LOOK.from_text(b, s, f"{board} {mover} {quiet}")


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    high, low = max(map(int, s.score)), min(map(int, s.score))
    cells = f"{int(s.score[0])} cells to {int(s.score[1])}"
    if 2 * high > int(b.cells):
        return f"{cells}, more than half of the board"
    if s.stuck[0] and s.stuck[1]:
        return f"{cells}, both snails are stuck"
    if high > low + int(s.left):
        return f"{cells}, and {int(s.left)} left" if s.left else f"{cells}, the board is full"
    return f"{cells}, {QUIET} moves without a claim"


def ending(b: Record, s: Record) -> str:
    """Say how the game was won, in a word or two."""
    if 2 * max(map(int, s.score)) > int(b.cells):
        return "half the board"
    return "both stuck" if s.stuck[0] and s.stuck[1] else "out of reach"


# ---- the picture ---------------------------------------------------------------------------------


BAND = 0.62  #: width of a trail
Strokes = tuple[tuple[Point, ...], ...]

SHELL = 0.25  #: half the width of a shell
AHEAD = {UP: (0.0, -1.0), RIGHT: (1.0, 0.0), DOWN: (0.0, 1.0), LEFT: (-1.0, 0.0)}


def scene(position: Position) -> Scene:
    """The board with both trails, who can still reach the empty cells, the snails, the scores."""
    b, s = position.game.board, position.state
    places = LOOK.layout_of(b).places
    at = [places[int(cell)].at for cell in s.at]
    shapes = _land(position, places)
    motion = None
    for player in range(2):
        shapes += _trail(position, places, player)
        moved = position.before is not None and position.before.turn == player
        snail = _snail(player, at[player], _heading(position, player), moved)
        shapes += snail
        if position.before is not None and moved:
            start = places[int(position.before.state.at[player])].at
            motion = Motion("slide", tuple(shape.id for shape in snail), start, at[player])
            shapes.append(Line(start, at[player], 0.07, id="last move", roles=("last",), layer=5))
    targets, areas = _targets(position, places)
    return picture(
        LOOK,
        position,
        over=[*shapes, *areas],
        figure=_figure,
        targets=targets,
        motion=motion,
        told=f". Cells {int(s.score[0])} to {int(s.score[1])}",
        hub=at[position.turn],
    )


def _figure(place: Place, number: int, roles: tuple[Role, ...]) -> Iterator[Shape]:
    """Draw a wall, or the small mark of a trail; the snails themselves are drawn over it."""
    piece = PIECES[number - 1]
    if piece.owner is None:
        yield Polygon(place.outline, id=f"wall {place.name}", roles=("dead",), layer=1, glyph="#")
    elif piece.letter in LETTERS:
        yield _mark(piece.owner, place.at, place.name)


def _land(position: Position, places: Sequence[Place]) -> list[Shape]:
    """Tint the empty cells that only one snail can reach; cross out those that none can."""
    b, s = position.game.board, position.state
    reached = [tuple(reach(b, s, player, EVERY)) for player in range(2)]
    shapes: list[Shape] = []
    for cell, place in enumerate(places):
        if has(s.free, cell):
            able = [player for player in range(2) if has(reached[player], cell)]
            if len(able) == 1:
                shapes.append(_tint(place.scaled(0.88), able[0], place.name))
            elif not able:
                strokes, name = _cross(place.at, 0.16), f"dead {place.name}"
                shapes.append(Path(strokes, 0.06, id=name, roles=("dead",), layer=1))
    return shapes


def _tint(square: tuple[Point, ...], player: int, name: str) -> Shape:
    return Polygon(
        square, 0.1, id=f"land {name}", roles=("trail",), layer=1, owner=player, shade=0.3
    )


def _cross(at: Point, arm: float) -> Strokes:
    x, y = at
    return ((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm))


def _trail(position: Position, places: Sequence[Place], player: int) -> list[Shape]:
    """Draw a band through all cells of a player."""
    b, own = position.game.board, position.state.own[player]
    strokes: list[tuple[Point, Point]] = []
    shapes: list[Shape] = []
    for cell, place in enumerate(places):
        if not has(own, cell):
            continue
        strokes.append((place.at, place.at))
        beside, above = (
            int(step) if (step := b.step[way, cell]) >= 0 and has(own, step) else None
            for way in (RIGHT, UP)
        )
        strokes += [(place.at, places[next].at) for next in (beside, above) if next is not None]
        if beside is not None and above is not None and has(own, above + 1):
            (x, y), name = place.at, f"patch {place.name}"
            patch = rectangle(x, y - 1, x + 1, y)
            shapes.append(Polygon(patch, id=name, roles=("trail",), layer=3, owner=player))
    name = f"trail {LETTERS[player]}"
    band = Path(tuple(strokes), BAND, id=name, roles=("trail",), layer=3, owner=player)
    return [band, *shapes]


def _mark(player: int, at: Point, name: str) -> Shape:
    """Draw a small cross or ring, which tells the trails apart without colours."""
    name = f"mark {name}"
    roles: tuple[Role, ...] = ("detail",)
    if player == 0:
        return Path(_cross(at, 0.08), 0.05, id=name, roles=roles, layer=4, owner=0, glyph="x")
    return Circle(at, 0.09, 0.05, id=name, roles=roles, layer=4, owner=1, glyph="o")


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
    turns: Strokes
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

    def drawn(part: str, strokes: Strokes, width: float, layer: int, role: Role = "stone") -> Shape:
        what = f"{part} of snail {LETTERS[player]}"
        return Path(strokes, width, id=what, roles=(role,), layer=layer, owner=player)

    return [
        shell,
        drawn("turns", turns, 0.05, 8, "detail"),
        drawn("body", ((place(-0.38, 0.0), place(0.3, 0.0)),), 0.2, 6),
        drawn("horns", horns, 0.05, 6),
    ]


def _spiral(place: Callable[[float, float], Point], radius: float) -> tuple[Point, ...]:
    """Two turns and a half, from the rim inwards."""
    steps = 40
    return tuple(
        place(radius * (1 - i / steps) * cos(a), radius * (1 - i / steps) * sin(a))
        for i, a in ((i, 5 * pi * i / steps) for i in range(steps + 1))
    )


def _targets(position: Position, places: Sequence[Place]) -> tuple[tuple[Target, ...], list[Shape]]:
    """Where to click: a step on its cell, a slide on any cell of the run."""
    b, s = position.game.board, position.state
    targets: list[Target] = []
    areas: list[Shape] = []
    for move in position.legal_codes:
        x, y = places[int(b.step[move, s.at[s.turn]])].at
        end_x, end_y = places[int(landing(b, s, move))].at
        run = rectangle(min(x, end_x), min(y, end_y), max(x, end_x), max(y, end_y), 0.46)
        name = f"way {MOVES[move]}"
        areas.append(Polygon(run, 0.1, id=name, roles=("area",)))
        targets.append(Target(MOVES[move], (name,), (end_x, end_y), words=SPOKEN[move]))
    return tuple(targets), areas
