"""The base class of experts that have a solver, and estimate when it runs out of time."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import Generic, TypeVar

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.core.spec import Parameter
from plywise.engines.alphabeta import MEGABYTES, AlphaBeta
from plywise.engines.driver import GameAgent
from plywise.engines.net.weights import EXPERT_NET, usual

SolverType = TypeVar("SolverType")

PARAMETERS = (
    Parameter("time", float, "seconds per move", low=0.0, high=1e6),
    Parameter("book", True, "use the opening book"),
    Parameter("memory", float(MEGABYTES), "megabytes for the estimates", low=0.01, high=65536),
    Parameter("net", str, EXPERT_NET),
)


class SolverExpert(GameAgent, Generic[SolverType]):
    """Plays exactly where the solver is fast enough; a depth or node limit gives an estimate."""

    solver_type: Callable[..., SolverType]  #: the class of the exact solver

    def __init__(
        self, game: Game, time: float | None, book: bool, memory: float, net: str | None = None
    ) -> None:
        self.game = game
        self.limits = Limits(time)
        self.book = book
        self.memory = memory
        self.net = usual(net, game)

    @cached_property
    def solver(self) -> SolverType:
        """The solver, made on first use because it takes seconds to compile."""
        return self.solver_type(self.game, book=self.book)

    @cached_property
    def estimator(self) -> AlphaBeta:
        """The search for positions not solved in time, and for depth or node limits."""
        return AlphaBeta(self.game, memory=self.memory, net=self.net)

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Return the exact result if time allows; with a depth or node limit, an estimate."""
        if limits.depth is not None or limits.nodes is not None:
            return self.estimator.search(position, limits, on_info, stop, lines=lines)
        return self.divide(position, limits, on_info, stop, lines)

    @abstractmethod
    def divide(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Divide the time between the solver and the estimate."""
