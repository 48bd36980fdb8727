"""Proving exercises again, by another method than the one that made them.

Wins and losses are proved by proof-number search, which shares nothing with alpha-beta; points by
the game's own solver or, without one, by a textbook search to the end. The length of a short
exercise is proved by the textbook search, too.
"""

from __future__ import annotations

from plywise import engines
from plywise.core.analysis import Limits
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.proof import Prover
from plywise.engines.solve import solver
from plywise.errors import PlywiseError, SpecError
from plywise.play.exercises.exercise import Exercise

NODES = 100_000_000  #: for each question to the prover
COUNTED = 5  #: plies up to which the length is proved
MEGABYTES = 64.0


class Open(PlywiseError):
    """The prover does not get to the end of an exercise."""


class Checker:
    """Checks exercises of one game."""

    def __init__(self, game: Game, nodes: int = NODES) -> None:
        self.game = game
        self.nodes = nodes  #: for each question
        self.prover = None if game.points else Prover(game, MEGABYTES)
        self.solver = solver(game)
        self.textbook = engines.make("textbook", game)

    def fault(self, exercise: Exercise) -> str | None:
        """Return what is wrong with an exercise; None if it is proved.

        It does not depend on what was checked before.
        """
        if self.prover is not None:
            self.prover.forget()
        try:
            position = exercise.position(self.game)
        except (SpecError, ValueError) as error:
            return f"its moves cannot be played: {error}"
        if position.over or exercise.answer not in position.legal:
            return f"{exercise.answer} cannot be played"
        if set(exercise.refutations) != set(position.legal) - {exercise.answer}:
            return "it does not refute just the wrong moves"
        if not self.reaches(position, exercise.answer, exercise.goal):
            return f"{exercise.answer} does not reach a {exercise.goal}"
        for move in exercise.refutations:
            if self.reaches(position, move, exercise.goal):
                return f"{move} reaches a {exercise.goal}, too"
        return self._fault_of_lines(position, exercise)

    def reaches(self, position: Position, move: str, goal: str) -> bool:
        """Return True if a move leads to a win, or at least to a draw; or raise `Open`."""
        after, me = position.play(move), position.turn
        if after.margin is not None:
            margin = after.margin if me == 0 else -after.margin
            return margin > 0 if goal == "win" else margin >= 0
        if self.prover is None:
            found = self.solver.solve(after)
            mine = found.score if after.turn == me else -found.score
            return mine > 0 if goal == "win" else mine >= 0
        attacker = me if goal == "win" else 1 - me
        answer = self.prover.ask(after, attacker, Run(NO_LIMITS), self.nodes)
        if answer.settled is None:
            raise Open(f"{move} stays open after {self.nodes:,} nodes")
        return answer.settled == (goal == "win")

    def _fault_of_lines(self, position: Position, exercise: Exercise) -> str | None:
        """Check that the lines can be played, that a win comes in time, and not sooner."""
        for move, reply in exercise.refutations.items():
            after = position.play(move)
            for answer in reply:
                if answer not in after.legal:
                    return f"{answer} cannot be played after {move}"
                after = after.play(answer)
        after = position
        for move in exercise.line:
            if move not in after.legal:
                return f"its line cannot be played: {move}"
            after = after.play(move)
        if exercise.line[:1] != (exercise.answer,):
            return "its line does not begin with the answer"
        if exercise.goal == "draw":
            return None
        mine = 0 if after.margin is None else after.margin if position.turn == 0 else -after.margin
        if mine <= 0:
            return "its line does not end with a win"
        if (len(exercise.line) + 1) // 2 != exercise.length:
            return f"its line takes {len(exercise.line)} plies, not {exercise.length} moves"
        if not self.game.points and len(exercise.line) <= COUNTED:
            found = self.textbook.search(position, Limits(depth=COUNTED))
            if found.plies_to_end != len(exercise.line):
                return f"the shortest win takes {found.plies_to_end} plies"
        return None
