"""Pieces: discs, and the marks of pen-and-paper games, crosses and rings or the digits 1 and 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

from plywise.core.scene import Circle, Label, Path, Point, Polygon, Role, Shape, rectangle

if TYPE_CHECKING:
    from plywise.kit.layouts import Place
    from plywise.kit.look import Piece, Style

DISC = 0.36  #: the radius of a disc
BLOCK = 0.25  #: half the side of a wall that stands on a point
_CORNERS = 32  #: of a 0, enough to look round


def draw_mark(
    style: str,
    player: int,
    at: Point,
    name: str,
    roles: tuple[Role, ...],
    arm: float = 0.27,
    width: float = 0.12,
) -> Shape:
    """Draw a cross or, if the style is `digits`, a 1 for player 0; a ring or a 0 for player 1.

    `arm` is half the size of a cross, or of a digit.
    """
    glyph = ("10" if style == "digits" else "XO")[player]
    if glyph == "O":
        return Circle(at, arm + 0.02, width, id=name, roles=roles, layer=5, owner=1, glyph=glyph)
    strokes = cross(at, arm) if glyph == "X" else _digit(player, at, arm)
    return Path(strokes, width, id=name, roles=roles, layer=5, owner=player, glyph=glyph)


def cross(at: Point, arm: float) -> tuple[tuple[Point, ...], ...]:
    """Return the two strokes of a cross."""
    x, y = at
    return ((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm))


def _digit(player: int, at: Point, tall: float) -> tuple[tuple[Point, ...], ...]:
    """Return the strokes of a digit: the first player writes 1, the second 0."""
    (x, y), wide = at, 0.62 * tall
    if player == 0:  # its foot is as wide as its flag on both sides, to stay in the middle
        flag = (x - wide, y - 0.45 * tall), (x, y - tall), (x, y + tall)
        return flag, ((x - wide, y + tall), (x + wide, y + tall))
    ways = [2 * pi * corner / _CORNERS for corner in range(_CORNERS + 1)]
    return (tuple((x + wide * sin(way), y - tall * cos(way)) for way in ways),)


def draw_piece(
    style: Style, place: Place, piece: Piece, roles: tuple[Role, ...]
) -> Iterator[Shape]:
    """Draw a piece: a disc with its owner's pattern or its label, a mark, or a wall."""
    at, name = place.at, place.name
    if piece.owner is None:
        block = place.scaled(0.7) if place.outline else rectangle(*at, *at, BLOCK)
        yield Polygon(block, 0.08, id=f"piece {name}", roles=("dead",), layer=5, glyph=piece.letter)
    elif style == "discs":
        yield from _disc(piece.owner, at, name, roles, piece)
        if "winning" in roles:
            yield Circle(at, DISC, 0.09, id=f"ring {name}", roles=("winning",), layer=8)
    else:
        yield draw_mark(style, piece.owner, at, f"piece {name}", roles)


def draw_filled(place: Place, piece: Piece) -> Iterator[Shape]:
    """Fill a box with its owner's colour and letter."""
    yield Polygon(
        place.scaled(0.86),
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


def draw_number(place: Place, number: int) -> Shape:
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


def draw_line(place: Place, piece: Piece | None, roles: tuple[Role, ...]) -> Iterator[Shape]:
    """Draw a line that is played on: thin while it is free."""
    (_, y), (_, end) = place.ends
    stroke, name = (place.ends,), f"line {place.name}"
    if piece is None:
        yield Path(stroke, 0.03, id=name, roles=("grid",), layer=3, glyph="·")
        return
    look: tuple[Role, ...] = ("text",) if piece.owner is None else roles
    glyph = "─" if y == end else "│"
    yield Path(stroke, 0.14, id=name, roles=look, layer=4, owner=piece.owner, glyph=glyph)


def draw_strike(points: Sequence[Point], style: Style, number: int) -> Shape:
    """Strike a line through; a line of marks a little beyond its ends, one mark horizontally."""
    (x, y), (end_x, end_y) = points[0], points[-1]
    if style != "discs":
        length = hypot(end_x - x, end_y - y)
        dx, dy = ((end_x - x) / length, (end_y - y) / length) if length else (1.0, 0.0)
        beyond = 0.38
        ends = (x - beyond * dx, y - beyond * dy), (end_x + beyond * dx, end_y + beyond * dy)
        points = (ends[0], *points[1:-1], ends[1])
    width = 0.1 if style == "discs" else 0.075
    return Path((tuple(points),), width, id=f"strike {number}", roles=("winning",), layer=8)


def _glyph(piece: Piece) -> str:
    """Return the character for a piece in plain text."""
    if piece.owner is None:
        return piece.letter
    return (piece.label, piece.label.lower())[piece.owner] or "●○"[piece.owner]


def _disc(
    owner: int, at: Point, name: str, roles: tuple[Role, ...], piece: Piece
) -> Iterator[Shape]:
    """Draw a disc, with its label or else with a highlight for player 0 and a ring for player 1."""
    shape, label = f"piece {name}", piece.label
    yield Circle(at, DISC, id=shape, roles=roles, layer=5, owner=owner, glyph=_glyph(piece))
    detail = f"detail {name}"
    if label:
        yield Label(at, label, 0.42, id=detail, roles=("detail",), layer=6, owner=owner)
    elif owner == 0:
        ways = [pi * (1.15 + 0.07 * i) for i in range(6)]
        arc = tuple((at[0] + 0.25 * cos(way), at[1] + 0.25 * sin(way)) for way in ways)
        yield Path((arc,), 0.05, id=detail, roles=("detail",), layer=6, owner=0)
    else:
        yield Circle(at, 0.25, 0.035, id=detail, roles=("detail",), layer=6, owner=1)
