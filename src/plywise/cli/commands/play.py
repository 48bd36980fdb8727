"""`play`: a game in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.inputs import Moves
from plywise.cli.pictures import Ascii, Theme
from plywise.games import EXAMPLE


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help=f"A game, as '{EXAMPLE}' or './mygame.py'; without it there is a choice.",
            show_default=False,
        ),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option("--first", metavar="A", help="Who begins: 'human' or an agent."),
    ] = None,
    second: Annotated[
        str | None,
        typer.Option("--second", metavar="A", help="Who answers, as 'auto:level=3'."),
    ] = None,
    moves: Moves = "",
    load: Annotated[
        Path | None, typer.Option("--load", metavar="FILE", help="Go on with a saved game.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option("--save", metavar="FILE", help="Keep the game here, move by move."),
    ] = None,
    time: Annotated[
        float | None, typer.Option("--time", metavar="S", help="Seconds an engine thinks a move.")
    ] = None,
    clock: Annotated[
        str | None,
        typer.Option(
            "--clock", metavar="C", help="A clock for both: '300', '300 + 2' or '30 a move'."
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="S", help="For the engine's mistakes and lots."),
    ] = None,
    theme: Theme = "light",
    ascii: Ascii = False,
) -> Iterator[str]:
    """Play a game: you against the engine unless --first and --second say otherwise.

    Point at a move with the arrow keys and press Enter, or type it; 'help' tells the rest. Every
    move is kept at once, and an unfinished game is offered the next time. Where there is no
    terminal, moves and commands are read line by line.
    """
    from plywise.cli.terminal import screen
    from plywise.cli.terminal.chooser import Wishes
    from plywise.views.text import terminal
    from plywise.views.theme import find_theme

    find_theme(theme)
    wishes = Wishes(game, first, second, moves, load, save, time, clock, seed)
    wishes.check()
    if screen.usable():
        from plywise.cli.terminal.loop import play_on_screen

        yield from play_on_screen(wishes, theme=theme, ascii=ascii)
        return
    from plywise.cli.terminal.lines import play_in_lines

    # While a command runs, sys.stdout stands for stderr.
    out = sys.__stdout__ or sys.stdout

    def say(line: str) -> None:
        print(line, file=out, flush=True)

    play_in_lines(wishes, sys.stdin, say, terminal(out, ascii=ascii), theme)
