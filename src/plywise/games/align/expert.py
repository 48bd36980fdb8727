"""The expert: exact where the book or a table reaches, alpha-beta elsewhere."""

from __future__ import annotations

from dataclasses import replace

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType
from plywise.core.position import Position
from plywise.engines.driver import Run
from plywise.engines.expert import PARAMETERS, SolverExpert
from plywise.games.align.solver import Solver

SHARE = 0.9  #: of the time goes to the solver, the rest to an estimate if it finds no result


class Expert(SolverExpert[Solver]):
    """Plays perfectly on the standard board with its book, and near the end of any other."""

    solver_type = Solver

    def divide(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Use the book or a table if they reach that far; else estimate, however late it is."""
        solver = self.solver
        run = Run(limits, stop)
        left = limits
        if solver.reaches(position):
            share = Limits() if limits.time is None else Limits(time=SHARE * limits.time)
            at_once = None if lines else solver.looked_up(position)
            solved = at_once or solver.solve(position, share, stop=stop)
            if solved.outcome is not None or stop.is_set():
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
