"""`report`: agents compared, measured on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from plywise.cli.console import as_json, note, progress, watched
from plywise.cli.inputs import GameSpec, Json
from plywise.cli.pictures import Png, Svg, Theme, write_pictures


def report(
    game: GameSpec,
    agents: Annotated[
        list[str] | None,
        typer.Option("--agents", metavar="A", help="An agent; give it once for each of them."),
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", metavar="N", help="Games of each pair: 20.")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", metavar="S", help="Seconds a move, without another limit: 0.1."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="S", help="Of openings, positions and lots.")
    ] = 1,
    opening_plies: Annotated[
        int | None,
        typer.Option("--opening-plies", metavar="N", help="Random plies before they play."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="A first look: 4 games of each pair.")
    ] = False,
    svg: Svg = None,
    png: Png = None,
    theme: Theme = "light",
    json: Json = False,
) -> Iterator[str]:
    """Compare agents: a round robin, time a move, searches side by side; tables and charts.

    With a puzzle in place of the game it compares ways to solve it; of the options it takes
    --seed, --quick and those for the output.

    Without --agents it is what the game brings along: the agents of the paper it was taken
    from beside ours, and what that paper says of them beside what is measured.

    Each opening is played from both sides, by every pair. An agent that has no limit of its own
    has --time seconds a move. Ctrl-C stops it, and what is known by then is printed.
    """
    from plywise import puzzles
    from plywise.cli.commands.report_pages import report_scene, report_text
    from plywise.core.analysis import Limits
    from plywise.games import make
    from plywise.play.match import USUAL_TIME
    from plywise.play.report import measure, prepare
    from plywise.views.theme import find_theme

    find_theme(theme)
    if game in puzzles.names():
        yield from _puzzle(game, seed, quick, svg, png, theme, json)
        return
    Limits(time=time)  # a wrong one is refused before anything is played
    found = prepare(
        make(game),
        agents or (),
        games=games,
        seed=seed,
        opening_plies=opening_plies,
        quick=quick,
    )
    for file in (svg, png):
        if file is not None:
            file.open("ab").close()  # so is a place where nothing can be written
    try:
        with progress(f"{found.game.spec}: {found.title}", found.steps) as advance:
            measure(
                found,
                time=USUAL_TIME if time is None else time,
                on_step=advance,
                # What agents print would tear the bar apart.
                on_output=None if watched() else note,
            )
    finally:  # what was measured before Ctrl-C or a failing agent is not lost
        if found.played:
            yield from [as_json(found.to_json())] if json else report_text(found)
            write_pictures(report_scene(found), svg, png, theme)


def _puzzle(
    name: str, seed: int, quick: bool, svg: Path | None, png: Path | None, theme: str, json: bool
) -> Iterator[str]:
    """The report of a puzzle, which no agents play."""
    from plywise import puzzles
    from plywise.cli.commands import puzzle_report
    from plywise.errors import Unsupported

    plan = puzzles.find(name).report
    if plan is None:
        raise Unsupported(f"{name} brings no report along")
    with progress(name, puzzle_report.steps(plan)) as advance:
        times = puzzle_report.measure(plan, seed, quick, advance)
    yield from [as_json(times.to_json())] if json else puzzle_report.report_text(plan, times)
    write_pictures(puzzle_report.report_scene(plan, times), svg, png, theme)
