"""Draws the value of a game, move by move, as text or as a Scene for the other views.

Values go from 1 (player 1 has won) to -1 (player 2 has). The area above the middle has the colour
of player 1, the area below that of player 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plywise.core.palette import INK, Palettes
from plywise.core.scene import Circle, Label, Line, Path, Point, Polygon, Role, Scene, Shape

ENDS = ("player 1 wins", "even", "player 2 wins")
_EIGHTHS = " ▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Note:
    """A remark on a position: its number, its letter in text graphs, and the words."""

    at: int
    letter: str
    words: str
    grave: bool = False


# ---- text ----------------------------------------------------------------------------------


def graph_text(
    values: Sequence[float],
    notes: Sequence[Note] = (),
    *,
    unicode: bool = True,
    width: int = 80,
    height: int = 3,
) -> Iterator[str]:
    """Draw one-character bars, up for player 1 and down for player 2, with the notes below."""
    margin = max(map(len, ENDS))
    shown = _sampled(len(values), max(1, width - margin - 2))
    bars = [values[index] for index in shown]
    wall, ground = ("│", "─") if unicode else ("|", "-")
    for row in range(height, -height - 1, -1):
        name = {height: ENDS[0], 0: ENDS[1], -height: ENDS[2]}.get(row, "")
        cells = [ground if row == 0 else _cell(value * height, row, unicode) for value in bars]
        yield f"{name:>{margin}} {wall}{''.join(cells)}".rstrip()
    letters = {note.at: note.letter for note in notes}
    if letters:
        yield f"{'':>{margin}}  {''.join(letters.get(index, ' ') for index in shown)}".rstrip()


def _sampled(count: int, room: int) -> list[int]:
    """Return as many positions as there is room for, evenly spread."""
    if count <= room:
        return list(range(count))
    return [round(index * (count - 1) / max(1, room - 1)) for index in range(room)]


def _cell(bar: float, row: int, unicode: bool) -> str:
    """Return the character of a bar in one row; row 1 is the first above the middle."""
    share = min(1.0, max(0.0, bar - row + 1 if row > 0 else row + 1 - bar))
    if not unicode:
        return "#" if share >= 0.5 else " "
    if row > 0:
        return _EIGHTHS[round(8 * share)]
    return " ▀█"[round(2 * share)]  # there are no eighths that hang from above


# ---- picture -------------------------------------------------------------------------------

# In board units.
LEFT, TOP, RIGHT, BOTTOM = 2.9, 1.5, 0.6, 1.4  #: margins
WIDTH, HEIGHT = 12.0, 4.4  #: of the area between them
SIZE = 0.34  #: of text


def graph_scene(
    values: Sequence[float], notes: Sequence[Note] = (), *, title: str, palette: Palettes = INK
) -> Scene:
    """Draw the graph as a Scene, with a dot and the words of each note."""
    step = WIDTH / max(1, len(values) - 1)
    points = [(LEFT + index * step, _y(value)) for index, value in enumerate(values)]
    shapes: list[Shape] = [*_areas(points), *_frame(len(values), step)]
    shapes.append(Path((tuple(points),), 0.06, id="values", roles=("text",), layer=2))
    for note in notes:
        shapes += _dot(note, points)
    heading = Label((LEFT + WIDTH / 2, 0.55), title, 0.42, id="title", roles=("text",), layer=3)
    size = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    text = "\n".join(graph_text(values, notes))
    return Scene(title, title, text, size, (*shapes, heading), palette=palette)


def _y(value: float) -> float:
    return TOP + HEIGHT / 2 * (1 - value)


def _areas(points: Sequence[Point]) -> Iterator[Shape]:
    """Yield the areas between the line and the middle, split where the line crosses it."""
    middle = _y(0.0)
    run: list[Point] = []
    number = 0

    def area() -> Iterator[Shape]:
        if any(y != middle for _, y in run):
            owner = 0 if any(y < middle for _, y in run) else 1
            corners = ((run[0][0], middle), *run, (run[-1][0], middle))
            yield Polygon(corners, id=f"area {number}", roles=("stone",), owner=owner)

    for index, (x, y) in enumerate(points):
        if index and (y - middle) * (points[index - 1][1] - middle) < 0:
            before_x, before_y = points[index - 1]
            crossing = before_x + (x - before_x) * (middle - before_y) / (y - before_y)
            run.append((crossing, middle))
            yield from area()
            number += 1
            run = [(crossing, middle)]
        run.append((x, y))
        if y == middle:
            yield from area()
            number += 1
            run = [(x, middle)]
    yield from area()


def _frame(count: int, step: float) -> Iterator[Shape]:
    """Yield three horizontal lines, their labels, and move numbers along the bottom."""
    for name, value in zip(ENDS, (1.0, 0.0, -1.0), strict=True):
        ends = (LEFT, _y(value)), (LEFT + WIDTH, _y(value))
        pen = 0.05 if value == 0 else 0.03
        yield Line(*ends, pen, id=f"line {name}", roles=("coordinate",), layer=1)
        at = LEFT - 0.2 - 0.28 * SIZE * len(name), _y(value)
        yield Label(at, name, SIZE, id=f"name {name}", roles=("coordinate",), layer=3)
    every = next(every for every in (1, 2, 5, 10, 20, 50, 100) if step * every >= 0.7)
    for index in range(0, count, every):
        at = LEFT + index * step, TOP + HEIGHT + 0.85
        yield Label(at, str(index), 0.3, id=f"move {index}", roles=("coordinate",), layer=3)


def _dot(note: Note, points: Sequence[Point]) -> Iterator[Shape]:
    """Yield a dot on the line, with its words on the side where the line leaves room."""
    x, y = points[note.at]
    beside = [points[index][1] for index in (note.at - 1, note.at + 1) if 0 <= index < len(points)]
    side = 1 if y > sum(beside) / len(beside) else -1
    role: Role = "score" if note.grave else "text"  # of the same colour, but bold
    radius = 0.16 if note.grave else 0.11
    yield Circle((x, y), radius, id=f"note {note.at}", roles=("text",), layer=3)
    yield Label(
        (x, y + side * 0.42), note.words, 0.3, id=f"words {note.at}", roles=(role,), layer=4
    )
