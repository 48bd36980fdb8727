"""The expert: its book, proofs of wins and of safe moves, alpha-beta for the rest.

Proofs look far ahead but only at who wins; alpha-beta evaluates, but not as deep. So alpha-beta's
move is played unless the solver shows that it loses soon and another move does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter
from plywise.engines.alphabeta import MEGABYTES, AlphaBeta
from plywise.engines.book import shipped
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run
from plywise.engines.hooks import SearchRules
from plywise.engines.net.weights import EXPERT_NET, usual
from plywise.engines.scale import analysis_of, proved
from plywise.games.andantino import search
from plywise.games.andantino.solver import Solver

NEAR_SHARE = 0.1  #: of the time goes to the solver: short wins and losses, a safe move
WIN_SHARE = 0.15  #: ... to proof-number search, for longer wins
HELD_SHARE = 0.8  #: ... to it if the previous move was proved to win
FAINT = -60.0  #: ... and none to it if the previous score was below this
SEARCH_SHARE = 0.9  #: of the rest goes to alpha-beta; then the solver checks its move
GRACE = 5_000  #: solver nodes without a time limit, so that short wins are always seen
SECONDS = 1.0  #: for a search without any limit
MEMORY = 32.0  #: megabytes for the solver's table, and for that of proof numbers


class Expert(AlphaBeta):
    """Alpha-beta with its own verbs, and exact lengths for short wins and losses."""

    look_up = 0  # a node is so slow that looking at the table always pays

    def __init__(
        self, game: Game, time: float | None, memory: float, net: str | None = None
    ) -> None:
        rules = SearchRules.extending(
            game.rules,
            moves=search.moves,
            evaluate=search.judge,
            promise=search.promise,
            tactics=search.tactics,
            threats=search.threats,
            reduction=search.reduction,
        )
        super().__init__(game, time=time, memory=memory, rules=rules, net=usual(net, game))
        self.share = WIN_SHARE  # proof-number search's share of the next move's time

    @cached_property
    def solver(self) -> Solver:
        """The solver, made when it is first needed."""
        return Solver(self.game, MEMORY, shipped(self.game), proofs=MEMORY)

    def think(
        self,
        position: Position,
        limits: Limits,
        on_info: OnInfo | None,
        stop: Stop,
        lines: bool,
        avoid: Sequence[int] = (),
    ) -> Analysis:
        """The best move; alpha-beta alone with a depth or node limit, or for chosen moves."""
        limits = limits or Limits(time=SECONDS)
        if limits.depth is not None or limits.nodes is not None or lines or avoid:
            return super().think(position, limits, on_info, stop, lines, avoid)
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
                near = analysis_of((best,), proved(position, 1, None))
        self.share = HELD_SHARE if near.outcome == "win" else WIN_SHARE
        if near.outcome is not None:
            near = replace(near, nodes=nodes, seconds=run.seconds)
            if on_info is not None:
                on_info(near)
            return near
        left = (1 - NEAR_SHARE - share) * limits.time
        found = super().think(position, Limits(SEARCH_SHARE * left), on_info, stop, lines)
        if found.score < FAINT:
            self.share = 0.0
        rest = (1 - SEARCH_SHARE) * left
        if found.outcome is None and self._loses(position, found, near, rest, stop):
            found = replace(found, best=near.best, pv=near.pv)
        return replace(found, nodes=found.nodes + nodes, seconds=run.seconds)

    def _loses(
        self, position: Position, found: Analysis, near: Analysis, time: float, stop: Stop | None
    ) -> bool:
        """True if the move found loses within the plies for which the solver knows a safe one."""
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
        Parameter("time", float, "seconds per move", low=0.0, high=1e6),
        Parameter("memory", float(MEGABYTES), "megabytes of the table", low=0.01, high=65536),
        Parameter("net", str, EXPERT_NET),
    ),
    "alpha-beta with threat search for lines and rings, and proofs of short wins",
)
