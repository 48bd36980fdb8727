"""`play` and `ugi`: play a game in the terminal, or for a program of other people."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Annotated

import typer

from plywise.cli.inputs import (
    Agent,
    Ascii,
    GameSpec,
    Load,
    Moves,
    Save,
    Theme,
    agent_names,
    game_names,
)
from plywise.games import EXAMPLE


def play(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help=f"A game, such as '{EXAMPLE}' or './mygame.py', or a puzzle; without it you are "
            "asked.",
            autocompletion=game_names,
        ),
    ] = None,
    first: Annotated[
        str | None,
        typer.Option(
            metavar="A", help="Who moves first: 'human' or an agent.", autocompletion=agent_names
        ),
    ] = None,
    second: Annotated[
        str | None,
        typer.Option(
            metavar="A",
            help="Who moves second: 'human' or, say, 'auto:level=3'.",
            autocompletion=agent_names,
        ),
    ] = None,
    moves: Moves = "",
    load: Load = None,
    save: Save = None,
    clock: Annotated[
        str | None,
        typer.Option(metavar="C", help="Clock, in seconds: '300', '300 + 2' or '30 a move'."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Random seed for the engine.")
    ] = None,
    colour: Annotated[
        str | None,
        typer.Option(metavar="C", help="Your colour, in games that let you choose: say, 'red'."),
    ] = None,
    theme: Theme = "light",
    ascii: Ascii = False,
) -> Iterator[str]:
    """Play a game in the terminal, against the engine by default.

    Select a move with the arrow keys and press Enter, or type it; 'help' lists the commands.
    Every move is saved, and you can resume an unfinished game next time. Without a terminal,
    moves and commands are read line by line.
    """
    from plywise.cli.terminal import puzzle_loop
    from plywise.cli.terminal.game_chooser import PuzzleChosen, Wishes
    from plywise.cli.terminal.game_loop import play_game

    wishes = Wishes(game, first, second, moves, load, save, clock, seed, colour)
    puzzle = wishes.puzzle
    if puzzle is not None:
        yield from puzzle_loop.play_puzzle(puzzle, None, load, save, theme=theme, ascii=ascii)
        return
    wishes.check()
    try:
        yield from play_game(wishes, theme=theme, ascii=ascii)
    except PuzzleChosen as chosen:
        yield from puzzle_loop.offer(chosen.kind, save, theme=theme, ascii=ascii)


def ugi(game: GameSpec, agent: Agent = "auto") -> Iterator[str]:
    """Speak UGI, the Universal Game Interface, on standard input and output.

    For tools that play matches between engines, such as cutegames.
    """
    from plywise.adapters.ugi import Ugi

    said: SimpleQueue[str | None] = SimpleQueue()
    engine = Ugi(game, agent, said.put)

    def listen() -> None:
        engine.run(sys.stdin)
        said.put(None)

    Thread(target=listen, daemon=True).start()
    yield from iter(said.get, None)
