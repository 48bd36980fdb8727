"""How Make Way looks: its colours, moves and positions in text, and the picture.

A position is the lines in order, x and o for those of the two players, runs of free lines as
numbers, then the side to move. On a board of 12 lines, with the first three taken:

    xox9 o

The picture is a net of dots. The first player's lines are solid, the second's are rails, two thin
strokes side by side. A line that would win at once is dashed in that player's colour. Lines that
nobody can use any more are pale. Layers: 0 free lines, 1 the last line, 2 threats, 3 lines of the
players, 4 the winning path, 5 dots, 6 their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist

import numpy as np

from plywise.core.game import Record
from plywise.core.palette import INK, Palettes
from plywise.core.position import Position
from plywise.core.scene import (
    Anchor,
    Circle,
    Label,
    Line,
    Motion,
    Path,
    Point,
    Role,
    Scene,
    Shape,
    Target,
    stone_roles,
    words,
)
from plywise.games.makeway import rules, ways
from plywise.kit import Layout, Look, line_board
from plywise.kit.texts import Canvas

#: White dots on dark lines.
PALETTE = Palettes.of(
    "net",
    board=("#3a4652", "#aab4be"),
    edge=("#3a4652", "#aab4be"),
    cell=("#ffffff", "#14181d"),
    grid=("#9aa5b1", "#66727e"),
    last=("#fbe7a1", "#4d4a2c"),
    winning=("#1c2128", "#e8ebee"),
    light=INK.light.players,
    dark=INK.dark.players,
)


LETTERS = "xo"
COLUMNS = 78  #: of the drawing
EDGE = 0.04  #: room around the dots, as a share of the width


def line_text(b: Record, line: int) -> str:
    """Name a line by its dots, the lower one first: `3-17`."""
    return f"{int(b.ends[line, 0])}-{int(b.ends[line, 1])}"


def read_move(b: Record, text: str) -> int:
    """Read a line by its dots, in either order."""
    found = re.fullmatch(r"([0-9]{1,3})-([0-9]{1,3})", text, re.ASCII)
    if found is None:
        raise ValueError("write the two dots of a line, such as 3-17")
    low, high = sorted((int(found[1]), int(found[2])))
    if high >= b.dots:
        raise ValueError(f"there is no dot {high}: the dots go from 0 to {int(b.dots) - 1}")
    slots = slice(b.first[low], b.first[low + 1])
    lines = dict(zip(b.near[slots].tolist(), b.by[slots].tolist(), strict=True))
    if high not in lines:
        beside = " ".join(map(str, lines))
        raise ValueError(f"no line joins {low} and {high}: the lines from {low} go to {beside}")
    return lines[high]


def put(b: Record, s: Record, lines: Sequence[int]) -> None:
    """Set up a position: any lines may be taken, but only one player may have won."""
    for line, owner in enumerate(lines):
        if owner:
            rules.claim(b, s, owner - 1, line)
    joined = [bool(s.part[player, b.dots - 1] == 0) for player in range(2)]
    if all(joined):
        raise ValueError("both players have joined the big dots")
    s.winner = 1 if joined[0] else 2 if joined[1] else 0
    for player in range(2):
        s.cut[player] = rules.is_cut(b, s, player)


def layout(b: Record) -> Layout:
    """The lines as places; the neighbours of a line are those that meet it at a dot."""
    dots = {str(dot): (float(b.x[dot]), float(b.y[dot])) for dot in range(int(b.dots))}
    return line_board(dots, [(str(low), str(high)) for low, high in b.ends[: int(b.lines)]])


LOOK = Look(layout, "own", put=put)


def draw(b: Record, s: Record) -> str:
    """The net: free lines dotted, those of the players in their letters, dots by their numbers."""
    dots = int(b.dots)
    xs, ys = b.x[:dots], b.y[:dots]
    width, height = float(xs.max() - xs.min()) or 1.0, float(ys.max() - ys.min())
    edge = EDGE * width
    canvas = Canvas((width + 2 * edge, height + 2 * edge), COLUMNS)
    places = [
        (float(x - xs.min()) + edge, float(y - ys.min()) + edge)
        for x, y in zip(xs, ys, strict=True)
    ]
    owned = sorted(enumerate(LOOK.standing(b, s)), key=lambda pair: pair[1] > 0)  # free ones below
    for line, owner in owned:
        start, end = (places[int(dot)] for dot in b.ends[line])
        canvas.stroke(start, end, f".{LETTERS}"[owner])
    for dot, at in enumerate(places):
        canvas.put(at, f"({dot})" if dot in (0, dots - 1) else f" {dot} ")
    return str(canvas)


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    if s.winner:
        return "the big dots are joined"
    return "every line is taken" if s.left == 0 else "nobody can join the big dots any more"


# ---- the picture ---------------------------------------------------------------------------------


AVERAGE = 2.5  #: the average length of a line
WIDEST = 1.3  #: a net that is wider, relative to its height, is drawn higher: screens have the room
MARGIN = 0.75  #: around the dots
ABOVE = 0.95  #: ... and above them, for how many lines the players need
DOT, BIG = 0.27, 0.46  #: radii of the dots
SOLID = 0.2  #: width of the first player's lines
RAIL, GAUGE = 0.085, 0.2  #: the strokes of the second's lines, and their distance
TREE = 0.13  #: the strokes of trees that are shown
LAID = 1  #: ... which lie below the lines of the players
REACH = 0.8  #: how close to a line a click counts, if no other line is nearer
NARROWEST = 10.0  #: the width needed by the text above the board
SIGN = 0.7  #: the length of the sample lines in the players' colours


@dataclass(frozen=True)
class Net:
    """Where the dots are in the picture."""

    dots: tuple[Point, ...]
    ends: tuple[tuple[int, int], ...]
    size: tuple[float, float]

    @classmethod
    def of(cls, b: Record) -> Net:
        """Place a board, scaled to the length of its lines."""
        dots = np.column_stack((b.x, b.y))[: int(b.dots)]
        ends = b.ends[: int(b.lines)]
        dots -= dots.min(axis=0)
        wide, high = dots.max(axis=0).tolist()
        dots[:, 1] *= max(1.0, wide / (WIDEST * high)) if high else 1.0
        lengths = np.hypot(*(dots[ends[:, 0]] - dots[ends[:, 1]]).T)
        dots = dots * AVERAGE / lengths.mean() + (MARGIN, ABOVE + MARGIN)
        wide, high = (dots.max(axis=0) + MARGIN).tolist()
        width = max(wide, NARROWEST)
        dots[:, 0] += (width - wide) / 2
        return cls(
            tuple(map(tuple, dots.tolist())), tuple(map(tuple, ends.tolist())), (width, high)
        )

    def line(self, line: int, inset: float = 0.0) -> tuple[Point, Point]:
        """The ends of a line in the picture, shortened by `inset`, at most a third of it."""
        start, end = (self.dots[dot] for dot in self.ends[line])
        share = min(inset / dist(start, end), 1 / 3)
        return _between(start, end, share), _between(end, start, share)

    def middle(self, line: int) -> Point:
        """The middle of a line."""
        return _between(*self.line(line), 0.5)


def scene(position: Position) -> Scene:
    """The net, the players' lines, threats, and the winning path."""
    b, s = position.game.board, position.state
    net = Net.of(b)
    names = [line_text(b, line) for line in range(len(net.ends))]
    free = ways.free_lines(b, s)
    playing = [] if position.over else [player for player in range(2) if not s.cut[player]]
    alive = {line for player in playing for line in ways.useful(b, s, player)}

    shapes: list[Shape] = []
    for player in range(2):
        shapes += _standing(position, net, player)
    for line in free:
        role: Role = "grid" if line in alive or position.over else "dead"
        start, end = net.line(line)
        name, told = names[line], f"{names[line]}, free"
        shapes.append(
            Line(start, end, 0.07, id=f"line {name}", roles=(role,), glyph=".", words=told)
        )
    won = ways.path(b, ways.own_lines(b, s, position.winner - 1)) if position.winner else []
    steps = {tuple(sorted(step)) for step in pairwise(won)}
    for player in range(2):
        for line in ways.threats(b, s, player):
            shapes.append(_threat(net, line, player, names[line]))
        for line in ways.own_lines(b, s, player):
            roles = stone_roles(last=line == position.last, winning=net.ends[line] in steps)
            taken = _taken(net.line(line), player, f"line {names[line]}", roles)
            told = f"{names[line]}, line of player {player + 1}"
            shapes.append(replace(taken, words=told))
    if position.last is not None:
        start, end = net.line(position.last)
        shapes.append(Line(start, end, 0.5, id="last", roles=("last",), layer=1))
    if won:
        way = tuple(net.dots[dot] for dot in won)
        shapes.append(Path((way,), 0.06, id="way", roles=("winning",), layer=4))
    shapes += _dots(net, won)
    areas = [
        Line(*net.line(line, BIG), REACH, id=f"area {names[line]}", roles=("area",), layer=7)
        for line in position.legal_codes
    ]
    motion = None
    if position.last is not None:
        at = net.middle(position.last)
        motion = Motion("place", (f"line {names[position.last]}",), at, at)
    title, description, text = words(position)
    return Scene(
        title,
        f"{description}. Player 1 {_told(position, 0)}, player 2 {_told(position, 1)}",
        text,
        size=net.size,
        shapes=(*shapes, *areas),
        targets=tuple(
            Target(names[line], (f"area {names[line]}",), net.middle(line), 0.3)
            for line in position.legal_codes
        ),
        motion=motion,
        palette=PALETTE,
    )


def marks(b: Record, s: Record, player: int) -> list[Shape]:
    """Two trees that guarantee a player the connection, when the opponent is to move.

    One is drawn solid and the other dashed.
    """
    trees = ways.trees_of(b, s, player)
    if trees is None:
        return []
    net = Net.of(b)
    shapes: list[Shape] = []
    for number, (tree, glyph) in enumerate(zip(trees, "=~", strict=True)):
        for line in tree:
            ends = net.line(line, DOT)
            strokes = (ends,) if number == 0 else _dashes(*ends)
            name = f"tree {number + 1} {line_text(b, line)}"
            shapes.append(Path(strokes, TREE, id=name, roles=("best",), layer=LAID, glyph=glyph))
    return shapes


def _between(start: Point, end: Point, share: float) -> Point:
    """A point between two points."""
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


def _aside(start: Point, end: Point, distance: float) -> tuple[Point, Point]:
    """The same stroke, moved aside."""
    x, y = end[0] - start[0], end[1] - start[1]
    across, down = distance * y / dist(start, end), -distance * x / dist(start, end)
    return (start[0] + across, start[1] + down), (end[0] + across, end[1] + down)


def _taken(
    ends: tuple[Point, Point], player: int, name: str, roles: tuple[Role, ...], layer: int = 3
) -> Shape:
    """Draw a player's line: solid, or rails."""
    if player == 0:
        return Line(*ends, SOLID, id=name, roles=roles, layer=layer, owner=0, glyph="x")
    rails = tuple(_aside(*ends, side * GAUGE / 2) for side in (-1, 1))
    return Path(rails, RAIL, id=name, roles=roles, layer=layer, owner=1, glyph="o")


def _dashes(start: Point, end: Point) -> tuple[tuple[Point, Point], ...]:
    """The same stroke in dashes."""
    count = max(3, round(dist(start, end) / 0.42)) | 1
    shares = [i / count for i in range(count + 1)]
    return tuple(
        (_between(start, end, one), _between(start, end, two))
        for one, two in zip(shares[::2], shares[1::2], strict=True)
    )


def _threat(net: Net, line: int, player: int, name: str) -> Shape:
    """Draw a free line that would win: dashes for the first player, dotted rails for the second."""
    dashes = _dashes(*net.line(line, DOT))
    roles: tuple[Role, ...] = ("stone", "threat")
    name = f"threat {LETTERS[player]} {name}"
    if player == 0:
        return Path(dashes, 0.13, id=name, roles=roles, layer=2, owner=0, glyph="!")
    rails = tuple(_aside(*dash, side * GAUGE / 2) for dash in dashes for side in (-1, 1))
    return Path(rails, RAIL, id=name, roles=roles, layer=2, owner=1, glyph="!")


def _dots(net: Net, won: Iterable[int]) -> list[Shape]:
    """Draw every dot with its number."""
    shapes: list[Shape] = []
    on_the_way = set(won)
    last = len(net.dots) - 1
    for dot, at in enumerate(net.dots):
        big = dot in (0, last)
        radius = BIG if big else DOT
        roles: tuple[Role, ...] = ("cell", "winning") if dot in on_the_way else ("cell",)
        shapes.append(Circle(at, radius, id=f"dot {dot}", roles=roles, layer=5, glyph=str(dot)))
        rim: Role = "winning" if dot in on_the_way else "board"
        shapes.append(
            Circle(at, radius, 0.11 if big else 0.05, id=f"rim {dot}", roles=(rim,), layer=5)
        )
        shapes.append(
            Label(at, str(dot), 0.42 if big else 0.29, id=f"number {dot}", roles=("text",), layer=6)
        )
    return shapes


def _told(position: Position, player: int) -> str:
    """Say how many lines a player still needs."""
    b, s = position.game.board, position.state
    if position.winner == player + 1:
        return "has made way"
    if s.cut[player]:
        return "is cut off"
    lines = int(rules.distance(b, s, player))
    count = f"{lines} {'line' if lines == 1 else 'lines'}"
    return f"was {count} short" if position.over else f"needs {count}"


def _standing(position: Position, net: Net, player: int) -> list[Shape]:
    """Draw a player's sample line and what they still need, above their side of the board."""
    anchor: Anchor = "start" if player == 0 else "end"
    xs = [0.35, 0.35 + SIGN, 0.75 + SIGN]  # the ends of the line, and the text
    sign, end, at = ((x if player == 0 else net.size[0] - x, 0.5) for x in xs)
    text, letter = _told(position, player), LETTERS[player]
    return [
        _taken((sign, end), player, f"sign {letter}", ("stone",)),
        Label(at, text, 0.4, anchor, id=f"told {letter}", roles=("text",), glyph=text),
    ]
