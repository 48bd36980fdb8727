"""The picture of a position that a Look describes: cells, lines, pieces, targets, the last move.

Layers: 0 cells, 1 their tint, 2 the last move, 3 lines, 4 points and lines of the players,
5 pieces, 6 what is written on them, 7 a win, 8 where to click.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import TYPE_CHECKING

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
    shifted,
    stone_roles,
    words,
)
from plywise.kit.marks import Pen

if TYPE_CHECKING:
    from plywise.core.position import Position
    from plywise.kit.layouts import Layout, Place, Stroke
    from plywise.kit.look import Look, Piece

MARGIN = 0.3  #: around a board
LETTER = 0.34  #: the height of a coordinate
DISC = 0.36
ROOM = 0.4  #: around a place that can be clicked
POINT = 0.09  #: the radius of a point
REACH = 0.5  #: how wide a line is for a click
PEN = Pen(arm=0.25, width=0.11, layer=5)
GAP = 0.95  #: how much of its room a hexagon takes, so that there are gaps between them


def picture(look: Look, position: Position) -> Scene:
    """Return the Scene of a position."""
    b, s = position.game.board, position.state
    layout = look.layout_of(b)
    standing = look.standing(b, s)
    trail = _trail(look, position)
    won = set(look.winning(b, s)) if look.winning is not None and position.over else set()
    lined = any(place.kind == "line" for place in layout.places)

    shapes = list(_board(layout, glyph="" if lined or look.pieces is None else "·"))
    for number, place in enumerate(layout.places):
        last = number in trail
        if last:
            shapes.append(_last(place))
        piece = look.piece(standing[number])
        roles = stone_roles(last=last and number == trail[-1], winning=number in won)
        if place.kind == "line":
            shapes += _line(place, None if piece is None else piece.owner, piece is not None, roles)
        elif look.pieces is None:
            if place.kind != "area":
                shapes.append(_number(place, standing[number]))
        elif piece is not None and lined:
            shapes += _filled(place, piece)
        elif piece is not None:
            shapes += _piece(look, place, piece, roles)

    targets = [_target(look, layout, position, move) for move in position.legal_codes]
    motion = _motion(look, layout, position, trail, {shape.id for shape in shapes})
    return _framed(
        position, layout, shapes, [target for target in targets if target is not None], motion
    )


def _framed(
    position: Position,
    layout: Layout,
    shapes: list[Shape],
    targets: list[Target],
    motion: Motion | None,
) -> Scene:
    """Put the board into a frame that holds it, its coordinates and a margin."""
    labels = [
        Label(at, text, LETTER, id=f"coordinate {index} {text}", roles=("coordinate",))
        for index, (text, at) in enumerate(layout.labels)
    ]
    boxes = [shape.box for shape in (*shapes, *labels)]
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    x, y = MARGIN - left, MARGIN - top

    def moved(point: Point) -> Point:
        return round(point[0] + x, 6), round(point[1] + y, 6)

    return Scene(
        *words(position),
        size=(round(right - left + 2 * MARGIN, 6), round(bottom - top + 2 * MARGIN, 6)),
        shapes=tuple(shifted(shape, x, y) for shape in shapes),
        coordinates=tuple(
            Label(moved(label.at), label.text, LETTER, id=label.id, roles=label.roles)
            for label in labels
        ),
        targets=tuple(
            Target(
                each.move, each.shapes, moved(each.at), each.room, tuple(map(moved, each.outline))
            )
            for each in targets
        ),
        motion=None
        if motion is None
        else Motion(motion.kind, motion.shapes, moved(motion.start), moved(motion.end)),
        palette=position.game.type.palette,
    )


def _board(layout: Layout, glyph: str) -> Iterator[Shape]:
    """Draw the cells, the points and the lines of the board itself."""
    for place in layout.places:
        if place.kind == "cell":
            lined = len(place.outline) == 4
            yield Polygon(
                place.outline if lined else _scaled(place, GAP),
                0.0 if lined else 0.06,
                id=f"cell {place.name}",
                roles=("cell",),
                glyph=glyph,
            )
            if place.dark:
                yield Polygon(
                    place.outline, id=f"tint {place.name}", roles=("grid",), layer=1, shade=0.35
                )
            if place.owner is not None:
                yield Polygon(
                    _scaled(place, GAP),
                    id=f"side {place.name}",
                    roles=("trail",),
                    layer=1,
                    owner=place.owner,
                    shade=0.35,
                )
        elif place.kind == "point":
            yield Circle(
                place.at, POINT, id=f"cell {place.name}", roles=("grid",), glyph="·", layer=4
            )
            yield Circle(place.at, ROOM, id=f"area {place.name}", roles=("area",), layer=8)
        elif place.kind == "line":
            yield Line(*_ends(place), REACH, id=f"area {place.name}", roles=("area",), layer=8)
        else:
            yield Polygon(place.outline, id=f"area {place.name}", roles=("area",), layer=8)
    dots = sorted({end for place in layout.places if place.kind == "line" for end in place.outline})
    for number, dot in enumerate(dots):
        yield Circle(dot, POINT, id=f"dot {number}", roles=("coordinate",), layer=5, glyph="•")
    points = any(place.kind == "point" for place in layout.places)
    for number, stroke in enumerate(layout.strokes):
        role: Role = "grid" if stroke.owner is None else "trail"
        yield Line(
            stroke.start,
            stroke.end,
            0.04 if stroke.owner is None else 0.12,
            id=f"stroke {number}",
            roles=(role,),
            layer=3,
            owner=stroke.owner,
            glyph=_sign(stroke) if points else "",
        )


def _sign(stroke: Stroke) -> str:
    """Return the character for a line in plain text."""
    (x, y), (end_x, end_y) = stroke.start, stroke.end
    if x == end_x or y == end_y:
        return "|" if x == end_x else "-"
    return "/" if (end_x - x) * (end_y - y) < 0 else "\\"


def _scaled(place: Place, share: float) -> tuple[Point, ...]:
    (x, y), corners = place.at, place.outline
    return tuple((x + share * (px - x), y + share * (py - y)) for px, py in corners)


def _ends(place: Place) -> tuple[Point, Point]:
    start, end = place.outline
    return start, end


def _last(place: Place) -> Shape:
    """Mark a place of the last move."""
    name = f"last {place.name}"
    if place.kind == "line":
        return Line(*_ends(place), 0.34, id=name, roles=("last",), layer=2)
    if place.kind == "point":
        return Circle(place.at, 0.46, id=name, roles=("last",), layer=2)
    corners = _scaled(place, 0.9)
    return Polygon(corners, 0.1, id=name, roles=("last",), layer=2)


def _line(place: Place, owner: int | None, taken: bool, roles: tuple[Role, ...]) -> Iterator[Shape]:
    """Draw a line that is played on: thin while it is free."""
    (_, y), (_, end) = _ends(place)
    stroke, name = (_ends(place),), f"line {place.name}"
    if not taken:
        yield Path(stroke, 0.03, id=name, roles=("grid",), layer=3, glyph="·")
        return
    look: tuple[Role, ...] = ("text",) if owner is None else roles
    glyph = "─" if y == end else "│"
    yield Path(stroke, 0.14, id=name, roles=look, layer=4, owner=owner, glyph=glyph)


def _number(place: Place, number: int) -> Shape:
    """Write how many pieces lie in a place."""
    return Label(
        place.at,
        str(number),
        0.45,
        id=f"piece {place.name}",
        roles=("text",),
        layer=5,
        glyph=str(number),
    )


def _filled(place: Place, piece: Piece) -> Iterator[Shape]:
    """Fill a box with its owner's colour and letter."""
    yield Polygon(
        _scaled(place, 0.86),
        0.08,
        id=f"box {place.name}",
        roles=("trail",),
        layer=1,
        owner=piece.owner,
        shade=0.6,
    )
    yield Label(
        place.at,
        piece.letter.upper(),
        0.45,
        id=f"piece {place.name}",
        roles=("text",),
        layer=5,
        owner=piece.owner,
        glyph=_glyph(piece),
    )


def _piece(look: Look, place: Place, piece: Piece, roles: tuple[Role, ...]) -> Iterator[Shape]:
    """Draw a piece: a disc with its owner's pattern or its label, a mark, or a wall."""
    at, name = place.at, f"piece {place.name}"
    owner = piece.owner
    if owner is None:
        block = _block(place)
        yield Polygon(block, 0.08, id=name, roles=("dead",), layer=5, glyph=piece.letter)
        return
    if look.style == "marks":
        yield PEN.mark(owner, at, name, roles)
        return
    yield Circle(at, DISC, id=name, roles=roles, layer=5, owner=owner, glyph=_glyph(piece))
    detail = f"detail {place.name}"
    if piece.label:
        yield Label(at, piece.label, 0.42, id=detail, roles=("detail",), layer=6, owner=owner)
    elif owner == 0:
        ways = [pi * (1.15 + 0.05 * i) for i in range(8)]
        arc = tuple((at[0] + 0.25 * cos(way), at[1] + 0.25 * sin(way)) for way in ways)
        yield Path((arc,), 0.05, id=detail, roles=("detail",), layer=6, owner=0)
    else:
        yield Circle(at, 0.25, 0.035, id=detail, roles=("detail",), layer=6, owner=1)
    if "winning" in roles:
        yield Circle(at, DISC, 0.09, id=f"ring {place.name}", roles=("winning",), layer=7)


def _glyph(piece: Piece) -> str:
    """Return the character for a piece in plain text."""
    if piece.owner is None:
        return piece.letter
    return (piece.label, piece.label.lower())[piece.owner] or "●○"[piece.owner]


def _block(place: Place) -> tuple[Point, ...]:
    if place.outline:
        return _scaled(place, 0.7)
    (x, y), half = place.at, 0.25
    return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)


def _shape_of(place: Place) -> str:
    """Name the shape that is clicked for a place."""
    return f"{'cell' if place.kind == 'cell' else 'area'} {place.name}"


def _target(look: Look, layout: Layout, position: Position, move: int) -> Target | None:
    """Return where a move is clicked; None for a move that points nowhere, such as a pass."""
    path = look.path_of(position.game.board, move)
    if not path:
        return None
    places = [layout.places[number] for number in (path[0], path[-1])[-len(path) :]]
    end = places[-1]
    if look.lands is not None:
        end = layout.places[look.lands(position.game.board, position.state, move)]
    outline = end.outline if end.kind == "cell" and len(end.outline) != 4 else ()
    shapes = tuple(_shape_of(place) for place in places)
    return Target(position.text_of(move), shapes, end.at, ROOM, outline)


def _trail(look: Look, position: Position) -> tuple[int, ...]:
    """Return the places of the last move, where it ended last."""
    if position.last is None:
        return ()
    b = position.game.board
    if look.lands is not None and position.before is not None:
        return (look.lands(b, position.before.state, position.last),)
    return look.path_of(b, position.last)


def _motion(
    look: Look, layout: Layout, position: Position, trail: tuple[int, ...], there: set[str]
) -> Motion | None:
    """Return how the last piece came to where it stands, if it still stands there."""
    if not trail:
        return None
    end = layout.places[trail[-1]]
    names = (f"piece {end.name}", f"detail {end.name}", f"line {end.name}")
    moving = tuple(name for name in names if name in there)
    if not moving:
        return None
    if look.lands is not None:
        return Motion("drop", moving, (end.at[0], -0.5), end.at)
    if len(trail) > 1:
        return Motion("slide", moving, layout.places[trail[0]].at, end.at)
    return Motion("place", moving, end.at, end.at)
