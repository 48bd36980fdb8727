"""`match`: two agents play each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import as_json, note, progress, watched
from plywise.cli.inputs import GameSpec, Json, Seconds

if TYPE_CHECKING:
    from plywise.play.match import Match


def match(
    game: GameSpec,
    a: Annotated[
        str,
        typer.Argument(
            metavar="A", help="An agent, as 'seed:level=2', './agent.py' or './program'."
        ),
    ],
    b: Annotated[str, typer.Argument(metavar="B", help="Another agent.")],
    games: Annotated[int, typer.Option("--games", metavar="N", help="How many.")] = 10,
    seed: Annotated[
        int | None,
        typer.Option("--seed", metavar="S", help="The same seed gives the same games."),
    ] = None,
    time: Seconds = None,
    opening_plies: Annotated[
        int,
        typer.Option("--opening-plies", metavar="N", help="Random plies before they play."),
    ] = 0,
    memory: Annotated[
        int | None,
        typer.Option("--memory", metavar="MB", help="For each agent file or program: 2048."),
    ] = None,
    json: Json = False,
) -> Iterator[str]:
    """Let two agents play a match, with colours alternating.

    Wins, draws and losses are those of A. Games come in pairs with the same random opening. An
    agent that goes by the clock has --time seconds a move (0.1 unless its spec sets a limit).

    Agent files and programs run in processes of their own. One that takes longer than --time
    (10 seconds if not given), fails, or plays an illegal move, loses that game.
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
                # What agents print would tear the bar apart; a person who wants it, keeps it
                # in a file: 2>log
                on_output=None if watched() else note,
            )
    finally:  # what was played before Ctrl-C or a failing agent is not lost
        for result in so_far:
            yield from [as_json(result.to_json())] if json else _report(result)


def _report(match: Match) -> Iterator[str]:
    elo, low, high = match.elo
    of_a, of_b = match.seconds_per_move
    yield f"{match.game}: {match.a} against {match.b}, {match.games} games, seed {match.seed}"
    yield (
        f"{match.wins} won, {match.draws} drawn, {match.losses} lost: {match.score or 0:.1%},"
        f" Elo {_signed(elo)} (95 %: {_signed(low)} to {_signed(high)})"
    )
    yield f"seconds a move: {of_a or 0:.4f} and {of_b or 0:.4f}"
    reasons = Counter((forfeit.by, forfeit.reason) for forfeit in match.forfeits)
    for (by, reason), count in reasons.items():
        yield f"{by.upper()} forfeited {count} {'game' if count == 1 else 'games'}: {reason}"


def _signed(elo: float | None) -> str:
    return "?" if elo is None else f"{elo:+.0f}"
