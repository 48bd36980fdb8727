"""`report`: compare agents by measuring them on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.console import note, progress, watched
from plywise.cli.inputs import (
    GameSpec,
    Png,
    Svg,
    Theme,
    WorkerCount,
    agent_names,
    write_pictures,
)
from plywise.kit.commands import Cluster, Output


def report(
    game: GameSpec,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            "--agents",
            metavar="A",
            help="An agent to compare; repeat the option for more.",
            autocompletion=agent_names,
        ),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help="Games per pair; default 20.")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(
            "--time", metavar="S", help="Seconds per move for agents without a limit; default 0.1."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Random seed.")] = 1,
    opening_plies: Annotated[
        int | None,
        typer.Option(
            "--opening-plies", metavar="N", help="Random moves at the start of each game."
        ),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="A first look: 4 games per pair.")] = False,
    parts: Annotated[
        list[str] | None,
        typer.Option(
            "--part",
            metavar="P",
            help="Only this part: games, comparisons or tables; repeat the option for more.",
        ),
    ] = None,
    workers: WorkerCount = 1,
    ray: Cluster = None,
    svg: Svg = None,
    png: Png = None,
    theme: Theme = "light",
) -> Output:
    """Compare agents in a round robin, with tables and charts.

    For a puzzle it compares ways to solve it; only --seed, --quick and the output options apply.

    Without --agents you get the report that comes with the game: the agents of the paper it was
    taken from next to ours, and the paper's claims next to what is measured.

    Every pair plays each opening from both sides. An agent without a limit of its own gets --time
    seconds per move. Ctrl-C stops the run and prints the results so far. --workers and --ray play
    several games at once; agents that look at a clock then get less done if cores are scarce.
    """
    from lab.papers.report.measuring import PARTS, measure, prepare
    from lab.papers.report.pages import report_scene, report_text
    from plywise import puzzles
    from plywise.core.analysis import Limits
    from plywise.games import make
    from plywise.play.series import USUAL_TIME

    Limits(time=time)  # refuses a bad limit before anything is played
    if game in puzzles.names():
        yield from _puzzle(game, seed, quick, svg, png, theme)
        return
    found = prepare(
        make(game),
        agents or (),
        games=games,
        seed=seed,
        opening_plies=opening_plies,
        quick=quick,
        parts=parts or PARTS,
    )
    for file in (svg, png):
        if file is not None:
            file.open("ab").close()  # fails now if the file cannot be written
    try:
        with progress(f"{found.game.spec}: {found.title}", found.steps) as advance:
            measure(
                found,
                time=USUAL_TIME if time is None else time,
                workers=workers,
                ray=ray,
                on_step=advance,
                # Agents' output would break up the progress bar.
                on_output=None if watched() else note,
            )
    finally:  # keep what was measured before Ctrl-C or a failing agent
        if not found.empty:
            yield found.to_json()
            yield from report_text(found)
            write_pictures(report_scene(found), svg, png, theme)


def _puzzle(
    name: str, seed: int, quick: bool, svg: Path | None, png: Path | None, theme: str
) -> Output:
    """Report on a puzzle, which has no agents to compare."""
    from lab.papers import plan_for
    from lab.papers.report import puzzles
    from plywise.errors import Unsupported

    plan = plan_for(name)
    if plan is None:
        raise Unsupported(f"there is no report for {name}")
    with progress(name, puzzles.steps(plan, quick)) as advance:
        times = puzzles.measure(plan, seed, quick, advance)
    yield times.to_json(plan)
    yield from puzzles.report_text(plan, times)
    write_pictures(puzzles.report_scene(plan, times), svg, png, theme)
