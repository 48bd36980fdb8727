"""`grade`: how good agents are, measured against exact values."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import as_json, progress, table
from plywise.cli.inputs import GameSpec, Json, Seconds, agent_names

if TYPE_CHECKING:
    from plywise.play.grade import Grade

USUAL_TIME = 0.1  #: seconds a move, if neither the agent nor --time says anything


def grade(
    game: GameSpec,
    agents: Annotated[
        list[str],
        typer.Argument(
            metavar="A...", help="Agents, such as 'auto:level=5'.", autocompletion=agent_names
        ),
    ],
    positions: Annotated[
        int, typer.Option("--positions", metavar="N", help="How many positions.")
    ] = 200,
    plies: Annotated[
        str | None,
        typer.Option(
            "--plies",
            metavar="FROM-TO",
            help="Plies of the positions, such as 4-30; by default up to three quarters of a "
            "random game.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Random seed.")] = 1,
    time: Seconds = None,
    json: Json = False,
) -> Iterator[str]:
    """Grade agents: how often does a move keep the value of the position, and what does it lose?

    Positions are from random play, as many of each ply, and only where some move is worse than
    another; a solver says what each move is worth. They are kept for the next time. Without a
    limit, here or in its spec, an agent has a tenth of a second.
    """
    from plywise.core.analysis import Limits
    from plywise.core.spec import Spec
    from plywise.errors import SpecError
    from plywise.games import make
    from plywise.play import grade as grading
    from plywise.play.players import LIMITS, make_agent

    played = make(game)
    if positions < 1:
        raise SpecError(f"positions must be at least 1, not {positions}")
    for agent in agents:
        make_agent(agent, played)  # refused before the positions are made
    span = grading.usual_plies(played) if plies is None else _plies(plies)
    with progress(f"positions of {played.spec}", positions) as advance:
        asked = grading.labelled(played, positions, seed, span, lambda: advance(""))
    found = []
    for agent in agents:
        limited = time is not None or set(LIMITS) & set(Spec.parse(agent).given)
        limits = Limits(time=time if limited else USUAL_TIME)
        with progress(agent, len(asked)) as advance:
            one = grading.grade(played, agent, asked, span, limits, lambda: advance(""))
        found.append(one)
    if json:
        yield as_json({"grades": [one.to_json() for one in found]})
        return
    low, high = span
    yield f"{played.spec}: {len(asked)} positions of plies {low} to {high}, seed {seed}"
    yield ""
    if len(found) == 1:
        yield from _one(found[0])
    else:
        yield from _several(found)


def _plies(text: str) -> tuple[int, int]:
    from plywise.errors import SpecError

    found = re.fullmatch(r"(\d{1,6})-(\d{1,6})", text.strip())
    if found is None:
        raise SpecError(f"plies {text!r} are not FROM-TO, such as 4-30")
    return int(found[1]), int(found[2])


def _one(grade: Grade) -> Iterator[str]:
    """An agent by phase and by difficulty."""
    rows = [[grade.agent, "positions", "value kept", "mean loss", "at random"]]
    for row in grade.rows:
        rows.append(
            [row.name, str(row.count), f"{row.kept:.1%}", f"{row.loss:.3f}", f"{row.random:.1%}"]
        )
    yield from table(rows)


def _several(grades: list[Grade]) -> Iterator[str]:
    """Agents one below the other, the best first."""
    names = [row.name for row in grades[0].rows]
    rows = [["value kept", *names, "mean loss"]]
    for grade in sorted(grades, key=lambda one: -one.total.kept):
        kept = [f"{row.kept:.1%}" for row in grade.rows]
        rows.append([grade.agent, *kept, f"{grade.total.loss:.3f}"])
    rows.append(["at random", *(f"{row.random:.1%}" for row in grades[0].rows), ""])
    yield from table(rows)
