"""The expert: exact where the book or a table reaches, alpha-beta elsewhere."""

from __future__ import annotations

from dataclasses import replace

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType
from plywise.core.position import Position
from plywise.engines.driver import Run
from plywise.engines.expert import PARAMETERS, SolverExpert
from plywise.games.align.solver import Solver

SHARE = 0.9  #: of the time, for the solver; what it leaves without a result is for an estimate


class Expert(SolverExpert[Solver]):
    """Plays perfectly on the usual board, thanks to the book, and near the end of any other."""

    def make_solver(self) -> Solver:
        """The exact one, with the book if that is wanted."""
        return Solver(self.game, book=self.book)

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """By the book or a table if they reach that far; else an estimate."""
        solver = self.solver
        run = Run(limits, stop)
        left = limits
        if solver.reaches(position):
            share = Limits() if limits.time is None else Limits(time=SHARE * limits.time)
            at_once = None if lines else solver.looked_up(position)
            solved = at_once or solver.solve(position, share, stop=stop)
            if solved.outcome is not None or run.stopped:
                solved = solved if lines else replace(solved, lines=())
                if on_info is not None:
                    on_info(solved)
                return solved
            with run.off_the_clock():
                self.estimator.warm(position)
            left = run.left()
        return self.estimator.search(position, left, on_info, stop, lines=lines)


EXPERT = AgentType(
    Expert,
    PARAMETERS,
    "exact where its opening book or its endgame tables reach; elsewhere an estimate",
)
