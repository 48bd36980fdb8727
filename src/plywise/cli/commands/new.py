"""`new`: write a game of your own, ready to be changed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from plywise.errors import SpecError

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of your game.")]


def new(
    name: Name,
    board: Annotated[
        str | None,
        typer.Option("--board", metavar="KIND", help="square (the default), hex or graph."),
    ] = None,
    example: Annotated[
        str | None,
        typer.Option("--from", metavar="EXAMPLE", help="Start from one of the examples."),
    ] = None,
) -> Iterator[str]:
    """Write a small game and its test into this folder, as a start for your own.

    The game is complete: play it, then change it. '--from' copies an example under the new name;
    an unknown name lists them.
    """
    from plywise.cli.starting import files_for

    files = files_for(name, board, example)
    for file in files:
        if Path(file).exists():
            raise SpecError(f"{file} already exists: choose another name, or remove the file")
    for file, text in files.items():
        with open(file, "x", encoding="utf-8") as stream:
            stream.write(text)
    game, test = files
    yield f"{game} is a complete game, and {test} tests its rules. Next:"
    yield f"    plywise serve ./{game}    play it in the browser; edit the file while it runs"
    yield f"    plywise play ./{game}     play it in the terminal"
    yield f"    plywise check ./{game}    check the rules; do this after every change"
