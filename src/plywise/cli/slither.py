"""`slither solve`, `hint`, `generate`, `grade`, `convert`: the puzzle on the command line.

`slither play` is in `plywise.cli.slither_play`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import as_json, printing, progress
from plywise.cli.inputs import Json, Seconds
from plywise.cli.pictures import Png, Svg, Theme, write_pictures
from plywise.cli.slither_play import play

if TYPE_CHECKING:
    from plywise.puzzles.slither.grid import Drawing, Puzzle
    from plywise.puzzles.slither.solver import Result
    from plywise.puzzles.slither.steps import Step

app = typer.Typer(
    help="The Slither puzzle: `solve`, `hint`, `generate`, `grade`, `convert`, `play`.",
    rich_markup_mode=None,
)


@app.callback()
def _slither() -> None:
    """The Slither puzzle: solve, explain, hint, grade, generate."""


Source = Annotated[
    str | None,
    typer.Argument(
        metavar="PUZZLE",
        help="A file, '-' for stdin, or the puzzle itself as '..2.0/232.2/...', a puzz.link "
        "address or a Loopy ID; the report's own puzzle if there is none.",
        show_default=False,
    ),
]


def read_source(source: str | None) -> Drawing:
    """The puzzle that an argument names, with what is drawn on it."""
    from plywise.puzzles.slither.formats import DEFAULT, read_drawing

    if source is None:
        return read_drawing(DEFAULT)
    if source == "-":
        return read_drawing(sys.stdin.read())
    if Path(source).is_file():
        return read_drawing(_file_text(Path(source)))
    named = source.startswith(("./", "../", "~", "/")) or Path(source).suffix in (".txt", ".lisp")
    if named and not set(source) <= set("01234.-_?/ \n"):
        Path(source).read_text(encoding="utf-8")  # raises, with the name of the file
    return read_drawing(source)


def _file_text(file: Path) -> str:
    from plywise.errors import InvalidPosition

    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InvalidPosition(
            f"line 1, column {error.start + 1}: {file} is no text; expected a puzzle in UTF-8"
        ) from None


def solve(
    source: Source = None,
    time: Seconds = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="M",
            help="'dfs' is the report's path search, 'dfs-plus' the same with its two wishes.",
        ),
    ] = "full",
    explain: Annotated[
        bool, typer.Option("--explain", help="Print the steps to the solution, in words.")
    ] = False,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="F", help="Write a page that replays the steps."),
    ] = None,
    svg: Svg = None,
    png: Png = None,
    theme: Theme = "light",
    json: Json = False,
) -> Iterator[str]:
    """Solve a puzzle, and prove that it has one solution, several or none.

    Several: two of them, the lines that all have in common, and clues that would leave one. None:
    as few clues as it takes to contradict each other.
    """
    from plywise.puzzles.slither import solver
    from plywise.puzzles.slither.scene import scene
    from plywise.views.theme import find_theme

    find_theme(theme)
    puzzle = read_source(source).puzzle
    if method != "full":
        yield from _by_path(puzzle, method, time, json)
        return
    result = solver.solve(puzzle, time_limit=time)
    if json:
        found = _certified_json(result)
        yield as_json({**found, "steps": [_plain(s) for s in result.steps]} if explain else found)
    else:
        if explain:
            yield from _explained(result)
        yield from _verdict(result)
    if html is not None:
        from plywise.cli.slither_page import page

        told = page(puzzle, list(result.steps), f"{result.status} solution", theme)
        html.write_text(told, encoding="utf-8")
    shown = result.solution or result.forced
    write_pictures(scene(shown), svg, png, theme)


def _by_path(puzzle: Puzzle, method: str, time: float | None, json: bool) -> Iterator[str]:
    """The report's search: a solution, without a proof that it is the only one."""
    from plywise.errors import SpecError, suggest
    from plywise.puzzles.slither import path_search
    from plywise.puzzles.slither.scene import text

    if method not in path_search.METHODS:
        hint = suggest(method, [*path_search.METHODS, "full"])
        raise SpecError(f"there is no method {method!r}: {hint}")
    found = path_search.search(puzzle, method, time)
    moves = None if found.solution is None else list(found.solution.moves)
    if json:
        yield as_json(
            {
                "method": method,
                "moves": moves,
                "finished": found.finished,
                "steps": found.steps,
                "seconds": round(found.seconds, 6),
            }
        )
    elif found.solution is not None:
        yield text(found.solution)
        yield ""
        yield f"a solution after {found.steps:,} steps, in {1000 * found.seconds:.1f} ms"
        yield f"moves: {', '.join(moves or [])}"
    else:
        why = "no loop from there fits" if found.finished else "the time ran out"
        yield f"no solution after {found.steps:,} steps, in {found.seconds:.1f} s: {why}"


def _verdict(result: Result) -> Iterator[str]:
    from plywise.puzzles.slither.scene import text

    took = f"{1000 * result.seconds:.1f} ms"
    if result.status == "unique":
        assert result.solution is not None
        yield text(result.solution)
        yield ""
        yield f"one solution, and no other, in {took}"
        yield f"moves: {', '.join(result.solution.moves)}"
    elif result.status == "several":
        for number, solution in enumerate(result.solutions, 1):
            yield f"solution {number}:"
            yield text(solution)
            yield ""
        yield f"several solutions, two of them above, in {took}"
        forced = [state for state in result.forced.states if state]
        yield f"the same in all of them: {len(forced)} of {result.puzzle.lines} lines and crosses"
        clues = [
            f"a {clue} in {result.puzzle.cell_name(cell)}" for cell, clue in result.missing_clues
        ]
        if clues:
            yield f"only the first would be left with {' and '.join(clues)}"
        else:
            yield "no clues can tell the two apart"
    elif result.status == "none":
        assert result.contradiction is not None
        yield f"no solution, in {took}; these clues contradict each other, each of them needed:"
        yield text(type(result.forced).empty(result.contradiction))
    else:
        found = "a solution, perhaps not the only one" if result.solutions else "no solution yet"
        yield f"the time ran out: {found} after {result.conflicts:,} contradictions"


def _explained(result: Result) -> Iterator[str]:
    for number, step in enumerate(result.steps, 1):
        yield f"{number}. {step.technique.title}. {step.words}"
        for inner in step.chain:
            yield f"       {inner.words}{f' ({inner.conclusion})' if inner.conclusion else ''}"
        if step.conclusion:
            yield f"   -> {step.conclusion}"
    yield ""


def _plain(step: Step) -> dict[str, Any]:
    puzzle = step.before.puzzle
    return {
        "technique": step.technique.name,
        "words": step.words,
        "draw": [puzzle.move_name(line) for line, state in step.new if state == 1],
        "cross": [puzzle.move_name(line) for line, state in step.new if state == 2],
        "chain": [_plain(inner) for inner in step.chain],
    }


def _certified_json(result: Result) -> dict[str, Any]:
    from plywise.puzzles.slither.solver import as_json as plain

    found = plain(result)
    if result.status == "several":
        found["other_moves"] = list(result.solutions[1].moves)
        found["forced_moves"] = list(result.forced.moves)
        found["missing_clues"] = [
            {
                "row": cell // result.puzzle.cols + 1,
                "col": cell % result.puzzle.cols + 1,
                "clue": clue,
            }
            for cell, clue in result.missing_clues
        ]
    if result.contradiction is not None:
        found["contradiction"] = str(result.contradiction).replace("\n", "/")
    return found


def hint(
    source: Source = None,
    lines: Annotated[
        str, typer.Option("--lines", metavar="M", help="Lines drawn, as '1 1 t, 2 1 l'.")
    ] = "",
    crosses: Annotated[
        str, typer.Option("--crosses", metavar="M", help="Lines crossed out, in the same way.")
    ] = "",
    level: Annotated[
        int,
        typer.Option(
            "--level", metavar="N", min=1, max=3, help="1 where to look, 2 and how, 3 the move."
        ),
    ] = 3,
    svg: Svg = None,
    png: Png = None,
    theme: Theme = "light",
    json: Json = False,
) -> Iterator[str]:
    """A hint for a board as it is: the first mistake, or where to look, how, and the next move.

    What is drawn comes from a pzprv3 file or from --lines and --crosses.
    """
    from plywise.puzzles.slither import hints
    from plywise.puzzles.slither.grid import CROSS, LINE
    from plywise.puzzles.slither.scene import scene
    from plywise.views.theme import find_theme

    find_theme(theme)
    drawing = read_source(source)
    for moves, state in ((lines, LINE), (crosses, CROSS)):
        texts = [text for text in moves.replace(";", ",").split(",") if text.strip()]
        drawing = drawing.change((drawing.puzzle.read_move(text), state) for text in texts)
    found = hints.hint(drawing)
    if json:
        yield as_json(found.to_json())
    else:
        yield from found.lines(level)
    if level == 3:
        write_pictures(scene(found.drawing, found.marks), svg, png, theme)
    else:
        write_pictures(scene(drawing), svg, png, theme)


def grade(source: Source = None, json: Json = False) -> Iterator[str]:
    """How hard a puzzle is: the hardest technique it needs, and how often nothing cheaper helps."""
    from plywise.puzzles.slither.grading import grade as graded

    found = graded(read_source(source).puzzle)
    if json:
        yield as_json(found.to_json())
        return
    times = "once" if found.bottlenecks == 1 else f"{found.bottlenecks} times"
    yield f"{found.name}: {found.hardest.title.lower()}, where nothing cheaper helps {times}"
    for technique, uses in found.uses:
        yield f"  {uses:>4} x {technique.title.lower()}"


def generate(
    size: Annotated[str, typer.Argument(metavar="ROWSxCOLS", help="As 10x10 or 25x30.")] = "10x10",
    wanted: Annotated[
        str | None,
        typer.Option(
            "--grade",
            metavar="G",
            help="easy, normal, tricky, hard, expert, chains or extreme; any by default.",
        ),
    ] = None,
    symmetry: Annotated[
        str, typer.Option("--symmetry", metavar="S", help="Of the clues: none, 180, mirror, all.")
    ] = "180",
    clues: Annotated[
        str | None, typer.Option("--clues", metavar="A-B", help="How many clues, as 20-30.")
    ] = None,
    mask: Annotated[
        Path | None,
        typer.Option(
            "--mask", metavar="FILE", help="Which cells have a clue: rows of '.' for none."
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Another one, other puzzles.")
    ] = 1,
    count: Annotated[
        int, typer.Option("--count", metavar="K", min=1, help="How many puzzles.")
    ] = 1,
    processes: Annotated[
        int | None,
        typer.Option("--processes", metavar="N", min=1, help="How many; all cores by default."),
    ] = None,
    to: Annotated[
        str, typer.Option("--to", metavar="FORMAT", help="As in `convert`; text by default.")
    ] = "text",
    json: Json = False,
) -> Iterator[str]:
    """Make puzzles with one solution, proved, of a grade and with a symmetry."""
    from plywise.puzzles.slither import generator
    from plywise.puzzles.slither.formats import write

    rows, cols = _size(size)
    fewest, most = _range(clues)
    cells = None if mask is None else _mask(mask, rows, cols)
    wish = generator.Wish(rows, cols, wanted, symmetry, fewest, most, cells)
    write(read_source(None), to)  # an unknown format is refused before the work
    made = generator.generate_many(wish, seed, count, processes or os.cpu_count() or 1)
    with progress(f"{rows} x {cols}", count) as move_on:
        for number, one in enumerate(made, 1):
            move_on(f"{rows} x {cols}: {number} of {count}")
            text = write(one.puzzle, to).rstrip("\n")
            if json:
                yield as_json(
                    {
                        "puzzle": text,
                        "clues": one.puzzle.clue_count,
                        **one.grade.to_json(),
                        "moves": list(one.solution.moves),
                        "seed": seed + number - 1,
                    }
                )
            else:
                yield text
                yield f"; {one.grade.name}, {one.puzzle.clue_count} clues, seed {seed + number - 1}"


def _size(text: str) -> tuple[int, int]:
    from plywise.errors import SpecError

    found = re.fullmatch(r"([0-9]{1,4})[xX]([0-9]{1,4})", text)
    if found is None:
        raise SpecError(f"{text!r} is no size: write ROWSxCOLS, as 10x10")
    return int(found[1]), int(found[2])


def _range(text: str | None) -> tuple[int, int | None]:
    from plywise.errors import SpecError

    if text is None:
        return 0, None
    found = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", text)
    if found is None:
        raise SpecError(f"{text!r} is no number of clues: write A-B, as 20-30")
    return int(found[1]), int(found[2] or found[1])


def _mask(file: Path, rows: int, cols: int) -> tuple[bool, ...]:
    from plywise.errors import SpecError

    lines = [line.rstrip() for line in _file_text(file).splitlines() if line.strip()]
    for number, line in enumerate(lines, 1):
        if len(line) != cols or number > rows:
            raise SpecError(
                f"{file}: line {number} has {len(line)} cells; expected {rows} rows of {cols}, "
                "with '.' for a cell without a clue"
            )
    if len(lines) != rows:
        raise SpecError(f"{file}: {len(lines)} rows; expected {rows}")
    return tuple(letter not in ".-_ " for line in lines for letter in line)


def convert(
    source: Source = None,
    to: Annotated[
        str,
        typer.Option("--to", metavar="FORMAT", help="text, lisp, puzzlink, loopy, task or pzprv3."),
    ] = "text",
    svg: Svg = None,
    png: Png = None,
    theme: Theme = "light",
) -> Iterator[str]:
    """Write a puzzle in another format, or draw it."""
    from plywise.puzzles.slither.formats import write
    from plywise.puzzles.slither.scene import scene
    from plywise.views.theme import find_theme

    find_theme(theme)
    drawing = read_source(source)
    yield write(drawing, to).rstrip("\n")
    write_pictures(scene(drawing), svg, png, theme)


for command in (solve, hint, generate, grade, convert, play):
    app.command()(printing(command))
