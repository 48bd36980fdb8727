"""The picture of a position that a Look describes: cells, lines, pieces, targets, the last move.

Layers: 0 cells, 1 their tint, 2 the last move, 3 lines, 4 points and lines of the players,
5 pieces, 6 what is written on them, 7 a frame in front of them, 8 a win, 9 a dot on the last piece
and where to click.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from plywise.core.game import Record
from plywise.core.scene import (
    Box,
    Circle,
    Label,
    Line,
    Motion,
    Point,
    Polygon,
    Role,
    Scene,
    Shape,
    Target,
    Window,
    rectangle,
    shifted,
    stone_roles,
    words,
)
from plywise.kit.marks import (
    draw_filled,
    draw_line,
    draw_mark,
    draw_number,
    draw_piece,
    draw_strike,
)
from plywise.kit.window import BESIDE, LETTER, MARGIN, window_of

if TYPE_CHECKING:
    from plywise.core.position import Position
    from plywise.kit.layouts import Layout, Place, Stroke
    from plywise.kit.look import Look, Piece, Style

BANNER = 0.55  #: the height of a text above the board
HEAD = 0.8  #: the strip for the points
ROOM = 0.4  #: around a place that can be clicked
HOLE = 0.4  #: the radius of a hole in a board that stands
FRAME = 0.22  #: ... which has a frame of this width
FOOT = 0.28  #: ... and feet of this height
POINT = 0.09  #: the radius of a point
REACH = 0.5  #: how wide a line is for a click
GAP = 0.95  #: how much of its room a hexagon takes, so that there are gaps between them

#: (place, number, roles) -> shapes: how a game draws what stands on a place
Figure = Callable[["Place", int, tuple[Role, ...]], Iterable[Shape]]
#: (b, s, move) -> the place where the piece comes to rest, where pieces fall
Lands = Callable[[Record, Record, int], int]


def picture(
    look: Look,
    position: Position,
    *,
    over: Iterable[Shape] = (),
    won: Iterable[int] = (),
    figure: Figure | None = None,
    targets: Sequence[Target] | None = None,
    motion: Motion | None = None,
    room: Box = (0.0, 0.0, 0.0, 0.0),
    told: str = "",
    hub: Point | None = None,
    banner: str = "",
    lands: Lands | None = None,
    last: Literal["tint", "dot"] = "tint",
    window: float | None = None,
) -> Scene:
    """Return the Scene of a position, with what a game adds to it or draws in its own way.

    All points are in the units of the layout. `over` are further shapes, `won` are places whose
    pieces are highlighted, and `figure` draws the pieces. `targets` and `motion` replace those that
    follow from the look. `room` is kept free to the left, above, to the right and below. `told`
    ends the description; see Scene for `hub`. `banner` is written above the board, where `room` has
    to be kept free for it. Where pieces fall, `lands` (b, s, move) is the place where they come to
    rest. The last move is marked by a tint of its cells or a `dot` on its piece. With a `window`
    only the part of the board in use is shown: so many cells around the pieces and legal moves.
    """
    b, s = position.game.board, position.state
    layout = look.layout_of(b)
    standing = look.standing(b, s)
    trail = _trail(look, position, lands)
    lines = [tuple(line) for line in look.winning(b, s)] if look.winning and position.over else []
    won = {*won, *(place for line in lines for place in line)}
    style = look.style_of(b)

    board = list(_board(layout, glyph="" if layout.is_lined or look.pieces is None else "·"))
    frame = _frame(layout, board, room)
    told_of = {
        shape_of(place): f"{place.name}, {look.spoken(b, number)}"
        for place, number in zip(layout.places, standing, strict=True)
    }
    shapes = [
        replace(shape, words=told_of[shape.id]) if shape.id in told_of else shape for shape in board
    ]
    if position.scores is not None and look.pieces is not None:
        frame = (frame[0], frame[1] - HEAD, *frame[2:])
        for player in range(2):
            shapes += _points(layout, player, position.scores[player], style, frame[1] + HEAD / 2)
    for number, place in enumerate(layout.places):
        in_trail = number in trail
        piece = look.piece(standing[number])
        if in_trail and (layout.upright or last == "dot"):
            shapes.append(_dot(place, piece if layout.upright else None))
        elif in_trail:
            shapes.append(_tint(place))
        roles = stone_roles(last=in_trail and number == trail[-1], winning=number in won)
        if place.kind == "line":
            shapes += draw_line(place, piece, roles)
        elif look.pieces is None:
            if place.kind != "area":
                shapes.append(draw_number(place, standing[number]))
        elif piece is None:
            continue
        elif figure is not None:
            shapes += figure(place, standing[number], roles)
        elif layout.is_lined:
            shapes += draw_filled(place, piece)
        else:
            shapes += draw_piece(style, place, piece, roles)
    for count, line in enumerate(lines, 1):
        shapes.append(draw_strike([layout.places[place].at for place in line], style, count))
    shapes += over
    heading = _banner(layout, banner, room[1]) if banner else None
    shapes += [heading] if heading is not None else []
    if targets is None:
        targets, areas = _targets(look, layout, position, lands)
        shapes += areas
    motion = motion or _motion(layout, trail, lands is not None, {shape.id for shape in shapes})
    part = None
    if window is not None:
        ends = {path[-1] for move in position.legal_codes if (path := look.path_of(b, move))}
        used = {*ends, *(number for number, piece in enumerate(standing) if piece)}
        part = window_of(layout, used, window, heading, room[1])
    return _framed(position, layout, frame, shapes, targets, motion, told, hub, part)


def _frame(layout: Layout, board: Iterable[Shape], room: Box) -> Box:
    """Return the frame that holds a board, its coordinates and a margin."""
    around = [(shape.box, BESIDE if layout.upright else MARGIN) for shape in board]
    around += [(label.box, BESIDE) for label in _coordinates(layout)]
    return (
        min(box[0] - margin for box, margin in around) - room[0],
        min(box[1] - margin for box, margin in around) - room[1],
        max(box[2] + margin for box, margin in around) + room[2],
        max(box[3] + margin for box, margin in around) + room[3],
    )


def _banner(layout: Layout, text: str, above: float) -> Label:
    """Write a text above a board."""
    left = min(place.at[0] for place in layout.places)
    top = min(y for place in layout.places for _, y in (place.outline or (place.at,)))
    return Label((left, top - above), text, BANNER, "start", id="banner", roles=("text",))


def _coordinates(layout: Layout) -> Iterator[Label]:
    """Write the coordinates along the edges."""
    for index, (text, at) in enumerate(layout.labels):
        name = f"coordinate {index} {text}"
        yield Label(at, text, LETTER, id=name, roles=("coordinate",))


def _framed(
    position: Position,
    layout: Layout,
    frame: Box,
    shapes: Iterable[Shape],
    targets: Iterable[Target],
    motion: Motion | None,
    told: str,
    hub: Point | None,
    window: Window | None,
) -> Scene:
    """Move everything into a frame whose top left corner is at (0, 0)."""
    left, top, right, bottom = frame

    def moved(point: Point) -> Point:
        return round(point[0] - left, 6), round(point[1] - top, 6)

    def moved_box(box: Box) -> Box:
        return *moved((box[0], box[1])), *moved((box[2], box[3]))

    title, description, text = words(position)
    return Scene(
        title,
        description + told,
        text,
        size=(round(right - left, 6), round(bottom - top, 6)),
        shapes=tuple(shifted(shape, -left, -top) for shape in shapes),
        coordinates=tuple(replace(each, at=moved(each.at)) for each in _coordinates(layout)),
        targets=tuple(
            replace(each, at=moved(each.at), outline=tuple(map(moved, each.outline)))
            for each in targets
        ),
        motion=motion and replace(motion, start=moved(motion.start), end=moved(motion.end)),
        palette=position.game.type.palette,
        hub=None if hub is None else moved(hub),
        window=window
        and Window(
            moved_box(window.box),
            moved_box(window.frame),
            tuple(replace(each, at=moved(each.at)) for each in window.labels),
        ),
    )


def _points(layout: Layout, player: int, points: int, style: Style, y: float) -> Iterator[Shape]:
    """Write a player's points above their side of the board, beside a small piece of theirs."""
    corners = [corner for place in layout.places for corner in (place.outline or (place.at,))]
    inward = 1 - 2 * player
    x = (min if player == 0 else max)(x for x, _ in corners) + 0.2 * inward
    name = f"sign {player + 1}"
    if style == "discs":
        yield Circle((x, y), 0.18, id=name, roles=("stone",), layer=5, owner=player)
    else:
        small = draw_mark(style, player, (x, y), name, ("stone",), arm=0.15, width=0.075)
        yield replace(small, glyph="")
    yield Label(
        (x + 0.35 * inward, y),
        str(points),
        0.42,
        "start" if player == 0 else "end",
        id=f"points {player + 1}",
        roles=("text",),
    )


def _board(layout: Layout, glyph: str) -> Iterator[Shape]:
    """Draw the cells, the points and the lines of the board itself."""
    for place in layout.places:
        if layout.upright:
            yield Circle(place.at, HOLE, id=f"cell {place.name}", roles=("cell",), glyph=glyph)
        elif place.kind == "cell":
            lined = len(place.outline) == 4
            yield Polygon(
                place.outline if lined else place.scaled(GAP),
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
                    place.scaled(GAP),
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
            yield Circle(place.at, ROOM, id=f"area {place.name}", roles=("area",), layer=9)
        elif place.kind == "line":
            yield Line(*place.ends, REACH, id=f"area {place.name}", roles=("area",), layer=9)
        else:
            yield Polygon(place.outline, id=f"area {place.name}", roles=("area",), layer=9)
    if layout.upright:
        yield from _stand(layout)
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


def _stand(layout: Layout) -> Iterator[Shape]:
    """Draw the front of a board that stands: a frame with holes, on two feet."""
    middles = [place.at for place in layout.places]
    left, right = min(x for x, _ in middles) - 0.5, max(x for x, _ in middles) + 0.5
    top, bottom = min(y for _, y in middles) - 0.5, max(y for _, y in middles) + 0.5
    for side, x in (("left", left - FRAME), ("right", right + FRAME)):
        foot = rectangle(x - 0.4, bottom, x + 0.4, bottom + FRAME + FOOT)
        yield Polygon(foot, 0.18, id=f"{side} foot", roles=("board",), layer=6)
    front = rectangle(left, top, right, bottom, FRAME)
    holes = tuple((at, HOLE) for at in middles)
    yield Polygon(front, 0.3, holes, id="board", roles=("board",), layer=7)


def _sign(stroke: Stroke) -> str:
    """Return the character for a line in plain text."""
    (x, y), (end_x, end_y) = stroke.start, stroke.end
    if x == end_x or y == end_y:
        return "|" if x == end_x else "-"
    return "/" if (end_x - x) * (end_y - y) < 0 else "\\"


def _dot(place: Place, piece: Piece | None) -> Shape:
    """Mark the last move by a dot, with the rim of this piece."""
    owner = None if piece is None else piece.owner
    name = f"last {place.name}"
    return Circle(place.at, 0.1, id=name, roles=("last",), layer=9, owner=owner)


def _tint(place: Place) -> Shape:
    """Mark a place of the last move."""
    name = f"last {place.name}"
    if place.kind == "line":
        return Line(*place.ends, 0.34, id=name, roles=("last",), layer=2)
    if place.kind == "point":
        return Circle(place.at, 0.46, id=name, roles=("last",), layer=2)
    corners = place.scaled(0.9)
    return Polygon(corners, 0.1, id=name, roles=("last",), layer=2)


def shape_of(place: Place) -> str:
    """Name the shape that is clicked for a place."""
    return f"{'cell' if place.kind == 'cell' else 'area'} {place.name}"


def _targets(
    look: Look, layout: Layout, position: Position, lands: Lands | None
) -> tuple[list[Target], list[Shape]]:
    """Return where moves are clicked, and areas for that; a pass, for example, has no target."""
    b, s = position.game.board, position.state
    targets: list[Target] = []
    areas: list[Shape] = []
    for move in position.legal_codes:
        path = look.path_of(b, move)
        if not path:
            continue
        text = position.text_of(move)
        places = [layout.places[number] for number in (path[0], path[-1])[-len(path) :]]
        end = places[-1] if lands is None else layout.places[lands(b, s, move)]
        outline = end.outline if end.kind == "cell" and len(end.outline) != 4 else ()
        shapes = tuple(shape_of(place) for place in places)
        if layout.upright:  # anywhere in its column
            heights = [place.at[1] for place in layout.places if place.at[0] == end.at[0]]
            strip = rectangle(end.at[0], min(heights), end.at[0], max(heights), 0.5)
            shapes = (f"column {text}",)
            areas.append(Polygon(strip, id=shapes[0], roles=("area",), layer=9))
        targets.append(Target(text, shapes, end.at, ROOM, outline))
    return targets, areas


def _trail(look: Look, position: Position, lands: Lands | None) -> tuple[int, ...]:
    """Return the places of the last move, where it ended last."""
    if position.last is None:
        return ()
    b = position.game.board
    if lands is not None and position.before is not None:
        return (lands(b, position.before.state, position.last),)
    return look.path_of(b, position.last)


def _motion(layout: Layout, trail: tuple[int, ...], falls: bool, there: set[str]) -> Motion | None:
    """Return how the last piece came to where it stands, if it still stands there."""
    if not trail:
        return None
    end = layout.places[trail[-1]]
    names = (f"piece {end.name}", f"detail {end.name}", f"line {end.name}")
    moving = tuple(name for name in names if name in there)
    if not moving:
        return None
    if falls:
        top = min(place.at[1] for place in layout.places) - 1.0
        return Motion("drop", moving, (end.at[0], top), end.at)
    if len(trail) > 1:
        return Motion("slide", moving, layout.places[trail[0]].at, end.at)
    return Motion("place", moving, end.at, end.at)
