"""Make Way in text: moves, positions.

A position is the lines in order, x and o for those of the two players, runs of free lines as
numbers, then the side to move. On a board of 12 lines, with the first three taken:

    xox9 o
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from plywise.core.game import Record
from plywise.games.makeway import rules
from plywise.jit.bits import has
from plywise.kit import Layout, Look, line_board
from plywise.kit.canvas import Canvas

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
    line = find_line(b, low, high)
    if line is None:
        beside = [str(int(b.near[slot])) for slot in range(b.first[low], b.first[low + 1])]
        raise ValueError(
            f"no line joins {low} and {high}: the lines from {low} go to {' '.join(beside)}"
        )
    return line


def find_line(b: Record, low: int, high: int) -> int | None:
    """The number of the line between two dots, if there is one."""
    for slot in range(int(b.first[low]), int(b.first[low + 1])):
        if int(b.near[slot]) == high:
            return int(b.by[slot])
    return None


def owners(b: Record, s: Record) -> list[int | None]:
    """The owner of every line: 0, 1, or None for a free one."""
    return [
        0 if has(s.own[0], line) else 1 if has(s.own[1], line) else None
        for line in range(int(b.lines))
    ]


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
    owned = sorted(enumerate(owners(b, s)), key=lambda pair: pair[1] is not None)  # free ones below
    for line, owner in owned:
        start, end = (places[int(dot)] for dot in b.ends[line])
        canvas.stroke(start, end, "." if owner is None else LETTERS[owner])
    for dot, at in enumerate(places):
        canvas.put(at, f"({dot})" if dot in (0, dots - 1) else f" {dot} ")
    return str(canvas)


def reason(b: Record, s: Record) -> str:
    """Say why the game is over."""
    if s.winner:
        return "the big dots are joined"
    return "every line is taken" if s.left == 0 else "nobody can join the big dots any more"
