"""The board in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from plywise.core.puzzle import Marks, Span, States
from plywise.core.scene import Role
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, UNKNOWN, Puzzle
from plywise.puzzles.slither.scene import clue_id, clue_role

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
                role = clue_role(clue_id(puzzle, cell), marks)
                spans.append(Span(letter, role, ground=_ground(cell, marks)))
        yield spans


def _role(line: int, state: int, marks: Marks) -> Role | None:
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
