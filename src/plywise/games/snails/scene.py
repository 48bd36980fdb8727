"""What Snails looks like: a garden from above, trails as bands, snails that look where they go.

The first snail has a round shell with a spiral and leaves a trail with crosses, the second a long
shell with stripes and a trail with rings. Layers: 0 cells, 1 tints, 3 lines and trails, 4 their
pattern, 5 the last move, 6 to 8 snails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
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
)
from plywise.games.snails.board import DOWN, LEFT, RIGHT, UP
from plywise.games.snails.reach import reach
from plywise.games.snails.rules import EVERY, landing
from plywise.games.snails.texts import LETTERS, LOOK, MOVES, PIECES, SPOKEN
from plywise.jit.bits import has
from plywise.kit.layouts import Place
from plywise.kit.picture import picture

BAND = 0.62  #: width of a trail
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
                shapes.append(_crossed(place.at, place.name))
    return shapes


def _tint(square: tuple[Point, ...], player: int, name: str) -> Shape:
    return Polygon(
        square, 0.1, id=f"land {name}", roles=("trail",), layer=1, owner=player, shade=0.3
    )


def _crossed(at: Point, name: str) -> Shape:
    (x, y), arm = at, 0.16
    strokes = (((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm)))
    return Path(strokes, 0.06, id=f"dead {name}", roles=("dead",), layer=1)


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
