"""The commands that every puzzle has: `plywise NAME solve`, `hint`, `generate`, `daily`, `play`.

A puzzle's own command takes precedence over one of these with the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date as dates
from inspect import Parameter
from typing import Annotated, Any

import typer

from plywise.cli.console import option, printing
from plywise.cli.inputs import Ascii, Load, Save, Seconds, Theme
from plywise.core.analysis import Limits
from plywise.core.puzzle import NO_MARKS, PuzzleType
from plywise.errors import SpecError, suggest
from plywise.kit.commands import Drawn, Output, Picture
from plywise.play import puzzle_help
from plywise.play.attempt import Attempt
from plywise.puzzles import read_source

Source = Annotated[
    str | None,
    typer.Argument(
        metavar="PUZZLE",
        help="A file, '-' for stdin, or the puzzle itself; a sample by default.",
    ),
]


def commands_for(kind: PuzzleType) -> list[Callable[..., None]]:
    """Make the commands for a type of puzzle, in the order in which they are listed."""
    commands = [printing(solve, kind), printing(hint, kind)]
    if kind.generate is not None:
        commands.append(printing(generate, kind, more=parameters(kind)))
        if kind.daily:
            commands.append(printing(daily, kind))
    return [*commands, printing(play_command(kind))]


def solve(kind: PuzzleType, source: Source = None, time: Seconds = None) -> Drawn:
    """Solve a puzzle, and say whether it has one solution, several or none."""
    Limits(time=time)  # refuses a time that is none
    puzzle, states = read_source(kind, source)
    found = puzzle_help.solve(kind, puzzle, time)
    scene = kind.scene(puzzle, found.solution or states, NO_MARKS)
    moves = None if found.solution is None else kind.moves_of(puzzle, found.solution)
    yield {"status": found.status, "moves": moves, "seconds": round(found.seconds, 6)}
    if moves is not None:
        yield scene.text
        yield ""
    yield from found.lines(kind, puzzle)
    yield Picture(scene)


def hint(
    kind: PuzzleType,
    source: Source = None,
    moves: Annotated[
        str, typer.Option(metavar="M", help="Marks drawn so far, with commas between.")
    ] = "",
) -> Drawn:
    """Give a hint: the first mistake, or the next step."""
    attempt = Attempt.of(kind, *read_source(kind, source))
    for move in moves.split(",") if moves.strip() else ():
        attempt = attempt.play(move)
    found = puzzle_help.hint(kind, attempt.puzzle, attempt.states)
    told = kind.moves_between(attempt.puzzle, attempt.states, found.changes)
    yield {"kind": found.kind, "steps": list(found.steps), "moves": told}
    yield from found.steps
    yield Picture(kind.scene(attempt.puzzle, found.shown(attempt.states), found.marks))


def generate(
    kind: PuzzleType,
    seed: Annotated[int | None, typer.Option(help="Random seed.")] = None,
    **given: Any,
) -> Output:
    """Make a puzzle with one solution."""
    made, number = puzzle_help.make(kind, given, seed, None)
    text = kind.identify(made.puzzle)
    nothing = bytes(len(kind.places(made.puzzle)))
    board = kind.scene(made.puzzle, nothing, NO_MARKS).text
    grade = f", {made.grade}" if made.grade else ""
    yield {"puzzle": text, "grade": made.grade, "seed": number}
    yield f"{board}\n\n{text}\nseed {number}{grade}"


def parameters(kind: PuzzleType) -> list[Parameter]:
    """Return an option of `generate` for each parameter of the puzzle."""
    options = []
    for each in kind.parameters:
        hint: Any = each.kind if each.default is not None else each.kind | None
        flag = typer.Option(f"--{each.name.replace('_', '-')}", help=each.help)
        options.append(option(each.name, Annotated[hint, flag], each.default))
    return options


def daily(
    kind: PuzzleType,
    size: Annotated[
        str | None, typer.Argument(metavar="SIZE", help="Such as 10x10; all sizes by default.")
    ] = None,
    date: Annotated[
        str | None, typer.Option(metavar="DATE", help="Such as 2026-05-17; today by default.")
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
            yield {"date": day, "size": name, "puzzle": text, "grade": made.grade}
            yield text


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
