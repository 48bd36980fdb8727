"""Monte-Carlo tree search: UCT on random playouts, with proved results backed up.

Every node stores the lowest and the highest margin still possible. They are equal when the game is
over, a game's `bounds` tightens them, and they are backed up like minimax values; moves that cannot
beat a guaranteed result are not searched, and a proved root ends the search. `value` is the mean
reward of the playouts through the best move (see `reward`), and so is `score` until the result is
proved.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop, outcome_of
from plywise.core.game import AgentType, Game
from plywise.core.position import Position, texts
from plywise.core.spec import Parameter
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, GameAgent, Run, TwoSpeeds
from plywise.engines.kernels.mcts import (
    COUNTS,
    DEEPEST,
    NO_CHILDREN,
    PLAYOUTS,
    ROOT,
    USED,
    Node,
    mcts_kernel,
    new_pool,
    plant,
    reward,
)
from plywise.engines.net import Net
from plywise.engines.net.weights import NET, staged
from plywise.engines.scale import Verdict, analysis_of, line_of, proved
from plywise.jit.bits import generator
from plywise.jit.kernels import roomy

Array = np.ndarray[Any, Any]

USUAL_PLAYOUTS = 10_000  #: without any limit
EXPLORATION = 1.0  #: of UCT; anything from 0.7 to 1.4 finds as many best moves in Connect-4
MEGABYTES = 256.0
_INTERVAL = 0.25  #: seconds between two reports of a running search
#: Playouts before the first report, when their speed is not yet known; the clock is ignored.
_FIRST_REPORT = 200
_UNSURE = 0.999  #: the largest value that is not proved


class MonteCarlo(TwoSpeeds, GameAgent):
    """UCT for one game. The pool is allocated once; each search starts a new tree in it."""

    def __init__(
        self,
        game: Game,
        time: float | None = None,
        playouts: int | None = None,
        exploration: float = EXPLORATION,
        seed: int = 0,
        memory: float = MEGABYTES,
        net: str | Net | None = None,
    ) -> None:
        self.game = game
        self.stage = staged(game, game.rules, net)
        self.limits = Limits(time=time, nodes=playouts)
        self.exploration = exploration
        self.seed = seed
        self.kernel = mcts_kernel.build(self.stage.rules)
        self.interpreted = mcts_kernel.plain(self.stage.rules)
        self.pool = new_pool(max(int(memory * 2**20) // Node.itemsize, game.max_moves + 1))
        self.states = np.zeros(2, self.stage.state)
        self.path = roomy(game.max_plies + 2, np.int32)
        self.out = roomy(game.max_moves, np.int32)

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Run playouts until a limit is reached or the result is proved; depth limits do not count.

        With `lines` it continues until every move is proved.
        """
        budget = limits.nodes or (USUAL_PLAYOUTS if limits.time is None else NO_BUDGET)
        plant(self.pool, position)
        self.states[0] = self.stage.lift(position.states)[0]
        rng = generator(self.seed)
        counts = np.zeros(COUNTS, np.int64)
        counts[USED] = 1 + len(position.legal_codes)

        def go_on(run: Run, until: int, *, hurry: bool = True) -> None:
            run.call([lambda: self._play_out(rng, counts, until, lines, run)], hurry=hurry)

        def analysis() -> Analysis:
            return replace(
                self._analysis(position, lines),
                depth=int(counts[DEEPEST]),
                nodes=int(counts[PLAYOUTS]),
                seconds=run.seconds,
            )

        go_on(Run(NO_LIMITS), until=0)  # compile before the clock starts
        run = Run(limits, stop, _FIRST_REPORT)
        if run.grace > 0:
            go_on(run, min(run.grace, budget), hurry=False)
            run.grace = 0
        until = budget if on_info is None else min(_FIRST_REPORT, budget)
        while not run.stopped:
            go_on(run, until)
            if on_info is not None:
                on_info(analysis())
            if counts[PLAYOUTS] < until or until == budget:  # proved, stopped, or all played
                break
            until = min(budget, 1 + int(until * (1 + _INTERVAL / run.seconds)))
        return analysis()

    def compile(self) -> None:
        """Compile the kernel in this thread, or load it from the disk."""
        self._play_out(generator(0), np.zeros(COUNTS, np.int64), 0, False, Run(NO_LIMITS))

    def _play_out(self, rng: Array, counts: Array, until: int, every: bool, run: Run) -> None:
        memory = self.stage.boards, self.states, self.pool, self.path, self.out
        asked = until, self.exploration, self.game.max_margin, every
        self.kernel(*memory, rng, counts, *asked, run.stop, run.halt)

    def _analysis(self, position: Position, lines: bool) -> Analysis:
        """Return the analysis from the current tree."""
        children = self._children(ROOT)
        best = self._favourite(ROOT)
        seen = self._verdict(position, ROOT, best)
        every = tuple(self._line(position, child) for child in children) if lines else ()
        pv = texts(position, self._path(best))
        return analysis_of(pv, seen, lines=every)

    def _line(self, position: Position, child: int) -> Line:
        seen = self._verdict(position, child, child)
        return line_of(texts(position, self._path(child)), seen)

    def _children(self, node: int) -> range:
        first = int(self.pool["first"][node])
        return range(first, first + int(self.pool["children"][node]))

    def _favourite(self, node: int) -> int:
        """Return the child to play: the most visited one, unless a proved result is better."""
        pool, player = self.pool, int(self.pool["mover"][node])
        low, high = self._bounds(node, player)
        children = np.array(self._children(node))
        lowest, highest = pool["low"][children], pool["high"][children]
        if player == 1:
            lowest, highest = -highest, -lowest
        surest = children[lowest == lowest.max()]
        sure = int(surest[pool["visits"][surest].argmax()])
        hopeful = children[highest > low]
        if low == high or not hopeful.size:
            return sure
        tried = int(hopeful[pool["visits"][hopeful].argmax()])
        floor = reward(int(lowest.max()), 1 / self.game.max_margin)
        return tried if self._mean(tried, player) >= floor else sure

    def _path(self, child: int) -> list[int]:
        """Return the principal variation from this child of the root."""
        moves = [int(self.pool["move"][child])]
        while self.pool["children"][child] != NO_CHILDREN:
            child = self._favourite(child)
            if self.pool["visits"][child] == 0:
                break
            moves.append(int(self.pool["move"][child]))
        return moves

    def _bounds(self, node: int, player: int) -> tuple[int, int]:
        """Return the margins still possible, from one player's point of view."""
        low, high = int(self.pool["low"][node]), int(self.pool["high"][node])
        return (low, high) if player == 0 else (-high, -low)

    def _mean(self, node: int, player: int) -> float:
        """Return the mean reward of a player, within the node's bounds."""
        mean = float(self.pool["average"][node])
        per_point = 1 / self.game.max_margin
        low, high = (reward(margin, per_point) for margin in self._bounds(node, player))
        return max(low, min(high, mean if player == 0 else -mean))

    def _verdict(self, position: Position, bounded: int, played: int) -> Verdict:
        """Return the proved result of the node `bounded`, or else the mean of the node `played`."""
        low, high = self._bounds(bounded, position.turn)
        if low == high:
            return proved(position, low, None)
        mean = self._mean(played, position.turn)
        if low > 0 or high < 0:  # the winner is known, but not the margin
            return Verdict(1.0 if low > 0 else -1.0, mean, "estimate", outcome_of(low))
        return Verdict(max(-_UNSURE, min(_UNSURE, mean)), mean, "estimate")


MCTS = AgentType(
    MonteCarlo,
    (
        Parameter("time", float, "seconds per move", low=0.0, high=1e6),
        Parameter("playouts", int, "playouts per move", low=1, high=1e15),
        Parameter("exploration", EXPLORATION, "exploration constant of UCT", low=0.0),
        Parameter("seed", 0, "random seed of the playouts"),
        Parameter("memory", MEGABYTES, "megabytes for the tree", low=0.01, high=65536),
        Parameter("net", str, NET),
    ),
    "Monte-Carlo tree search with proved results",
)
