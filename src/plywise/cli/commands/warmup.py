"""`warmup`: compile everything now, so that you don't wait for it later."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from plywise.cli.console import note
from plywise.cli.inputs import game_names
from plywise.errors import Unsupported
from plywise.games import make, names
from plywise.kit.commands import Output

if TYPE_CHECKING:
    from plywise.play.warmup import Task


def warmup(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="A game or a puzzle; all of them by default.",
            autocompletion=game_names,
        ),
    ] = None,
) -> Output:
    """Compile everything now, so that you don't wait for it later."""
    from plywise import puzzles

    started = time.perf_counter()
    specs = games or [*names(), *puzzles.names()]
    for spec in specs:
        tasks_of(spec)  # refuses an unknown name before anything is compiled
    processes = min(os.cpu_count() or 1, len(specs))
    done = map(warm, specs) if processes == 1 else _in_processes(specs, processes)
    counts = list(done)
    compiled, cached = (sum(each) for each in zip(*counts, strict=True))
    seconds = time.perf_counter() - started
    yield {"compiled": compiled, "cached": cached, "seconds": round(seconds, 6)}
    yield f"{compiled} compiled, {cached} already cached, in {seconds:.1f} s"


def tasks_of(spec: str) -> Iterator[Task]:
    """Return what there is to compile for a game or a puzzle."""
    from plywise import puzzles
    from plywise.play.warmup import all_tasks, puzzle_tasks

    if spec in puzzles.names():
        return puzzle_tasks(puzzles.find(spec))
    return all_tasks(make(spec))


def warm(spec: str) -> tuple[int, int]:
    """Compile everything for a game or a puzzle; return how many were compiled and cached."""
    from plywise.jit import on_compile

    compiled, cached = 0, 0
    kernels: list[str] = []
    undo = on_compile(kernels.append)
    try:
        for name, work in tasks_of(spec):
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
    return compiled, cached


def _in_processes(specs: list[str], processes: int) -> Iterator[tuple[int, int]]:
    """Compile several games at once, in new processes: forked ones would share numba's locks."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(warm, specs)
