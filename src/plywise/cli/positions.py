"""`games`, `show` and `perft`: what there is, what a position is, how many lie below it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import as_json
from plywise.cli.inputs import GameSpec, Json, Moves, Text, read_position

if TYPE_CHECKING:
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


def show(game: GameSpec, moves: Moves = "", text: Text = None, json: Json = False) -> Iterator[str]:
    """Show a position: the board, who moves or won, the legal moves."""
    from plywise.games import make

    position = read_position(make(game), moves, text)
    if json:
        yield as_json(position_json(position))
        return
    yield str(position)
    yield ""
    yield standing(position)
    if position.scores is not None:
        yield "points: {} to {}".format(*position.scores)
    if not position.over:
        yield f"legal: {' '.join(position.legal)}"


def position_json(position: Position) -> dict[str, Any]:
    """A position as plain data."""
    return {
        "game": position.game.spec,
        "moves": list(position.moves),
        "to_move": position.to_move,
        "legal": list(position.legal),
        "over": position.over,
        "winner": position.winner,
        "scores": None if position.scores is None else [int(score) for score in position.scores],
        "reason": position.reason,
        "text": position.text,
    }


def standing(position: Position) -> str:
    """Who moves, or who won and why."""
    if not position.over:
        return f"player {position.to_move} to move"
    result = "draw" if position.winner == 0 else f"player {position.winner} wins"
    return result if position.reason == result else f"{result}: {position.reason}"


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
    started = time.perf_counter()
    nodes = count(position, depth)
    seconds = time.perf_counter() - started
    if json:
        yield as_json({"nodes": nodes, "seconds": round(seconds, 6)})
    else:
        yield f"{nodes:,} nodes at depth {depth} in {seconds:.2f} s"
