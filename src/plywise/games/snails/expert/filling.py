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

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from plywise.core.game import Game, Record
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.games.snails.board import CELLS, QUIET, State
from plywise.games.snails.distance import stop_after
from plywise.games.snails.expert.evaluate import GAP, gaps
from plywise.games.snails.expert.filling_kernel import (
    CLAIMS,
    MOST,
    NODES,
    claimed,
    filling_kernel,
)
from plywise.games.snails.reach import reach
from plywise.games.snails.words.three import Words, common, some
from plywise.jit.bits import has

BUDGET = 100_000  #: nodes for one snail, about half a second
SEEN = 1 << 16  #: size of the table of positions seen; a power of two

Key = tuple[int, ...]  #: a trail and its snail's cell


class Slides(NamedTuple):
    """Slides that a snail can afford: before its next claim, and before each later one."""

    first: int
    later: int


class Step(NamedTuple):
    """A move of a plan."""

    key: Key  #: where it begins
    move: int
    before: int  #: claims before it
    slid: int  #: slides since the last claim
    needs: int  #: slides before the next one


class Way(NamedTuple):
    """What is left of a plan at a place on its way."""

    plan: FillingPlan
    needs: int  #: slides before the next claim
    found_with: Slides  #: what could be afforded here when the plan was found


@dataclass(frozen=True)
class FillingPlan:
    """How a snail fills its land."""

    claims: int  #: cells that the moves bring, whatever the opponent does
    most: int  #: ... and a bound that no plan can beat
    moves: tuple[int, ...] = ()
    nodes: int = 0


class Filling:
    """Finds longest sequences of claims, and continues those found before."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = filling_kernel.build(game.rules)
        self.states = np.zeros(CELLS + 2, State)
        lists, ranks = np.zeros((2, CELLS + 2, CELLS + 1), np.int16)
        tried, path = np.zeros((2, CELLS + 2), np.int16)
        self.stack = lists, ranks, tried, path
        self.best = np.zeros(CELLS + 2, np.int16)
        self.seen = np.zeros(SEEN, np.uint64)
        #: for each player, the current plan from wherever the snail may be on its way
        self.ways: list[dict[Key, Way]] = [{}, {}]

    def warm(self) -> None:
        """Compile the kernels, or load them from disk, before a clock starts."""
        start = self.game.start()
        self._solve(start.state, 0, Run(NO_LIMITS), 1, self.lands(start)[0])

    def lands(self, position: Position) -> list[Words]:
        """The empty cells that each snail can reach."""
        b, s = self.game.board, position.state
        return [reach(b, s, player, CELLS + 1) for player in range(2)]

    def parted(self, position: Position) -> bool:
        """True if there is no empty cell that both can reach."""
        mine, theirs = self.lands(position)
        return not some(common(mine, theirs))

    def plan(self, position: Position, player: int, run: Run, budget: int = BUDGET) -> FillingPlan:
        """The best plan for a split board, as far as it is found within the limits.

        A current plan is continued, if the snail can still afford its slides. With more slides than
        when it was found there might be a better one.
        """
        s = position.state
        here = _key(s.own[player], s.at[player])
        slides = affordable(s, player)
        if (way := self.ways[player].get(here)) is not None:
            same = way.found_with.later == slides.later
            if same and way.needs <= slides.first <= way.found_with.first:
                return way.plan
        claims, most, nodes = self._solve(s, player, run, budget, self.lands(position)[player])
        steps = self._steps(claims)
        moves = tuple(step.move for step in steps)
        self.ways[player] = {
            step.key: Way(
                FillingPlan(claims - step.before, most - step.before, moves[row:]),
                step.needs,
                Slides(slides[step.before > 0] - step.slid, slides.later),
            )
            for row, step in enumerate(steps)
        }
        return FillingPlan(claims, most, moves, nodes)

    def together(self, position: Position, plans: list[FillingPlan]) -> tuple[int, ...]:
        """Play both plans until the game is over or a side has to move without a plan."""
        left = [iter(plan.moves) for plan in plans]
        played = []
        while not position.over and (move := next(left[position.turn], None)) is not None:
            position = position.play_code(move)
            played.append(move)
        return tuple(played)

    def _solve(
        self, s: Record, player: int, run: Run, budget: int, land: Words
    ) -> tuple[int, int, int]:
        """Search; return the claims, a bound on them, and the nodes."""
        start = self.states[0]
        start.own[0] = s.own[player]
        start.free[:] = land
        start.at[0] = s.at[player]
        counts = np.array([budget, 0, 0], np.int64)
        self.seen[:] = 0
        given = *affordable(s, player), counts, run.stop, run.halt
        scratch = self.states, *self.stack, self.best, self.seen
        run.call([lambda: self.kernel(self.game.boards, *scratch, *given)])
        return int(counts[CLAIMS]), int(counts[MOST]), int(counts[NODES])

    def _steps(self, claims: int) -> list[Step]:
        """Turn the claims in `best` into moves."""
        s = self.states[0].copy()
        steps = []
        for before, goal in enumerate(self.best[:claims].tolist()):
            moves = slides_to(self.game.board, s, goal)
            for slid, (stop, move) in enumerate(moves):
                needs = len(moves) - 1 - slid  # the last one claims
                steps.append(Step(_key(s.own[0], stop), move, before, slid, needs))
            claimed(s, goal)
        return steps


def affordable(s: Record, player: int) -> Slides:
    """Return the slides that a snail can afford now, whatever the opponent does."""
    if s.stuck[1 - player]:  # its turns are skipped and are not plies
        return Slides(QUIET - 1 - int(s.quiet), QUIET - 1)
    return Slides(gaps(int(s.quiet), int(s.turn != player)), GAP)


def _key(own: Record, at: int) -> Key:
    return *own.tolist(), int(at)


def slides_to(b: Record, s: Record, goal: int) -> list[tuple[int, int]]:
    """The way of snail 0 over its trail to an empty cell: where it is, and the direction it takes.

    A breadth-first search, so there are as few moves as possible.
    """
    came = {int(s.at[0]): (-1, -1)}
    waiting = list(came)
    for here in waiting:
        for direction in range(4):
            stop = int(stop_after(b, s, 0, here, direction))
            if stop >= 0 and stop not in came and (stop == goal or not has(s.free, stop)):
                came[stop] = here, direction
                waiting.append(stop)
        if goal in came:
            break
    way = [came[goal]]
    while came[way[-1][0]][0] >= 0:
        way.append(came[way[-1][0]])
    return way[::-1]
