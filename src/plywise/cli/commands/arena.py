"""`arena` and `openings`: a tournament of agents, and fair openings for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import note, progress, table
from plywise.cli.inputs import GameSpec, Seed, WorkerCount, game_names
from plywise.core.workers import start_workers
from plywise.errors import SpecError, Unsupported, suggest
from plywise.games import make
from plywise.kit.commands import Cluster, Output
from plywise.kit.words import counted

if TYPE_CHECKING:
    from plywise.arena.plan import Plan
    from plywise.arena.standings import Table
    from plywise.arena.tournament import Play, Tournament
    from plywise.play.agents.sandbox import Sandbox

RESULTS = "arena.sqlite"  #: beside the plan
ISOLATION = ("auto", "bubblewrap", "podman", "none")
WIDEST = 12  #: agents in a cross table on the terminal


def arena(
    plan: Annotated[
        Path,
        typer.Argument(
            metavar="PLAN",
            help="A folder of agents (Python files, zip files and programs), or a plan such as "
            "class.toml.",
        ),
    ],
    game: Annotated[
        str | None, typer.Option(metavar="GAME", help="What is played.", autocompletion=game_names)
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of each pairing, an even number (default 2)."),
    ] = None,
    time: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="The clock: '2 a move', or '60 + 0.5' for the whole game with an increment.",
        ),
    ] = None,
    workers: WorkerCount = 1,
    ray: Cluster = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help=f"Where the games are kept (default {RESULTS} beside the plan)."
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with every game to replay.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the standings as CSV.")
    ] = None,
    isolate: Annotated[
        str,
        typer.Option(
            metavar="WITH",
            help="Run agent files and programs without network and with a read-only view of the "
            "file system: with bubblewrap, podman, or none; auto is bubblewrap where it works.",
        ),
    ] = "auto",
    check: Annotated[
        bool, typer.Option("--check", help="Only say which agents do not start, and why.")
    ] = False,
    challenge: Annotated[
        tuple[str, str] | None,
        typer.Option(
            metavar="A B",
            help="Only let two agents of the plan play --games games (default 2) that never count.",
        ),
    ] = None,
) -> Output:
    """Play a tournament: each opening from both sides, ratings with intervals.

    Every game is kept as soon as it has ended. Run the command again to resume.
    An agent that crashes, plays an illegal move or takes too long loses that game.

    Agents may come, go and change: run the command again, for example every night. A changed agent
    is a new one, and plays its games again; those of its old version no longer count.
    """
    from plywise.arena.games import play
    from plywise.arena.plan import read_plan
    from plywise.arena.tournament import Tournament

    given = {"game": game, "games": None if challenge else games, "time": time}
    read = read_plan(plan, {name: value for name, value in given.items() if value is not None})
    sandbox = _sandbox(read, isolate)
    if check:
        yield from _checked(read, sandbox)
        return
    tournament = Tournament(read, results or read.folder / RESULTS, sandbox)
    if tournament.results.new:
        note(f"new or changed since the last time: {', '.join(tournament.results.new)}")
    if challenge is not None:
        with closing(tournament), start_workers(play, workers, ray) as playing:
            yield from _challenged(tournament, challenge, games or 2, playing)
            _write(tournament, html, csv)
        return
    try:
        for entry, fault in tournament.faults():
            note(f"{entry.name} does not start: {fault}")
        with (
            start_workers(play, workers, ray) as playing,
            progress(read.game, tournament.games) as advance,
        ):
            advance(f"{read.game}: {read.format}", len(tournament.rows))

            def on_game(number: int) -> None:
                best = tournament.table().standings[0] if len(tournament.rows) % 10 == 0 else None
                leads = f", {best.name} leads" if best is not None else ""
                advance(f"{read.game}: round {number} of {read.last_round}{leads}")

            tournament.run(playing, on_game)
    finally:  # what was played before Ctrl-C is in the file
        found = tournament.table()
        if found.games:
            yield {"plan": read.to_json(), **found.to_json()}
            yield from _report(read, found, tournament.games)
            _write(tournament, html, csv)
        tournament.close()


def _write(tournament: Tournament, html: Path | None, csv: Path | None) -> None:
    """Write the files that were asked for."""
    from plywise.play.records.files import whole_file

    found = tournament.table()
    if html is not None:
        from plywise.arena.page import page

        with whole_file(html) as out:
            out.write(page(tournament.snapshot()))
    if csv is not None:
        with whole_file(csv) as out:
            out.write(found.to_csv())


def _challenged(
    tournament: Tournament, agents: tuple[str, str], games: int, playing: Play
) -> Output:
    """Let two agents play games that never count, and say how they went for the first."""
    from plywise.arena.standings import points_of

    a, b = agents
    with progress(f"{a} - {b}", games) as advance:
        rows = tournament.challenge(a, b, games, playing, lambda _: advance(f"{a} - {b}"))
    one = tournament.plan.number_of(a)
    points = [points_of(row, one) for row in rows]
    won, drawn, lost = (points.count(each) for each in (1.0, 0.5, 0.0))
    yield {"a": a, "b": b, "wins": won, "draws": drawn, "losses": lost}
    of = counted(len(rows), "game")
    yield f"{a} against {b}, {of} that do not count: {won} won, {drawn} drawn, {lost} lost"


def _sandbox(plan: Plan, wanted: str) -> Sandbox | None:
    """Return where agents run; a note or an error if they cannot be isolated here."""
    from plywise.play.agents.sandbox import Podman, Sandbox, unavailable

    if wanted not in ISOLATION:
        raise SpecError(f"--isolate {wanted}: {suggest(wanted, ISOLATION)}")
    if wanted == "none" or not plan.files:
        return None
    podman = Podman(plan.hidden)
    problem = podman.unavailable if wanted == "podman" else unavailable()
    if problem is None:
        return podman if wanted == "podman" else Sandbox(plan.hidden)
    if wanted != "auto":
        raise Unsupported(problem)
    note(f"agents are not isolated from this machine and each other: {problem}")
    return None


def _checked(plan: Plan, sandbox: Sandbox | None) -> Iterator[str]:
    """Say of each agent whether it starts."""
    from plywise.arena.games import fault_of

    rows = [["agent", "starts"]]
    for entry in plan.agents:
        fault = fault_of(plan, entry, sandbox)
        rows.append([entry.name, "yes" if fault is None else f"no: {fault}"])
    yield from table(rows)


def _report(plan: Plan, found: Table, games: int) -> Iterator[str]:
    """Write the standings, the cross table and what went wrong."""
    of = "" if found.games == games else f" of {games:,}"
    yield f"{plan.game}: {plan.format}, {found.games:,}{of} games, seed {plan.seed}"
    yield ""
    rows = [["", "agent", "rating", "95 %", "points", "games", "won", "drawn", "lost", "s a move"]]
    for each in found.standings:
        rated = ["", ""]
        if each.rating is not None:
            rated = [f"{each.rating:+.0f}", f"+-{each.error:.0f}"]
        figures = f"{each.points:g}", each.games, each.wins, each.draws, each.losses
        seconds = "" if each.seconds is None else f"{each.seconds:.4f}"
        rows.append([str(each.rank), each.name, *rated, *map(str, figures), seconds])
    yield from table(rows)
    if len(plan.agents) <= WIDEST:
        yield ""
        yield "points of the row against the column, in %"
        yield from table(_cross(found))
    for each in found.standings:
        if each.failed:
            yield f"{each.name} forfeited {each.failed}; the first: {each.reason}"


def _cross(found: Table) -> list[list[str]]:
    places = [str(each.rank) for each in found.standings]
    rows = [["", "", *places]]
    for each, shares in zip(found.standings, found.matrix, strict=True):
        rows.append([str(each.rank), each.name, *shares])
    return rows


def openings(
    game: GameSpec,
    count: Annotated[int, typer.Option(metavar="N", help="Number of openings.")] = 20,
    plies: Annotated[int, typer.Option(metavar="N", help="Moves in each opening.")] = 4,
    seed: Seed = 1,
    unbalanced: Annotated[
        bool,
        typer.Option("--unbalanced", help="Openings that favour one side, half of them each."),
    ] = False,
) -> Iterator[str]:
    """Print fair openings, proved where the game is solved: 'plywise openings connect4 > file'.

    In a game without draws, player 1 wins half of them, and player 2 the other half.
    """
    from plywise.arena import openings as fair

    played = make(game)
    with progress(f"openings of {game}", count) as advance:

        def on_try(now: int) -> None:
            advance(f"openings of {game}", done=min(now, count))

        found = fair.openings(played, count, plies, seed=seed, unbalanced=unbalanced, on_try=on_try)
    kind = "unbalanced" if unbalanced else "fair"
    yield f"# {played.spec}: {count} {kind} openings of {plies} moves, random seed {seed}"
    yield from map(str, found)
