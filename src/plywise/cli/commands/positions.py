"""`games`, `show` and `perft`: what there is, what a position is, how many lie below it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import as_json
from plywise.cli.inputs import GameSpec, Json, Moves, Text, read_position
from plywise.cli.pictures import Ascii, Png, Svg, Theme, write_pictures

if TYPE_CHECKING:
    from plywise.core.analysis import Analysis
    from plywise.core.position import Position
    from plywise.core.spec import Parameter


def games(json: Json = False) -> Iterator[str]:
    """List the games with their parameters and agents."""
    from plywise import engines
    from plywise.games import find, names

    kinds = [find(name) for name in names()]
    if json:
        listed = [
            {
                "name": kind.name,
                "title": kind.title,
                "summary": kind.summary,
                "parameters": [_parameter_json(parameter) for parameter in kind.parameters],
                "agents": list(engines.names(kind())),
            }
            for kind in kinds
        ]
        yield as_json({"games": listed})
        return
    for kind in kinds:
        yield f"{kind.name}  {kind.title}. {kind.summary}"
        for parameter in kind.parameters:
            default = "" if parameter.default is None else f" (usually {parameter.default})"
            yield f"    {parameter.name}: {parameter.help or parameter.allowed}{default}"
        yield f"    agents: {' '.join(engines.names(kind()))}"


def _parameter_json(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "default": parameter.default,
        "help": parameter.help,
        "allowed": parameter.allowed,
    }


def show(
    game: GameSpec,
    moves: Moves = "",
    text: Text = None,
    svg: Svg = None,
    png: Png = None,
    theme: Theme = "light",
    legal: Annotated[bool, typer.Option("--legal", help="Mark the legal moves.")] = False,
    best: Annotated[
        bool, typer.Option("--best", help="Think a second; mark the best move and score all.")
    ] = False,
    ascii: Ascii = False,
    json: Json = False,
) -> Iterator[str]:
    """Show a position: the board, who moves or won, the legal moves.

    In colour on a terminal, plain in a pipe.
    """
    from plywise import views
    from plywise.core.scene import marks_of, scene_of, standing
    from plywise.games import make
    from plywise.views.theme import find_theme

    find_theme(theme)  # a wrong name is refused before any file is written
    position = read_position(make(game), moves, text)
    analysis = _look(position) if best and not position.over else None
    why = marks_of(position, analysis.best) if analysis is not None and analysis.best else ()
    scene = views.marked(scene_of(position), analysis, legal=legal, why=why)
    write_pictures(scene, svg, png, theme)
    if json:
        yield as_json(position.to_json())
        return
    # While a command runs, sys.stdout stands for stderr: what is printed on the side goes there.
    place = views.terminal(sys.__stdout__ or sys.stdout, ascii=ascii)
    yield views.draw_text(scene, place, theme=theme)
    yield ""
    yield standing(position)
    if position.scores is not None:
        yield "points: {} to {}".format(*position.scores)
    if not position.over:
        yield f"legal: {' '.join(position.legal)}"


def _look(position: Position) -> Analysis:
    """A second's thought about every legal move."""
    from plywise.core.analysis import Limits
    from plywise.play.agents.specs import make_agent

    return make_agent("auto", position.game).search(position, Limits(time=1.0), lines=True)


def perft(
    game: GameSpec,
    depth: Annotated[
        int, typer.Argument(metavar="DEPTH", help="How many plies.", show_default=False)
    ],
    moves: Moves = "",
    text: Text = None,
    json: Json = False,
) -> Iterator[str]:
    """Count the positions exactly DEPTH plies ahead.

    A test of the rules, and of their speed. A finished game has nothing below it.
    """
    from plywise.engines.perft import perft as count
    from plywise.errors import SpecError
    from plywise.games import make

    if depth < 0:
        raise SpecError(f"depth {depth} will not do: it is a number of plies, from 0 up")
    position = read_position(make(game), moves, text)
    count(position, 1)  # compiled before the clock starts
    started = time.perf_counter()
    nodes = count(position, depth)
    seconds = time.perf_counter() - started
    if json:
        yield as_json({"nodes": nodes, "seconds": round(seconds, 6)})
    else:
        yield f"{nodes:,} nodes at depth {depth} in {seconds:.2f} s"
