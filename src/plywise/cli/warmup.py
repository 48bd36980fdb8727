"""`warmup`: compile everything now, so that nothing waits for it later."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Annotated

import typer

from plywise.cli.console import as_json, note
from plywise.cli.inputs import Json


def warmup(
    games: Annotated[
        list[str] | None,
        typer.Argument(metavar="GAME", help="What to compile, as 'slither'; all by default."),
    ] = None,
    json: Json = False,
) -> Iterator[str]:
    """Compile everything now, for every agent and game; it is kept."""
    from plywise.errors import Unsupported
    from plywise.games import make, names
    from plywise.jit import on_compile
    from plywise.play.warming import all_tasks
    from plywise.puzzles.slither import warming as slither

    started = time.perf_counter()
    compiled, cached = 0, 0
    kernels: list[str] = []
    undo = on_compile(kernels.append)
    try:
        plans = {
            spec: slither.tasks() if spec == "slither" else all_tasks(make(spec))
            for spec in games or [*names(), "slither"]
        }
        for spec, tasks in plans.items():
            for name, work in tasks:
                begun, before = time.perf_counter(), len(kernels)
                try:
                    work()
                except Unsupported:
                    continue  # this agent does not play this game
                if len(kernels) == before:
                    cached += 1
                else:
                    compiled += 1
                    note(f"{spec}: {name} compiled in {time.perf_counter() - begun:.1f} s")
    finally:
        undo()
    seconds = time.perf_counter() - started
    if json:
        yield as_json({"compiled": compiled, "cached": cached, "seconds": round(seconds, 6)})
    else:
        yield f"{compiled} compiled, {cached} were ready, in {seconds:.1f} s"
