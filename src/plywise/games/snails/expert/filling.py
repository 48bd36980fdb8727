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

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plywise.core.game import Game, Record
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.games.snails.board import CELLS, QUIET, WORDS, State
from plywise.games.snails.expert.evaluate import GAP, gaps
from plywise.games.snails.expert.filling_kernel import (
    AT,
    CLAIMS,
    COLUMNS,
    MOST,
    MOVE,
    NODES,
    SO_FAR,
    filling_kernel,
    land_kernel,
    together_kernel,
    walk_kernel,
)

BUDGET = 100_000  #: nodes for one snail, about half a second
SEEN = 1 << 16  #: places for what was looked at before; a power of two

Key = bytes  #: a trail, and where its snail is
Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Plan:
    """How a snail fills its land."""

    claims: int  #: cells that the moves bring, whatever the other does
    most: int  #: ... and that no others can beat
    moves: tuple[int, ...] = ()
    nodes: int = 0

    def after(self, moves: int, claims: int) -> Plan:
        """What is left of it when so many moves have brought so many claims."""
        return Plan(self.claims - claims, self.most - claims, self.moves[moves:])


@dataclass(frozen=True)
class Way:
    """A plan, and for each state of the snail along it the moves and claims before."""

    plan: Plan
    places: dict[Key, tuple[int, int]]


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
        self.walk = walk_kernel.build(game.rules)
        self.queue = np.zeros(CELLS, np.int16)
        self.came = np.zeros(CELLS, np.int16)
        self.origin = np.zeros(CELLS, np.int16)
        self.steps = np.zeros((QUIET * CELLS, COLUMNS), np.uint64)
        self.play = together_kernel.build(game.rules)
        self.ways: list[Way | None] = [None, None]

    def warm(self) -> None:
        """Have the kernels compiled, or fetched from the disk, before a clock starts."""
        self.parted(self.game.start())
        start = self.game.start()
        self._solve(start.state, 0, Run(NO_LIMITS), 1, self.lands(start)[0])
        self.together(start, [Plan(0, 0), Plan(0, 0)])

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
        s, way = position.state, self.ways[player]
        here = np.array([*s.own[player], s.at[player]], np.uint64).tobytes()
        if way is not None and here in way.places:
            return way.plan.after(*way.places[here])
        way = self._solve(s, player, run, budget, self.lands(position)[player])
        self.ways[player] = way
        return way.plan

    def together(self, position: Position, plans: list[Plan]) -> tuple[int, ...]:
        """Both plans, move by move, until the game is over or one has to move without a plan."""
        moves = np.zeros((2, QUIET * CELLS), np.int32)
        lengths = np.array([len(plan.moves) for plan in plans])
        for row, plan in zip(moves, plans, strict=True):
            row[: len(plan.moves)] = plan.moves
        out = np.zeros(moves.size, np.int32)
        count = self.play(self.game.boards, position.states.copy(), moves, lengths, out)
        return tuple(out[:count].tolist())

    def _solve(
        self,
        s: Record,
        player: int,
        run: Run,
        budget: int,
        land: np.ndarray[Any, np.dtype[np.uint64]],
    ) -> Way:
        start = self.states[0]
        start.own[0] = s.own[player]
        start.free[:] = land
        start.at[0] = s.at[player]
        first, then = gaps(int(s.quiet), int(s.turn != player)), GAP
        if s.stuck[1 - player]:  # its turns are skipped, and no plies
            first, then = QUIET - 1 - int(s.quiet), QUIET - 1
        counts = np.array([budget, 0, 0, 0], np.int64)
        self.seen[:] = 0
        run.call([lambda: self._call(first, then, counts, run)])
        plan = Plan(int(counts[CLAIMS]), int(counts[MOST]), nodes=int(counts[NODES]))
        return self._way(plan)

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

    def _way(self, plan: Plan) -> Way:
        """The claims in `best` as moves, by the fewest slides."""
        count = self.walk(
            self.game.boards,
            self.states,
            self.best,
            plan.claims,
            self.queue,
            self.came,
            self.origin,
            self.steps,
        )
        steps = self.steps[:count]
        keys = steps[:, : AT + 1].copy()
        claims = steps[:, SO_FAR].tolist()
        places = {keys[row].tobytes(): (row, claims[row]) for row in range(count)}
        return Way(replace(plan, moves=tuple(steps[:, MOVE].tolist())), places)
