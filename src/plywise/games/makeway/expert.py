"""The expert: exact where the solver gets there in time, the network's resistance elsewhere.

The solver works on the position for most of the time. If it finds the result, a move that keeps it
is played; a draw is kept with the move after which the opponent's network is worst. If not, moves
are compared by searching a few plies ahead over the few best moves by the network, without those
that the solver knows to be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop
from plywise.core.game import AgentType, Game
from plywise.core.position import Position
from plywise.core.spec import Parameter
from plywise.engines.driver import NO_BUDGET, GameAgent, Run
from plywise.engines.scale import Verdict, analysis_of, estimated, line_of, proved
from plywise.games.makeway.solver import GRACE, Questions, Solver

SECONDS = 1.0  #: for a search without any limit
SHARE = 0.7  #: of the time goes to the solver
WIDTH = 6  #: moves searched in each position
DEPTH = 4  #: plies to look ahead
CHECK = 1500  #: nodes to check whether a move loses, or keeps the draw
SCORE = 100.0  #: the score of a hope of 1; see `rank_moves` in solver/moves.py
FAR = 10.0  #: more than any hope


class Expert(GameAgent):
    """Plays a proved move where there is one."""

    def __init__(self, game: Game, time: float | None) -> None:
        self.game = game
        self.limits = Limits(time)

    @cached_property
    def solver(self) -> Solver:
        """The solver, made when it is first needed: it takes seconds to compile."""
        return Solver(self.game)

    def think(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """A move that keeps the best result, as far as it can be found within the limits."""
        limits = limits or Limits(SECONDS)
        solver = self.solver
        if limits.depth is not None or limits.nodes is not None:
            solver.forget()  # so that the same limits give the same move
        run = Run(limits, stop, GRACE)
        look = _Look(solver, position, run, limits)
        if on_info is not None:
            on_info(look.analysis(lines))
        look.solve(on_info)
        look.choose()
        analysis = look.analysis(lines)
        if on_info is not None:
            on_info(analysis)
        return analysis


class _Look:
    """One position being searched by the expert."""

    def __init__(self, solver: Solver, position: Position, run: Run, limits: Limits) -> None:
        self.solver = solver
        self.position = position
        self.run = run
        self.limits = limits
        budget = limits.nodes or (CHECK if limits.depth is not None else NO_BUDGET)
        self.questions = Questions(solver, position, budget)
        self.hopes = dict(solver.ranked(position))
        self.best = next(iter(self.hopes))
        self.depth = 1

    @property
    def moves(self) -> list[int]:
        """The moves, those with the highest hope first."""
        return list(self.hopes)

    def solve(self, on_info: OnInfo | None) -> None:
        """Let the solver work for its share of the time."""
        share = None
        if self.limits.time is not None:
            share = self.run.started + SHARE * self.limits.time
        whole, self.run.deadline = self.run.deadline, share
        while self.questions.open and not self.run.stopped:
            self.questions.work(self.run)
            if on_info is not None and self.questions.open:
                on_info(self.analysis())
        self.run.deadline = whole
        self.run.halt[0] = 0
        if self.questions.margin is None:
            self.run.grace = 0  # looking ahead is limited by time

    def choose(self) -> None:
        """Choose a proved move, or the best one that is not known to lose."""
        margin = self.questions.margin
        if margin == 1:
            self.best = self.questions.best(self.run)
            return
        if margin is None and len(self.hopes) > 1:
            self._look_ahead()
        other = 1 - self.position.turn
        safe = None
        for move in self.moves[: 2 * WIDTH]:
            if self.run.stopped:
                break
            child = self.position.play_code(move)
            if child.over:
                if margin == 0 or child.winner == self.position.turn + 1:
                    safe = move if safe is None else safe
                continue
            loses = self.solver.ask(child, other, self.run, CHECK).settled
            if loses is False or (loses is None and margin != 0):
                safe = move
                break
        if safe is None:
            safe = self.questions.best(self.run) if margin == 0 else self.moves[0]
        self.best = safe

    def _look_ahead(self) -> None:
        """Replace the hopes of the best moves by their hopes a few plies later."""
        most = self.limits.depth or DEPTH
        for depth in range(2, most + 1):
            seen = {}
            for move in self.moves[: 2 * WIDTH]:
                found = -self._worth(self.position.play_code(move), depth - 1, -FAR, FAR)
                if self.run.stopped:
                    return
                seen[move] = found
            rest = {move: hope for move, hope in self.hopes.items() if move not in seen}
            self.hopes = dict(sorted(seen.items(), key=lambda each: -each[1])) | rest
            self.depth = depth

    def _worth(self, position: Position, depth: int, alpha: float, beta: float) -> float:
        """The mover's hope after so many plies, looking at the best few moves each time."""
        if (margin := position.own_margin) is not None:
            return margin * FAR
        ranked = self.solver.ranked(position)[:WIDTH]
        best = -FAR
        for move, hope in ranked:
            if depth == 1:
                return hope
            best = max(best, -self._worth(position.play_code(move), depth - 1, -beta, -alpha))
            alpha = max(alpha, best)
            if alpha >= beta or self.run.stopped:
                break
        return best

    def analysis(self, lines: bool = False) -> Analysis:
        """The result so far, proved or estimated."""
        seen = self.questions.verdict(SCORE * self.hopes[self.best])
        return analysis_of(
            (self.position.text_of(self.best),),
            seen,
            lines=tuple(self._lines(seen)) if lines else (),
            depth=self.depth,
            nodes=self.questions.nodes,
            seconds=self.run.seconds,
        )

    def _lines(self, best: Verdict) -> Sequence[Line]:
        """Every move, with what the solver knows about it at once, or its hope."""
        position = self.position
        return [
            line_of((text,), best if move == self.best else self._glance(move))
            for move, text in zip(position.legal_codes, position.legal, strict=True)
        ]

    def _glance(self, move: int) -> Verdict:
        child = self.position.play_code(move)
        me = self.position.turn
        if child.margin is not None:
            return proved(self.position, child.margin if me == 0 else -child.margin, 1)
        for attacker, margin in ((1 - me, -1), (me, 1)):
            if self.solver.ask(child, attacker, self.run, 1).settled:
                return proved(self.position, margin, None)
        return estimated(self.position, SCORE * self.hopes[move])


EXPERT = AgentType(
    Expert,
    (Parameter("time", float, "seconds per move", low=0.0, high=1e6),),
    "exact where the solver finishes in time; elsewhere the resistance of the network",
)
