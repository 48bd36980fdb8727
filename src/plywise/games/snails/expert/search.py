"""The expert's search: `alphabeta` with hooks of its own.

Every node is evaluated, so a decided result ends the line at once; a single legal move costs no
depth; late slides are first searched less deeply (late-move reduction); and if passing would
already be good enough, the node is searched less deeply (null move).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.game import Game, Record
from plywise.core.position import Position
from plywise.engines.alphabeta import AlphaBeta, Found
from plywise.engines.hooks import SearchRules
from plywise.engines.kernels.stack import WON
from plywise.engines.net.weights import NONE, usual
from plywise.games.snails import rules
from plywise.games.snails.board import CELLS
from plywise.games.snails.expert.evaluate import evaluation_for, weigh
from plywise.jit import rule
from plywise.jit.bits import has

LATE = 3  #: with at least so many plies to go, late slides are first searched less deeply
CLAIM = 128  #: the weight of `rules.promise`: more than the history heuristic
#: The contempt for a draw: one cell less than an even position. Much more wins a few more games
#: against weak agents and loses many against strong ones. Analysis of all moves uses no contempt.
CONTEMPT = -10
TASTE = 2  #: with a seed, cells are valued up to this much more or less, so that games differ


@rule
def forced(b: Record, s: Record, out: Record) -> int:
    """List all moves: a single one costs no depth."""
    return rules.moves(b, s, out)


@rule
def promise(b: Record, s: Record, move: int) -> int:
    """Claims first, then slides, ordered by the history heuristic."""
    return CLAIM * rules.promise(b, s, move)


@rule
def reduction(b: Record, s: Record, move: int, tried: int, depth: int) -> int:
    """A slide that is not the first move is searched one ply less deep."""
    return 1 if depth >= LATE and not has(s.free, b.step[move, s.at[s.turn]]) else 0


@rule
def null_move(b: Record, s: Record, depth: int) -> bool:
    """Pass, unless the opponent is stuck or the search may reach the end of the game."""
    if depth > s.left or s.stuck[1 - s.turn] != 0:
        return False
    s.turn = 1 - s.turn
    return True


class Searcher(AlphaBeta):
    """Alpha-beta that ignores how long a decided game takes."""

    look_up = 1
    decided = 5_000

    def __init__(self, game: Game, memory: float, seed: int = 0, net: str | None = NONE) -> None:
        evaluation = evaluation_for(game)
        rules = SearchRules.extending(
            game.rules,
            assess=evaluation.assess,
            forced=forced,
            promise=promise,
            reduction=reduction,
            null_move=null_move,
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

    def think(
        self,
        position: Position,
        limits: Limits,
        on_info: OnInfo | None,
        stop: Stop,
        lines: bool,
        avoid: Sequence[int] = (),
        contempt: int = CONTEMPT,
    ) -> Analysis:
        """The best move within the limits; a draw only if nothing better seems likely."""
        self.draw = 0 if lines else contempt
        return super().think(position, limits, on_info, stop, lines, avoid)

    def settled(self, found: Found, depth: int) -> bool:
        """True for a win. After a loss the search goes on, for the longest one."""
        return found.score > WON or super().settled(found, depth)
