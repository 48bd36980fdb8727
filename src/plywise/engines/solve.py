"""Solves positions exactly, by whichever search gets there first.

A short iterative deepening finds nearby results, with their distance. Then two provers take turns
on the question "does the side to move win?", and if not, on "does it lose?", each turn with forty
times the nodes of the last: alpha-beta to the end of the game with a window for just that
question, and proof-number search with a quarter of its nodes. What they find stays in their
tables. In a game that counts distances, the distance is found last, within the known result.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from plywise.core.analysis import Analysis, Limits, OnInfo, Stop
from plywise.core.engine import Guarded, Solver, enough_memory, guarded
from plywise.core.game import Game
from plywise.core.position import Position, need_position
from plywise.core.progress import progress
from plywise.engines.alphabeta import AlphaBeta, Found
from plywise.engines.driver import NO_BUDGET, NO_LIMITS, Run
from plywise.engines.kernels.stack import INFINITE, MATE, WON
from plywise.engines.proof import Prover
from plywise.engines.scale import UNIT, analysis_of, finished, proved
from plywise.trial import ensure_tried

MEGABYTES = 128.0  #: the size of each prover's table, from the second turn on
FIRST_LOOK = 20_000  #: nodes of iterative deepening before the provers start
FIRST_TURN = 400_000  #: nodes of the first turn


def solver(game: Game, book: bool = True) -> Guarded:
    """Return the game's own solver, or the general one below."""
    ensure_tried(game)
    own = game.type.strength.solver
    with enough_memory(f"solving {game.spec}"):
        made: Solver = GameSolver(game) if own is None else own(game, book)
    return guarded(made, game, solver, game, book)


def solve(
    position: Position,
    limits: Limits = NO_LIMITS,
    on_info: OnInfo | None = None,
    stop: Stop | None = None,
    *,
    book: bool = True,
) -> Analysis:
    """Return the exact result of a position; `outcome` is None if a limit was reached first.

    >>> import plywise
    >>> plywise.solve(plywise.game("tictactoe:rows=3,cols=4").start()).outcome
    'win'
    """
    need_position(position, "solve")
    with progress(f"solving {position.game.spec}") as advance:

        def heard(analysis: Analysis) -> None:
            advance(f"depth {analysis.depth}, {analysis.nodes:,} nodes", 0)
            if on_info is not None:
                on_info(analysis)

        return solver(position.game, book).solve(position, limits, heard, stop)


class GameSolver:
    """Solves any game exactly."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.quick = AlphaBeta(game, memory=8.0)

    @cached_property
    def deep(self) -> AlphaBeta:
        """Alpha-beta to the end of the game."""
        return AlphaBeta(self.game, memory=MEGABYTES)

    @cached_property
    def prover(self) -> Prover:
        """Proof-number search."""
        return Prover(self.game, MEGABYTES)

    def solve(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
    ) -> Analysis:
        """Return the exact result, trying the quick search first."""
        if (over := finished(position)) is not None:
            return over
        self.quick.warm(position)
        task = _Task(self, position, limits, Run(limits, stop, FIRST_LOOK))
        analysis = task.first_look(on_info)
        if not task.finished(analysis):
            analysis = task.whole_tree(analysis)
        if on_info is not None:
            on_info(analysis)
        return replace(analysis, nodes=task.nodes, seconds=task.run.seconds)


class _Task:
    """One position being solved, with its clock and its node count."""

    def __init__(self, solver: GameSolver, position: Position, limits: Limits, run: Run) -> None:
        self.solver = solver
        self.position = position
        self.game = position.game
        self.limit = limits.nodes or NO_BUDGET
        self.run = run
        self.nodes = 0

    def finished(self, analysis: Analysis) -> bool:
        """Return True if there is nothing left to find out."""
        if analysis.outcome is None:
            return False
        measured = analysis.outcome == "draw" or analysis.plies_to_end is not None
        return measured or not self.game.type.has_own_score

    def first_look(self, on_info: OnInfo | None) -> Analysis:
        """Run a short iterative deepening."""
        budget = min(FIRST_LOOK, self.limit)
        analysis = self.solver.quick.deepen(self.position, Limits(nodes=budget), self.run, on_info)
        self.nodes += analysis.nodes
        return analysis

    def whole_tree(self, analysis: Analysis) -> Analysis:
        """Search to the end of the game, as far as the limits allow."""
        if self.game.points:
            found = self.dive(-INFINITE, INFINITE, NO_BUDGET)
            if found.aborted:
                return replace(analysis, outcome=None)
            return self.result(found.score // UNIT, found)
        margin, move = self.outcome()
        if margin is None:
            return replace(analysis, outcome=None, plies_to_end=None)
        text = self.position.text_of(move)
        if not self.game.type.has_own_score or margin == 0:
            return analysis_of(text, proved(self.position, margin, None))
        low, high = (WON, MATE) if margin > 0 else (-MATE, -WON)
        found = self.dive(low, high, NO_BUDGET)
        if found.aborted:
            return analysis_of(text, proved(self.position, margin, None))
        return self.result(margin, found)

    def outcome(self) -> tuple[int | None, int]:
        """Find the outcome, and a move that keeps it."""
        wins, move = self.at_least(1)
        if wins is None or wins:
            return (1 if wins else None), move
        holds, move = self.at_least(0)
        return (None if holds is None else 0 if holds else -1), move

    def at_least(self, margin: int) -> tuple[bool | None, int]:
        """Find out, by both provers in turn, if the side to move gets a win (1) or a draw (0)."""
        attacker = self.position.turn if margin == 1 else 1 - self.position.turn
        turn = FIRST_TURN
        while not self.run.stopped and self.nodes < self.limit:
            found = self.dive(margin - 1, margin, turn)
            if not found.aborted:
                return found.score >= margin, found.move
            if turn == FIRST_TURN:
                with self.run.off_the_clock():
                    self.solver.prover.warm(self.position)
            budget = min(turn // 4, self.limit - self.nodes)
            answer = self.solver.prover.ask(self.position, attacker, self.run, budget)
            self.nodes += answer.nodes
            if answer.settled is not None:
                return answer.settled == (margin == 1), answer.best
            turn *= 40
        return None, self.position.legal_codes[0]

    def dive(self, low: int, high: int, budget: int) -> Found:
        """Search to the end of the game by alpha-beta, within a window."""
        budget = min(budget, self.limit - self.nodes)
        engine = self.solver.quick if budget <= FIRST_TURN else self.solver.deep
        engine.table.make_room(budget)
        found = engine.dive(self.position, self.game.max_plies, low, high, self.run, budget)
        self.nodes += found.nodes
        return found

    def result(self, margin: int, found: Found) -> Analysis:
        """Return the result of a search to the end, with its distance in a game without points."""
        plies = MATE - abs(found.score) if not self.game.points and margin else None
        seen = proved(self.position, margin, plies)
        return analysis_of(self.position.text_of(found.move), seen)
