"""Proof-number search: can the side to move force a win? Exact, and good at forcing lines.

`Prover` answers that question for either side, and can be interrupted and resumed; the agent
`proof` asks it for both sides, and so tells win, draw and loss apart.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, GameAgent, Run
from plywise.engines.kernels.proof import ABORTED, BEST, NODES, SLOTS, Frame, proof_kernel
from plywise.engines.scale import analysis_of, decided, estimated
from plywise.jit.kernels import roomy

MEGABYTES = 32  #: the default size of the table
SECONDS = 10.0  #: the time of a search without any limit


class ForcedWin(NamedTuple):
    """The answer to the question whether a player can force a win, as far as it is known."""

    settled: bool | None  #: None: not yet known
    best: int  #: the move that decides, or else the most promising one; -1 if none was needed
    nodes: int
    proof: int = 1  #: the proof number and the disproof number of the position
    disproof: int = 1


class Prover:
    """The df-pn kernel with its stack and its table; asking again resumes where it stopped."""

    def __init__(self, game: Game, megabytes: float = MEGABYTES) -> None:
        self.game = game
        self.kernel = proof_kernel.build(game.rules)
        deepest = game.max_plies + 2
        self.states = roomy(deepest + 1, game.type.state)
        self.stack = (
            self.states,
            roomy(deepest + 1, Frame),
            roomy((deepest + 1, game.max_moves), np.int32),  # the moves of each ply ...
            roomy((deepest, game.max_moves), np.uint64),  # ... the keys of the positions after them
            roomy((deepest, game.max_moves), np.int8),  # ... 1 or -1 if the rules settle them
            roomy((deepest, game.max_moves), np.uint64),  # ... and the first numbers of new ones
        )
        buckets = 1 << max(4, int(megabytes * (1 << 20) / (16 * SLOTS)).bit_length() - 1)
        self.table = np.zeros(2 * SLOTS * buckets, np.uint64)
        self.generation = 1

    def forget(self) -> None:
        """Clear the table."""
        self.generation += 1
        if self.generation == 256:
            self.table[:] = 0
            self.generation = 1

    def warm(self, position: Position) -> None:
        """Compile the kernel, or load it from disk, before a clock starts."""
        self.ask(position, 0, Run(NO_LIMITS), 1)

    def ask(
        self, position: Position, attacker: int, run: Run, budget: int = NO_BUDGET
    ) -> ForcedWin:
        """Find out whether `attacker` (0 or 1) can force a win from here."""
        self.states[0] = position.state
        counts = np.array([budget, 0, 0], np.int64)
        given = (self.table, self.generation, attacker, counts, run.stop, run.halt)
        proof, disproof = run.call([lambda: self.kernel(self.game.boards, *self.stack, *given)])[0]
        settled = None if counts[ABORTED] else bool(proof == 0)
        return ForcedWin(settled, int(counts[BEST]), int(counts[NODES]), int(proof), int(disproof))


class Proof(GameAgent):
    """The agent: asks whether the side to move wins, then whether it loses."""

    def __init__(
        self,
        game: Game,
        time: float | None = None,
        nodes: int | None = None,
        memory: float = float(MEGABYTES),
    ) -> None:
        self.prover = Prover(game, memory)
        self.limits = Limits(time=time, nodes=nodes)

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Prove a win, a loss or a draw, if the limits allow."""
        limits = limits or Limits(time=SECONDS)
        self.prover.warm(position)
        self.prover.forget()
        run = Run(limits, stop)
        budget = limits.nodes or NO_BUDGET
        me, other = position.turn, 1 - position.turn
        win = self.prover.ask(position, me, run, budget)
        if win.settled:
            return self._analysis(position, win, 1, win.nodes, run)
        loss = self.prover.ask(position, other, run, budget - win.nodes)
        nodes = win.nodes + loss.nodes
        if loss.settled:
            return self._analysis(position, loss, -1, nodes, run)
        known = win.settled is False and loss.settled is False
        return self._analysis(position, loss, 0 if known else None, nodes, run)

    @staticmethod
    def _analysis(
        position: Position, answer: ForcedWin, sign: int | None, nodes: int, run: Run
    ) -> Analysis:
        seen = estimated(position, 0.0) if sign is None else decided(position, sign)
        best = answer.best if answer.best in position.legal_codes else position.legal_codes[0]
        return analysis_of((position.text_of(best),), seen, nodes=nodes, seconds=run.seconds)


PROOF = AgentType(
    Proof,
    (
        Parameter("time", float, "seconds per move", low=0.0, high=1e6),
        Parameter("nodes", int, "nodes per move", low=1, high=1e15),
        Parameter("memory", float(MEGABYTES), "megabytes for the table", low=0.01, high=65536),
    ),
    "proof-number search: is a position won, drawn or lost?",
)
