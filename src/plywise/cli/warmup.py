"""`warmup`: compile everything now, so that nothing waits for it later."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import as_json, note
from plywise.cli.inputs import Json

if TYPE_CHECKING:
    from plywise.core.game import Game

_MOMENT = 0.02  #: seconds of search: engines compile before their clock starts


def warmup(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="The games to compile; all of them by default."),
    ] = None,
    json: Json = False,
) -> Iterator[str]:
    """Compile everything now, for every agent and game; it is kept."""
    from plywise.errors import Unsupported
    from plywise.games import make, names
    from plywise.jit import on_compile

    started = time.perf_counter()
    compiled, cached = 0, 0
    kernels: list[str] = []
    undo = on_compile(kernels.append)
    try:
        for game in [make(spec) for spec in games or names()]:
            for name, work in _tasks(game):
                begun, before = time.perf_counter(), len(kernels)
                try:
                    work()
                except Unsupported:
                    continue  # this agent does not play this game
                if len(kernels) == before:
                    cached += 1
                else:
                    compiled += 1
                    note(f"{game.spec}: {name} compiled in {time.perf_counter() - begun:.1f} s")
    finally:
        undo()
    seconds = time.perf_counter() - started
    if json:
        yield as_json({"compiled": compiled, "cached": cached, "seconds": round(seconds, 6)})
    else:
        yield f"{compiled} compiled, {cached} were ready, in {seconds:.1f} s"


def _tasks(game: Game) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Everything that runs a kernel, each as a name and a tiny piece of work."""
    from plywise import engines
    from plywise.core.analysis import Limits
    from plywise.engines.perft import perft
    from plywise.engines.solve import solve

    yield "perft", partial(perft, game.start(), 1)
    yield "solve", partial(solve, game.start(), Limits(time=_MOMENT), book=False)
    for name in engines.names(game):
        yield name, partial(_search, game, name)
        known = {parameter.name for parameter in engines.find(name, game).parameters}
        for heuristic in game.type.heuristics if "heuristic" in known else ():
            spec = f"{name}:heuristic={heuristic}"
            yield spec, partial(_search, game, spec)


def _search(game: Game, spec: str) -> None:
    from plywise import engines
    from plywise.core.analysis import Limits

    engines.make(spec, game).search(game.start(), Limits(time=_MOMENT))
