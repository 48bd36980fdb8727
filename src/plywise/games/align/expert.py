"""The expert: exact where the book or a table reaches, alpha-beta elsewhere."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from functools import cached_property

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.alphabeta import MEGABYTES, AlphaBeta
from plywise.engines.driver import NO_LIMITS, Run, first_move
from plywise.games.align.solver import Solver

SHARE = 0.9  #: of the time, for the solver; what it leaves without a result is for an estimate


class Expert:
    """Plays perfectly on the usual board, thanks to the book, and near the end of any other."""

    def __init__(self, game: Game, time: float | None, book: bool, memory: float) -> None:
        self.game = game
        self.limits = Limits(time)
        self.book = book
        self.memory = memory
        given = {
            "time": time,
            "book": None if book else "no",
            "memory": None if memory == MEGABYTES else memory,
        }
        self.name = format_spec("expert", given)

    @cached_property
    def solver(self) -> Solver:
        """Made when it is first needed: it compiles."""
        return Solver(self.game, book=self.book)

    @cached_property
    def estimator(self) -> AlphaBeta:
        """For positions that are not solved in time, and for limits of depth or nodes."""
        return AlphaBeta(self.game, memory=self.memory)

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
            assert run.deadline is not None  # the solver stops for nothing else
            left = Limits(time=max(0.0, run.deadline - clock.perf_counter()))
        return self.estimator.search(position, left, on_info, stop, lines=lines)


EXPERT = AgentType(
    Expert,
    (
        Parameter("time", None, "seconds a move", low=0.0, high=1e6, kind=float),
        Parameter("book", True, "look openings up"),
        Parameter("memory", float(MEGABYTES), "megabytes for the estimates", low=0.01, high=65536),
    ),
    "exact, by a book and by tables of all that can follow; an estimate where they do not reach",
)
