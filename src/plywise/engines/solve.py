"""Solves positions exactly, by whichever search gets there first.

A short iterative deepening finds nearby results, with their distance. Then two provers take turns
on the question "does the side to move win?", and if not, on "does it lose?", each turn with forty
times the nodes of the last: alpha-beta to the end of the game with a window for just that
question, and proof-number search with a quarter of its nodes. What they find stays in their
tables. In a game that counts distances, the distance is found last, within the known result.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
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
FIRST_NODES = 20_000  #: nodes of iterative deepening before the provers start
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


@dataclass
class Search:
    """A position being solved: its limits, its clock, its listener, and the work so far."""

    position: Position
    limits: Limits
    run: Run
    on_info: OnInfo | None = None
    nodes: int = 0
    worked: float | None = None  #: seconds, of a kernel that measures its own time

    @property
    def left(self) -> int:
        """The nodes left."""
        return (self.limits.nodes or NO_BUDGET) - self.nodes

    @property
    def ended(self) -> bool:
        """True if a limit was reached."""
        return self.run.stopped or self.left <= 0

    def count(self, nodes: int, nanoseconds: int) -> None:
        """Count the work of a kernel that measures its own time."""
        self.nodes += nodes
        self.worked = (self.worked or 0.0) + nanoseconds / 1e9

    def tell(self, analysis: Analysis) -> Analysis:
        """Add the nodes and the seconds so far, call `on_info`, and return the result."""
        seconds = self.run.seconds if self.worked is None else self.worked
        analysis = replace(analysis, nodes=self.nodes, seconds=seconds)
        if self.on_info is not None:
            self.on_info(analysis)
        return analysis


class ExactSolver:
    """What all solvers have in common; each has its own `find`."""

    grace = 0  #: nodes without a time limit, so that what is easy is always solved
    find: Callable[..., Analysis]  #: takes the Search, and by name what else `solve` was asked for

    def warm(self, position: Position) -> None:
        """Compile what is not compiled yet, before the clock starts."""

    def solve(
        self,
        position: Position,
        limits: Limits = NO_LIMITS,
        on_info: OnInfo | None = None,
        stop: Stop | None = None,
        **asked: bool,
    ) -> Analysis:
        """Return the exact result; `outcome` is None if a limit was reached first."""
        if (over := finished(position)) is not None:
            return over
        self.warm(position)
        search = Search(position, limits, Run(limits, stop, self.grace), on_info)
        return search.tell(self.find(search, **asked))


class GameSolver(ExactSolver):
    """Solves any game exactly."""

    grace = FIRST_NODES

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

    def warm(self, position: Position) -> None:
        """Compile the quick search."""
        self.quick.warm(position)

    def find(self, search: Search) -> Analysis:
        """Try the quick search first."""
        first_look = Limits(nodes=min(FIRST_NODES, search.left))
        analysis = self.quick.deepen(search.position, first_look, search.run, search.on_info)
        search.nodes += analysis.nodes
        return analysis if self._complete(analysis) else self._whole_tree(search, analysis)

    def _complete(self, analysis: Analysis) -> bool:
        """Return True if there is nothing left to find out."""
        if analysis.outcome is None:
            return False
        measured = analysis.outcome == "draw" or analysis.plies_to_end is not None
        return measured or not self.game.type.has_own_score

    def _whole_tree(self, search: Search, analysis: Analysis) -> Analysis:
        """Search to the end of the game, as far as the limits allow."""
        if self.game.points:
            found = self._dive(search, -INFINITE, INFINITE, NO_BUDGET)
            if found.aborted:
                return replace(analysis, outcome=None)
            return self._result(search.position, found.score // UNIT, found)
        margin, move = self._outcome(search)
        if margin is None:
            return replace(analysis, outcome=None, plies_to_end=None)
        pv = (search.position.text_of(move),)
        if not self.game.type.has_own_score or margin == 0:
            return analysis_of(pv, proved(search.position, margin, None))
        low, high = (WON, MATE) if margin > 0 else (-MATE, -WON)
        found = self._dive(search, low, high, NO_BUDGET)
        if found.aborted:
            return analysis_of(pv, proved(search.position, margin, None))
        return self._result(search.position, margin, found)

    def _outcome(self, search: Search) -> tuple[int | None, int]:
        """Find the outcome, and a move that keeps it."""
        wins, move = self._at_least(search, 1)
        if wins is None or wins:
            return (1 if wins else None), move
        holds, move = self._at_least(search, 0)
        return (None if holds is None else 0 if holds else -1), move

    def _at_least(self, search: Search, margin: int) -> tuple[bool | None, int]:
        """Find out, by both provers in turn, if the side to move gets a win (1) or a draw (0)."""
        position = search.position
        attacker = position.turn if margin == 1 else 1 - position.turn
        turn = FIRST_TURN
        while not search.ended:
            found = self._dive(search, margin - 1, margin, turn)
            if not found.aborted:
                return found.score >= margin, found.move
            if turn == FIRST_TURN:
                with search.run.off_the_clock():
                    self.prover.warm(position)
            answer = self.prover.ask(position, attacker, search.run, min(turn // 4, search.left))
            search.nodes += answer.nodes
            if answer.settled is not None:
                return answer.settled == (margin == 1), answer.best
            turn *= 40
        return None, position.legal_codes[0]

    def _dive(self, search: Search, low: int, high: int, budget: int) -> Found:
        """Search to the end of the game by alpha-beta, within a window."""
        budget = min(budget, search.left)
        engine = self.quick if budget <= FIRST_TURN else self.deep
        engine.table.make_room(budget)
        found = engine.dive(search.position, self.game.max_plies, low, high, search.run, budget)
        search.nodes += found.nodes
        return found

    def _result(self, position: Position, margin: int, found: Found) -> Analysis:
        """Return the result of a search to the end, with its distance in a game without points."""
        plies = MATE - abs(found.score) if not self.game.points and margin else None
        seen = proved(position, margin, plies)
        return analysis_of((position.text_of(found.move),), seen)
