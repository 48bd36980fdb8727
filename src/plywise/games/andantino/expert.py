"""The expert: a look for a near forced win first, then alpha-beta along threats."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.alphabeta import MEGABYTES, AlphaBeta
from plywise.engines.driver import NO_LIMITS, Run, first_move
from plywise.games.andantino.judge import judge
from plywise.games.andantino.search_kernel import search_kernel
from plywise.games.andantino.solver import Solver

FIRST_LOOK = 40_000  #: nodes in which the solver looks for a forced win: some 20 ms
SHARE = 0.2  #: ... but no more than this share of the time
SECONDS = 1.0  #: a search that is given no limit at all
PROOFS = 8.0  #: megabytes of the solver's table


class Expert(AlphaBeta):
    """Alpha-beta over a loop that knows the game; near wins and losses with their exact length."""

    def __init__(self, game: Game, time: float | None, memory: float) -> None:
        super().__init__(game, time=time, memory=memory)
        self.kernel = search_kernel.build(game.rules, judge=judge)
        given = {"time": time, "memory": None if memory == MEGABYTES else memory}
        self.name = format_spec("expert", given)

    @cached_property
    def solver(self) -> Solver:
        """Made when it is first needed."""
        return Solver(self.game, PROOFS)

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
    ) -> Analysis:
        """The best move; with a limit of depth or nodes, or for all moves, alpha-beta alone."""
        first_move(position)  # refuses a finished game
        limits = self.limits & limits or Limits(time=SECONDS)
        if limits.depth is not None or limits.nodes is not None or lines:
            return super().search(position, limits, on_info, stop, lines=lines)
        assert limits.time is not None
        look = Limits(SHARE * limits.time, nodes=FIRST_LOOK)
        solver = self.solver
        run = Run(look, stop)
        proved = solver.deepen(position, look, run, None)
        if proved.outcome is not None:
            if on_info is not None:
                on_info(proved)
            return proved
        rest = Limits(max(0.0, limits.time - run.seconds))
        found = super().search(position, rest, on_info, stop)
        return replace(found, nodes=found.nodes + proved.nodes, seconds=run.seconds)


EXPERT = AgentType(
    Expert,
    (
        Parameter("time", None, "seconds a move", low=0.0, high=1e6, kind=float),
        Parameter("memory", float(MEGABYTES), "megabytes of the table", low=0.01, high=65536),
    ),
    "alpha-beta along threats of lines and rings, and proofs of near wins",
)
