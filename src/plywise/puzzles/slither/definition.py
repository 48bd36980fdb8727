"""Slither as a `PuzzleType`, for the terminal, the web page and the command line."""

from __future__ import annotations

from plywise.core.puzzle import (
    Mark,
    Marks,
    NewPuzzle,
    Puzzle,
    PuzzleType,
    Size,
    States,
    Verdict,
)
from plywise.core.scene import Point, Scene
from plywise.core.spec import Parameter
from plywise.puzzles.slither import formats, generator, hints, scene
from plywise.puzzles.slither.grid import Drawing
from plywise.puzzles.slither.logic.table import GRADES
from plywise.puzzles.slither.places import place_words
from plywise.puzzles.slither.solver import engine as solver

LARGEST = 40  #: the longest side of a new puzzle


def read(text: str) -> tuple[Puzzle, States]:
    """Read a puzzle in any format, with what is drawn on it."""
    drawing = formats.read_drawing(text)
    return drawing.puzzle, drawing.states


def identify(puzzle: Puzzle) -> str:
    """The puzzle in one word, for links and files: `slither/5/5/h7023722b8178cg`."""
    return formats.write(puzzle, "puzzlink").strip().partition("?")[2]


def solve(puzzle: Puzzle, seconds: float | None) -> Verdict:
    """Find out how many solutions there are, and one of them."""
    found = solver.solve(puzzle, time_limit=seconds)
    solution = None if found.solution is None else found.solution.states
    return Verdict(found.status, solution, found.seconds)


def picture(puzzle: Puzzle, states: States, marks: Marks) -> Scene:
    """The board with what is drawn, and an area to click for each line."""
    return scene.scene(Drawing(puzzle, states), marks, clicks=True)


def middle(puzzle: Puzzle, place: int) -> Point:
    """The middle of the cell that the line is named after."""
    row, col, _ = puzzle.move_name(place).split()
    return scene.MARGIN + int(col) - 0.5, scene.MARGIN + int(row) - 0.5


def generate(
    seed: int, seconds: float | None, *, rows: int, cols: int, grade: str, symmetry: str
) -> NewPuzzle:
    """Make a puzzle with exactly one solution."""
    wish = generator.Wish(rows, cols, None if grade == "any" else grade, symmetry)
    made = generator.generate(wish, seed, time_limit=seconds)
    return NewPuzzle(made.puzzle, made.grade.name)


PUZZLE = PuzzleType(
    name="slither",
    summary="Draw one closed loop between the dots; a clue counts the lines around its cell.",
    rules=(
        "Join the dots with lines to make one closed loop, without crossings or branches.",
        "A clue says how many of the four lines around its cell are part of the loop.",
        "A cross is a note: there is no line here.",
    ),
    done="The loop is right",
    default=formats.DEFAULT,
    formats="Rows of clues and dots, a puzz.link address, a Loopy ID, Lisp lists or a pzprv3 file.",
    read=read,
    identify=identify,
    size=lambda puzzle: Size(puzzle.rows, puzzle.cols, puzzle.clue_count),
    marks=(Mark("a line", many="lines"), Mark("a cross", "x")),
    places=lambda puzzle: puzzle.move_names,
    notation="A line is named by a cell and a side: 2 1 t is the top of the cell in row 2, column "
    "1; b, l and r are bottom, left and right.",
    read_place=lambda puzzle, text: puzzle.read_move(text),
    place_words=place_words,
    fault=lambda puzzle, states: Drawing(puzzle, states).fault,
    solve=solve,
    scene=picture,
    middle=middle,
    rows=scene.rows,
    progress=hints.progress,
    sides="inside and outside",
    check=hints.check,
    hint=hints.hint,
    explain=hints.film,
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
    daily={
        "5 x 5": {"rows": 5, "cols": 5, "grade": "easy"},
        "7 x 7": {"rows": 7, "cols": 7, "grade": "normal"},
        "10 x 10": {"rows": 10, "cols": 10, "grade": "normal"},
        "15 x 15": {"rows": 15, "cols": 15, "grade": "normal"},
        "20 x 20": {"rows": 20, "cols": 20, "grade": "tricky"},
    },
)
