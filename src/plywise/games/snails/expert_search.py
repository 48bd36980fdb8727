"""The expert's search behind a Python face: `alphabeta` with the kernel of this game."""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.alphabeta import AlphaBeta, Found, Worker, sign
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.scale import Verdict, estimated, proved
from plywise.engines.stack import ABORTED, CERTAIN, MATE, NODES, WON
from plywise.games.snails import evaluate, evaluate_large
from plywise.games.snails.board import CELLS
from plywise.games.snails.expert_kernel import Frame, expert_kernel

#: What a draw counts for the one who plays: one cell less than a level position. Much more
#: wins a few more games from weak agents and loses many to strong ones. Analysis of all moves takes
#: it for what it is.
CONTEMPT = -10

TASTE = 2  #: with a seed, a cell is liked so much more or less at most: no two games are alike


class Searcher(AlphaBeta):
    """Iterative deepening over the expert's kernel."""

    draw = 0  #: what a draw counts in the search under way
    avoid = 0  #: moves that are not to be played in it, as bits

    def __init__(self, game: Game, memory: float, seed: int = 0) -> None:
        super().__init__(game, memory=memory)
        lots = random.Random(seed)
        self.taste = np.zeros(CELLS, np.int64)
        if seed:
            self.taste[:] = [lots.randint(-TASTE, TASTE) for _ in range(CELLS)]
        small = game.board.cells <= 64
        assess = evaluate.assess if small else evaluate_large.assess
        self.kernel = expert_kernel.build(game.rules, assess=assess)
        (worker,) = self.workers
        worker.frames = np.zeros(worker.frames.size, Frame)

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
        contempt: int = CONTEMPT,
        avoid: int = 0,
    ) -> Analysis:
        """The best move within the limits; a draw only where nothing better seems near."""
        self.draw, self.avoid = 0 if lines else contempt, avoid
        return super().search(position, limits, on_info, stop, lines=lines)

    def call(
        self,
        worker: Worker,
        position: Position,
        depth: int,
        low: int,
        high: int,
        run: Run,
        beaten: np.ndarray[Any, Any],
        budget: int,
    ) -> Found:
        """One search to one depth; one thread does it, which nobody can beat."""
        worker.states[0] = position.state
        counts = np.array([budget, 0, 0], np.int64)
        score = self.kernel(
            self.game.boards,
            worker.states,
            worker.frames,
            worker.out,
            worker.lists,
            worker.ranks,
            worker.pv,
            worker.killers,
            self.table.words,
            self.table.era,
            depth,
            low,
            high,
            self.draw,
            self.taste,
            self.avoid,
            counts,
            run.stop,
            run.halt,
        )
        aborted = bool(counts[ABORTED])
        if aborted:  # what the first moves gave so far still holds
            score = worker.frames[0].alpha
        pv = tuple(int(move) for move in worker.pv[0, 1 : worker.pv[0, 0] + 1])
        move = int(worker.frames[0].move)
        return Found(int(score), bool(counts[CERTAIN]), move, pv, int(counts[NODES]), aborted)

    def settled(self, found: Found, depth: int) -> bool:
        """A win is enough. Of losses the one that takes longest is looked for."""
        return found.score > WON or super().settled(found, depth)

    def verdict(self, position: Position, found: Found, depth: int) -> Verdict:
        """Late moves are looked at less deeply, so a sooner win may be missed, if not the first."""
        if abs(found.score) > WON:
            return proved(position, sign(found.score), 1 if found.score == MATE - 1 else None)
        if found.certain:
            return proved(position, 0, None)
        return estimated(position, found.score)
