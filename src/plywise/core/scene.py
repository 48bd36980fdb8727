"""What a position looks like, as plain data in board units: one cell is about one unit wide.

x runs to the right and y down, from the top left corner of the frame. A game builds a Scene, a
view draws it, and neither knows the other. The first role of a shape says what it is and how it
is painted; further roles say what is true of it, as that a stone is the last one played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from plywise.core.position import Position

from plywise.core.palette import INK, Palettes

Point = tuple[float, float]
Box = tuple[float, float, float, float]  #: left, top, right, bottom

Role = Literal[
    "board",  # what the cells are set in
    "grid",  # lines between cells
    "cell",
    "area",  # not drawn: where a click or a finger means a target
    "stone",  # a piece or mark of its owner
    "detail",  # an ornament on a stone
    "trail",  # what a stone left behind
    "last",  # the last move
    "legal",
    "best",
    "score",  # what a search thinks of a move
    "threat",
    "winning",
    "dead",  # of no more use to anybody
    "coordinate",
    "text",
]

Anchor = Literal["start", "middle", "end"]  #: which part of a text stands at its point

CHARACTER = 0.6  #: how wide a letter is, in terms of its height


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What all shapes have in common. Higher layers cover lower ones."""

    id: str
    roles: tuple[Role, ...]
    layer: int = 0
    owner: int | None = None  #: 0 or 1, as `Position.turn` counts
    shade: float = 1.0  #: how much of its colour it has; the rest is the page's
    glyph: str = ""  #: what stands for it in a text board, at its centre; empty for nothing
    kind: ClassVar[str]

    @property
    def box(self) -> Box:
        """The smallest box around it."""
        raise NotImplementedError

    @property
    def centre(self) -> Point:
        """The middle of its box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    def to_json(self) -> dict[str, Any]:
        """Plain data; what is as usual is left out."""
        given = [(field, getattr(self, field.name)) for field in fields(self)]
        unusual = {field.name: _plain(value) for field, value in given if value != field.default}
        return {"kind": self.kind, **unusual}


@dataclass(frozen=True)
class Polygon(Shape):
    """A filled area, its corners rounded by `corner`, with round holes (centre, radius)."""

    points: tuple[Point, ...]
    corner: float = 0.0
    holes: tuple[tuple[Point, float], ...] = ()
    kind: ClassVar[str] = "polygon"

    @property
    def box(self) -> Box:
        """The smallest box around it."""
        return _box(self.points)


@dataclass(frozen=True)
class Circle(Shape):
    """A filled disc; with a `width`, a ring of this width with `radius` in its middle."""

    at: Point
    radius: float
    width: float = 0.0
    kind: ClassVar[str] = "circle"

    @property
    def box(self) -> Box:
        """The smallest box around it."""
        return _box([self.at], self.radius + self.width / 2)


@dataclass(frozen=True)
class Line(Shape):
    """A straight stroke with round ends."""

    start: Point
    end: Point
    width: float
    kind: ClassVar[str] = "line"

    @property
    def box(self) -> Box:
        """The smallest box around it."""
        return _box([self.start, self.end], self.width / 2)


@dataclass(frozen=True)
class Path(Shape):
    """Several strokes of one pen, each through its points, with round ends and joints."""

    strokes: tuple[tuple[Point, ...], ...]
    width: float
    kind: ClassVar[str] = "path"

    @property
    def box(self) -> Box:
        """The smallest box around it."""
        return _box([point for stroke in self.strokes for point in stroke], self.width / 2)


@dataclass(frozen=True)
class Label(Shape):
    """A few letters, `size` high, with their middle, or where they start or end, at a point."""

    at: Point
    text: str
    size: float
    anchor: Anchor = "middle"
    kind: ClassVar[str] = "label"

    @property
    def box(self) -> Box:
        """About the room that the letters take; what they take exactly depends on the font."""
        (x, y), width = self.at, CHARACTER * self.size * len(self.text)
        left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return left, y - self.size / 2, left + width, y + self.size / 2


@dataclass(frozen=True)
class Target:
    """A way to play a move: point at its shape, or at its two shapes one after the other.

    `at` is where the move happens and where a view marks it, within a circle of radius `room`,
    or by drawing the `outline` if there is one.
    """

    move: str
    shapes: tuple[str, ...]
    at: Point
    room: float = 0.4
    outline: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Motion:
    """What moved in the last move: the shapes stand where `end` is and came from `start`."""

    kind: Literal["drop", "slide", "place"]
    shapes: tuple[str, ...]  #: the first is the one that moves, the rest is drawn on it
    start: Point
    end: Point


@dataclass(frozen=True)
class Scene:
    """A picture of a position that any view can draw without knowing the game."""

    title: str  #: the game and who moves or won
    description: str  #: the position in words and notation, for those who cannot see it
    text: str  #: the board in plain text
    size: tuple[float, float]  #: of the frame
    shapes: tuple[Shape, ...]
    coordinates: tuple[Label, ...] = ()  #: along the edges
    targets: tuple[Target, ...] = ()
    motion: Motion | None = None
    palette: Palettes = INK  #: the colours of the board
    hub: Point | None = None  #: where arrow keys point from, if all moves start in one place

    @property
    def painted(self) -> list[Shape]:
        """What is drawn, in the order of drawing."""
        visible = [shape for shape in self.shapes if shape.roles[0] != "area"]
        return [*sorted(visible, key=lambda shape: shape.layer), *self.coordinates]

    def to_json(self) -> dict[str, Any]:
        """Plain data, for the web; of its colours the name."""
        return {**_fields(replace(self, palette=INK)), "palette": self.palette.name}


def shifted(shape: Shape, x: float, y: float) -> Shape:
    """The same shape somewhere else.

    >>> shifted(Line((0.0, 0.0), (1.0, 0.0), 0.1, id="a", roles=("grid",)), 2, 1).end
    (3.0, 1.0)
    """

    def moved(point: Point) -> Point:
        return round(point[0] + x, 6), round(point[1] + y, 6)

    if isinstance(shape, Polygon):
        holes = tuple((moved(centre), radius) for centre, radius in shape.holes)
        return replace(shape, points=tuple(map(moved, shape.points)), holes=holes)
    if isinstance(shape, Line):
        return replace(shape, start=moved(shape.start), end=moved(shape.end))
    if isinstance(shape, Path):
        return replace(shape, strokes=tuple(tuple(map(moved, way)) for way in shape.strokes))
    assert isinstance(shape, Circle | Label)
    return replace(shape, at=moved(shape.at))


def stone_roles(*, last: bool, winning: bool) -> tuple[Role, ...]:
    """The roles of a stone.

    >>> stone_roles(last=True, winning=False)
    ('stone', 'last')
    """
    roles: tuple[Role, ...] = ("stone",)
    if last:
        roles += ("last",)
    return (*roles, "winning") if winning else roles


def standing(position: Position) -> str:
    """What the last move brought, if anything; who moves, or who won and why."""
    if not position.over:
        return f"{gain(position)}player {position.to_move} to move"
    result = "draw" if position.winner == 0 else f"player {position.winner} wins"
    why = "" if position.reason == result else f": {position.reason}"
    return f"{gain(position)}{result}{why}"


def gain(position: Position, name: str = "") -> str:
    """The points of the last move and who got them, to be said first; empty where there are none.

    >>> import plywise
    >>> gain(plywise.game("align").position("a1 f6 b1 e6 c1"))
    '3 points for player 1; '
    """
    if not position.gained or position.before is None:
        return ""
    word = "point" if position.gained == 1 else "points"
    return f"{position.gained} {word} for {name or f'player {position.before.mover}'}; "


def words(position: Position) -> tuple[str, str, str]:
    """The title, description and text of a position's Scene."""
    game = position.game
    last = f"Last move {position.moves[-1]}. " if position.moves else ""
    title = f"{game.type.title or game.name}, {standing(position)}"
    return title, f"{last}Position {position.text}", str(position)


def scene_of(position: Position) -> Scene:
    """What a position looks like: what its game says, or else its text board, letter by letter."""
    build = position.game.type.scene
    return _text_scene(position) if build is None else build(position)


def marks_of(position: Position, move: str) -> tuple[Shape, ...]:
    """What shows on the board why a move is good, if its game says so."""
    build = position.game.type.marks
    return () if build is None else tuple(build(position, position.code_of(move)))


def _text_scene(position: Position) -> Scene:
    title, description, text = words(position)
    lines = text.splitlines()
    letters = tuple(
        Label((CHARACTER * (col + 1), row + 1.0), letter, 0.9, id=f"{row}.{col}", roles=("text",))
        for row, line in enumerate(lines)
        for col, letter in enumerate(line)
        if not letter.isspace()
    )
    width = CHARACTER * (max(map(len, lines), default=0) + 1)
    return Scene(title, description, text, (width, len(lines) + 1.0), letters)


def _box(points: Iterable[Point], around: float = 0.0) -> Box:
    xs, ys = zip(*points, strict=True)
    return min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around


def _fields(value: Any) -> dict[str, Any]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: Any) -> Any:
    if isinstance(value, Shape):
        return value.to_json()
    if is_dataclass(value):
        return _fields(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return round(value, 4) if isinstance(value, float) else value
