"""Parted boards: once no empty cell can be reached by both snails, each fills its own land.

What a snail cannot reach now it can never claim, so parted boards stay parted. Its trail grows by
its own claims alone, and slides depend on its trail alone: nothing the other does changes what can
be claimed. One thing does: 20 plies without a claim end the game. The other may slide all the time
to bring that about, so a plan may have GAP slides between two claims, see `gaps`; a plan that keeps
to this is carried out whatever the other does. `claims` is what such a plan brings, `most` is what
no plan can beat. The other ways to end a game early do not change who wins: more than half of the
cells, or a lead beyond all empty ones, is a win for every continuation.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from plywise.core.game import Game, Record
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.games.snails.board import CELLS, QUIET, WORDS, State, has
from plywise.games.snails.distance import stop_after
from plywise.games.snails.evaluate import GAP, gaps
from plywise.games.snails.filling_kernel import (
    CLAIMS,
    MOST,
    NODES,
    claimed,
    filling_kernel,
    land_kernel,
)

BUDGET = 100_000  #: nodes for one snail, about half a second
SEEN = 1 << 16  #: places for what was looked at before; a power of two

Key = tuple[bytes, int]  #: a trail, and where its snail is
Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Plan:
    """How a snail fills its land."""

    claims: int  #: cells that the moves bring, whatever the other does
    most: int  #: ... and that no others can beat
    moves: tuple[int, ...] = ()
    nodes: int = 0


class Filling:
    """Longest sequences of claims, by the kernel, and what is left of those found before."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = filling_kernel.build(game.rules)
        self.land = land_kernel.build(game.rules)
        self.states = np.zeros(CELLS + 2, State)
        self.lists = np.zeros((CELLS + 2, CELLS + 1), np.int16)
        self.ranks = np.zeros((CELLS + 2, CELLS + 1), np.int16)
        self.tried = np.zeros(CELLS + 2, np.int16)
        self.path = np.zeros(CELLS + 2, np.int16)
        self.best = np.zeros(CELLS + 2, np.int16)
        self.seen = np.zeros(SEEN, np.uint64)
        self.rest: list[dict[Key, Plan]] = [{}, {}]

    def warm(self) -> None:
        """Have the kernels compiled, or fetched from the disk, before a clock starts."""
        self.parted(self.game.start())
        self._solve(self.game.start().state, 0, Run(NO_LIMITS), 1)

    def lands(self, position: Position) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The empty cells that each snail can reach: a row of words for each."""
        out = np.zeros((2, WORDS), np.uint64)
        self.land(self.game.boards, position.states, out)
        return out

    def parted(self, position: Position) -> bool:
        """Is there no empty cell that both can reach?"""
        mine, theirs = self.lands(position)
        return not np.any(mine & theirs)

    def plan(self, position: Position, player: int, run: Run, budget: int = BUDGET) -> Plan:
        """The best plan for a parted board, as far as it is found within the limits.

        A plan that is being carried out is carried on.
        """
        s = position.state
        known = self.rest[player].get(_key(s.own[player], s.at[player]))
        if known is not None:
            return known
        found = self._solve(s, player, run, budget, self.lands(position)[player])
        self.rest[player] = self._suffixes(found)
        return found

    def _solve(
        self,
        s: Record,
        player: int,
        run: Run,
        budget: int,
        land: np.ndarray[Any, np.dtype[np.uint64]] | None = None,
    ) -> Plan:
        start = self.states[0]
        start.own[0] = s.own[player]
        start.free[:] = s.free if land is None else land
        start.at[0] = s.at[player]
        first, then = gaps(int(s.quiet), int(s.turn != player)), GAP
        if s.stuck[1 - player]:  # its turns are skipped, and no plies
            first, then = QUIET - 1 - int(s.quiet), QUIET - 1
        counts = np.array([budget, 0, 0, 0], np.int64)
        self.seen[:] = 0
        run.call([lambda: self._call(first, then, counts, run)])
        cells = [int(cell) for cell in self.best[: counts[CLAIMS]]]
        return Plan(int(counts[CLAIMS]), int(counts[MOST]), self._moves(cells), int(counts[NODES]))

    def _call(self, first: int, then: int, counts: Numbers, run: Run) -> None:
        self.kernel(
            self.game.boards,
            self.states,
            self.lists,
            self.ranks,
            self.tried,
            self.path,
            self.best,
            self.seen,
            first,
            then,
            counts,
            run.stop,
            run.halt,
        )

    def _moves(self, cells: list[int]) -> tuple[int, ...]:
        """The moves that claim these cells in turn, by the fewest slides."""
        moves: list[int] = []
        states = self.states[:1].copy()
        for cell in cells:
            moves += self._way(states[0], cell)
            claimed(states[0], cell)
        return tuple(moves)

    def _way(self, s: Record, goal: int) -> list[int]:
        """Slides and a step from snail 0 to an empty cell, by breadth-first search."""
        start = int(s.at[0])
        ways: dict[int, list[int]] = {start: []}
        waiting = deque([start])
        while goal not in ways:
            here = waiting.popleft()
            for direction in range(4):
                stop = int(stop_after(self.game.board, s, 0, here, direction))
                if stop >= 0 and stop not in ways and (stop == goal or not has(s.free, stop)):
                    ways[stop] = [*ways[here], direction]
                    waiting.append(stop)
        return ways[goal]

    def _suffixes(self, plan: Plan) -> dict[Key, Plan]:
        """What is left of a plan after each of its moves; the land is still in `states[0]`."""
        found: dict[Key, Plan] = {}
        states = self.states[:1].copy()
        s = states[0]
        claims = 0
        for index, move in enumerate(plan.moves):
            rest = Plan(plan.claims - claims, plan.most - claims, plan.moves[index:])
            found[_key(s.own[0], s.at[0])] = rest
            stop = int(stop_after(self.game.board, s, 0, int(s.at[0]), move))
            if has(s.free, stop):
                claimed(s, stop)
                claims += 1
            else:
                s.at[0] = stop
        return found


def _key(own: np.ndarray[Any, Any], at: int) -> Key:
    return own.tobytes(), int(at)
