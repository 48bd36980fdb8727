"""The interfaces of engines and solvers, and the guard that every one of them gets.

An engine has arrays that its searches write to, so it can run one search at a time, and only for
the game it was made for. Engines do not look after that themselves: whatever makes one by its name
gives it a guard (`guarded`), so that a plain class with a `search` is enough.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, wraps
from random import Random
from typing import Any, Protocol, TypeVar, runtime_checkable

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import Game
from plywise.core.position import Position, need_position
from plywise.errors import AgentError, SpecError, Unsupported

_LOOK = 0.05  #: seconds between checks of a stop flag, while a search waits for its turn


class Engine(Protocol):
    """A search, an expert or any other agent, made for one game."""

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
class DrawsLots(Protocol):
    """An engine that plays at random; set its generator to make a game repeatable."""

    random: Random


@runtime_checkable
class Compiles(Protocol):
    """An engine that answers before it is compiled; it can be told to compile first."""

    def compile(self) -> None:
        """Compile what it needs, and wait until that is done."""
        ...


class Solver(Protocol):
    """Finds exact results, for one game; what it learns is kept for the next position."""

    def solve(
        self,
        position: Position,
        limits: Limits = ...,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
    ) -> Analysis:
        """Return the exact result, or an Analysis without an outcome if a limit was reached."""
        ...


@runtime_checkable
class BatchSolver(Protocol):
    """A solver that is faster with many positions at once."""

    def solve_many(self, positions: Sequence[Position]) -> Iterable[Analysis]:
        """Return the exact results, in the order of the positions."""
        ...


# The guard

Searcher = TypeVar("Searcher")


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


def guarded(searcher: Searcher, game: Game, remake: Callable[..., Any], *given: Any) -> Searcher:
    """Return the same engine or solver, whose searches wait for each other and check their input.

    Its `search`, `solve` and `solve_many` take only positions of `game`. Pickled or copied, it
    becomes `remake(*given)`: made again, without what it has learned.
    """
    if not hasattr(searcher, "_guard"):
        kind: Any = type(searcher)
        try:
            object.__setattr__(searcher, "_guard", _Guard(game, (remake, given)))
            object.__setattr__(searcher, "__class__", _with_guard(kind))
        except (AttributeError, TypeError) as error:
            raise AgentError(
                f"{kind.__name__} cannot be an engine: its class must allow new attributes"
                " (no __slots__)"
            ) from error
    return searcher


class _Guard:
    """What a guarded engine has besides: its game, how it was made, and whose turn it is.

    Searches from several threads run one after the other. This is what callers expect: an
    abandoned search ends by its own limits, then the next begins, and both are right. Two cases
    cannot wait:

    - `on_info` starting a search on the engine that is calling it would wait for itself, so that
      is refused. An engine's own search may call its `search` again.
    - A search that is stopped while it waits returns at once, with any legal move.
    """

    def __init__(self, game: Game, made: tuple[Callable[..., Any], tuple[Any, ...]]) -> None:
        self.game = game
        self.made = made
        self.turn = threading.Lock()
        self.process = os.getpid()
        self.owner: int | None = None  # the thread whose turn it is
        self.telling = False  # is that thread in on_info?

    def check(self, position: Position, what: str) -> None:
        """Refuse anything but a position of the game."""
        need_position(position, what)
        other = position.game
        if other is self.game or other.same_board(self.game):
            return
        if other.spec == self.game.spec:
            raise Unsupported(
                f"this engine is for {other.spec} before it was defined again:"
                " make the engine again"
            )
        raise Unsupported(
            f"this engine is for {self.game.spec}, not for {other.spec}:"
            " make one with plywise.engine(..., position.game)"
        )

    @contextmanager
    def taken(self, stop: Stop | None = None) -> Iterator[bool]:
        """Wait for the turn and hold it; False if `stop` was set before it came."""
        if self.owner == threading.get_ident():
            if self.telling:
                raise Unsupported(
                    "on_info cannot search with the engine that is calling it: make another engine"
                )
            yield True
            return
        if self.process != os.getpid():  # forked, perhaps while another thread was searching
            self.turn, self.process = threading.Lock(), os.getpid()
        while not self.turn.acquire(timeout=_LOOK):
            if stop is not None and stop.is_set():
                yield False
                return
        self.owner = threading.get_ident()
        try:
            yield True
        finally:
            self.owner = None
            self.turn.release()

    def hear(self, on_info: OnInfo) -> OnInfo:
        """Return the same listener; while it runs, its thread cannot start a search."""

        def tell(analysis: Analysis) -> None:
            self.telling = True
            try:
                on_info(analysis)
            finally:
                self.telling = False

        return tell


@cache
def _with_guard(kind: Any) -> Any:
    """Return a subclass that looks the same, with the guard in front of its searches."""
    names = ("__module__", "__qualname__", "__doc__")
    body: dict[str, Any] = {name: getattr(kind, name) for name in names}
    body["__reduce__"] = _reduce
    for name in ("search", "solve"):
        if hasattr(kind, name):
            body[name] = _one_at_a_time(kind, name)
    if hasattr(kind, "solve_many"):
        body["solve_many"] = _step_by_step(kind)
    return type(kind.__name__, (kind,), body)


def _one_at_a_time(kind: Any, name: str) -> Callable[..., Analysis]:
    """Return a search that checks its position and waits for its turn."""

    @wraps(getattr(kind, name))
    def search(self: Any, position: Position, *given: Any, **options: Any) -> Analysis:
        guard: _Guard = self._guard
        guard.check(position, name)
        if name == "search":
            refuse_finished(position)
        known = {**dict(zip(("limits", "on_info", "stop"), given, strict=False)), **options}
        limits, on_info = known.get("limits"), known.get("on_info")
        if limits is not None and not isinstance(limits, Limits):
            raise TypeError(f"limits must be Limits, such as Limits(time=1.0), not {limits!r}")
        with guard.taken(known.get("stop")) as ours:
            if not ours:
                return Analysis(None if position.over else position.legal[0], 0.0, 0.0)
            if on_info is not None and "on_info" in options:
                options["on_info"] = guard.hear(on_info)
            elif on_info is not None:
                given = (given[0], guard.hear(on_info), *given[2:])
            with enough_memory(getattr(self, "name", f"solving {guard.game.spec}")):
                found: Analysis = getattr(kind, name)(self, position, *given, **options)
                return found

    return search


def _step_by_step(kind: Any) -> Callable[..., Iterator[Analysis]]:
    """Return a search of many positions that takes a turn for each result."""

    @wraps(kind.solve_many)
    def solve_many(self: Any, positions: Sequence[Position]) -> Iterator[Analysis]:
        guard: _Guard = self._guard
        for position in positions:
            guard.check(position, "solve_many")
        steps = iter(kind.solve_many(self, positions))
        while True:
            with guard.taken():
                found = next(steps, None)
            if found is None:
                return
            yield found

    return solve_many


def _reduce(self: Any) -> tuple[Any, ...]:
    """Pickle an engine as the way it was made; a random one also has its generator."""
    return (*self._guard.made, {"random": self.random} if isinstance(self, DrawsLots) else None)
