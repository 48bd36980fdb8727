"""Tiny tasks that make everything compile, so that nobody waits for it later."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from plywise import engines, puzzles
from plywise.core.analysis import Limits
from plywise.core.engine import unguarded
from plywise.core.game import Game
from plywise.core.puzzle import PuzzleType
from plywise.engines.perft import perft
from plywise.engines.solve import solve
from plywise.play import puzzle_help

Task = tuple[str, Callable[[], Any]]  #: a name, and the work

#: The default agents for play, hints, analysis and reviews.
USUAL = ("auto:level=1", "auto", "alphabeta")
_MOMENT = Limits(time=0.02)  #: engines compile before their clock starts


def all_tasks(game: Game) -> Iterator[Task]:
    """Yield every task that runs a kernel; one that does not suit the game raises Unsupported."""
    yield "perft", partial(perft, game.start(), 1)
    yield "solve", partial(solve, game.start(), _MOMENT, book=False)
    for name in engines.names(game):
        yield name, partial(_search, game, name)
        known = {parameter.name for parameter in engines.find(name, game).parameters}
        for heuristic in game.type.strength.heuristics if "heuristic" in known else ():
            spec = f"{name}:heuristic={heuristic}"
            yield spec, partial(_search, game, spec)


def usual_tasks(game: Game) -> Iterator[Task]:
    """Yield what a game against the computer and its review need."""
    for spec in USUAL:
        yield spec, partial(_search, game, spec)


def _search(game: Game, spec: str) -> None:
    engine = engines.make(spec, game)
    if hasattr(found := unguarded(engine), "compile"):  # it would not wait for the compiler
        found.compile()
    engine.search(game.start(), _MOMENT)


def puzzle_tasks(kind: PuzzleType) -> Iterator[Task]:
    """Yield what a puzzle needs: its own tasks, or a solution and a hint."""
    own = puzzles.warmup(kind)
    if own is not None:
        yield from own()
        return
    puzzle, states = kind.read(kind.default)
    yield "solve", partial(kind.solve, puzzle, None)
    yield "hint", partial(puzzle_help.hint, kind, puzzle, states)
