"""The interfaces of engines and solvers, and the guard that every one of them gets.

An engine has arrays that its searches write to, so it can run one search at a time, and only for
the game it was made for. Engines do not look after that themselves: whatever makes one by its name
puts it behind a guard (`guarded`), so that a plain class with a `search` is enough.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Protocol, runtime_checkable

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import Game
from plywise.core.position import Position, need_position
from plywise.errors import SpecError, Unsupported

_POLL_SECONDS = 0.05  #: between checks of a stop flag, while a search waits for its turn


class Engine(Protocol):
    """A search, an expert or any other agent, made for one game.

    One that answers before it is compiled also has `compile()`, which waits until that is done.
    """

    @property
    def name(self) -> str:
        """The spec that makes this engine."""
        ...

    def search(
        self,
        position: Position,
        limits: Limits = ...,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """Search a position that is not over; with `lines`, score every legal move."""
        ...


@runtime_checkable
class Randomized(Protocol):
    """An engine that plays at random; set its generator to make a game repeatable."""

    random: Random


class Solver(Protocol):
    """Finds exact results, for one game; what it learns is kept for the next position.

    One that is faster with many positions at once also has `solve_many(positions)`, which yields
    the results in their order.
    """

    def solve(
        self,
        position: Position,
        limits: Limits = ...,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
    ) -> Analysis:
        """Return the exact result, or an Analysis without an outcome if a limit was reached."""
        ...


# The guard


def refuse_finished(position: Position) -> None:
    """Raise Unsupported if the game is over: then there is nothing to search."""
    if position.over:
        raise Unsupported(f"the game is over ({position.reason}): there is no move to look for")


@contextmanager
def enough_memory(what: str) -> Iterator[None]:
    """Turn a MemoryError into one line that says what was too large."""
    try:
        yield
    except MemoryError as error:
        raise SpecError(
            f"there is not enough memory for {what}: use a smaller board, or a smaller memory=..."
        ) from error


def guarded(searcher: Any, game: Game, remake: Callable[..., Any], *given: Any) -> Guarded:
    """Return an engine or solver with the guard around it.

    Pickled or copied, it becomes `remake(*given)`: made again, without what it has learned.
    """
    if isinstance(searcher, Guarded):
        return searcher
    return Guarded(searcher, game, remake, given)


def unguarded(searcher: object) -> object:
    """Return the engine or solver itself: to see of what kind it is, or to set something."""
    return searcher._searcher if isinstance(searcher, Guarded) else searcher


class Guarded:
    """An engine or solver whose searches wait for each other and take only positions of its game.

    Searches from several threads run one after the other. This is what callers expect: an
    abandoned search ends by its own limits, then the next begins, and both are right. Two cases
    cannot wait:

    - `on_info` starting a search on the engine that is calling it would wait for itself, so that
      is refused.
    - A search that is stopped while it waits returns at once, with any legal move.

    Whatever else the engine has can be read here too, but not set; `unguarded` returns the engine.
    """

    __slots__ = ("_game", "_given", "_owner", "_process", "_remake", "_searcher", "_turn")

    def __init__(
        self, searcher: Any, game: Game, remake: Callable[..., Any], given: tuple[Any, ...]
    ) -> None:
        self._searcher = searcher
        self._game = game
        self._remake = remake
        self._given = given
        self._turn = threading.Lock()
        self._process = os.getpid()
        self._owner: int | None = None  # the thread whose turn it is

    @property
    def name(self) -> str:
        """The spec that makes this engine, unless it has a name of its own."""
        return str(getattr(self._searcher, "name", "") or self._given[0])

    def search(
        self,
        position: Position,
        limits: Limits | None = None,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        **options: Any,
    ) -> Analysis:
        """Search a position that is not over; with `lines=True`, score every legal move."""
        return self._run("search", position, limits, on_info, stop, options)

    def solve(
        self,
        position: Position,
        limits: Limits | None = None,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        **options: Any,
    ) -> Analysis:
        """Return the exact result, or an Analysis without an outcome if a limit was reached."""
        return self._run("solve", position, limits, on_info, stop, options)

    def solve_many(self, positions: Sequence[Position]) -> Iterator[Analysis]:
        """Return the exact results in order; each takes a turn of its own."""
        for position in positions:
            self._check(position, "solve_many")
        steps = iter(self._searcher.solve_many(positions))
        while True:
            with self._taken():
                found = next(steps, None)
            if found is None:
                return
            yield found

    def _run(
        self,
        verb: str,
        position: Position,
        limits: Limits | None,
        on_info: OnInfo | None,
        stop: Stop | None,
        options: dict[str, Any],
    ) -> Analysis:
        """Wait for the turn and search; what is not given is left to the engine's own defaults."""
        self._check(position, verb)
        if verb == "search":
            refuse_finished(position)
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError(f"limits must be Limits, such as Limits(time=1.0), not {limits!r}")
        usual = {"limits": limits, "on_info": on_info, "stop": stop}
        given = {name: value for name, value in usual.items() if value is not None}
        with self._taken(stop) as ours:
            if not ours:
                return Analysis(None if position.over else position.legal[0], 0.0, 0.0)
            with enough_memory(f"solving {self._game.spec}" if verb == "solve" else self.name):
                found: Analysis = getattr(self._searcher, verb)(position, **given, **options)
                return found

    def _check(self, position: Position, what: str) -> None:
        """Refuse anything but a position of the game."""
        need_position(position, what)
        other = position.game
        if other is self._game or other.same_board(self._game):
            return
        if other.spec == self._game.spec:
            raise Unsupported(
                f"this engine is for {other.spec} before it was defined again:"
                " make the engine again"
            )
        raise Unsupported(
            f"this engine is for {self._game.spec}, not for {other.spec}:"
            " make one with plywise.engine(..., position.game)"
        )

    @contextmanager
    def _taken(self, stop: Stop | None = None) -> Iterator[bool]:
        """Wait for the turn and hold it; False if `stop` was set before it came."""
        if self._owner == threading.get_ident():
            raise Unsupported(
                "on_info cannot search with the engine that is calling it: make another engine"
            )
        if self._process != os.getpid():  # forked, perhaps while another thread was searching
            self._turn, self._process = threading.Lock(), os.getpid()
        while not self._turn.acquire(timeout=_POLL_SECONDS):
            if stop is not None and stop.is_set():
                yield False
                return
        self._owner = threading.get_ident()
        try:
            yield True
        finally:
            self._owner = None
            self._turn.release()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._searcher, name)

    def __repr__(self) -> str:
        return f"<guarded {self._searcher!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the way it was made; an engine that plays at random keeps its generator."""
        random = self._searcher.random if isinstance(self._searcher, Randomized) else None
        return self._remake, self._given, random

    def __setstate__(self, random: Random) -> None:
        self._searcher.random = random
