"""What Andantino looks like: hexagons, black and white stones, the winning line or ring.

Layers: 0 cells, 1 pockets, 2 stones, 3 what is on them, 4 a win, 5 what was enclosed, 6 the last
stone.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin, sqrt

from plywise.core.game import Record
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
    stone_roles,
    words,
)
from plywise.games.andantino.board import EMPTY, FIVE, OUT, cell_name
from plywise.games.andantino.palette import PALETTE
from plywise.games.andantino.texts import COLOURS, enclosed, label_places, letter_of

HEIGHT = sqrt(3) / 2  #: from row to row, where cells are one unit apart
CORNER = 0.55  #: from the middle of a cell to its corners; with 1 / sqrt(3) there would be no gaps
STONE = 0.39
ABOVE = 0.9  #: the strip for the banner
LABELS = 0.42  #: size of letters and numbers


def scene(position: Position) -> Scene:
    """The board with its stones; after the end also the line or ring, and the winner."""
    b, s = position.game.board, position.state
    side, cells = int(b.side), range(int(b.cells))
    at = [place(side, int(b.q[cell]), int(b.r[cell])) for cell in cells]
    names = [cell_name(b, cell) for cell in cells]
    winning = winning_stones(b, s)

    shapes: list[Shape] = [
        Polygon(hexagon(at[cell]), 0.08, id=f"cell {names[cell]}", roles=("cell",), glyph="·")
        for cell in cells
    ]
    for player in range(2):
        inside, caught = enclosed(b, s, player)
        shapes += [_pocket(at[cell], player, names[cell]) for cell in sorted(inside - caught)]
        shapes += [_cross(at[cell], names[cell]) for cell in sorted(caught)]
    for cell in cells:
        if s.mark[cell] != EMPTY:
            roles = stone_roles(last=cell == position.last, winning=cell in winning)
            shapes += _stone(at[cell], names[cell], int(s.mark[cell]) - 1, roles)
    for one in sorted(winning):
        for two in sorted(winning.intersection(int(c) for c in b.step[one] if c > one)):
            bar = f"bar {names[one]} {names[two]}"
            shapes.append(Line(at[one], at[two], 0.1, id=bar, roles=("winning",), layer=4))

    title, description, text = words(position)
    width = 2 * (side + 0.35)
    if position.winner:
        shapes.append(_banner(position.winner))
    motion = None
    if position.last is not None:
        here, name = at[position.last], names[position.last]
        motion = Motion("place", (f"stone {name}", f"shine {name}"), here, here)
    return Scene(
        title,
        description,
        text,
        size=(width, place(side, 0, -side)[1] + LABELS),
        shapes=tuple(shapes),
        coordinates=tuple(_coordinates(side)),
        targets=tuple(
            Target(names[cell], (f"cell {names[cell]}",), at[cell], 0.42, hexagon(at[cell]))
            for cell in position.legal_codes
        ),
        motion=motion,
        palette=PALETTE,
    )


def place(side: int, q: int, r: int) -> Point:
    """The middle of a cell."""
    return side + 0.35 + q + r / 2, ABOVE + CORNER + HEIGHT * (side - 1 - r)


def hexagon(at: Point) -> tuple[Point, ...]:
    """The corners of a cell, one of them on top."""
    angles = [pi / 6 + pi / 3 * i for i in range(6)]
    return tuple((at[0] + CORNER * cos(a), at[1] + CORNER * sin(a)) for a in angles)


def winning_stones(b: Record, s: Record) -> set[int]:
    """The stones of a finished line, or of the ring around enclosed stones."""
    if s.won == 0:
        return set()
    mine = int(s.won)
    found: set[int] = set()
    for cell in range(int(b.cells)):
        for axis in range(3):
            window = [int(c) for c in b.line[cell, axis, FIVE - 1 :]]
            if all(s.mark[c] == mine for c in window):
                found.update(window)
    if found:
        return found
    waiting = sorted(enclosed(b, s, mine - 1)[1])
    seen = set(waiting)
    while waiting:  # out from the enclosed stones to the walls
        for beside in map(int, b.step[waiting.pop()]):
            if s.mark[beside] == mine:
                found.add(beside)
            elif beside not in seen and beside != OUT:
                seen.add(beside)
                waiting.append(beside)
    return found


def _stone(at: Point, name: str, owner: int, roles: tuple[Role, ...]) -> Iterator[Shape]:
    """Draw a stone: a black one with a highlight, a white one with a ring in it."""
    glyph = "●○"[owner]
    yield Circle(at, STONE, id=f"stone {name}", roles=roles, layer=2, owner=owner, glyph=glyph)
    shine = f"shine {name}"
    if owner == 0:
        angles = [pi * (1.15 + 0.05 * i) for i in range(8)]
        arc = tuple((at[0] + 0.27 * cos(a), at[1] + 0.27 * sin(a)) for a in angles)
        yield Path((arc,), 0.05, id=shine, roles=("detail",), layer=3, owner=0)
    else:
        yield Circle(at, 0.28, 0.03, id=shine, roles=("detail",), layer=3, owner=1)
    if "winning" in roles:
        yield Circle(at, STONE, 0.09, id=f"ring {name}", roles=("winning",), layer=4)
    if "last" in roles:
        yield Circle(at, 0.11, id="last", roles=("last",), layer=6)


def _pocket(at: Point, player: int, name: str) -> Shape:
    """Mark an empty cell inside a ring, where the opponent must not play."""
    name = f"pocket {COLOURS[player]} {name}"
    return Circle(at, 0.16, 0.05, id=name, roles=("trail",), layer=1, owner=player)


def _cross(at: Point, name: str) -> Shape:
    (x, y), arm = at, 0.2
    strokes = (((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm)))
    return Path(strokes, 0.09, id=f"enclosed {name}", roles=("threat",), layer=5)


def _banner(winner: int) -> Shape:
    text = f"Player {winner} ({COLOURS[winner - 1]}) wins!"
    return Label((0.3, ABOVE / 2), text, 0.55, "start", id="banner", roles=("text",))


def _coordinates(side: int) -> Iterator[Label]:
    """Letters below the columns, which lean to the right, and numbers right of the rows."""
    for end in range(1 - side, side):
        letter, number = label_places(side, end)
        yield _label(letter_of(end), place(side, *letter))
        yield _label(str(end + 10), place(side, *number))


def _label(text: str, at: Point) -> Label:
    return Label(at, text, LABELS, id=f"coordinate {text}", roles=("coordinate",))
