"""Draw a puzzle: dots, clues, lines and crosses; as a Scene, and in a terminal.

Layers of the Scene: 0 tinted cells, 1 marked cells, 2 dots and crosses, 3 lines, 4 new or wrong
lines, 5 clues, 6 click targets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from plywise.core.puzzle import NO_MARKS, Marks, Span, States, around
from plywise.core.puzzle import Circle as Round
from plywise.core.scene import (
    Circle,
    Label,
    Line,
    Path,
    Point,
    Polygon,
    Role,
    Scene,
    Shape,
    Target,
    rectangle,
)
from plywise.kit.window import LETTER
from plywise.kit.words import counted
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN, Drawing, Puzzle

MARGIN = 0.85  #: the space around the grid, for coordinates
DOT = 0.055  #: the radius of a dot
PEN = 0.11  #: the width of a line
CLUE = 0.56  #: the height of a clue
ARM = 0.09  #: half of a cross


def scene(drawing: Drawing, marks: Marks = NO_MARKS, *, clicks: bool = False) -> Scene:
    """Draw the puzzle with its lines and crosses; `clicks` adds a target for each line."""
    puzzle = drawing.puzzle
    shapes: list[Shape] = [
        *_cells(puzzle, marks),
        *_dots(puzzle),
        *_rings(puzzle, marks),
        *_lines(drawing, marks),
        *_clues(drawing, marks),
    ]
    targets: list[Target] = []
    if clicks:
        for line in range(puzzle.lines):
            start, end = _ends(puzzle, line)
            at = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
            name = f"area {puzzle.move_name(line)}"
            shapes.append(Polygon(_diamond(start, end), id=name, roles=("area",), layer=6))
            targets.append(Target(puzzle.move_name(line), (name,), at, 0.3))
    spoken = ", ".join(drawing.moves) or "none yet"
    state = "solved" if drawing.solved else f"{counted(len(drawing.lines), 'line')} drawn"
    return Scene(
        f"Slither {puzzle.rows} x {puzzle.cols}, {state}",
        f"Clues {str(puzzle).replace(chr(10), '/')}. Lines: {spoken}",
        text(drawing),
        size=(puzzle.cols + 2 * MARGIN, puzzle.rows + 2 * MARGIN),
        shapes=tuple(shapes),
        coordinates=tuple(_coordinates(puzzle)),
        targets=tuple(targets),
    )


def text(drawing: Drawing) -> str:
    """The board in ASCII, with row and column numbers.

    >>> puzzle = Puzzle(1, 2, (3, NO_CLUE))
    >>> print(text(Drawing.empty(puzzle).change([(0, LINE), (1, CROSS), (4, LINE)])))
        1   2
      +---+ x +
    1 | 3
      +   +   +
    """
    lines = rows(drawing.puzzle, drawing.states, NO_MARKS, unicode=False)
    return "\n".join("".join(span.text for span in spans).rstrip() for spans in lines)


def _at(puzzle: Puzzle, dot: int) -> Point:
    row, col = divmod(dot, puzzle.cols + 1)
    return MARGIN + col, MARGIN + row


def _ends(puzzle: Puzzle, line: int) -> tuple[Point, Point]:
    # Not from `layout`: a picture asks for thousands of lines, and this is ten times as fast.
    across = (puzzle.rows + 1) * puzzle.cols
    if line < across:
        row, col = divmod(line, puzzle.cols)
        return (MARGIN + col, MARGIN + row), (MARGIN + (col + 1), MARGIN + row)
    row, col = divmod(line - across, puzzle.cols + 1)
    return (MARGIN + col, MARGIN + row), (MARGIN + col, MARGIN + (row + 1))


def _diamond(start: Point, end: Point) -> tuple[Point, ...]:
    """The part of the board that is nearer to this line than to any other."""
    (x1, y1), (x2, y2) = start, end
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    across, down = (y2 - y1) / 2, (x2 - x1) / 2
    return start, (x + across, y + down), end, (x - across, y - down)


def _cells(puzzle: Puzzle, marks: Marks) -> Iterable[Shape]:
    for cell in sorted({*marks.sides, *marks.cells}):
        row, col = divmod(cell, puzzle.cols)
        corners = rectangle(MARGIN + col, MARGIN + row, MARGIN + col + 1, MARGIN + row + 1)
        if cell in marks.sides:
            owner = marks.sides[cell]
            name, shade = f"side {row + 1} {col + 1}", 0.55
            yield Polygon(corners, id=name, roles=("trail",), layer=0, owner=owner, shade=shade)
        if cell in marks.cells:
            inner = rectangle(*corners[0], *corners[2], -0.08)
            yield Polygon(inner, 0.12, id=f"cell {row + 1} {col + 1}", roles=("last",), layer=1)


def _dots(puzzle: Puzzle) -> Iterable[Shape]:
    for dot in range((puzzle.rows + 1) * (puzzle.cols + 1)):
        row, col = divmod(dot, puzzle.cols + 1)
        name = f"dot {row + 1} {col + 1}"
        yield Circle(_at(puzzle, dot), DOT, id=name, roles=("text",), layer=2)


def _rings(puzzle: Puzzle, marks: Marks) -> Iterable[Shape]:
    for dot in sorted(marks.dots):
        row, col = divmod(dot, puzzle.cols + 1)
        name = f"ring {row + 1} {col + 1}"
        yield Circle(_at(puzzle, dot), 0.2, 0.05, id=name, roles=("threat",), layer=4)


def _lines(drawing: Drawing, marks: Marks) -> Iterable[Shape]:
    for line, state in enumerate(drawing.states):
        role = _role_of(line, state, marks)
        if state != UNKNOWN and role is not None:
            layer = 4 if role in ("best", "threat") else 3 if state == LINE else 2
            yield _stroke(drawing.puzzle, line, state, role, layer)


def _stroke(puzzle: Puzzle, line: int, state: int, role: Role, layer: int) -> Shape:
    """Draw a line or a cross."""
    start, end = _ends(puzzle, line)
    name = puzzle.move_name(line)
    if state == LINE:
        owner = 1 if role == "stone" else None
        return Line(start, end, PEN, id=f"line {name}", roles=(role,), layer=layer, owner=owner)
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    strokes = (
        ((x - ARM, y - ARM), (x + ARM, y + ARM)),
        ((x - ARM, y + ARM), (x + ARM, y - ARM)),
    )
    return Path(strokes, 0.045, id=f"cross {name}", roles=(role,), layer=layer)


def circle_round(puzzle: Puzzle, marks: Marks) -> Round | None:
    """A circle around the cells that a hint is about, or else its dots and lines."""
    points = [
        (MARGIN + cell % puzzle.cols + 0.5, MARGIN + cell // puzzle.cols + 0.5)
        for cell in marks.cells
    ]
    if not points:
        near = [int(dot) for line in marks.new for dot in puzzle.layout.line_dots[line]]
        points = [_at(puzzle, dot) for dot in marks.dots or near]
    return around(points)


def highlights(puzzle: Puzzle, marks: Marks) -> tuple[Shape, ...]:
    """Draw the cells, sides and dots that marks highlight, and nothing else."""
    return (*_cells(puzzle, marks), *_rings(puzzle, marks))


def clue_id(puzzle: Puzzle, cell: int) -> str:
    """Return the id of the clue of a cell."""
    row, col = divmod(cell, puzzle.cols)
    return f"clue {row + 1} {col + 1}"


def clue_role(clue: str, marks: Marks) -> Role:
    """Return how a clue is drawn: complete, impossible to meet, or neither."""
    return "dead" if clue in marks.done else "threat" if clue in marks.broken else "text"


def _clues(drawing: Drawing, marks: Marks) -> Iterable[Shape]:
    puzzle = drawing.puzzle
    for cell, clue in enumerate(puzzle.clues):
        if clue != NO_CLUE:
            row, col = divmod(cell, puzzle.cols)
            at = MARGIN + col + 0.5, MARGIN + row + 0.5
            name = clue_id(puzzle, cell)
            yield Label(at, str(clue), CLUE, id=name, roles=(clue_role(name, marks),), layer=5)


def _coordinates(puzzle: Puzzle) -> Iterable[Label]:
    for col in range(puzzle.cols):
        name = f"column label {col + 1}"
        at = MARGIN + col + 0.5, MARGIN / 2 - 0.05
        yield Label(at, str(col + 1), LETTER, id=name, roles=("coordinate",))
    for row in range(puzzle.rows):
        name = f"row label {row + 1}"
        at = MARGIN / 2 - 0.05, MARGIN + row + 0.5
        yield Label(at, str(row + 1), LETTER, id=name, roles=("coordinate",))


# ---- in a terminal -----------------------------------------------------------------------------

#: The character for a dot, indexed by the lines that meet there: 1 up, 2 down, 4 left, 8 right.
_JOINTS = "·╹╻┃╸┛┓┫╺┗┏┣━┻┳╋"
_STROKES = (
    ("━━━", "┃", "\N{BOX DRAWINGS LIGHT DIAGONAL CROSS}"),
    ("---", "|", "x"),
)  #: horizontal line, vertical line, cross; with and without Unicode


def rows(puzzle: Puzzle, states: States, marks: Marks, unicode: bool) -> Iterator[list[Span]]:
    """The grid with its row and column numbers, line by line."""
    across, down, cross = _STROKES[0 if unicode else 1]
    margin = len(str(puzzle.rows))
    numbers = "".join(str(col + 1).center(4) for col in range(puzzle.cols))
    yield [Span(f"{' ' * margin}  {numbers}".rstrip(), "coordinate")]

    def line(number: int, letters: tuple[str, str, str]) -> Span:
        state = states[number]
        return Span(letters[state], _role_of(number, state, marks), 1, place=number)

    for row in range(puzzle.rows + 1):
        spans = [Span(" " * margin + " ")]
        for col in range(puzzle.cols + 1):
            spans.append(_joint(puzzle, states, marks, row, col, unicode))
            if col < puzzle.cols:
                spans.append(line(puzzle.across(row, col), ("   ", across, f" {cross} ")))
        yield spans
        if row == puzzle.rows:
            return
        spans = [Span(f"{row + 1:>{margin}}", "coordinate"), Span(" ")]
        for col in range(puzzle.cols + 1):
            spans.append(line(puzzle.down(row, col), (" ", down, cross)))
            if col < puzzle.cols:
                cell = row * puzzle.cols + col
                clue = puzzle.clues[cell]
                letter = "   " if clue == NO_CLUE else f" {clue} "
                role = clue_role(clue_id(puzzle, cell), marks)
                spans.append(Span(letter, role, ground=_ground(cell, marks)))
        yield spans


def _role_of(line: int, state: int, marks: Marks) -> Role | None:
    if line in marks.new:
        return "best"
    if line in marks.because or line in marks.wrong:
        return "threat"
    roles: dict[int, Role | None] = {UNKNOWN: None, LINE: "stone", CROSS: "dead"}
    return roles[state]


def _ground(cell: int, marks: Marks) -> tuple[Role, int | None] | None:
    """The background of a clue: highlighted by a hint, or coloured as inside or outside."""
    if cell in marks.cells:
        return "last", None
    return ("trail", marks.sides[cell]) if cell in marks.sides else None


def _joint(puzzle: Puzzle, states: States, marks: Marks, row: int, col: int, unicode: bool) -> Span:
    dot = row * (puzzle.cols + 1) + col
    joint = 0
    for k, line in enumerate(puzzle.layout.dot_lines[dot]):
        if line >= 0 and states[line] == LINE:
            joint |= 1 << k
    letter = _JOINTS[joint] if unicode else "+"
    if dot in marks.dots:
        return Span(letter, "threat", circled=True)
    return Span(letter, "stone" if joint else "dead", 1)
