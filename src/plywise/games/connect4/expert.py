"""The expert: exact where the solver gets there in time, alpha-beta elsewhere.

The two take turns of growing length, so there is soon an estimate, and the exact result as soon as
the solver has it. Each continues where it stopped, also when the same position is searched again.
"""

from __future__ import annotations

from dataclasses import replace

from plywise.core.analysis import Analysis, Limits, Line, OnInfo, Stop
from plywise.core.game import AgentType
from plywise.core.position import Position
from plywise.engines.driver import Run
from plywise.engines.expert import PARAMETERS, SolverExpert
from plywise.engines.scale import Verdict, proved
from plywise.games.connect4.solver import Solver

FIRST_TURN = 0.03  #: seconds of the solver's first turn; each is twice as long as the one before
SHARE = 0.4  #: length of alpha-beta's turn, as a share of the solver's
LINE_NODES = 10_000  #: for the line that follows a move
LENGTH = 12  #: most moves in a line


class Expert(SolverExpert[Solver]):
    """Plays perfectly on the standard board with its book, and soon on any other."""

    solver_type = Solver

    def divide(
        self, position: Position, limits: Limits, on_info: OnInfo | None, stop: Stop, lines: bool
    ) -> Analysis:
        """Alternate between the solver and alpha-beta until one is exact or time is up."""
        solver = self.solver
        run = Run(limits, stop)
        guess: Analysis | None = None
        nodes = 0

        def tell(solved: Analysis | None, estimate: Analysis | None, more: int) -> None:
            if on_info is not None:
                known = together(position, solved, estimate)
                on_info(replace(known, nodes=nodes + more, seconds=run.seconds))

        def hear_solver(found: Analysis) -> None:
            if guess is not None and not exact(found):
                tell(found, guess, found.nodes)

        def hear_estimator(found: Analysis) -> None:
            if guess is None or found.depth > guess.depth:
                tell(solved, found, found.nodes)

        turn = FIRST_TURN if limits.time is None else min(FIRST_TURN, limits.time / 2)
        while True:
            solved = solver.solve(position, run.left(most=turn), hear_solver, stop, lines=lines)
            nodes += solved.nodes
            if exact(solved):
                solved = self._followed(position, solved)
                break
            if stop.is_set() or (run.stopped and guess is not None):
                break  # without an estimate, make one, however late it is
            with run.off_the_clock():
                self.estimator.warm(position)
            found = self.estimator.search(
                position, run.left(most=SHARE * turn), hear_estimator, stop, lines=lines
            )
            nodes += found.nodes
            if guess is None or found.depth >= guess.depth:
                guess = found
            if run.stopped:
                break
            turn *= 2
        if exact(solved):
            tell(solved, None, 0)
        return replace(together(position, solved, guess), nodes=nodes, seconds=run.seconds)

    def _followed(self, position: Position, solved: Analysis) -> Analysis:
        """Add to the result the line that follows each move, as far as it is found quickly."""
        assert solved.best is not None
        every = tuple(replace(line, pv=self._line(position, line.move)) for line in solved.lines)
        known = {line.move: line.pv for line in every}
        pv = known.get(solved.best) or self._line(position, solved.best)
        depth = position.game.max_plies - int(position.state.mask).bit_count()  # to the end
        return replace(solved, lines=every, pv=pv, depth=depth)

    def _line(self, position: Position, move: str) -> tuple[str, ...]:
        """Return a move and the best play after it."""
        moves, left = [move], LINE_NODES
        position = position.play(move)
        while not position.over and len(moves) < LENGTH and left > 0:
            found = self.solver.solve(position, Limits(nodes=left))
            left -= found.nodes
            if not exact(found) or found.best is None:
                break
            moves.append(found.best)
            position = position.play(found.best)
        return tuple(moves)


def exact(found: Analysis | Line) -> bool:
    """True if it is known who wins and when, or that it is a draw."""
    return found.outcome == "draw" or found.plies_to_end is not None


def together(position: Position, solved: Analysis | None, guess: Analysis | None) -> Analysis:
    """Combine what the solver has proved so far with the estimate for the rest."""
    if guess is None or (solved is not None and (exact(solved) or solved.outcome == "win")):
        assert solved is not None
        return solved
    known = {line.move: line for line in solved.lines if exact(line)} if solved else {}
    if not known or not guess.lines:
        return guess
    lines = tuple(known.get(line.move, line) for line in guess.lines)
    best = max(lines, key=lambda line: (_worth(line), line.move == guess.best))
    sure = best.outcome == "win" or all(line.outcome is not None for line in lines)
    seen = Verdict(best.value, best.score, "estimate")
    if sure:  # the length is known only when all moves are exact
        plies = best.plies_to_end if all(map(exact, lines)) else None
        seen = proved(position, int(best.value), plies)
    return replace(guess, best=best.move, pv=best.pv, lines=lines, **vars(seen))


def _worth(line: Line) -> tuple[float, float]:
    """Rank moves by value, then by the sooner win or the later loss."""
    plies = line.plies_to_end or 0
    return line.value, -plies if line.outcome == "win" else plies


EXPERT = AgentType(
    Expert,
    PARAMETERS,
    "exact, from the solver and its opening book; an estimate when time is short",
)
