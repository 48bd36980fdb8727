"""`match` and `grade`: how good agents are, against each other and against exact values."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import note, progress, table, watched
from plywise.cli.inputs import GameSpec, agent_names, usual_limits
from plywise.errors import SpecError
from plywise.games import make
from plywise.kit.commands import Output
from plywise.kit.words import counted

if TYPE_CHECKING:
    from plywise.play.grade import Grade
    from plywise.play.match import Match
    from plywise.play.statistics import Pairs, Sprt

USUAL_GAMES = 10
MOST_GAMES = 10_000  #: of a sequential test


def match(
    game: GameSpec,
    a: Annotated[
        str,
        typer.Argument(
            metavar="A",
            help="An agent, such as 'seed:level=2', './agent.py' or './program'.",
            autocompletion=agent_names,
        ),
    ],
    b: Annotated[
        str, typer.Argument(metavar="B", help="The other agent.", autocompletion=agent_names)
    ],
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Number of games (default 10; with --sprt at most 10,000)."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Random seed; the same seed repeats the games.")
    ] = None,
    time: Annotated[float | None, typer.Option(metavar="S", help="Seconds per move.")] = None,
    opening_plies: Annotated[
        int, typer.Option(metavar="N", help="Random moves at the start of each game.")
    ] = 0,
    sprt: Annotated[
        str | None,
        typer.Option(
            metavar="ELO0,ELO1",
            help="Stop as soon as it is known whether A is better by ELO1 points or only by ELO0.",
        ),
    ] = None,
) -> Output:
    """Play a match between two agents, alternating colours.

    Results are given from A's side. Games come in pairs that share a random opening, and the
    interval is computed from the pairs, and so is LOS, the likelihood of superiority: that A is
    the better one. --time is the time per move; without it, an agent whose
    spec sets no limit gets 0.1 seconds.

    Agent files and programs run in their own processes. One that takes longer than --time
    (default 10 seconds), crashes or plays an illegal move loses that game.
    """
    from plywise.core.analysis import Limits
    from plywise.play.series import play_match
    from plywise.play.statistics import Sprt

    test = None if sprt is None else Sprt.parse(sprt)
    if games is None:
        games = USUAL_GAMES if test is None else MOST_GAMES
    played = make(game)
    so_far: list[Match] = []
    try:
        with progress(f"{a} - {b}", games) as advance:

            def on_game(match: Match) -> None:
                so_far[:] = [match]
                ratio = "" if test is None else f", ratio {test.ratio(match.pairs):+.2f}"
                advance(f"{a} +{match.wins} ={match.draws} -{match.losses} {b}{ratio}")

            play_match(
                played,
                a,
                b,
                games=games,
                seed=seed,
                limits=Limits(time=time),
                opening_plies=opening_plies,
                on_game=on_game,
                # Agents' output would break up the progress bar. Redirect stderr to see it: 2>log
                on_output=None if watched() else note,
                until=None if test is None else lambda match: test.verdict(match.pairs) is not None,
            )
    finally:  # games played before Ctrl-C or a failing agent still count
        for result in so_far:
            tested = {} if test is None else {"sprt": test.to_json(result.pairs)}
            yield {**result.to_json(), **tested}
            yield from _report(result, test)


def _report(match: Match, test: Sprt | None) -> Iterator[str]:
    from plywise.play.statistics import elo_words

    elo, low, high = match.elo
    games = counted(match.games, "game")
    yield f"{match.game}: {match.a} against {match.b}, {games}, seed {match.seed}"
    yield (
        f"{match.wins} won, {match.draws} drawn, {match.losses} lost: {match.score or 0:.1%},"
        f" {elo_words(elo, low, high)}"
    )
    if match.pairs.count:
        yield (
            f"pairs (0, 1/2, 1, 1 1/2, 2): {', '.join(map(str, match.pairs.counts))};"
            f" LOS {100 * match.pairs.superiority:.1f} %"
        )
    if test is not None:
        yield _tested(test, match.pairs)
    yield f"time per move: {', '.join(map(_duration, match.seconds_per_move))}"
    reasons = Counter((forfeit.by, forfeit.reason) for forfeit in match.forfeits)
    for (by, reason), count in reasons.items():
        yield f"{by.upper()} forfeited {counted(count, 'game')}: {reason}"


def _duration(seconds: float | None) -> str:
    """Write how long a move took on average; None if none was made."""
    if seconds is None:
        return "none made"
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _tested(test: Sprt, pairs: Pairs) -> str:
    """Say what a sequential test has found."""
    low, high = test.bounds
    words = {
        "better": f"A is better by {test.elo1:g} Elo points rather than {test.elo0:g}",
        "not better": f"A is better by {test.elo0:g} Elo points rather than {test.elo1:g}",
        "no difference": "every pair is split: neither agent is better",
        None: "not decided yet",
    }
    ratio = f"log-likelihood ratio {test.ratio(pairs):+.2f} ({low:+.2f} to {high:+.2f})"
    return f"{words[test.verdict(pairs)]}; {ratio}"


USUAL_TIME = 0.1  #: seconds a move for an agent that is graded, if its spec has no limit
SEED = 1  #: of the positions on which agents are graded


def grade(
    game: GameSpec,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="A...", help="Agents, such as 'auto:level=5'.", autocompletion=agent_names
        ),
    ],
    positions: Annotated[int, typer.Option(metavar="N", help="How many positions.")] = 200,
    plies: Annotated[
        str | None,
        typer.Option(
            metavar="FROM-TO",
            help="Plies of the positions, such as 4-30; by default up to three quarters of a "
            "random game.",
        ),
    ] = None,
) -> Output:
    """Grade agents: how often does a move keep the value of the position, and what does it lose?

    Positions come from random play, the same number for each ply, and only where some move is
    worse than another; a solver says what each move is worth. They are kept for the next time.
    Without a limit in its spec, an agent has a tenth of a second.
    """
    from plywise.play import grade as grading
    from plywise.play.players import make_agent

    played = make(game)
    if positions < 1:
        raise SpecError(f"positions must be at least 1, not {positions}")
    for agent in agents:
        make_agent(agent, played)  # refused before the positions are made
    span = grading.usual_plies(played) if plies is None else _plies(plies)
    with progress(f"positions of {played.spec}", positions) as advance:
        asked = grading.labelled(played, positions, SEED, span, lambda: advance(""))
    found = []
    for agent in agents:
        limits = usual_limits(agent, USUAL_TIME)
        with progress(agent, len(asked)) as advance:
            one = grading.grade(played, agent, asked, span, limits, lambda: advance(""))
        found.append(one)
    yield {"grades": [one.to_json() for one in found]}
    low, high = span
    yield f"{played.spec}: {len(asked)} positions of plies {low} to {high}"
    yield ""
    if len(found) == 1:
        yield from _one(found[0])
    else:
        yield from _several(found)


def _plies(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,6})-(\d{1,6})", text.strip())
    if found is None:
        raise SpecError(f"plies {text!r} are not FROM-TO, such as 4-30")
    return int(found[1]), int(found[2])


def _one(grade: Grade) -> Iterator[str]:
    """An agent by phase and by difficulty."""
    rows = [[grade.agent, "positions", "value kept", "mean loss", "at random"]]
    for row in grade.rows:
        shares = f"{row.kept:.1%}", f"{row.loss:.3f}", f"{row.random:.1%}"
        rows.append([row.positions, str(row.count), *shares])
    yield from table(rows)


def _several(grades: list[Grade]) -> Iterator[str]:
    """Agents one below the other, the best first."""
    names = [row.positions for row in grades[0].rows]
    rows = [["value kept", *names, "mean loss"]]
    for grade in sorted(grades, key=lambda one: -one.total.kept):
        kept = [f"{row.kept:.1%}" for row in grade.rows]
        rows.append([grade.agent, *kept, f"{grade.total.loss:.3f}"])
    rows.append(["at random", *(f"{row.random:.1%}" for row in grades[0].rows), ""])
    yield from table(rows)
