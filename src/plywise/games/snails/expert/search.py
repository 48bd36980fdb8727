"""The expert's search: `alphabeta` with verbs of its own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.alphabeta import AlphaBeta, Found
from plywise.engines.driver import NO_LIMITS
from plywise.engines.hooks import SearchRules
from plywise.engines.kernels.stack import WON
from plywise.engines.net.weights import NONE, usual
from plywise.games.snails.board import CELLS
from plywise.games.snails.expert import verbs
from plywise.games.snails.expert.evaluate import evaluation_for, weigh

#: The contempt for a draw: one cell less than an even position. Much more wins a few more games
#: against weak agents and loses many against strong ones. Analysis of all moves uses no contempt.
CONTEMPT = -10

TASTE = 2  #: with a seed, cells are valued up to this much more or less, so that games differ


class Searcher(AlphaBeta):
    """Alpha-beta that ignores how long a decided game takes."""

    look_up = 1
    decided = 5_000

    def __init__(self, game: Game, memory: float, seed: int = 0, net: str | None = NONE) -> None:
        evaluation = evaluation_for(game)
        rules = SearchRules.extending(
            game.rules,
            assess=evaluation.assess,
            forced=verbs.forced,
            promise=verbs.promise,
            reduction=verbs.reduction,
            null_move=verbs.null_move,
            measures=evaluation.measures,
            weigh=weigh,
        )
        super().__init__(game, memory=memory, rules=rules, net=usual(net, game))
        if seed:
            rng = random.Random(seed)
            boards = self.stage.boards.copy()
            boards[0].taste[:] = [rng.randint(-TASTE, TASTE) for _ in range(CELLS)]
            boards.flags.writeable = False
            self.stage = replace(self.stage, boards=boards)

    def search(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        *,
        lines: bool = False,
        avoid: Sequence[int] = (),
        contempt: int = CONTEMPT,
    ) -> Analysis:
        """The best move within the limits; a draw only if nothing better seems likely."""
        self.draw = 0 if lines else contempt
        return super().search(position, limits, on_info, stop, lines=lines, avoid=avoid)

    def settled(self, found: Found, depth: int) -> bool:
        """True for a win. After a loss the search goes on, for the longest one."""
        return found.score > WON or super().settled(found, depth)
