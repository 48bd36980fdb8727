"""`match`: two agents play each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import as_json, note, progress, watched
from plywise.cli.inputs import GameSpec, Json
from plywise.kit.words import counted

if TYPE_CHECKING:
    from plywise.play.match import Match


def match(
    game: GameSpec,
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="An agent, such as 'seed:level=2', './agent.py' or './program'."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="The other agent.")],
    games: Annotated[int, typer.Option("--games", metavar="N", help="Number of games.")] = 10,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="S", help="Random seed; the same seed repeats the games."),
    ] = None,
    time: Annotated[
        float | None, typer.Option("--time", metavar="S", help="Seconds per move.")
    ] = None,
    opening_plies: Annotated[
        int,
        typer.Option(
            "--opening-plies", metavar="N", help="Random moves at the start of each game."
        ),
    ] = 0,
    memory: Annotated[
        int | None,
        typer.Option(
            "--memory", metavar="MB", help="Memory for each agent file or program; default 2048."
        ),
    ] = None,
    json: Json = False,
) -> Iterator[str]:
    """Play a match between two agents, alternating colours.

    Results are given from A's side. Games come in pairs that share a random opening. --time is
    the time per move; without it, an agent whose spec sets no limit gets 0.1 seconds.

    Agent files and programs run in their own processes. One that takes longer than --time
    (default 10 seconds), crashes or plays an illegal move loses that game.
    """
    from plywise.core.analysis import Limits
    from plywise.games import make
    from plywise.play.agents.program import MEMORY
    from plywise.play.match import play_match

    played = make(game)
    so_far: list[Match] = []
    try:
        with progress(f"{a} - {b}", games) as advance:

            def on_game(match: Match) -> None:
                so_far[:] = [match]
                advance(f"{a} +{match.wins} ={match.draws} -{match.losses} {b}")

            play_match(
                played,
                a,
                b,
                games=games,
                seed=seed,
                limits=Limits(time=time),
                opening_plies=opening_plies,
                memory=MEMORY if memory is None else memory,
                on_game=on_game,
                # Agents' output would break up the progress bar. Redirect stderr to see it: 2>log
                on_output=None if watched() else note,
            )
    finally:  # games played before Ctrl-C or a failing agent still count
        for result in so_far:
            yield from [as_json(result.to_json())] if json else _report(result)


def _report(match: Match) -> Iterator[str]:
    elo, low, high = match.elo
    of_a, of_b = match.seconds_per_move
    games = counted(match.games, "game")
    yield f"{match.game}: {match.a} against {match.b}, {games}, seed {match.seed}"
    yield (
        f"{match.wins} won, {match.draws} drawn, {match.losses} lost: {match.score or 0:.1%},"
        f" {_difference(elo, low, high)}"
    )
    yield f"seconds a move: {of_a or 0:.4f} and {of_b or 0:.4f}"
    reasons = Counter((forfeit.by, forfeit.reason) for forfeit in match.forfeits)
    for (by, reason), count in reasons.items():
        yield f"{by.upper()} forfeited {counted(count, 'game')}: {reason}"


def _difference(elo: float | None, low: float | None, high: float | None) -> str:
    """Write an Elo difference with its interval; None is without limit."""
    if low is None and high is None:
        return "Elo unknown" if elo is None else f"Elo {elo:+.0f} (95 %: anything)"
    if high is None:
        span = f"at least {low:+.0f}"
    elif low is None:
        span = f"at most {high:+.0f}"
    else:
        span = f"{low:+.0f} to {high:+.0f}"
    return f"Elo {span} (95 %)" if elo is None else f"Elo {elo:+.0f} (95 %: {span})"
