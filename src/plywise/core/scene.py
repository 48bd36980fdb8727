"""The picture of a position, as plain data in board units: one cell is about one unit wide.

x runs to the right and y down, from the top left corner of the frame. A game builds a Scene, a
view draws it, and neither depends on the other. The first role of a shape says what it is and how
it is painted; further roles add facts, for example that a stone is the last one played.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from plywise.core.position import Position

from plywise.core.palette import INK, Palettes

Point = tuple[float, float]
Box = tuple[float, float, float, float]  #: left, top, right, bottom

Role = Literal[
    "board",  # the background of the cells
    "grid",  # lines between cells
    "cell",
    "area",  # not drawn: where a click or a touch selects a target
    "stone",  # a piece or mark of its owner
    "detail",  # a decoration on a stone
    "trail",  # left behind by a stone
    "last",  # the last move
    "legal",
    "best",
    "score",  # a search's score of a move
    "threat",
    "winning",
    "dead",  # no longer of use to either player
    "coordinate",
    "text",
]

Anchor = Literal["start", "middle", "end"]  #: which part of a text is at its point

PASS = "pass"  #: the text of a move that points nowhere
SHIFTED = 8192  #: moved shapes that are kept: most of a board is the same in the next position
CHARACTER = 0.6  #: the width of a character relative to its height


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What all shapes have in common. Higher layers cover lower ones."""

    id: str
    roles: tuple[Role, ...]
    layer: int = 0
    owner: int | None = None  #: 0 or 1, as `Position.turn` counts
    shade: float = 1.0  #: the share of its own colour; the rest is the page's
    glyph: str = ""  #: what a text board shows at its centre; empty for nothing
    words: str = ""  #: a place and what stands on it, for screen readers: `d4, white stone`
    kind: ClassVar[str]

    @property
    def box(self) -> Box:
        """The smallest box around it."""
        raise NotImplementedError

    @property
    def centre(self) -> Point:
        """The centre of its box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2

    def to_json(self) -> dict[str, Any]:
        """Return plain data; defaults are left out."""
        found: dict[str, Any] = {"kind": self.kind}
        for name, default in _defaults(type(self)):
            value = getattr(self, name)
            if value != default:
                found[name] = _plain(value)
        return found


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
    """A filled disc; with a `width`, a ring of this line width around `radius`."""

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
    """A straight line with round ends."""

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
    """Several strokes of the same width, each through its points, with round ends and joints."""

    strokes: tuple[tuple[Point, ...], ...]
    width: float
    kind: ClassVar[str] = "path"

    @property
    def box(self) -> Box:
        """The smallest box around it."""
        return _box([point for stroke in self.strokes for point in stroke], self.width / 2)


@dataclass(frozen=True)
class Label(Shape):
    """A short text, `size` high, that is centred at, starts at or ends at a point."""

    at: Point
    text: str
    size: float
    anchor: Anchor = "middle"
    kind: ClassVar[str] = "label"

    @property
    def box(self) -> Box:
        """The approximate box of the text; the exact one depends on the font."""
        (x, y), width = self.at, CHARACTER * self.size * len(self.text)
        left = x - width * {"start": 0.0, "middle": 0.5, "end": 1.0}[self.anchor]
        return left, y - self.size / 2, left + width, y + self.size / 2


@dataclass(frozen=True)
class Target:
    """How to play a move: click its shape, or its two shapes one after the other.

    A view marks the move at `at`, with a circle of radius `room`, or by drawing the `outline` if
    there is one. `words` is the move as people say it, if its text is short for something.
    """

    move: str
    shapes: tuple[str, ...]
    at: Point
    room: float = 0.4
    outline: tuple[Point, ...] = ()
    words: str = ""


@dataclass(frozen=True)
class Motion:
    """The animation of the last move: the shapes are at `end` and came from `start`."""

    kind: Literal["drop", "slide", "place"]
    shapes: tuple[str, ...]  #: the first is the moving piece, the rest is drawn on it
    start: Point
    end: Point


@dataclass(frozen=True)
class Window:
    """The part of a large board that is in use, which a picture shows instead of all of it."""

    box: Box  #: shapes whose centre is in here are shown
    frame: Box  #: around them and the labels
    labels: tuple[Label, ...] = ()  #: instead of the coordinates of the board


@dataclass(frozen=True)
class Scene:
    """A picture of a position that any view can draw without knowing the game."""

    title: str  #: the game, and the player to move or the winner
    description: str  #: the position in words and notation, for screen readers
    text: str  #: the board in plain text
    size: tuple[float, float]  #: of the frame
    shapes: tuple[Shape, ...]
    coordinates: tuple[Label, ...] = ()  #: along the edges
    targets: tuple[Target, ...] = ()
    motion: Motion | None = None
    palette: Palettes = INK  #: the colours of the board
    hub: Point | None = None  #: the origin for arrow keys, if all moves start in one place
    window: Window | None = None  #: the part to show; None for all

    @property
    def painted(self) -> list[Shape]:
        """The visible shapes, in drawing order."""
        visible = [shape for shape in self.shapes if shape.roles[0] != "area"]
        return [*sorted(visible, key=lambda shape: shape.layer), *self.coordinates]

    def to_json(self) -> dict[str, Any]:
        """Return plain data for the web; the palette is given by name."""
        return {**_fields(replace(self, palette=INK)), "palette": self.palette.name}


def windowed(scene: Scene) -> Scene:
    """Return the part of a Scene that its window shows, as a Scene of its own."""
    window = scene.window
    if window is None:
        return scene
    (left, top, right, bottom), frame = window.box, window.frame
    shapes = [
        shape
        for shape in scene.shapes
        if left <= shape.centre[0] <= right and top <= shape.centre[1] <= bottom
    ]
    labels = [shifted(label, -frame[0], -frame[1]) for label in window.labels]
    return replace(
        scene,
        size=(frame[2] - frame[0], frame[3] - frame[1]),
        shapes=tuple(shifted(shape, -frame[0], -frame[1]) for shape in shapes),
        coordinates=tuple(label for label in labels if isinstance(label, Label)),
        targets=(),
        motion=None,
        hub=None,
        window=None,
    )


@lru_cache(SHIFTED)
def shifted(shape: Shape, x: float, y: float) -> Shape:
    """Return the shape moved by x and y.

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


def rectangle(
    left: float, top: float, right: float, bottom: float, around: float = 0.0
) -> tuple[Point, ...]:
    """Return the corners of a rectangle, moved out by `around`."""
    left, top, right, bottom = left - around, top - around, right + around, bottom + around
    return (left, top), (right, top), (right, bottom), (left, bottom)


def stone_roles(*, last: bool, winning: bool) -> tuple[Role, ...]:
    """Return the roles of a stone.

    >>> stone_roles(last=True, winning=False)
    ('stone', 'last')
    """
    roles: tuple[Role, ...] = ("stone",)
    if last:
        roles += ("last",)
    return (*roles, "winning") if winning else roles


def standing(position: Position) -> str:
    """Say whose turn it is, or who won and why; the points of the last move come first."""
    if not position.over:
        return f"{gain(position)}player {position.to_move} to move{only_pass(position)}"
    result = "draw" if position.winner == 0 else f"player {position.winner} wins"
    why = "" if position.reason == result else f": {position.reason}"
    return f"{gain(position)}{result}{why}"


def only_pass(position: Position) -> str:
    """Say that the player to move has to pass; empty if there is another move."""
    return "; only a pass is legal" if position.legal == (PASS,) else ""


def gain(position: Position, name: str = "") -> str:
    """Say how many points the last move scored, and for whom; empty if it scored none.

    >>> import plywise
    >>> gain(plywise.game("align").position("a1 f6 b1 e6 c1"))
    'player 1 scores 3 points; '
    """
    gained = position.gained
    if not gained or position.before is None:
        return ""
    who = name or f"player {position.before.mover}"
    verb = ("score" if gained > 0 else "lose") + ("" if who == "you" else "s")
    return f"{who} {verb} {abs(gained)} {'point' if abs(gained) == 1 else 'points'}; "


def words(position: Position) -> tuple[str, str, str]:
    """Return the title, description and text of a position's Scene."""
    game = position.game
    last = f"Last move {position.moves[-1]}. " if position.moves else ""
    title = f"{game.type.title}, {standing(position)}"
    return title, f"{last}Position {position.text}", str(position)


def scene_of(position: Position) -> Scene:
    """Return the Scene that the game builds, or by default one of its text board."""
    build = position.game.type.scene
    return _text_scene(position) if build is None else build(position)


def marks_of(position: Position, move: str) -> tuple[Shape, ...]:
    """Return the shapes that show on the board why a move is good, if the game has them."""
    say = position.game.type.words.reasons
    if say is None:
        return ()
    found = say(position.game.board, position.state, position.code_of(move))
    return tuple(each for each in found if not isinstance(each, str))


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


_known: dict[type[Any], tuple[tuple[str, Any], ...]] = {}


def _defaults(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    """The fields of a class with their defaults: looked up once, as scenes have many shapes."""
    if kind not in _known:
        _known[kind] = tuple((field.name, field.default) for field in fields(kind))
    return _known[kind]


def _fields(value: Any) -> dict[str, Any]:
    return {name: _plain(getattr(value, name)) for name, _ in _defaults(type(value))}


def _plain(value: Any) -> Any:
    if isinstance(value, (str, int)):
        return value
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Shape):
        return value.to_json()
    return _fields(value) if is_dataclass(value) else value
