"""Takuzu as a `PuzzleType`: a complete puzzle in one file, to read and copy.

Fill the grid with 0s and 1s: never three equal digits side by side, as many 0s as 1s in every row
and every column, and no two rows or columns alike.

>>> puzzle, drawn = PUZZLE.read(PUZZLE.default)
>>> PUZZLE.solve(puzzle, None).status
'unique'
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence

from plywise import Parameter, PuzzleType
from plywise.core.puzzle import Mark, Marks, NewPuzzle, Size, States, Verdict
from plywise.core.scene import Label, Line, Polygon, Role, Scene, Shape, Target
from plywise.errors import InvalidPosition, SpecError

Grid = tuple[str, ...]  #: rows of "0", "1" and "." for an empty cell

DEFAULT = "..1.1.\n.1....\n.1.1..\n.....0\n0..1..\n.0..0."
MARGIN = 0.7  #: the space around the grid
LARGEST = 12  #: the most rows


def read(text: str) -> tuple[Grid, States]:
    """Read a puzzle: rows on separate lines, or with '/' between them."""
    rows = tuple(text.strip().removeprefix("takuzu/").replace("/", "\n").split())
    size = len(rows)
    if size % 2 or not 2 <= size <= LARGEST:
        raise InvalidPosition(f"{size} rows; expected an even number from 2 to {LARGEST}")
    for number, row in enumerate(rows, 1):
        if len(row) != size or set(row) - set("01."):
            raise InvalidPosition(
                f"row {number} is {row!r}; expected {size} characters, each '0', '1' or '.'"
            )
    return rows, bytes(sum(row.count(".") for row in rows))


def cells(puzzle: Grid) -> list[tuple[int, int]]:
    """The empty cells, row by row."""
    size = len(puzzle)
    return [(row, col) for row in range(size) for col in range(size) if puzzle[row][col] == "."]


def places(puzzle: Grid) -> Sequence[str]:
    """The names of the empty cells: columns are letters, row 1 is at the top."""
    return [f"{chr(97 + col)}{row + 1}" for row, col in cells(puzzle)]


def filled(puzzle: Grid, states: States) -> list[list[str]]:
    """The grid with the digits written in."""
    grid = [list(row) for row in puzzle]
    for (row, col), state in zip(cells(puzzle), states, strict=True):
        grid[row][col] = ".01"[state]
    return grid


def lines(grid: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the name and the digits of every row and column."""
    for number, row in enumerate(grid, 1):
        yield f"row {number}", "".join(row)
    for number, column in enumerate(zip(*grid, strict=True)):
        yield f"column {chr(97 + number)}", "".join(column)


def broken(name: str, line: str) -> str | None:
    """What is wrong with one row or column, full or not; None if it is right so far."""
    if "000" in line or "111" in line:
        return f"{name} has three equal digits side by side"
    for digit in "01":
        if line.count(digit) > len(line) // 2:
            return f"{name} has more than {len(line) // 2} {digit}s"
    return None


def fault(puzzle: Grid, states: States) -> str | None:
    """Why this is not a solution; None if it is one."""
    grid = filled(puzzle, states)
    for name, line in lines(grid):
        if (wrong := broken(name, line)) is not None:
            return wrong
        if "." in line:
            return f"{name} is not full"
    for kind in (grid, list(zip(*grid, strict=True))):
        if len({tuple(line) for line in kind}) < len(kind):
            return "two rows or two columns are alike"
    return None


def solutions(
    puzzle: Grid, seconds: float | None = None, rng: random.Random | None = None
) -> Iterator[States]:
    """Yield every solution, by plain backtracking; TimeoutError when the time is up."""
    deadline = None if seconds is None else time.monotonic() + seconds
    empty = cells(puzzle)
    grid = filled(puzzle, bytes(len(empty)))
    states = bytearray(len(empty))

    def fits(row: int, col: int) -> bool:
        column = "".join(line[col] for line in grid)
        return broken("", "".join(grid[row])) is None and broken("", column) is None

    def place(at: int) -> Iterator[States]:
        if deadline is not None and time.monotonic() > deadline:
            raise TimeoutError
        if at == len(empty):
            if fault(puzzle, bytes(states)) is None:
                yield bytes(states)
            return
        row, col = empty[at]
        for state in (1, 2) if rng is None else rng.sample((1, 2), 2):
            grid[row][col], states[at] = ".01"[state], state
            if fits(row, col):
                yield from place(at + 1)
        grid[row][col], states[at] = ".", 0

    yield from place(0)


def solve(puzzle: Grid, seconds: float | None) -> Verdict:
    """Find out how many solutions there are, and one of them."""
    found: list[States] = []
    try:
        for solution in solutions(puzzle, seconds):
            found.append(solution)
            if len(found) == 2:
                return Verdict("several", found[0])
    except TimeoutError:
        return Verdict("unknown", found[0] if found else None)
    return Verdict("unique", found[0]) if found else Verdict("none")


def generate(seed: int, seconds: float | None, *, size: int) -> NewPuzzle:
    """Make a random solution, and remove digits while it is the only one."""
    if size % 2:
        raise SpecError(f"size {size} is odd: a grid has an even number of rows")
    rng = random.Random(seed)
    until = None if seconds is None else time.monotonic() + seconds
    blank: Grid = ("." * size,) * size
    solution = filled(blank, next(solutions(blank, seconds, rng)))
    order = cells(blank)
    rng.shuffle(order)
    for row, col in order:
        kept, solution[row][col] = solution[row][col], "."
        left = None if until is None else until - time.monotonic()
        if solve(tuple("".join(line) for line in solution), left).status != "unique":
            solution[row][col] = kept
    return NewPuzzle(tuple("".join(line) for line in solution))


def digit(row: int, col: int, text: str, name: str, role: Role) -> Label:
    """Draw a digit in its cell; the player's digits are coloured."""
    at = MARGIN + col + 0.5, MARGIN + row + 0.5
    owner = None if role == "text" else 1
    return Label(at, text, 0.6, id=name, roles=(role,), layer=3, owner=owner, glyph=text)


def ruling(size: int) -> Iterator[Shape]:
    """Draw the lines between the cells."""
    near, far = MARGIN, MARGIN + size
    for k in range(size + 1):
        at = MARGIN + k
        yield Line((at, near), (at, far), 0.04, id=f"down {k}", roles=("grid",), layer=2)
        yield Line((near, at), (far, at), 0.04, id=f"across {k}", roles=("grid",), layer=2)


def scene(puzzle: Grid, states: States, marks: Marks) -> Scene:
    """Draw the grid with the given digits and the player's."""
    size, names = len(puzzle), list(places(puzzle))
    shapes: list[Shape] = []
    targets: list[Target] = []
    empty = {cell: number for number, cell in enumerate(cells(puzzle))}
    for row in range(size):
        for col in range(size):
            x, y = MARGIN + col, MARGIN + row
            corners = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
            number = empty.get((row, col))
            marked = number in marks.wrong or number in marks.new
            roles: tuple[Role, ...] = ("threat",) if number in marks.wrong else ("cell",)
            name = f"cell {chr(97 + col)}{row + 1}"
            glyph = "." if number is not None and not states[number] else ""
            shapes.append(Polygon(corners, 0.08, id=name, roles=roles, glyph=glyph))
            if number is None:
                shapes.append(digit(row, col, puzzle[row][col], f"given {row} {col}", "text"))
                continue
            targets.append(Target(names[number], (name,), (x + 0.5, y + 0.5)))
            if states[number]:
                role: Role = "best" if marked else "detail"
                text = "01"[states[number] - 1]
                shapes.append(digit(row, col, text, f"digit {names[number]}", role))
    coordinates = tuple(
        Label(at, text, 0.3, id=f"label {text}", roles=("coordinate",))
        for k in range(size)
        for at, text in (
            ((MARGIN + k + 0.5, MARGIN / 2), chr(97 + k)),
            ((MARGIN / 2, MARGIN + k + 0.5), str(k + 1)),
        )
    )
    shapes += ruling(size)
    text = "\n".join(" ".join(row) for row in filled(puzzle, states))
    return Scene(
        f"Takuzu {size} x {size}",
        text.replace("\n", "/"),
        text,
        size=(size + 2 * MARGIN, size + 2 * MARGIN),
        shapes=tuple(shapes),
        coordinates=coordinates,
        targets=tuple(targets),
    )


PUZZLE = PuzzleType(
    name="takuzu",
    summary="Fill the grid with 0s and 1s, never three of a kind side by side.",
    rules=(
        "Fill every cell with 0 or 1, never three equal digits side by side.",
        "Every row and every column has as many 0s as 1s.",
        "No two rows and no two columns are alike.",
    ),
    done="Every cell is right",
    default=DEFAULT,
    formats="Rows of '0', '1' and '.' (an empty cell).",
    read=read,
    identify=lambda puzzle: "takuzu/" + "/".join(puzzle),
    size=lambda puzzle: Size(len(puzzle), len(puzzle)),
    marks=(Mark("0", "0"), Mark("1", "1")),
    places=places,
    fault=fault,
    solve=solve,
    scene=scene,
    parameters=(Parameter("size", 6, "rows and columns", low=2, high=8),),
    generate=generate,
)
