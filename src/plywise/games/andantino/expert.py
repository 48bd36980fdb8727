"""The expert: its book, proofs of wins and of safe moves, alpha-beta for the rest.

Proofs see far, but only who wins; alpha-beta judges, but not so far. So alpha-beta's move is
played unless the solver shows that it loses soon where another does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter, format_spec
from plywise.engines.alphabeta import MEGABYTES, AlphaBeta
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run, first_move
from plywise.engines.scale import analysis_of, proved
from plywise.games.andantino.book import shipped
from plywise.games.andantino.search import verbs
from plywise.games.andantino.search.judge import judge
from plywise.games.andantino.solver import Solver

NEAR_SHARE = 0.1  #: of the time is the solver's: near wins and losses, a safe move
WIN_SHARE = 0.15  #: ... that of proof numbers, for a win that is farther off
HELD_SHARE = 0.8  #: ... and if the move before was proved to win
FAINT = -60.0  #: ... and if it had a score below this, they have none
SEARCH_SHARE = 0.9  #: of what is left, alpha-beta's; in the rest its move is checked by the solver
GRACE = 5_000  #: nodes of the solver that no clock cuts short: near wins are always seen
SECONDS = 1.0  #: a search that is given no limit at all
MEMORY = 32.0  #: megabytes of the solver's table, and of that of proof numbers


class Expert(AlphaBeta):
    """Alpha-beta with verbs of its own; near wins and losses with their exact length."""

    look_up = 0  # a node costs so much that a look at the table is always worth it

    def __init__(self, game: Game, time: float | None, memory: float) -> None:
        rules = replace(
            game.rules,
            moves=verbs.moves,
            evaluate=judge,
            promise=verbs.promise,
            tactics=verbs.tactics,
            threats=verbs.threats,
            reduction=verbs.reduction,
        )
        super().__init__(game, time=time, memory=memory, rules=rules)
        given = {"time": time, "memory": None if memory == MEGABYTES else memory}
        self.name = format_spec("expert", given)
        self.share = WIN_SHARE  # what proof numbers get of the time of the next move

    @cached_property
    def solver(self) -> Solver:
        """Made when it is first needed."""
        return Solver(self.game, MEMORY, shipped(self.game), proofs=MEMORY)

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
        avoid: Sequence[int] = (),
    ) -> Analysis:
        """The best move; with a limit of depth or nodes, or for chosen moves, alpha-beta alone."""
        first_move(position)  # refuses a finished game
        limits = self.limits & limits or Limits(time=SECONDS)
        if limits.depth is not None or limits.nodes is not None or lines or avoid:
            return super().search(position, limits, on_info, stop, lines=lines, avoid=avoid)
        assert limits.time is not None
        solver, prover = self.solver, self.solver.prover
        share = self.share
        if share != HELD_SHARE:
            prover.forget()
        run = Run(Limits(NEAR_SHARE * limits.time), stop, GRACE)
        near = solver.deepen(position, NO_LIMITS, run, None)
        nodes = near.nodes
        if near.outcome is None and (known := solver.known(position)) is not None:
            near = known
        elif near.outcome is None and share > 0:
            part = Run(Limits(share * limits.time), stop)
            asked = prover.ask(position, position.turn, part)
            nodes += asked.nodes
            if asked.settled:
                best = position.text_of(asked.best)
                near = analysis_of(best, proved(position, 1, None))
        self.share = HELD_SHARE if near.outcome == "win" else WIN_SHARE
        if near.outcome is not None:
            near = replace(near, nodes=nodes, seconds=run.seconds)
            if on_info is not None:
                on_info(near)
            return near
        left = (1 - NEAR_SHARE - share) * limits.time
        found = super().search(position, Limits(SEARCH_SHARE * left), on_info, stop)
        if found.score < FAINT:
            self.share = 0.0
        rest = (1 - SEARCH_SHARE) * left
        if found.outcome is None and self._loses(position, found, near, rest, stop):
            found = replace(found, best=near.best, pv=near.pv)
        return replace(found, nodes=found.nodes + nodes, seconds=run.seconds)

    def _loses(
        self, position: Position, found: Analysis, near: Analysis, time: float, stop: Stop | None
    ) -> bool:
        """Does the move found lose within the plies through which the solver knows a safe one?"""
        plies = near.depth - near.depth % 2
        if found.best is None or found.best == near.best or plies < 2:
            return False
        after = position.play(found.best)
        run = Run(Limits(time), stop)
        asked = self.solver.ask(after, after.turn, plies - 1, run, NO_BUDGET)
        return asked.settled is True


EXPERT = AgentType(
    Expert,
    (
        Parameter("time", None, "seconds a move", low=0.0, high=1e6, kind=float),
        Parameter("memory", float(MEGABYTES), "megabytes of the table", low=0.01, high=65536),
    ),
    "alpha-beta with threat search for lines and rings, and proofs of short wins",
)
