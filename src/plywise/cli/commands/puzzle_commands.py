"""The commands that every puzzle has: `plywise NAME solve`, `hint`, `generate`, `daily`, `play`.

A puzzle's own command takes precedence over one of these with the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date as dates
from typing import Annotated, Any

import typer

from plywise.cli.inputs import Ascii, Load, Save, Theme
from plywise.core.analysis import Limits
from plywise.core.puzzle import NO_MARKS, PuzzleType
from plywise.errors import SpecError, suggest
from plywise.kit.commands import Argument, Data, Option, Output, Picture, pictures
from plywise.play import puzzle_help
from plywise.play.attempt import Attempt
from plywise.puzzles import read_source

Source = Annotated[
    str | None,
    Argument("A file, '-' for stdin, or the puzzle itself; a sample by default.", metavar="PUZZLE"),
]


@pictures
def solve(
    kind: PuzzleType,
    source: Source = None,
    time: Annotated[float | None, Option("Seconds to think.", metavar="S")] = None,
) -> Output:
    """Solve a puzzle, and say whether it has one solution, several or none."""
    Limits(time=time)  # refuses a time that is none
    puzzle, states = read_source(kind, source)
    found = puzzle_help.solve(kind, puzzle, time)
    scene = kind.scene(puzzle, found.solution or states, NO_MARKS)
    moves = None if found.solution is None else kind.moves_of(puzzle, found.solution)
    drawn = [] if moves is None else [scene.text, ""]
    data = {"status": found.status, "moves": moves, "seconds": round(found.seconds, 6)}
    yield Data("\n".join([*drawn, *found.lines(kind, puzzle)]), data)
    yield Picture(scene)


@pictures
def hint(
    kind: PuzzleType,
    source: Source = None,
    moves: Annotated[str, Option("Marks drawn so far, with commas between.", metavar="M")] = "",
) -> Output:
    """Give a hint: the first mistake, or the next step."""
    attempt = Attempt.of(kind, *read_source(kind, source))
    for move in moves.split(",") if moves.strip() else ():
        attempt = attempt.play(move)
    found = puzzle_help.hint(kind, attempt.puzzle, attempt.states)
    told = kind.moves_between(attempt.puzzle, attempt.states, found.changes)
    data = {"kind": found.kind, "steps": list(found.steps), "moves": told}
    yield Data("\n".join(found.steps), data)
    yield Picture(kind.scene(attempt.puzzle, found.shown(attempt.states), found.marks))


def generate(
    kind: PuzzleType, seed: Annotated[int | None, Option("Random seed.")] = None, **given: Any
) -> Output:
    """Make a puzzle with one solution."""
    made, number = puzzle_help.make(kind, given, seed, None)
    text = kind.identify(made.puzzle)
    nothing = bytes(len(kind.places(made.puzzle)))
    board = kind.scene(made.puzzle, nothing, NO_MARKS).text
    grade = f", {made.grade}" if made.grade else ""
    yield Data(
        f"{board}\n\n{text}\nseed {number}{grade}",
        {"puzzle": text, "grade": made.grade, "seed": number},
    )


def parameters(kind: PuzzleType) -> dict[str, tuple[Any, Any]]:
    """Return an option of `generate` for each parameter of the puzzle, and its default."""
    options: dict[str, tuple[Any, Any]] = {}
    for each in kind.parameters:
        hint: Any = each.kind if each.default is not None else each.kind | None
        options[each.name] = Annotated[hint, Option(each.help)], each.default
    return options


def daily(
    kind: PuzzleType,
    size: Annotated[
        str | None, Argument("Such as 10x10; all sizes by default.", metavar="SIZE")
    ] = None,
    date: Annotated[
        str | None, Option("Such as 2026-05-17; today by default.", metavar="DATE")
    ] = None,
) -> Output:
    """Print the puzzles of the day: one of each size, the same for everybody."""
    names = {name.replace(" ", ""): name for name in kind.daily}
    try:
        day = (dates.fromisoformat(date) if date else dates.today()).isoformat()
    except ValueError:
        raise SpecError(f"{date!r} is not a date: write YEAR-MONTH-DAY") from None
    if size is not None and size.replace(" ", "") not in names:
        raise SpecError(f"there is no size {size!r}: {suggest(size, names)}")
    for short, name in names.items():
        if size is None or size.replace(" ", "") == short:
            made = puzzle_help.of_the_day(kind, day, name, None)
            text = kind.identify(made.puzzle)
            found = {"date": day, "size": name, "puzzle": text, "grade": made.grade}
            yield Data(text, found)


def play_command(kind: PuzzleType) -> Callable[..., Iterator[str]]:
    """Make the `play` command for a type of puzzle."""
    puzzle = kind.read(kind.default)[0]
    example = kind.move_text(puzzle, 0, 1) if kind.places(puzzle) else "a move"

    def play(
        source: Annotated[
            str | None,
            typer.Argument(
                metavar="PUZZLE",
                help="A file, '-' for stdin, or the puzzle itself; by default the one you left "
                "unfinished, or a sample.",
            ),
        ] = None,
        load: Load = None,
        save: Save = None,
        theme: Theme = "light",
        ascii: Ascii = False,
    ) -> Iterator[str]:
        from plywise.cli.terminal.puzzle_loop import play_puzzle

        yield from play_puzzle(kind, source, load, save, theme=theme, ascii=ascii)

    mark = kind.marks[0].words
    play.__doc__ = f"""Solve a puzzle by hand: {example!r} adds or removes {mark}.

    Select a place with the arrow keys and press Enter, or type a move; 'help' lists the commands.
    Every move is saved, and an unfinished puzzle is resumed next time. Without a terminal, moves
    and commands are read line by line.
    """
    return play
