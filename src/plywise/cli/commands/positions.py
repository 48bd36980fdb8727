"""`games`, `show` and `perft`: list the games, show a position, count what follows it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import paper, progress, watched
from plywise.cli.inputs import (
    Apng,
    Ascii,
    GameOrFile,
    GameSpec,
    Moves,
    Png,
    Svg,
    Text,
    Theme,
    read_played,
    read_position,
    write_pictures,
)
from plywise.errors import SpecError
from plywise.games import find, make, names
from plywise.kit.commands import Output
from plywise.kit.words import counted

if TYPE_CHECKING:
    from plywise.core.analysis import Analysis
    from plywise.core.position import Position


def games() -> Output:
    """List the games with their parameters and agents."""
    from plywise import engines

    kinds = [find(name) for name in names()]
    listed = [
        {
            "name": kind.name,
            "title": kind.title,
            "summary": kind.words.summary,
            "parameters": [
                {name: getattr(each, name) for name in ("name", "default", "help", "allowed")}
                for each in kind.parameters
            ],
            "agents": list(engines.names(kind())),
        }
        for kind in kinds
    ]
    yield {"games": listed}
    for kind in kinds:
        yield f"{kind.name}  {kind.title}. {kind.words.summary}"
        for parameter in kind.parameters:
            default = "" if parameter.default is None else f" (default {parameter.default})"
            yield f"    {parameter.name}: {parameter.help or parameter.allowed}{default}"
        yield f"    agents: {' '.join(engines.names(kind()))}"


def show(
    game: GameOrFile,
    moves: Moves = "",
    text: Text = None,
    svg: Svg = None,
    png: Png = None,
    apng: Apng = None,
    theme: Theme = "light",
    legal: Annotated[bool, typer.Option("--legal", help="Mark the legal moves.")] = False,
    best: Annotated[
        bool, typer.Option("--best", help="Think for a second; mark the best move, score all.")
    ] = False,
    ascii: Ascii = False,
) -> Output:
    """Show a position, or the last one of a saved game: the board, who moves or won.

    Uses colour on a terminal and plain text in a pipe.
    """
    from plywise import views
    from plywise.core.scene import marks_of, standing

    position, _ = read_played(game, moves, text)
    analysis = _look(position) if best and not position.over else None
    why = marks_of(position, analysis.best) if analysis is not None and analysis.best else ()
    scene = views.marked(position, analysis, legal=legal, why=why)
    write_pictures(scene, svg, png, theme)
    if apng is not None:
        apng.write_bytes(position.apng(theme))
    yield position.to_json()
    place = paper(ascii=ascii)
    yield views.draw_text(scene, place, theme=theme)
    yield ""
    yield standing(position)
    if position.scores is not None:
        yield "points: {} to {}".format(*position.scores)
    if not position.over:
        yield f"legal: {' '.join(position.legal)}"


def _look(position: Position) -> Analysis:
    """Search every legal move for one second."""
    from plywise.core.analysis import Limits
    from plywise.play.players import make_agent

    return make_agent("auto", position.game).search(position, Limits(time=1.0), lines=True)


def perft(
    game: GameSpec,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="Depth in plies.")],
    moves: Moves = "",
    text: Text = None,
) -> Output:
    """Count the positions exactly DEPTH plies ahead.

    Tests the rules and their speed. A finished game has no positions below it.
    """
    from plywise.engines.perft import perft as count

    if depth < 0:
        raise SpecError(f"depth must be at least 0, not {depth}")
    position = read_position(make(game), moves, text)
    count(position, 1)  # compiles before the clock starts
    started = time.perf_counter()
    if depth > 1 and watched():  # one move after another, so that there is something to show
        nodes = 0
        with progress(f"depth {depth}", len(position.legal)) as advance:
            for move in position.legal:
                nodes += count(position.play(move), depth - 1)
                advance(f"{move}: {counted(nodes, 'node')}")
    else:
        nodes = count(position, depth)
    seconds = time.perf_counter() - started
    yield {"nodes": nodes, "seconds": round(seconds, 6)}
    yield f"{counted(nodes, 'node')} at depth {depth} in {seconds:.2f} s"
