"""Split boards: once no empty cell can be reached by both snails, each fills its own land.

A snail can never claim what it cannot reach now, so split boards stay split. Its trail grows only
by its own claims, and slides depend only on its trail: nothing the opponent does changes what can
be claimed, with one exception: 20 plies without a claim end the game. The opponent may keep sliding
to bring that about, so a plan may have GAP slides between two claims, see `gaps`; such a plan works
whatever the opponent does. `claims` is what the plan brings, `most` is what no plan can beat. The
other ways to end a game early do not change the winner: more than half of the cells, or a lead
beyond all empty ones, wins in every continuation.
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
SEEN = 1 << 16  #: size of the table of positions seen; a power of two

Key = bytes  #: a trail and its snail's cell
Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class FillingPlan:
    """How a snail fills its land."""

    claims: int  #: cells that the moves bring, whatever the opponent does
    most: int  #: ... and a bound that no plan can beat
    moves: tuple[int, ...] = ()
    nodes: int = 0

    def after(self, moves: int, claims: int) -> FillingPlan:
        """The rest of the plan after so many moves and claims."""
        return FillingPlan(self.claims - claims, self.most - claims, self.moves[moves:])


@dataclass(frozen=True)
class Way:
    """A plan, and the moves and claims before each state along it."""

    plan: FillingPlan
    places: dict[Key, tuple[int, int]]


class Filling:
    """Finds longest sequences of claims, and continues those found before."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = filling_kernel.build(game.rules)
        self.land = land_kernel.build(game.rules)
        self.states = np.zeros(CELLS + 2, State)
        lists, ranks = np.zeros((2, CELLS + 2, CELLS + 1), np.int16)
        tried, path = np.zeros((2, CELLS + 2), np.int16)
        self.stack = lists, ranks, tried, path
        self.best = np.zeros(CELLS + 2, np.int16)
        self.seen = np.zeros(SEEN, np.uint64)
        self.walk = walk_kernel.build(game.rules)
        self.slides = np.zeros((3, CELLS), np.int16)
        self.steps = np.zeros((QUIET * CELLS, COLUMNS), np.uint64)
        self.play = together_kernel.build(game.rules)
        self.ways: list[Way | None] = [None, None]

    def warm(self) -> None:
        """Compile the kernels, or load them from disk, before a clock starts."""
        self.parted(self.game.start())
        start = self.game.start()
        self._solve(start.state, 0, Run(NO_LIMITS), 1, self.lands(start)[0])
        self.together(start, [FillingPlan(0, 0), FillingPlan(0, 0)])

    def lands(self, position: Position) -> np.ndarray[Any, np.dtype[np.uint64]]:
        """The empty cells that each snail can reach: a row of words for each."""
        out = np.zeros((2, WORDS), np.uint64)
        self.land(self.game.boards, position.states, out)
        return out

    def parted(self, position: Position) -> bool:
        """True if there is no empty cell that both can reach."""
        mine, theirs = self.lands(position)
        return not np.any(mine & theirs)

    def plan(self, position: Position, player: int, run: Run, budget: int = BUDGET) -> FillingPlan:
        """The best plan for a split board, as far as it is found within the limits.

        A current plan is continued.
        """
        s, way = position.state, self.ways[player]
        here = np.array([*s.own[player], s.at[player]], np.uint64).tobytes()
        if way is not None and here in way.places:
            return way.plan.after(*way.places[here])
        way = self._solve(s, player, run, budget, self.lands(position)[player])
        self.ways[player] = way
        return way.plan

    def together(self, position: Position, plans: list[FillingPlan]) -> tuple[int, ...]:
        """Play both plans until the game is over or a side has to move without a plan."""
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
        if s.stuck[1 - player]:  # its turns are skipped and are not plies
            first, then = QUIET - 1 - int(s.quiet), QUIET - 1
        counts = np.array([budget, 0, 0, 0], np.int64)
        self.seen[:] = 0
        given = first, then, counts, run.stop, run.halt
        scratch = self.states, *self.stack, self.best, self.seen
        run.call([lambda: self.kernel(self.game.boards, *scratch, *given)])
        plan = FillingPlan(int(counts[CLAIMS]), int(counts[MOST]), nodes=int(counts[NODES]))
        return self._way(plan)

    def _way(self, plan: FillingPlan) -> Way:
        """Turn the claims in `best` into moves, with the fewest slides."""
        scratch = *self.slides, self.steps
        count = self.walk(self.game.boards, self.states, self.best, plan.claims, *scratch)
        steps = self.steps[:count]
        keys = steps[:, : AT + 1].copy()
        claims = steps[:, SO_FAR].tolist()
        places = {keys[row].tobytes(): (row, claims[row]) for row in range(count)}
        return Way(replace(plan, moves=tuple(steps[:, MOVE].tolist())), places)
