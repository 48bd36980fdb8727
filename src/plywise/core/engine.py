"""The interfaces of engines and solvers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol, runtime_checkable

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.position import Position


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
