"""Exact results of Make Way: can the mover force a win, and if not, can the opponent?

The two questions take turns of growing length, because it may take long to see that a lost position
is not won. Results stay in a table for the next position of the same board. On an empty board the
second question needs no search: the first player could steal a winning strategy of the second,
since an extra line never hurts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plywise.core.analysis import Analysis
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run
from plywise.engines.kernels.proof import ABORTED, BEST, NODES, SLOTS, Frame
from plywise.engines.proof import ForcedWin
from plywise.engines.scale import Verdict, analysis_of, estimated, proved
from plywise.engines.solve import ExactSolver, Search
from plywise.games.makeway.forests import Node, nodes_of
from plywise.games.makeway.solver import kernel
from plywise.games.makeway.solver.threats import Scratch, WinPlan, Work

MEGABYTES = 32.0  #: of the table
FIRST_TURN = 500  #: nodes of the first turn; each is twice as long as the one before
GRACE = 2000  #: nodes without a time limit, so that small boards are always solved
SMALL = 300  #: up to so many nodes no thread is started: a few milliseconds


class Solver(ExactSolver):
    """Exact results for one board."""

    grace = GRACE

    def __init__(self, game: Game, memory: float = MEGABYTES) -> None:
        self.game = game
        self.kernel = kernel.proving.build(game.rules)
        self.ranking = kernel.ranking.build(game.rules)
        deepest, most = game.max_plies + 2, game.max_moves
        dots = int(game.board.dots)
        self.states = np.zeros(deepest + 1, Node)
        self.scratches = np.zeros(1, Scratch)
        self.nets = np.zeros((deepest + 1, 2, dots, dots))
        self.stack = (
            np.zeros(1, Node),  # spare
            self.scratches,
            self.nets,
            np.zeros(deepest + 1, Work),
            np.zeros(deepest + 1, Frame),
            np.zeros((deepest, most), np.int32),  # the moves
            np.zeros((deepest, most), np.uint64),  # ... the keys after them
            np.zeros((deepest, most, 2), np.int32),  # ... and guesses of their numbers
        )
        self.killers = np.full((deepest + 1, 2), -1, np.int32)
        entry = 16 + WinPlan.itemsize
        buckets = 1 << max(4, int(memory * (1 << 20) / (entry * SLOTS)).bit_length() - 1)
        self.table = np.zeros(2 * SLOTS * buckets, np.uint64)
        self.plans = np.zeros(SLOTS * buckets, WinPlan)
        self.generation = 1
        self.ask(game.start(), 0, Run(NO_LIMITS), 1)  # compiles, before any clock starts
        self.ranked(game.start())

    def forget(self) -> None:
        """Empty the table."""
        self.killers[:] = -1
        self.generation += 1
        if self.generation == 256:
            self.table[:] = 0
            self.generation = 1

    def ask(
        self, position: Position, attacker: int, run: Run, budget: int = NO_BUDGET
    ) -> ForcedWin:
        """Ask if `attacker` (0 or 1) can force a win; asking again continues where it stopped."""
        self.states[0] = nodes_of(self.game.board, position.state)[0]
        counts = np.array([budget, 0, -1], np.int64)

        def job() -> Any:
            return self.kernel(
                self.game.boards,
                self.states,
                *self.stack,
                self.killers,
                self.table,
                self.plans,
                self.generation,
                attacker,
                counts,
                run.stop,
                run.halt,
            )

        hurry = budget > run.grace
        proof, _ = run.call([job], hurry=hurry)[0] if budget > SMALL else job()
        run.grace -= int(counts[NODES])
        settled = None if counts[ABORTED] else bool(proof == 0)
        return ForcedWin(settled, int(counts[BEST]), int(counts[NODES]))

    def ranked(self, position: Position) -> list[tuple[int, float]]:
        """Every move with the mover's hope after it, the best by the network first."""
        out = np.zeros(self.game.max_moves, np.int32)
        hopes = np.zeros(self.game.max_moves)
        count = self.ranking(
            self.game.boards,
            nodes_of(self.game.board, position.state),
            self.scratches,
            self.nets[0],
            out,
            hopes,
        )
        return [(int(out[index]), float(hopes[index])) for index in range(count)]

    def find(self, search: Search) -> Analysis:
        """Find win, draw or loss for the side to move; `outcome` is None if a limit came first."""
        questions = Questions(self, search.position, search.left)
        while questions.open and not search.run.stopped:
            questions.work(search.run)
            search.nodes = questions.nodes
            if questions.open:
                search.tell(questions.analysis(search.run))
        return questions.analysis(search.run)


class Questions:
    """Both questions about a position, and the work they have taken."""

    def __init__(self, solver: Solver, position: Position, limit: int = NO_BUDGET) -> None:
        self.solver = solver
        self.position = position
        self.limit = limit
        self.nodes = 0
        self.turn = FIRST_TURN
        self.win: bool | None = None  #: can the mover force a win?
        empty = position.state.left == position.game.board.lines
        self.loss: bool | None = False if empty else None  #: can the opponent?
        self.move = -1  #: a move that keeps the result, if it is known

    @property
    def open(self) -> bool:
        """True if a question is open and there are nodes left for it."""
        return self.margin is None and self.nodes < self.limit

    @property
    def margin(self) -> int | None:
        """1, 0 or -1 for the mover, once it is known."""
        if self.win:
            return 1
        if self.loss:
            return -1
        return None if self.win is None or self.loss is None else 0

    def work(self, run: Run) -> None:
        """Work on each open question for one turn."""
        me = self.position.turn
        if self.win is None:
            self.win = self._ask(me, run)
        if self.loss is None and not self.win:
            self.loss = self._ask(1 - me, run)
        self.turn *= 2

    def _ask(self, attacker: int, run: Run) -> bool | None:
        answer = self.solver.ask(
            self.position, attacker, run, min(self.turn, self.limit - self.nodes)
        )
        self.nodes += answer.nodes
        helps = attacker == self.position.turn if answer.settled else attacker != self.position.turn
        if answer.settled is not None and helps:
            self.move = answer.best
        return answer.settled

    def best(self, run: Run) -> int:
        """A move that keeps the result; if none is known, the best by the network."""
        if self.move >= 0:
            return self.move
        moves = [move for move, _ in self.solver.ranked(self.position)]
        if self.margin in (0, 1):
            attacker = self.position.turn if self.margin == 1 else 1 - self.position.turn
            for move in moves:
                if run.stopped:
                    break
                child = self.position.play_code(move)
                if child.over:
                    holds: bool | None = child.winner == attacker + 1
                else:
                    holds = self.solver.ask(child, attacker, run).settled
                if holds is (self.margin == 1):
                    self.move = move
                    return move
        return moves[0]

    def analysis(self, run: Run) -> Analysis:
        """The result so far."""
        text = self.position.text_of(self.best(run))
        return analysis_of((text,), self.verdict(0.0), nodes=self.nodes)

    def verdict(self, score: float) -> Verdict:
        """What is proved, or else the estimate of this score."""
        if self.margin is None:
            return estimated(self.position, score)
        return proved(self.position, self.margin, None)
