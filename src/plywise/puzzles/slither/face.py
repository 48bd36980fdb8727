"""The board in a terminal, and how the arrow keys move on it."""

from __future__ import annotations

from collections.abc import Iterator

from plywise.core.puzzle import Marks, Span, States
from plywise.core.scene import Role
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN, Puzzle

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
        return Span(letters[state], _role(number, state, marks), 1, place=number)

    for row in range(puzzle.rows + 1):
        spans = [Span(" " * margin + " ")]
        for col in range(puzzle.cols + 1):
            spans.append(_dot(puzzle, states, marks, row, col, unicode))
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
                spans.append(Span(letter, _clue_role(cell, marks), ground=_ground(cell, marks)))
        yield spans


def _role(line: int, state: int, marks: Marks) -> Role | None:
    if line in marks.new:
        return "best"
    if line in marks.because or line in marks.wrong:
        return "threat"
    roles: dict[int, Role | None] = {UNKNOWN: None, LINE: "stone", CROSS: "dead"}
    return roles[state]


def _clue_role(cell: int, marks: Marks) -> Role:
    return "dead" if cell in marks.done else "threat" if cell in marks.broken else "text"


def _ground(cell: int, marks: Marks) -> tuple[Role, int | None] | None:
    """The background of a clue: highlighted by a hint, or coloured as inside or outside."""
    if cell in marks.cells:
        return "last", None
    return ("trail", marks.sides[cell]) if cell in marks.sides else None


def _dot(puzzle: Puzzle, states: States, marks: Marks, row: int, col: int, unicode: bool) -> Span:
    dot = row * (puzzle.cols + 1) + col
    joint = 0
    for k, line in enumerate(puzzle.layout.dot_lines[dot]):
        if line >= 0 and states[line] == LINE:
            joint |= 1 << k
    letter = _JOINTS[joint] if unicode else "+"
    if dot in marks.dots:
        return Span(letter, "threat", circled=True)
    return Span(letter, "stone" if joint else "dead", 1)


def step(puzzle: Puzzle, pointer: str, key: str) -> str:
    """The line that a key leads to.

    An arrow goes to the same side of the next cell, Tab to the next side of this one.
    """
    row, col, side = pointer.split()
    if key in ("tab", "backtab"):
        sides = "trbl" if key == "tab" else "tlbr"
        return f"{row} {col} {sides[(sides.index(side) + 1) % 4]}"
    down, right = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}.get(key, (0, 0))
    goal = int(row) + down, int(col) + right
    if 1 <= goal[0] <= puzzle.rows and 1 <= goal[1] <= puzzle.cols:
        return f"{goal[0]} {goal[1]} {side}"
    # In the last cell an arrow goes on to its outer side.
    outer = {"up": "t", "down": "b", "left": "l", "right": "r"}.get(key, side)
    return f"{row} {col} {outer if {side, outer} in ({'t', 'b'}, {'l', 'r'}) else side}"
