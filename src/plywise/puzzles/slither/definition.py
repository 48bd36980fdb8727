"""Slither as a `PuzzleType`, for the terminal, the web page and the command line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from plywise.core.puzzle import (
    Check,
    Circle,
    Made,
    Mark,
    Marks,
    Puzzle,
    PuzzleHint,
    PuzzleType,
    States,
    Verdict,
)
from plywise.core.scene import Point, Scene, Shape
from plywise.core.spec import Parameter
from plywise.kit.words import counted
from plywise.puzzles.slither import face, formats, generator, hints, page, scene, warming
from plywise.puzzles.slither.grid import Drawing
from plywise.puzzles.slither.logic.table import GRADES
from plywise.puzzles.slither.places import place_words
from plywise.puzzles.slither.solver import engine as solver

#: The formats by the names that players know.
NAMES = {
    "puzz.link": "puzzlink",
    "Rows of clues": "text",
    "Loopy ID": "loopy",
    "puzzle-loop.com task": "task",
    "pzprv3, with what is drawn": "pzprv3",
    "Lisp lists": "lisp",
}
LARGEST = 40  #: the longest side of a new puzzle
#: The solution of the default puzzle, once around the loop.
LOOP = (
    "1 1 t, 1 2 t, 1 3 t, 1 4 l, 2 4 t, 2 5 l, 3 5 t, 3 5 r, 4 5 t, 4 5 l, 5 5 t, 5 5 r, 5 5 b, "
    "5 4 b, 5 3 b, 5 3 l, 5 3 t, 4 4 l, 3 4 l, 3 3 t, 2 3 l, 2 2 t, 2 2 l, 3 2 l, 4 2 l, 5 2 l, "
    "5 1 b, 5 1 l, 4 1 l, 3 1 l, 2 1 l, 1 1 l"
)


def read(text: str) -> tuple[Puzzle, States]:
    """Read a puzzle in any format, with what is drawn on it."""
    drawing = formats.read_drawing(text)
    return drawing.puzzle, drawing.states


def identify(puzzle: Puzzle) -> str:
    """The puzzle in one word, for links and files: `slither/5/5/h7023722b8178cg`."""
    return formats.write(puzzle, "puzzlink").strip().partition("?")[2]


def places(puzzle: Puzzle) -> Sequence[str]:
    """The names of all lines."""
    names: Sequence[str] = puzzle.move_names
    return names


def solve(puzzle: Puzzle, seconds: float | None) -> Verdict:
    """Find out how many solutions there are, and one of them."""
    found = solver.solve(puzzle, time_limit=seconds)
    solution = None if found.solution is None else found.solution.states
    return Verdict(found.status, solution, found.seconds)


def write(format: str, puzzle: Puzzle, states: States) -> str:
    """Write a puzzle in one of the formats."""
    return formats.write(Drawing(puzzle, states), format).rstrip("\n")


def draw(puzzle: Puzzle, place: int, state: int) -> Sequence[Shape]:
    """Draw a line or a cross."""
    return tuple(scene.stroke(puzzle, place, state))


def picture(puzzle: Puzzle, states: States, marks: Marks) -> Scene:
    """The board with what is drawn, and an area to click for each line."""
    return scene.scene(Drawing(puzzle, states), marks, clicks=True)


def check(puzzle: Puzzle, states: States) -> Check:
    """Check whether everything drawn so far is right."""
    return hints.check(Drawing(puzzle, states))


def hint(puzzle: Puzzle, states: States, seconds: float | None) -> PuzzleHint:
    """The first mistake, or where to look, by which technique, and the next move."""
    found = hints.hint(Drawing(puzzle, states), time_limit=seconds)
    step = found.kind == "step"
    changes = tuple(
        (line, found.drawing.states[line] if step else 0)
        for line in sorted(found.marks.new if step else found.marks.wrong)
    )
    circle: Circle | None = scene.circle_round(puzzle, found.marks)
    return PuzzleHint(found.kind, tuple(found.lines()), changes, found.marks, circle)


def middle(puzzle: Puzzle, place: int) -> Point:
    """The middle of the cell that the line is named after."""
    row, col, _ = puzzle.move_name(place).split()
    return scene.MARGIN + int(col) - 0.5, scene.MARGIN + int(row) - 0.5


def generate(
    seed: int, seconds: float | None, *, rows: int, cols: int, grade: str, symmetry: str
) -> Made:
    """Make a puzzle with exactly one solution."""
    wish = generator.Wish(rows, cols, None if grade == "any" else grade, symmetry)
    made = generator.generate(wish, seed, time_limit=seconds)
    return Made(made.puzzle, made.grade.name)


class SlitherType(PuzzleType):
    """A puzzle whose marks are listed along the loop."""

    def order(self, puzzle: Puzzle, states: States) -> Sequence[int]:
        """Return the lines in the order of the path, then all other places."""
        path = Drawing(puzzle, states).path
        return (*path, *sorted({*range(len(states))}.difference(path)))


PUZZLE = SlitherType(
    name="slither",
    title="Slither",
    summary="Draw one closed loop between the dots; a clue counts the lines around its cell.",
    rules=(
        "Join the dots with lines to make one closed loop, without crossings or branches.",
        "A clue says how many of the four lines around its cell are part of the loop.",
        "A cross is a note: there is no line here.",
    ),
    notation="A line is named by a cell and a side: 2 1 t is the top of the cell in row 2, column "
    "1; b, l and r are bottom, left and right.",
    formats="Rows of clues and dots, a puzz.link address, a Loopy ID, Lisp lists or a pzprv3 file.",
    done="The loop is right",
    marks=(Mark("a line", many="lines"), Mark("a cross", "x")),
    default=formats.DEFAULT,
    read=read,
    identify=identify,
    places=places,
    read_place=lambda puzzle, text: puzzle.read_move(text),
    size=lambda puzzle: (puzzle.rows, puzzle.cols),
    facts=lambda puzzle: counted(puzzle.clue_count, "clue"),
    fault=lambda puzzle, states: Drawing(puzzle, states).fault,
    solve=solve,
    scene=picture,
    draw=draw,
    rows=face.rows,
    step=face.step,
    middle=middle,
    sample=LOOP,
    sides=lambda puzzle, states: Drawing(puzzle, states).sides,
    sides_words="inside and outside",
    progress=lambda puzzle, states: hints.progress(Drawing(puzzle, states)),
    clue_shape=scene.clue_shape,
    place_words=place_words,
    check=check,
    hint=hint,
    explain=page.film,
    writers={name: partial(write, format) for name, format in NAMES.items()},
    guide=Path(__file__).with_name("guide.md"),
    daily={
        "5 x 5": {"rows": 5, "cols": 5, "grade": "easy"},
        "7 x 7": {"rows": 7, "cols": 7, "grade": "normal"},
        "10 x 10": {"rows": 10, "cols": 10, "grade": "normal"},
        "15 x 15": {"rows": 15, "cols": 15, "grade": "normal"},
        "20 x 20": {"rows": 20, "cols": 20, "grade": "tricky"},
    },
    parameters=(
        Parameter("rows", 10, "rows", low=2, high=LARGEST),
        Parameter("cols", 10, "columns", low=2, high=LARGEST),
        Parameter("grade", "any", "how hard", choices=("any", *GRADES)),
        Parameter(
            "symmetry",
            "180",
            "of the clues: half turn, none, left-right mirror, both",
            choices=("180", "none", "mirror", "all"),
        ),
    ),
    generate=generate,
    warm=warming.tasks,
)
