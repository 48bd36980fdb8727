"""`slither solve`, `hint`, `generate`, `grade`, `statistics` and `convert`.

`slither play` comes from the command line, as for every puzzle.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from plywise.core.analysis import Limits
from plywise.errors import SpecError, suggest
from plywise.kit.commands import Cluster, Drawn, Output, Picture, Progress, WorkerCount
from plywise.kit.words import counted
from plywise.puzzles import file_text, read_source
from plywise.puzzles.slither import generator, hints, path_search
from plywise.puzzles.slither.definition import PUZZLE
from plywise.puzzles.slither.formats import write
from plywise.puzzles.slither.grid import CROSS, LINE, Drawing, Puzzle
from plywise.puzzles.slither.logic import grading
from plywise.puzzles.slither.logic.steps import Step
from plywise.puzzles.slither.making.statistics import (
    measure,
    published,
    ranges_by_size,
    read_collection,
)
from plywise.puzzles.slither.places import conclusion_words
from plywise.puzzles.slither.scene import scene, text
from plywise.puzzles.slither.solver import engine as solver
from plywise.puzzles.slither.solver.engine import Result

Source = Annotated[
    str | None,
    typer.Argument(
        metavar="PUZZLE",
        help="A file, '-' for stdin, or the puzzle itself: rows such as '..2.0/232.2/...', a "
        "puzz.link address or a Loopy ID. Default: the paper's own puzzle.",
    ),
]


def drawing_of(source: str | None) -> Drawing:
    """The puzzle that an argument names, with what is drawn on it."""
    return Drawing(*read_source(PUZZLE, source))


def solve(
    source: Source = None,
    time: Annotated[float | None, typer.Option(metavar="S", help="Time limit in seconds.")] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="M",
            help="'dfs' is the paper's path search, 'dfs-certain' and 'dfs-order' add one of the "
            "two improvements it proposed, 'dfs-plus' both.",
        ),
    ] = "full",
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain each step to the solution.")
    ] = False,
) -> Drawn:
    """Solve a puzzle, and prove that it has one solution, several or none.

    If there are several, prints two of them, what all of them share, and clues that would leave
    only one. If there is none, prints a minimal set of clues that contradict each other.
    """
    Limits(time=time)  # refuses a time that is none
    puzzle = drawing_of(source).puzzle
    if method != "full":
        yield from _by_path(puzzle, method, time)
        return
    result = solver.solve(puzzle, time_limit=time)
    steps = {"steps": [_plain(step) for step in result.steps]} if explain else {}
    yield {**_as_json(result), **steps}
    if explain:
        yield from _explained(result)
    yield from _verdict(result)
    yield Picture(scene(result.solution or result.forced))


def _by_path(puzzle: Puzzle, method: str, time: float | None) -> Output:
    """Run the paper's search, which finds a solution but does not prove that it is unique."""
    if method not in path_search.METHODS:
        hint = suggest(method, [*path_search.METHODS, "full"])
        raise SpecError(f"there is no method {method!r}: {hint}")
    found = path_search.search(puzzle, method, time)
    moves = None if found.solution is None else [puzzle.move_name(line) for line in found.path]
    yield {
        "method": method,
        "moves": moves,
        "finished": found.finished,
        "steps": found.steps,
        "seconds": round(found.seconds, 6),
    }
    if found.solution is None:
        why = "no loop fits the clues" if found.finished else "the time ran out"
        yield f"no solution after {found.steps:,} steps, in {found.seconds:.1f} s: {why}"
        return
    yield text(found.solution)
    yield ""
    yield f"a solution after {found.steps:,} steps, in {1000 * found.seconds:.1f} ms"
    yield f"moves: {', '.join(moves or [])}"


def _verdict(result: Result) -> Iterator[str]:
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
        yield f"several solutions, two of them shown above, in {took}"
        forced = [state for state in result.forced.states if state]
        yield f"all solutions agree on {len(forced)} of {result.puzzle.lines} lines and crosses"
        clues = [
            f"a {clue} in {result.puzzle.cell_name(cell)}" for cell, clue in result.missing_clues
        ]
        if clues:
            yield f"only the first would remain with {' and '.join(clues)}"
        else:
            yield "no clue can tell the two apart"
    elif result.status == "none":
        assert result.contradiction is not None
        yield f"no solution, in {took}; these clues contradict each other, and all are needed:"
        yield text(type(result.forced).empty(result.contradiction))
    else:
        found = "one solution, perhaps not the only one" if result.solutions else "no solution yet"
        yield f"the time ran out after {result.conflicts:,} contradictions: {found}"


def _explained(result: Result) -> Iterator[str]:
    for count, step in enumerate(result.steps, 1):
        yield f"{count}. {step.technique.title}. {step.words}"
        for number, trial in enumerate(step.trials, 1):
            if len(step.trials) > 1:
                yield f"     Way {number}: {conclusion_words(result.puzzle, trial.assumed, ())}"
            for inner in trial.steps:
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
        "cases": [
            {
                "assumed": conclusion_words(puzzle, case.assumed, ()),
                "steps": [_plain(inner) for inner in case.steps],
            }
            for case in step.cases
        ],
    }


def _as_json(result: Result) -> dict[str, Any]:
    puzzle, solution = result.puzzle, result.solution
    found: dict[str, Any] = {
        "rows": puzzle.rows,
        "cols": puzzle.cols,
        "clues": str(puzzle).replace("\n", "/"),
        "status": result.status,
        "moves": None if solution is None else list(solution.moves),
        "conflicts": result.conflicts,
        "seconds": round(result.seconds, 6),
    }
    if result.status == "several":
        found["other_moves"] = list(result.solutions[1].moves)
        found["forced_moves"] = list(result.forced.moves)
        found["missing_clues"] = [
            {"row": cell // puzzle.cols + 1, "col": cell % puzzle.cols + 1, "clue": clue}
            for cell, clue in result.missing_clues
        ]
    if result.contradiction is not None:
        found["contradiction"] = str(result.contradiction).replace("\n", "/")
    return found


def hint(
    source: Source = None,
    lines: Annotated[
        str, typer.Option(metavar="M", help="Lines drawn, such as '1 1 t, 2 1 l'.")
    ] = "",
    crosses: Annotated[
        str, typer.Option(metavar="M", help="Lines crossed out, in the same form.")
    ] = "",
    level: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=3,
            help="1: where to look. 2: also the technique. 3: also the move.",
        ),
    ] = 3,
) -> Drawn:
    """Give a hint: the first mistake, or where to look, which technique to use, and the next move.

    The lines and crosses so far come from a pzprv3 file or from --lines and --crosses.
    """
    drawing = drawing_of(source)
    for moves, state in ((lines, LINE), (crosses, CROSS)):
        texts = [text for text in moves.replace(";", ",").split(",") if text.strip()]
        drawing = drawing.change((drawing.puzzle.read_move(text), state) for text in texts)
    puzzle, states = drawing.puzzle, drawing.states
    found = hints.hint(puzzle, states, None)
    changes = found.changes if found.kind == "step" else ()
    draw = PUZZLE.moves_between(puzzle, states, changes)
    where, technique, move = (*found.steps, "", "")[:3]
    yield {"kind": found.kind, "where": where, "technique": technique, "move": move, "moves": draw}
    yield from found.steps[:level]
    if level == 3 and draw:
        yield f"Moves: {', '.join(draw)}"
    after = Drawing(puzzle, found.shown(states))
    yield Picture(scene(after, found.marks) if level == 3 else scene(drawing))


def grade(source: Source = None) -> Output:
    """Grade a puzzle by the hardest technique it needs, and how often nothing simpler helps."""
    found = grading.grade(drawing_of(source).puzzle)
    title = found.hardest.title.lower()
    yield found.to_json()
    yield f"{found.name}: {title}; steps of this grade: {found.bottlenecks}"
    for technique, uses in found.uses:
        yield f"  {uses:>4} x {technique.title.lower()}"


def generate(
    size: Annotated[
        str, typer.Argument(metavar="ROWSxCOLS", help="Such as 10x10 or 25x30.", show_default=False)
    ] = "10x10",
    grade: Annotated[
        str | None,
        typer.Option(
            metavar="G",
            help="easy, normal, tricky, hard, expert, chains or extreme; any by default.",
        ),
    ] = None,
    symmetry: Annotated[
        str, typer.Option(metavar="S", help="Symmetry of the clues: none, 180, mirror or all.")
    ] = "180",
    clues: Annotated[
        str | None, typer.Option(metavar="A-B", help="How many clues, such as 20-30.")
    ] = None,
    mask: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Which cells have a clue: '.' in a row means none."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Random seed of the first puzzle.")] = 1,
    count: Annotated[int, typer.Option(metavar="K", min=1, help="How many puzzles.")] = 1,
    workers: WorkerCount = None,
    ray: Cluster = None,
    to: Annotated[
        str, typer.Option(metavar="FORMAT", help="One of the formats of `convert`.")
    ] = "text",
) -> Output:
    """Make puzzles with exactly one solution, of a chosen grade and symmetry."""
    rows, cols = _size(size)
    fewest, most = _range(clues)
    cells = None if mask is None else _mask(mask, rows, cols)
    wish = generator.Wish(rows, cols, grade, symmetry, fewest, most, cells)
    write(drawing_of(None), to)  # reject an unknown format before doing the work
    yield Progress(f"{rows} x {cols}", 0, count)
    done = 0
    for one in generator.making_many(wish, seed, count, workers or os.cpu_count() or 1, ray):
        if isinstance(one, str):
            yield Progress(f"{rows} x {cols}: {one}", done, count)
            continue
        done += 1
        yield Progress(f"{rows} x {cols}: {done} of {count}", done, count)
        text = write(one.puzzle, to).rstrip("\n")
        clues = counted(one.puzzle.clue_count, "clue")
        yield {
            "puzzle": text,
            "clues": one.puzzle.clue_count,
            **one.grade.to_json(),
            "quality": one.quality,
            "statistics": one.statistics.to_json(),
            "moves": list(one.solution.moves),
            "seed": one.seed,
        }
        yield text
        yield f"; {one.grade.name}, {clues}, quality {one.quality}, seed {one.seed}"


def statistics(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file with a puzzle on each line.")
    ],
) -> Output:
    """Measure the puzzles of a file: the shares of each clue, how dense they are, the loops.

    Prints the lowest, the median and the highest for each size of board, beside those of published
    puzzles of the nearest size.
    """
    puzzles = list(read_collection(file, file_text(file)))
    found = []
    yield Progress("measuring", 0, len(puzzles))
    for number, puzzle in enumerate(puzzles, 1):
        result = solver.solve(puzzle)
        yield Progress("measuring", number, len(puzzles))
        if result.status == "unique":
            found.append((puzzle, measure(result.solutions[0])))
    if len(found) < len(puzzles):
        yield f"left out, without exactly one solution: {len(puzzles) - len(found)}"
    for (rows, cols), ranges in ranges_by_size(found).items():
        known = published(rows, cols).ranges
        count = sum((puzzle.rows, puzzle.cols) == (rows, cols) for puzzle, _ in found)
        shares = {name: [each.low, each.middle, each.high] for name, each in ranges.items()}
        yield {"rows": rows, "cols": cols, "puzzles": count, **shares}
        yield f"{rows} x {cols}, {counted(count, 'puzzle')}"
        for name in ranges:
            yield f"  {name:8}  {ranges[name]}   published {known[name]}"


def _size(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,4})[xX]([0-9]{1,4})", text)
    if found is None:
        raise SpecError(f"{text!r} is not a size: write ROWSxCOLS, such as 10x10")
    return int(found[1]), int(found[2])


def _range(text: str | None) -> tuple[int, int | None]:
    if text is None:
        return 0, None
    found = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", text)
    if found is None:
        raise SpecError(f"{text!r} is not a number of clues: write A-B, such as 20-30")
    return int(found[1]), int(found[2] or found[1])


def _mask(file: Path, rows: int, cols: int) -> tuple[bool, ...]:
    lines = [line.rstrip() for line in file_text(file).splitlines() if line.strip()]
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
        str, typer.Option(metavar="FORMAT", help="text, lisp, puzzlink, loopy, task or pzprv3.")
    ] = "text",
) -> Drawn:
    """Write a puzzle in another format, or draw it."""
    drawing = drawing_of(source)
    yield write(drawing, to).rstrip("\n")
    yield Picture(scene(drawing))


COMMANDS = (solve, hint, generate, grade, statistics, convert)
