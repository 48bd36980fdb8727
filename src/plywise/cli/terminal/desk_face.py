"""What a person sees of a puzzle: the grid, the clock, what was said, what is typed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plywise.cli.terminal.desk import Desk, clock, help_lines
from plywise.cli.terminal.paper import Ink, cut, offset, width, wrap
from plywise.puzzles.slither.grid import CROSS, LINE, NO_CLUE, Drawing
from plywise.puzzles.slither.scene import NO_MARKS, Marks
from plywise.views.text import Terminal
from plywise.views.theme import find_theme

#: A dot by the lines that meet there: 1 up, 2 down, 4 left, 8 right.
_JOINTS = "·╹╻┃╸┛┓┫╺┗┏┣━┻┳╋"
_STROKES = (
    ("━━━", "┃", "\N{BOX DRAWINGS LIGHT DIAGONAL CROSS}"),
    ("---", "|", "x"),
)  #: across, down, a cross; with and without Unicode


@dataclass
class Showing:
    """What is on the screen besides the puzzle itself."""

    typed: str = ""
    pointer: str = "1 1 t"  #: the side of a cell that is pointed at
    message: tuple[str, ...] = ()
    wrong: bool = False  #: the message is a complaint
    help: bool = False

    def say(self, *lines: str, wrong: bool = False) -> None:
        """Put a message in place of the last."""
        self.message, self.wrong = lines, wrong


def frame(desk: Desk, showing: Showing, place: Terminal, theme: str) -> list[str]:
    """The whole screen, line by line."""
    ink, columns, rows = Ink(place.colours), place.width or 80, place.height or 24
    puzzle = desk.attempt.puzzle
    title = ink(f"Slither {puzzle.rows} x {puzzle.cols}", "bold")
    title += ink(f"  {clock(desk.seconds)}  {len(desk.attempt.drawing.lines)} lines", "dim")
    if showing.help:
        words = ("arrows     point; Tab turns to the next side", "Enter      line, cross, nothing")
        lines = [
            *words,
            "x          a cross where you point",
            *help_lines(),
            "",
            "any key goes back",
        ]
        return [cut(line, columns) for line in (title, "", *lines)]
    style = "red" if showing.wrong else "bold" if desk.attempt.solved else "green"
    said = [ink(line, style) for line in wrap(showing.message, columns)][: max(1, rows // 3)]
    pointer = puzzle.read_move(showing.pointer)
    grid = list(board(desk.shown, desk.marks, place, theme, pointer))
    grid = _crop(grid, desk.attempt.drawing, pointer, columns, rows - 4 - len(said))
    if showing.typed:
        prompt = f"> {showing.typed[-(columns - 4) :]}{ink(' ', 'reverse')}"
    else:
        keys = "arrows, Tab, Enter, x, or type 2 1 t; check, hint, undo, help, quit"
        prompt = "> " + ink(cut(keys, columns - 2), "dim")
    return [cut(title, columns), "", *grid, "", *said, prompt]


def _crop(grid: list[str], drawing: Drawing, pointer: int, columns: int, rows: int) -> list[str]:
    """What fits of a grid larger than the screen: around the pointer."""
    puzzle = drawing.puzzle
    row, col = divmod(int(puzzle.layout.line_dots[pointer][0]), puzzle.cols + 1)
    if len(grid) > rows:
        top = offset(len(grid), rows, row / (puzzle.rows + 1))
        grid = grid[top : top + rows]
    whole = max(map(width, grid), default=0)
    if whole > columns:
        left = offset(whole, columns, col / (puzzle.cols + 1))
        grid = [cut(line, columns, left) for line in grid]
    return grid


def board(
    drawing: Drawing,
    marks: Marks = NO_MARKS,
    place: Terminal | None = None,
    theme: str = "light",
    pointer: int | None = None,
) -> Iterator[str]:
    """The grid, line by line, in colours where there are any."""
    place = place or Terminal()
    ink, puzzle = Ink(place.colours), drawing.puzzle
    styles = _styles(drawing, marks, theme, pointer)
    across, down, cross = _STROKES[0 if place.unicode else 1]
    grounds = _grounds(marks, theme)
    margin = len(str(puzzle.rows))
    numbers = "".join(str(col + 1).center(4) for col in range(puzzle.cols))
    yield ink(f"{' ' * margin}  {numbers}".rstrip(), "dim")
    for row in range(puzzle.rows + 1):
        text = " " * margin + " "
        for col in range(puzzle.cols + 1):
            text += _dot(drawing, marks, row, col, place.unicode, ink, theme)
            if col < puzzle.cols:
                line = puzzle.across(row, col)
                text += ink(("   ", across, f" {cross} ")[drawing.states[line]], styles[line])
        yield text.rstrip()
        if row == puzzle.rows:
            return
        text = ink(f"{row + 1:>{margin}}", "dim") + " "
        for col in range(puzzle.cols + 1):
            line = puzzle.down(row, col)
            text += ink((" ", down, cross)[drawing.states[line]], styles[line])
            if col < puzzle.cols:
                cell = row * puzzle.cols + col
                clue = puzzle.clues[cell]
                letter = "   " if clue == NO_CLUE else f" {clue} "
                text += ink(letter, f"bold{grounds.get(cell, '')}")
        yield text.rstrip()


def _styles(drawing: Drawing, marks: Marks, theme: str, pointer: int | None) -> list[str]:
    """How each line is written."""
    colours = find_theme(theme)
    usual = {LINE: f"bold {colours.palettes['ink'].players[1].ink}", CROSS: "dim"}
    styles = [usual.get(state, "default") for state in drawing.states]
    for lines, colour in ((marks.because | marks.wrong, colours.threat), (marks.new, colours.best)):
        for line in lines:
            styles[line] = f"bold {colour}"
    if pointer is not None:
        styles[pointer] = f"{styles[pointer]} reverse"
    return styles


def _grounds(marks: Marks, theme: str) -> Mapping[int, str]:
    """What stands behind the clues: the side of a cell, or that it is looked at."""
    ink = find_theme(theme).palettes["ink"]
    sides = {cell: f" on {ink.players[owner].trail}" for cell, owner in marks.sides.items()}
    return {**sides, **dict.fromkeys(marks.cells, f" on {ink.last}")}


def _dot(
    drawing: Drawing, marks: Marks, row: int, col: int, unicode: bool, ink: Ink, theme: str
) -> str:
    dot = row * (drawing.puzzle.cols + 1) + col
    joint = 0
    for k, line in enumerate(drawing.puzzle.layout.dot_lines[dot]):
        if line >= 0 and drawing.states[line] == LINE:
            joint |= 1 << k
    letter = _JOINTS[joint] if unicode else "+"
    colours = find_theme(theme)
    style = f"bold {colours.palettes['ink'].players[1].ink}" if joint else "dim"
    return ink(letter, f"bold {colours.threat} reverse" if dot in marks.dots else style)
