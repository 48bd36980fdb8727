"""The expert: exact where the solver gets there in time, alpha-beta elsewhere."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import cached_property

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.alphabeta import AlphaBeta
from plywise.engines.driver import NO_LIMITS, first_move
from plywise.games.connect4.solver import Solver

SHARE = 0.7  #: of the time, for the solver; the rest is for alpha-beta
LOOK = 10_000  #: nodes for each further move of a line
LENGTH = 12  #: moves of a line


class Expert:
    """Plays perfectly on the usual board, thanks to the book, and soon on any other."""

    def __init__(self, game: Game, time: float | None, book: bool) -> None:
        self.game = game
        self.limits = Limits(time=time)
        self.book = book
        self.name = format_spec("expert", {"time": time, "book": None if book else "no"})

    @cached_property
    def solver(self) -> Solver:
        """Made when it is first needed: its search takes seconds to compile."""
        return Solver(self.game, book=self.book)

    @cached_property
    def estimator(self) -> AlphaBeta:
        """For positions that are not solved in time, and for limits of depth or nodes."""
        return AlphaBeta(self.game)

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """The exact result, if the limits allow; a limit of depth or nodes asks for an estimate."""
        limits = self.limits & limits
        first_move(position)  # refuses a finished game
        if limits.depth is not None or limits.nodes is not None:
            return self.estimator.search(position, limits, on_info, stop, lines=lines)
        started = time.perf_counter()
        share = None if limits.time is None else SHARE * limits.time
        analysis = self.solver.solve(position, Limits(share), on_info, stop, lines=lines)
        if analysis.outcome is not None:
            return replace(analysis, pv=self._line(position, analysis))
        if stop is not None and stop.is_set():
            return analysis
        spent = time.perf_counter() - started
        rest = Limits(None if limits.time is None else max(0.0, limits.time - spent))
        return self.estimator.search(position, rest, on_info, stop, lines=lines)

    def _line(self, position: Position, analysis: Analysis) -> tuple[str, ...]:
        """What follows the best move, as far as it is quickly found."""
        moves: list[str] = []
        while analysis.best is not None and analysis.outcome is not None and len(moves) < LENGTH:
            moves.append(analysis.best)
            position = position.play(analysis.best)
            analysis = self.solver.solve(position, Limits(nodes=LOOK))
        return tuple(moves)


EXPERT = AgentType(
    Expert,
    (
        Parameter("time", None, "seconds a move", low=0.0, high=1e6, kind=float),
        Parameter("book", True, "look openings up"),
    ),
    "exact, by the solver and its opening book; an estimate where time is short",
)
