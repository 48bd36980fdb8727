"""Proving exercises again, by another method than the one that made them.

Wins and losses are proved by proof-number search, which shares nothing with alpha-beta; points by
the textbook search to the end of the game, which shares nothing with the game's own solver and only
the idea with alpha-beta. The length is proved by the game's own solver if it counts plies,
otherwise by the textbook search as far as that gets.
"""

from __future__ import annotations

from collections.abc import Callable

from plywise import engines
from plywise.core.analysis import Analysis, Limits, Outcome, flip, outcome_of, own_moves
from plywise.core.game import Game
from plywise.core.position import Position
from plywise.engines.driver import NO_LIMITS, Run
from plywise.engines.proof import Prover
from plywise.engines.solve import solver
from plywise.errors import PlywiseError, SpecError
from plywise.play.exercises.exercise import Exercise, Goal

NODES = 100_000_000  #: for each question to the prover
COUNTED = 200_000  #: nodes of the textbook search that proves the length
MEGABYTES = 64.0


def outcome_for(
    player: int, position: Position, search: Callable[[Position], Analysis]
) -> Outcome | None:
    """Return how a game ends for player 0 or 1, by the board or by what a search proves."""
    if position.margin is not None:
        return outcome_of(position.margin if player == 0 else -position.margin)
    found = search(position).outcome
    return found if found is None or position.turn == player else flip(found)


class Open(PlywiseError):
    """The prover does not get to the end of an exercise."""


class Checker:
    """Checks exercises of one game."""

    def __init__(self, game: Game, nodes: int = NODES) -> None:
        self.game = game
        self.nodes = nodes  #: for each question
        self.prover = None if game.points else Prover(game, MEGABYTES)
        self.solver = solver(game)
        self.textbook = engines.make("textbook:order=promise", game)

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
        wrong = [move for move in position.legal if move != exercise.answer]
        if not set(exercise.refutations) <= set(wrong):
            return "it refutes moves that are not wrong"
        me, goal = position.turn, exercise.goal
        if not self.reaches(position.play(exercise.answer), me, goal):
            return f"{exercise.answer} does not reach a {goal}"
        for move in wrong:
            fault = self._fault_of_refutation(position.play(move), exercise, me)
            if fault is not None:
                return fault
        return self._fault_of_line(position, exercise)

    def reaches(self, position: Position, player: int, goal: Goal) -> bool:
        """Return True if a player gets a win, or at least a draw, from here; or raise `Open`."""
        if self.prover is None or position.over:
            limits = Limits(nodes=self.nodes)
            found = outcome_for(player, position, lambda at: self.textbook.search(at, limits))
            reached = None if found is None else found in ("win", goal)
        else:
            attacker = player if goal == "win" else 1 - player
            wins = self.prover.ask(position, attacker, Run(NO_LIMITS), self.nodes).settled
            reached = None if wins is None else wins == (goal == "win")
        if reached is None:
            raise Open(f"{' '.join(position.moves)} stays open after {self.nodes:,} nodes")
        return reached

    def _fault_of_refutation(self, after: Position, exercise: Exercise, me: int) -> str | None:
        """Check the position after a wrong move: the reply keeps the goal out of reach."""
        wrong, line = after.moves[-1], exercise.refutation(after.moves[-1])
        here = after
        for number, move in enumerate(() if after.over else line):
            if move not in here.legal:
                return f"{move} cannot be played after {wrong}"
            here = here.play(move)
            if number == 0 and after.turn != me:
                after = here  # nothing is left to prove about the move if its refutation holds
        if self.reaches(after, me, exercise.goal):
            return f"{wrong} reaches a {exercise.goal}, too"
        if not after.over and not line:
            return f"{wrong} is not refuted"
        return None

    def _fault_of_line(self, position: Position, exercise: Exercise) -> str | None:
        """Check that the line can be played, that a win comes in time, and not sooner."""
        after = position
        for move in exercise.line:
            if move not in after.legal:
                return f"its line cannot be played: {move}"
            after = after.play(move)
        if exercise.goal == "draw":
            return None
        if not after.over or not self.reaches(after, position.turn, "win"):
            return "its line does not end with a win"
        if own_moves(position, exercise.line) != exercise.length:
            return f"its line takes {len(exercise.line)} plies, not {exercise.length} moves"
        plies = None if self.game.points else self.plies(position, len(exercise.line))
        if plies is not None and plies != len(exercise.line):
            return f"the shortest win takes {plies} plies"
        return None

    def plies(self, position: Position, most: int) -> int | None:
        """Return the length of the shortest win in plies, or None if nothing here can count it.

        A win longer than `most` counts as `most + 1`. Uses the game's own solver if it counts
        plies, else a short textbook search.
        """
        if self.game.type.strength.solver is not None:
            found = self.solver.solve(position, Limits(nodes=self.nodes))
            if found.plies_to_end is not None:
                return found.plies_to_end
        found = self.textbook.search(position, Limits(depth=most, nodes=COUNTED))
        if found.depth < most and found.outcome is None:
            return None
        return found.plies_to_end or most + 1
