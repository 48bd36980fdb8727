"""`openings`: fair openings for matches and tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer

from plywise.cli.console import progress
from plywise.cli.inputs import GameSpec


def openings(
    game: GameSpec,
    count: Annotated[int, typer.Option("--count", metavar="N", help="How many.")] = 20,
    plies: Annotated[int, typer.Option("--plies", metavar="N", help="Moves of each.")] = 4,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Random seed.")] = 1,
    time: Annotated[
        float,
        typer.Option("--time", metavar="S", help="Seconds to judge one, unless it is solved."),
    ] = 1.0,
    unbalanced: Annotated[
        bool,
        typer.Option("--unbalanced", help="Openings that favour a side, as many for each."),
    ] = False,
) -> Iterator[str]:
    """Print fair openings, proved where the game is solved: 'plywise openings connect4 > file'.

    In a game without draws, as many that player 1 wins as ones that player 2 wins.
    """
    from plywise.arena import openings as fair
    from plywise.games import make

    played = make(game)
    with progress(f"openings of {game}", count) as advance:
        known = 0

        def on_try(now: int) -> None:
            nonlocal known
            advance(f"openings of {game}", min(now, count) - known)
            known = min(now, count)

        found = fair.openings(
            played, count, plies, seed=seed, time=time, unbalanced=unbalanced, on_try=on_try
        )
    kind = "unbalanced" if unbalanced else "fair"
    yield f"# {played.spec}: {count} {kind} openings of {plies} moves, random seed {seed}"
    yield from map(str, found)
