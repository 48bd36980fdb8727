"""`ugi`: one of our engines as a program for other people's tools."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from queue import SimpleQueue
from threading import Thread
from typing import Annotated

import typer

from plywise.cli.inputs import GameSpec, agent_names


def ugi(
    game: GameSpec,
    agent: Annotated[
        str,
        typer.Option(
            "--agent", metavar="A", help="The agent that plays.", autocompletion=agent_names
        ),
    ] = "auto",
) -> Iterator[str]:
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
